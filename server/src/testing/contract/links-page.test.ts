import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../mail-server.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

/** What the page at `/` does with links, as the browser gets it. */
interface LinkActions {
  readonly FORMS: Readonly<Record<string, { readonly fields: readonly string[] }>>;
  readLink(hash: string): { readonly form: string; readonly token: string } | undefined;
  perform(form: string, token: string, values: Readonly<Record<string, string>>, base: string): Promise<void>;
}

const PASSWORD = 'correct horse battery';
const NEXT = 'staple battery horse';

let server: MailServer;
let database: TestDatabase;
let app: TestApp;
let admin: Client;
let actions: LinkActions;

beforeAll(async () => {
  server = await startMailServer();
  database = await createTestDatabase();
  app = await startTestApp(database, {
    work: true,
    environment: { SMTP_URL: server.url, MAIL_FROM: 'normtrace@example.org' },
  });
  admin = await app.signUp();
  await database.asOwner("update profiles set role = 'admin' where id = $1", [admin.userId]);
  const { text } = await app.anyone.request('GET', '/link-actions.js');
  actions = await import(`data:text/javascript,${encodeURIComponent(text)}`);
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
  await server?.stop();
});

const newAddress = () => `${randomUUID()}@example.org`;
const post = async <Body>(client: Client, path: string, body: unknown): Promise<Body> => {
  const answer = await client.request('POST', `/api/v1${path}`, { body });
  if (answer.status >= 300) throw new Error(answer.text);
  return answer.body as Body;
};
/** What the page does after somebody filled in the form that the link opens. */
const follow = (link: string, values: Readonly<Record<string, string>>, form?: string): Promise<void> => {
  const read = actions.readLink(new URL(link).hash);
  if (!read) throw new Error(`The page knows nothing of ${link}.`);
  const chosen = form ?? read.form;
  expect(Object.keys(values).filter((name) => !actions.FORMS[chosen]?.fields.includes(name))).toEqual([]);
  return actions.perform(chosen, read.token, values, app.address);
};
const signIn = (email: string, password: string) =>
  post<{ access_token: string }>(app.anyone, '/auth/sign-in', { email, password });
const mailedLink = async (email: string): Promise<string> => {
  const find = () => server.mails.find(({ to }) => to.includes(email))?.text.match(/https?:\S+#\S+/)?.[0];
  await expect.poll(find, { timeout: 20_000 }).toBeTruthy();
  return find() ?? '';
};
const newWorkspace = async () => (await post<{ id: string }>(admin, '/workspaces', { name: 'Doors' })).id;
const membersOf = async (id: string): Promise<readonly string[]> => {
  const { body } = await admin.request('GET', `/api/v1/workspaces/${id}/members`);
  return (body as { items: { email: string }[] }).items.map(({ email }) => email);
};
const invite = (id: string, email: string) =>
  post<{ link: string }>(admin, `/workspaces/${id}/invitations`, { email, role: 'engineer' });

describe('the page at /', () => {
  it('has no script of its own text, and its policy lets its files run', async () => {
    const { text, headers } = await app.anyone.request('GET', '/');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+=|javascript:/i);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toMatch(/connect-src 'self'( https?:\/\/\S+)?;/);
    for (const file of ['/first-paint.js', '/link-actions.js']) {
      const script = await app.anyone.request('GET', file);
      expect([script.status, script.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('javascript'),
      ]);
      expect(script.text).not.toMatch(
        /innerHTML|eval\(|\bFunction\(|localStorage\.set|sessionStorage|\.cookie/,
      );
    }
  });

  it('knows its own links, and nothing else', () => {
    expect(actions.readLink('#reset=pwd_abc-1')).toEqual({ form: 'reset', token: 'pwd_abc-1' });
    for (const other of ['', '#', '#reset=', '#reset', '#else=x', '#reset=<b>', '#__proto__=x']) {
      expect(actions.readLink(other)).toBeUndefined();
    }
  });

  it('verifies the address of the account that asked', async () => {
    const email = newAddress();
    await app.signUp(email).then((jo) => post(jo, '/auth/me/verification', {}));
    await follow(await mailedLink(email), { email, password: PASSWORD });
    const found = await database.asOwner<{ email_verified: boolean }>(
      'select email_verified from auth.users where email = $1',
      [email],
    );
    expect(found).toEqual([{ email_verified: true }]);
  });

  it('sets a new password once, and says why it does not', async () => {
    const email = newAddress();
    const jo = await app.signUp(email);
    await post(app.anyone, '/auth/password-reset', { email });
    const link = await mailedLink(email);
    await expect(follow(link, { new_password: 'short' })).rejects.toThrow(/new_password: .*12/);
    await follow(link, { new_password: NEXT });
    expect((await jo.request('GET', '/api/v1/auth/me')).status).toBe(401);
    expect((await signIn(email, NEXT)).access_token).toBeTruthy();
    await expect(follow(link, { new_password: PASSWORD })).rejects.toThrow(/./);
    await expect(signIn(email, PASSWORD)).rejects.toThrow('AUTHENTICATION_ERROR');
  });

  it('makes an account, for whom an administrator vouched', async () => {
    const email = newAddress();
    const { link } = await post<{ link: string }>(admin, '/admin/sign-up-links', { email });
    await follow(link, { email, name: 'Kim', organization: '', new_password: PASSWORD });
    const { access_token } = await signIn(email, PASSWORD);
    const sessions = await app.withToken(access_token).request('GET', '/api/v1/auth/sessions');
    expect(sessions.body, 'the page leaves no session open').toMatchObject({ total: 1 });
  });

  it('makes a member of whoever has an account, and of whoever has none', async () => {
    const workspace = await newWorkspace();
    const [known, unknown] = [newAddress(), newAddress()];
    await app.signUp(known);
    await follow((await invite(workspace, known)).link, { email: known, password: PASSWORD });
    const { link } = await invite(workspace, unknown);
    await expect(follow(link, { email: unknown, password: PASSWORD })).rejects.toThrow(/./);
    const account = { email: unknown, name: 'Kim', organization: 'Doors', new_password: PASSWORD };
    await follow(link, account, 'invitation-new');
    expect(await membersOf(workspace)).toEqual(expect.arrayContaining([known, unknown]));
  });

  it('says so when the service does not answer', async () => {
    await expect(
      actions.perform('reset', 'pwd_x', { new_password: NEXT }, 'http://127.0.0.1:9'),
    ).rejects.toThrow('The service does not answer');
  });
});
