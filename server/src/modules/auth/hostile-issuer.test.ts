import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HostileIssuer, type Lie, startHostileIssuer } from '../../testing/hostile-issuer.js';
import { freePort } from '../../testing/service-process.js';
import { startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

const CLIENT = { id: 'normtrace', secret: 'a secret of at least thirty-two bytes, for HS256' };
const WAY = 'normtrace-way';

let database: TestDatabase;
let issuer: HostileIssuer;
let app: TestApp;

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  AUTH_ISSUER: issuer.address,
  AUTH_AUDIENCE: 'normtrace-api',
  AUTH_JWKS_URL: `${issuer.address}/jwks`,
  AUTH_CLIENT_ID: CLIENT.id,
  AUTH_CLIENT_SECRET: CLIENT.secret,
  ...more,
});

beforeAll(async () => {
  database = await createTestDatabase();
  issuer = await startHostileIssuer(CLIENT);
  app = await startTestApp(database, { environment: environment() });
});
beforeEach(() => issuer.lie({}));
afterAll(async () => {
  await app?.stop();
  await issuer?.stop();
  await database?.stop();
});

interface Begun {
  readonly way: string;
  readonly state: string;
  readonly nonce: string;
}

/** A browser on its way to the issuer, with what the service gave it. */
async function begin(at = app.address): Promise<Begun> {
  const answer = await fetch(`${at}/auth/login?return_to=/w/1`, { redirect: 'manual' });
  const asked = new URL(answer.headers.get('location') ?? '', at).searchParams;
  const [cookie = ''] = answer.headers.getSetCookie();
  return {
    way: cookie.split(';')[0]?.slice(WAY.length + 1) ?? '',
    state: asked.get('state') ?? '',
    nonce: asked.get('nonce') ?? '',
  };
}

/** Comes back with a code; the issuer takes the code as the nonce of the ID token, as an honest one remembers it. */
const comeBack = (
  { way, state, nonce }: Begun,
  query: Readonly<Record<string, string>> = {},
  at = app.address,
): Promise<Response> =>
  fetch(`${at}/auth/callback?${new URLSearchParams({ code: nonce, state, ...query })}`, {
    redirect: 'manual',
    headers: { cookie: `${WAY}=${way}` },
  });

const outcome = (answer: Response) => ({
  to: answer.headers.get('location'),
  session: answer.headers.getSetCookie().some((cookie) => /^normtrace=[\w-]{43};/.test(cookie)),
});
const IN = { to: '/w/1', session: true };
const REFUSED = { to: '/sign-in?refused=issuer', session: false };
const now = () => Math.floor(Date.now() / 1000);

