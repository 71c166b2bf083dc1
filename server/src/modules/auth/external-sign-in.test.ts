import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IssuerServer, startIssuer, wanderer } from '../../testing/issuer-server.js';
import { startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

const CLIENT = { id: 'normtrace', secret: 'a secret that both know' };

let database: TestDatabase;
let issuer: IssuerServer;
let app: TestApp;

beforeAll(async () => {
  database = await createTestDatabase();
  issuer = await startIssuer();
  app = await startTestApp(database, {
    environment: {
      AUTH_ISSUER: issuer.address,
      AUTH_AUDIENCE: 'normtrace',
      AUTH_JWKS_URL: `${issuer.address}/jwks`,
      AUTH_CLIENT_ID: CLIENT.id,
      AUTH_CLIENT_SECRET: CLIENT.secret,
      AUTH_LABEL: 'The company',
      AUTH_CLIENT_SIGN_OUT: 'issuer',
    },
  });
});
afterAll(async () => {
  await app?.stop();
  await issuer?.stop();
  await database?.stop();
});

const callback = (): string => `${app.address}/auth/callback`;
const isCallback = (address: string): boolean => address.startsWith(callback());

/** Signs in at the issuer, up to the address that leads back to the service. */
async function comeBack(
  browser: ReturnType<typeof wanderer>,
  email: string,
  returnTo = '/w/1?a=b',
): Promise<string> {
  const way = `${app.address}/auth/login?return_to=${encodeURIComponent(returnTo)}`;
  let { address } = await browser.follow(way);
  const forms: readonly Readonly<Record<string, string>>[] = [
    { prompt: 'login', login: email, password: 'any' },
    { prompt: 'consent' },
  ];
  for (const form of forms) {
    const answer = await browser.go(address, form);
    ({ address } = await browser.follow(
      new URL(answer.headers.get('location') ?? '', address).href,
      isCallback,
    ));
    if (isCallback(address)) return address;
  }
  return address;
}
const refusedFor = ({ status, headers }: Response): unknown => [status, headers.get('location')];
const me = async (browser: ReturnType<typeof wanderer>): Promise<{ status: number; body: unknown }> => {
  const answer = await browser.go(`${app.address}/api/v1/auth/me`);
  return { status: answer.status, body: await answer.json() };
};

describe('signing in at an issuer', () => {
  it('says why where the issuer does not answer, and works once it does', async () => {
    const browser = wanderer();
    expect(refusedFor(await browser.go(`${app.address}/auth/login`))).toEqual([
      303,
      '/sign-in?refused=issuer',
    ]);
    issuer.know({ ...CLIENT, callback: callback() });
    const { status, headers } = await browser.go(`${app.address}/auth/login`);
    const there = new URL(headers.get('location') ?? '');
    expect([status, there.origin]).toEqual([303, issuer.address]);
    expect(Object.fromEntries(there.searchParams)).toMatchObject({
      client_id: CLIENT.id,
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: callback(),
    });
  });

  it('opens a session in a cookie, for the same person each time, and leads back', async () => {
    const ids: string[] = [];
    for (let time = 0; time < 2; time++) {
      const browser = wanderer();
      const back = await browser.go(await comeBack(browser, 'jo@company.example'));
      expect(refusedFor(back)).toEqual([303, '/w/1?a=b']);
      const [session] = back.headers.getSetCookie();
      expect(session).toMatch(/^normtrace=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
      const { status, body } = await me(browser);
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ email: 'jo@company.example', name: 'Jo Outside', email_verified: true }),
      ]);
      ids.push((body as { id: string }).id);
    }
    expect(ids[0]).toBe(ids[1]);
    const events = await database.asOwner<{ action: string }>(
      "select action from audit_events where target_id = $1 and action = 'user.signed_in'",
      [ids[0]],
    );
    expect(events.length).toBe(2);
  });

  it('takes no code twice, none without the cookie of the way, and none of another way', async () => {
    const browser = wanderer();
    const back = await comeBack(browser, 'kim@company.example');
    expect(refusedFor(await wanderer().go(back))).toEqual([303, '/sign-in?refused=expired']);
    const other = wanderer();
    await other.go(`${app.address}/auth/login`);
    expect(refusedFor(await other.go(back))).toEqual([303, '/sign-in?refused=issuer']);
    expect(other.cookies(app.address).has('normtrace')).toBe(false);
    const way = browser.cookies(app.address).get('normtrace-way') ?? '';
    expect((await browser.go(back)).headers.get('location')).toBe('/w/1?a=b');
    const again = await fetch(back, { redirect: 'manual', headers: { cookie: `normtrace-way=${way}` } });
    expect(refusedFor(again)).toEqual([303, '/sign-in?refused=issuer']);
    const forged = await fetch(back, {
      redirect: 'manual',
      headers: { cookie: `normtrace-way=${way.slice(0, -2)}xx` },
    });
    expect(refusedFor(forged)).toEqual([303, '/sign-in?refused=expired']);
  });

  it('says it where somebody did not sign in there', async () => {
    const browser = wanderer();
    const there = await browser.go(`${app.address}/auth/login`);
    const state = new URL(there.headers.get('location') ?? '').searchParams.get('state');
    const answer = await browser.go(`${callback()}?error=access_denied&state=${state}`);
    expect(refusedFor(answer)).toEqual([303, '/sign-in?refused=cancelled']);
  });

  it.each([
    'https://elsewhere.example/',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/a\r\nset-cookie: a=b',
    'x',
  ])('never leads anywhere else: %s', async (to) => {
    const browser = wanderer();
    const back = await browser.go(await comeBack(browser, 'lee@company.example', to));
    expect(refusedFor(back)).toEqual([303, '/']);
  });

  it('does not let somebody in who was deactivated', async () => {
    const browser = wanderer();
    await browser.go(await comeBack(browser, 'max@company.example'));
    await database.asOwner("update profiles set deactivated_at = now() where email = 'max@company.example'");
    const next = wanderer();
    const back = await next.go(await comeBack(next, 'max@company.example'));
    expect(refusedFor(back)).toEqual([303, '/sign-in?refused=deactivated']);
    expect(next.cookies(app.address).has('normtrace')).toBe(false);
  });

  it('believes an address only as far as the issuer does, and ends the session that the browser had', async () => {
    const browser = wanderer();
    await browser.go(await comeBack(browser, 'unverified@company.example'));
    expect((await me(browser)).body).toMatchObject({ email_verified: false });
    const first = browser.cookies(app.address).get('normtrace');
    await browser.go(await comeBack(browser, 'jo@company.example'));
    const old = await fetch(`${app.address}/api/v1/auth/me`, { headers: { cookie: `normtrace=${first}` } });
    expect(old.status).toBe(401);
  });

  it('ends at the issuer as well where that is set, which leads back to the sign-in page', async () => {
    const browser = wanderer();
    await browser.go(await comeBack(browser, 'out@company.example'));
    const cookie = `normtrace=${browser.cookies(app.address).get('normtrace')}`;
    const left = await fetch(`${app.address}/api/v1/auth/sign-out`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(left.status).toBe(204);
    const there = await browser.go(`${app.address}/auth/logout`);
    const address = new URL(there.headers.get('location') ?? '');
    expect([there.status, address.origin]).toEqual([303, issuer.address]);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: CLIENT.id,
      post_logout_redirect_uri: `${app.address}/sign-in`,
    });
    // The issuer asks; with its own form the person says yes.
    const asked = await browser.go(address.href);
    const form = await asked.text();
    const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(form) ?? [];
    const [, action = ''] = /action="([^"]+)"/.exec(form) ?? [];
    const ended = await browser.go(action, { xsrf, logout: 'yes' });
    expect(ended.headers.get('location')).toBe(`${app.address}/sign-in`);
    // Whoever signs in next is asked for who they are.
    const next = await browser.follow(`${app.address}/auth/login`, isCallback);
    expect(isCallback(next.address)).toBe(false);
    expect((await fetch(`${app.address}/api/v1/auth/me`, { headers: { cookie } })).status).toBe(401);
  });

  it('is told to pages, and is not there where no client is set', async () => {
    const { body } = await app.anyone.request('GET', '/api/v1/installation');
    expect(body).toMatchObject({
      identity: {
        kind: 'external',
        sign_in: { address: '/auth/login', label: 'The company', sign_out: '/auth/logout' },
      },
    });
    const without = await startTestApp(database, { alone: true });
    expect((await fetch(`${without.address}/auth/login`)).status).toBe(404);
    await without.stop();
  });
});
