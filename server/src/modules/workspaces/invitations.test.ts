import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { whileHeld } from '../../testing/waiting.js';

const PASSWORD = 'correct horse battery';

let database: TestDatabase;
let app: TestApp;
let invited: TestApp;
let closed: TestApp;
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  invited = await startTestApp(database, { environment: { SIGN_UP: 'invited' } });
  closed = await startTestApp(database, { environment: { SIGN_UP: 'closed' } });
});
afterAll(async () => {
  await closed?.stop();
  await invited?.stop();
  await app?.stop();
  await database?.stop();
});

const newAddress = () => `${randomUUID()}@example.org`;
const signUp = (at: TestApp, email: string, invitation?: string) =>
  at.anyone.request('POST', '/api/v1/auth/sign-up', {
    body: { email, password: PASSWORD, name: 'Jo', ...(invitation === undefined ? {} : { invitation }) },
  });
const signIn = (email: string, invitation: string) =>
  app.anyone.request('POST', '/api/v1/auth/sign-in', { body: { email, password: PASSWORD, invitation } });
async function newWorkspace(owner: Client): Promise<string> {
  const { headers } = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'One' } });
  return headers.get('location') ?? '';
}
const invite = (by: Client, path: string, email: string, role = 'viewer') =>
  by.request('POST', `${path}/invitations`, { body: { email, role } });
const issued = async (by: Client, path: string, email: string, role?: string) =>
  (await invite(by, path, email, role)).body as { id: string; token: string; link: string };
const rolesIn = async (path: string) =>
  (
    await database.asOwner<{ role: string; email: string }>(
      `select m.role, p.email from workspace_members m join profiles p on p.id = m.user_id where m.workspace_id = $1`,
      [path.split('/').at(-1)],
    )
  ).map(({ role, email }) => `${role} ${email}`);

describe('signing up', () => {
  it('is possible for the first person wherever accounts are not open, and then for nobody else', async () => {
    const lock = "select pg_advisory_xact_lock(hashtext('normtrace first profile'))";
    const attempts = await whileHeld(database, { lock, waiters: 2 }, () =>
      Promise.all(Array.from({ length: 8 }, () => signUp(invited, newAddress()))),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(403)]);
    expect((await signUp(closed, newAddress())).body).toMatchObject({
      error: { code: 'AUTHORIZATION_ERROR', details: { sign_up: 'closed' } },
    });
    expect((await signUp(app, newAddress())).status).toBe(201);
    admin = await app.signUp();
    await database.asOwner("update profiles set role = 'admin' where id = $1", [admin.userId]);
  });

  it('with an invitation makes a member, once', async () => {
    const owner = await app.signUp();
    const path = await newWorkspace(owner);
    const email = newAddress();
    const { token, link } = await issued(owner, path, email, 'engineer');
    expect(link).toBe(`${app.address}/#invitation=${token}`);
    expect((await signUp(closed, email, token)).status).toBe(403);
    expect((await signUp(invited, email.toUpperCase(), token)).status).toBe(201);
    expect(await rolesIn(path)).toContain(`engineer ${email.toUpperCase()}`);
    expect((await signUp(invited, newAddress(), token)).status, 'used up').toBe(422);
    const listed = await owner.request('GET', `${path}/invitations`);
    expect(listed.body).toMatchObject({ total: 1, items: [{ email, accepted_at: expect.any(String) }] });
    expect(listed.text).not.toContain(token);
  });

  it('sixteen times at once with one invitation makes one account', async () => {
    const path = await newWorkspace(admin);
    const email = newAddress();
    const { token } = await issued(admin, path, email);
    const answers = await Promise.all(Array.from({ length: 16 }, () => signUp(invited, email, token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBe(1);
    expect(statuses.filter((status) => status !== 409 && status !== 422 && status !== 201)).toEqual([]);
  });

  it.each([
    ['of another address', async (path: string) => (await issued(admin, path, newAddress())).token],
    ['that nobody made', async () => 'inv_unknown'],
    [
      'that was replaced by another one',
      async (path: string, email: string) => {
        const { token } = await issued(admin, path, email);
        await issued(admin, path, email.toUpperCase());
        return token;
      },
    ],
    [
      'that was withdrawn',
      async (path: string, email: string) => {
        const { id, token } = await issued(admin, path, email);
        expect((await admin.request('DELETE', `${path}/invitations/${id}`)).status).toBe(204);
        return token;
      },
    ],
    [
      'that is older than a week',
      async (path: string, email: string) => {
        const { token } = await issued(admin, path, email);
        await database.asOwner("update workspace_invitations set expires_at = now() - interval '1 second'");
        return token;
      },
    ],
  ])('is refused with an invitation %s', async (_name, tokenFor) => {
    const path = await newWorkspace(admin);
    const email = newAddress();
    const answer = await signUp(invited, email, await tokenFor(path, email));
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { error: { details: { issues: [{ path: 'body.invitation' }] } } },
    ]);
    expect(await rolesIn(path)).toHaveLength(1);
  });
});

describe('an invitation', () => {
  it('is accepted by signing in as well, and never changes the role of a member', async () => {
    const path = await newWorkspace(admin);
    const jo = await app.signUp();
    const { token } = await issued(admin, path, jo.email, 'viewer');
    await admin.request('POST', `${path}/members`, { body: { user_id: jo.userId, role: 'manager' } });
    expect((await signIn(jo.email, token)).status).toBe(200);
    expect(await rolesIn(path)).toContain(`manager ${jo.email}`);
    expect((await invite(admin, path, jo.email)).status, 'a member already').toBe(409);
    expect((await signIn(jo.email, token)).status).toBe(422);
  });

  it('verifies the address only when somebody trusted with the installation made it', async () => {
    const verifiedBy = async (inviter: Client) => {
      const path = await newWorkspace(inviter);
      const email = newAddress();
      await database.asOwner("insert into pending_subscriptions (email, plan) values ($1, 'pro')", [email]);
      const { token } = await issued(inviter, path, email);
      const { user_id, access_token } = (await signUp(invited, email, token)).body as {
        user_id: string;
        access_token: string;
      };
      const synced = await app.withToken(access_token).request('POST', '/api/v1/auth/sync', {
        body: { id: user_id, email, name: 'Jo' },
      });
      return (synced.body as { subscription_migrated: boolean }).subscription_migrated;
    };
    expect(await verifiedBy(admin)).toBe(true);
    expect(await verifiedBy(await app.signUp())).toBe(false);
  });

  it('of a manager is for viewers and engineers', async () => {
    const path = await newWorkspace(admin);
    const kim = await app.signUp();
    await admin.request('POST', `${path}/members`, { body: { user_id: kim.userId, role: 'manager' } });
    expect((await invite(kim, path, newAddress(), 'engineer')).status).toBe(201);
    expect((await invite(kim, path, newAddress(), 'admin')).status).toBe(403);
    const { id } = await issued(admin, path, newAddress(), 'admin');
    expect((await kim.request('DELETE', `${path}/invitations/${id}`)).status).toBe(403);
    const listed = await kim.request('GET', `${path}/invitations`);
    expect(listed.body).toMatchObject({ total: 2 });
  });

  it('is kept as a hash only', async () => {
    const path = await newWorkspace(admin);
    const { token } = await issued(admin, path, newAddress());
    const rows = await database.asOwner('select i::text as row from workspace_invitations i');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });
});
