import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAddressOf } from '../../testing/join-workspace.js';
import { type ArrivedMail, type MailServer, startMailServer, tokenIn } from '../../testing/mail-server.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

const PASSWORD = 'correct horse battery';
const NEXT = 'staple battery horse';

let server: MailServer;
let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  server = await startMailServer();
  database = await createTestDatabase();
  app = await startTestApp(database, {
    work: true,
    environment: {
      SMTP_URL: server.url,
      MAIL_FROM: 'Normtrace <normtrace@example.org>',
      TRUST_PROXY: 'true',
    },
  });
  // The first administers the installation.
  await app.signUp();
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
  await server?.stop();
});

const post = (client: Client, path: string, body: unknown, headers = {}) =>
  client.request('POST', `/api/v1${path}`, { body, headers });
const mailsTo = (email: string): readonly ArrivedMail[] =>
  server.mails.filter(({ to }) => to.includes(email));
async function mailTo(email: string, ordinal = 1): Promise<ArrivedMail> {
  await expect.poll(() => mailsTo(email).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(ordinal);
  return mailsTo(email)[ordinal - 1] as ArrivedMail;
}
const signIn = (email: string, password: string) => post(app.anyone, '/auth/sign-in', { email, password });
const profileOf = async (client: Client) => (await client.request('GET', '/api/v1/auth/me')).body;
async function newWorkspace(owner: Client): Promise<string> {
  const { body } = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Secret project' } });
  return (body as { id: string }).id;
}

describe('an address', () => {
  it('is verified by the mail that is sent to it, and only for the account that asked', async () => {
    const [jo, kim] = [await app.signUp(), await app.signUp()];
    expect(await profileOf(jo)).toMatchObject({ email_verified: false });
    expect((await post(jo, '/auth/me/verification', {})).status).toBe(202);
    const mail = await mailTo(jo.email);
    expect(mail.from).toBe('normtrace@example.org');
    expect(mail.headers.get('subject')).toBe('Confirm your address');
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.text).toContain(`${app.address}/#verify=adr_`);
    const confirm = (client: Client) =>
      post(client, '/auth/me/verification/confirm', { token: tokenIn(mail) });
    // Whoever reads the mail of an account that a stranger made verifies nothing for the stranger.
    expect((await confirm(kim)).status).toBe(422);
    expect((await confirm(app.anyone)).status).toBe(401);
    expect((await confirm(jo)).body).toEqual({ email: jo.email, email_verified: true });
    expect(await profileOf(jo)).toMatchObject({ email_verified: true });
    expect((await confirm(jo)).status, 'used up').toBe(422);
    expect((await post(jo, '/auth/me/verification', {})).status, 'verified already').toBe(409);
    expect((await post(kim, '/auth/me/verification', { email: jo.email })).status, 'of another').toBe(422);
  });

  it('gets its mail in the language of the person, also from a server that was busy', async () => {
    const jo = await app.signUp();
    server.refuse(2);
    const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
    expect((await post(jo, '/auth/me/verification', {}, german)).status).toBe(202);
    const mail = await mailTo(jo.email);
    expect(mail.text).toContain('öffnen Sie innerhalb von 24 Stunden');
    expect(mailsTo(jo.email)).toHaveLength(1);
    // Jobs hold ids, and nobody keeps a token.
    const kept = JSON.stringify([
      await database.asOwner('select data from pgboss.job'),
      await database.asOwner('select l::text as row from auth.one_time_links l'),
    ]);
    expect(kept).not.toContain(tokenIn(mail));
    expect(JSON.stringify(await database.asOwner('select data from pgboss.job'))).not.toContain('@');
  }, 30_000);
});

describe('an invitation', () => {
  it('is mailed, shown to nobody, and makes a member of whoever signs up with it', async () => {
    const owner = await app.signUp();
    const workspace = await newWorkspace(owner);
    const email = `${randomUUID()}@example.org`;
    const made = await post(owner, `/workspaces/${workspace}/members`, { email, role: 'engineer' });
    expect([made.status, made.body]).toMatchObject([201, { token: null, link: null, mailed: true }]);
    const mail = await mailTo(email);
    // Neither names nor an address that nobody has verified: a stranger could have written them.
    expect(mail.text).not.toMatch(new RegExp(`Secret project|Test User|${owner.email}`));
    const signedUp = await post(app.anyone, '/auth/sign-up', {
      email,
      password: PASSWORD,
      name: 'Jo',
      invitation: tokenIn(mail),
    });
    expect(signedUp.status).toBe(201);
    const { access_token } = signedUp.body as { access_token: string };
    const jo = app.withToken(access_token);
    expect(await profileOf(jo)).toMatchObject({ email_verified: true });
    expect((await jo.request('GET', `/api/v1/workspaces/${workspace}`)).status).toBe(200);
  });

  it('of an account goes to its address once that is verified, and otherwise nowhere', async () => {
    const owner = await app.signUp();
    await verifyAddressOf(app, owner);
    const workspace = await newWorkspace(owner);
    const [jo, kim] = [await app.signUp(), await app.signUp()];
    await verifyAddressOf(app, jo);
    for (const { userId } of [kim, jo]) {
      const made = await post(owner, `/workspaces/${workspace}/members`, { user_id: userId, role: 'viewer' });
      expect(made.body).toMatchObject({ mailed: true, email: null });
    }
    const mail = await mailTo(jo.email);
    expect(mail.text).toContain(owner.email);
    const accepted = await post(jo, '/auth/me/invitations/accept', { token: tokenIn(mail) });
    expect(accepted.body).toEqual({ workspace_id: workspace, role: 'viewer', guest_id: null });
    expect(mailsTo(kim.email)).toEqual([]);
  });
});