describe('a hostile issuer', () => {
  it('lets somebody in as long as it is honest, which the others are measured by', async () => {
    expect(outcome(await comeBack(await begin()))).toEqual(IN);
    expect(issuer.exchanged.at(-1)?.get('code_verifier')).toMatch(/^[\w-]{43,}$/);
  });

  const lies: readonly (readonly [string, Lie])[] = [
    ['of another issuer', { claims: { iss: 'https://elsewhere.example' } }],
    ['with the name of the issuer and a slash', { claims: { iss: 'http://127.0.0.1/' } }],
    ['for another client', { claims: { aud: 'another client' } }],
    ['for the API, not for this client', { claims: { aud: 'normtrace-api' } }],
    ['for several, given to another client', { claims: { aud: [CLIENT.id, 'other'], azp: 'other' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['with the nonce of another way', { claims: { nonce: 'another nonce' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { iat: now() - 7_200, exp: now() - 3_600 } }],
    ['that never ends', { claims: { exp: undefined } }],
    ['that begins tomorrow', { claims: { nbf: now() + 86_400 } }],
    ['without a person', { claims: { sub: undefined } }],
    ['with an empty person', { claims: { sub: '' } }],
    ['with a person of blanks', { claims: { sub: ' ' } }],
    ['with a person that is no text', { claims: { sub: { admin: true } } }],
    ['without a signature', { signed: 'none' }],
    ['signed with the secret of the client', { signed: 'secret' }],
    ['signed by a key that is not its own', { signed: 'by another key' }],
    ['with a signature that was cut off', { signed: 'cut off' }],
    ['that is not there', { without: true }],
  ];
  it.each(lies)('lets nobody in by a token %s', async (_, lie) => {
    issuer.lie(lie);
    expect(outcome(await comeBack(await begin()))).toEqual(REFUSED);
  });

  it.each([
    [
      'a refusal',
      (response) =>
        void response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}'),
    ],
    ['an error', (response) => void response.writeHead(500).end('broken')],
    [
      'a page',
      (response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>'),
    ],
    [
      'half an answer',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id_token":'),
    ],
    [
      'a way elsewhere',
      (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/token' }).end(),
    ],
    ['a broken connection', (response) => void response.destroy()],
    ['silence', () => undefined],
  ] satisfies readonly (readonly [string, NonNullable<Lie['answer']>])[])(
    'lets nobody in who brings a code that it answers with %s',
    async (_, answer) => {
      issuer.lie({ answer });
      expect(outcome(await comeBack(await begin()))).toEqual(REFUSED);
    },
    20_000,
  );

  it('gets nowhere with the state of another browser, without one, or with two', async () => {
    const [mine, other] = [await begin(), await begin()];
    expect(outcome(await comeBack({ ...mine, state: other.state }))).toEqual(REFUSED);
    expect(outcome(await comeBack({ ...mine, state: '' }))).toEqual(REFUSED);
    const twice = await fetch(
      `${app.address}/auth/callback?code=${mine.nonce}&state=${mine.state}&state=${other.state}`,
      { redirect: 'manual', headers: { cookie: `${WAY}=${mine.way}` } },
    );
    expect(outcome(twice)).toEqual(REFUSED);
    // The code of somebody else in one's own way: the nonce tells.
    expect(outcome(await comeBack(mine, { code: other.nonce }))).toEqual(REFUSED);
    expect(outcome(await comeBack(mine))).toEqual(IN);
  });

  it('does not lead the browser anywhere, whatever it sends it back with', async () => {
    const queries: readonly Readonly<Record<string, string>>[] = [
      { iss: 'https://elsewhere.example' },
      { return_to: 'https://elsewhere.example' },
      { error: 'x"><script>alert(1)</script>' },
      { error: 'server_error', error_uri: 'https://elsewhere.example' },
    ];
    for (const query of queries) {
      const to = outcome(await comeBack(await begin(), query)).to ?? '';
      expect(new URL(to, app.address).origin).toBe(app.address);
      expect(to).not.toMatch(/elsewhere|script/);
    }
  });

  it('is not asked anything where its metadata name another issuer', async () => {
    issuer.pretend({ issuer: 'https://elsewhere.example' });
    const fresh = await startTestApp(database, { alone: true, environment: environment() });
    try {
      const before = issuer.exchanged.length;
      const answer = await fetch(`${fresh.address}/auth/login`, { redirect: 'manual' });
      expect(answer.headers.get('location')).toBe('/sign-in?refused=issuer');
      expect(issuer.exchanged.length).toBe(before);
    } finally {
      issuer.pretend({});
      await fresh.stop();
    }
  });

  it('makes one person of one subject, whatever address it claims for them later', async () => {
    issuer.lie({ claims: { sub: 'person-9', email: 'nine@company.example' } });
    await comeBack(await begin());
    issuer.lie({ claims: { sub: 'person-9', email: 'jo@company.example', email_verified: true } });
    expect(outcome(await comeBack(await begin()))).toEqual(IN);
    const people = await database.asOwner('select from auth.users where subject = $1', ['person-9']);
    expect(people.length).toBe(1);
  });
});

describe('a service that stops while somebody is at the issuer', () => {
  it('takes them in when it is there again', async () => {
    const port = await freePort();
    const settings = { ...environment(), BASE_URL: `http://127.0.0.1:${port}` };
    const first = await startTestApp(database, { alone: true, environment: settings });
    const begun = await begin(first.address);
    await first.stop();
    const second = await startTestApp(database, { alone: true, environment: settings });
    try {
      expect(outcome(await comeBack(begun, {}, second.address))).toEqual(IN);
      expect(issuer.exchanged.at(-1)?.get('redirect_uri')).toBe(`http://127.0.0.1:${port}/auth/callback`);
    } finally {
      await second.stop();
    }
  });

  it('leaves no session behind when it stops before the issuer has answered', async () => {
    const count = async () =>
      (await database.asOwner<{ count: number }>('select count(*)::int as count from auth.sessions'))[0]
        ?.count;
    const doomed = await startTestApp(database, { alone: true, environment: environment() });
    const begun = await begin(doomed.address);
    const before = await count();
    let asked: (() => void) | undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    issuer.lie({ answer: () => asked?.() });
    const answer = comeBack(begun, {}, doomed.address).then(outcome, () => undefined);
    await isAsked;
    const stopped = performance.now();
    await doomed.stop();
    // The connection of who waited ends after its answer, not after the 72 seconds that an idle one may stay.
    expect(performance.now() - stopped).toBeLessThan(60_000);
    expect([undefined, REFUSED]).toContainEqual(await answer);
    expect(await count()).toBe(before);
    issuer.lie({});
    expect(outcome(await comeBack(await begin()))).toEqual(IN);
  }, 120_000);
});