it('to the same place are few, so that nobody fills a mailbox', async () => {
  const owner = await app.signUp();
  const workspace = await newWorkspace(owner);
  const email = `${randomUUID()}@example.org`;
  const invite = (to: string) =>
    post(owner, `/workspaces/${workspace}/invitations`, { email: to, role: 'viewer' });
  const statuses: number[] = [];
  for (const to of [email, email.toUpperCase(), email, email]) statuses.push((await invite(to)).status);
  expect(statuses).toEqual([201, 201, 201, 429]);
  expect((await invite(`${randomUUID()}@example.org`)).status).toBe(201);
});

describe('a lost password', () => {
  const ask = (email: string, from = '192.0.2.1') =>
    post(app.anyone, '/auth/password-reset', { email }, { 'x-forwarded-for': from });
  const confirm = (token: string, password = NEXT) =>
    post(app.anyone, '/auth/password-reset/confirm', { token, new_password: password });

  it('is replaced by mail, which ends all sessions and verifies the address', async () => {
    const jo = await app.signUp();
    const token = await post(jo, '/auth/tokens', { name: 'Of whoever made the account' });
    expect((await ask(jo.email.toUpperCase())).status).toBe(202);
    const link = tokenIn(await mailTo(jo.email));
    expect((await confirm(link, 'short')).status).toBe(422);
    expect((await confirm(link, 'Password1234!')).status).toBe(422);
    const answers = await Promise.all(Array.from({ length: 4 }, () => confirm(link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422, 422, 422]);
    expect((await jo.request('GET', '/api/v1/auth/me')).status, 'old session').toBe(401);
    const { token: apiToken } = token.body as { token: string };
    expect((await app.withToken(apiToken).request('GET', '/api/v1/auth/me')).status, 'API token').toBe(401);
    expect((await signIn(jo.email, PASSWORD)).status).toBe(401);
    const again = await signIn(jo.email, NEXT);
    const { access_token } = again.body as { access_token: string };
    expect(await profileOf(app.withToken(access_token))).toMatchObject({ email_verified: true });
  });

  it('is answered the same, in about the same time, for addresses that nobody has', async () => {
    const jo = await app.signUp();
    const timed = async (email: string) => {
      const started = performance.now();
      const { status, text } = await ask(email, '192.0.2.2');
      return { milliseconds: performance.now() - started, told: [status, text] };
    };
    const nobody = `${randomUUID()}@example.org`;
    const [known, unknown] = [await timed(jo.email), await timed(nobody)];
    expect(unknown.told).toEqual(known.told);
    await mailTo(jo.email);
    // The job has found out that nobody has the other one.
    const open = () => database.asOwner('select from auth.mails where finished_at is null');
    await expect.poll(async () => (await open()).length, { timeout: 10_000 }).toBe(0);
    expect(mailsTo(nobody)).toEqual([]);
  });

  it('is mailed to one address a few times only, whoever asks', async () => {
    const jo = await app.signUp();
    for (let n = 0; n < 6; n++) expect((await ask(jo.email, `198.51.100.${n}`)).status).toBe(202);
    const made = await database.asOwner('select from auth.mails where email = $1', [jo.email]);
    expect(made).toHaveLength(3);
    await database.asOwner(
      "update rate_limit_buckets set tokens = 0 where key = 'password reset at 198.51.100.1'",
    );
    expect((await ask(jo.email, '198.51.100.1')).status).toBe(429);
  });

  it('of a link that is over stays as it is', async () => {
    const jo = await app.signUp();
    await ask(jo.email, '192.0.2.3');
    const link = tokenIn(await mailTo(jo.email));
    await database.asOwner(
      "update auth.one_time_links set expires_at = now() - interval '1 second' where user_id = $1",
      [jo.userId],
    );
    expect((await confirm(link)).status).toBe(422);
    expect((await signIn(jo.email, PASSWORD)).status).toBe(200);
  });
});
