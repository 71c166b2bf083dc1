import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

let database: TestDatabase;
let app: TestApp;
let other: TestApp;
let admin: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  other = await startTestApp(database);
  admin = await app.signUp('admin@example.org');
});
afterAll(async () => {
  await other?.stop();
  await app?.stop();
  await database?.stop();
});

const change = (by: Client, id: string, body: unknown, headers: Record<string, string> = {}) =>
  by.request('PATCH', `/api/v1/admin/users/${id}`, { body, headers });
const createWorkspace = async (by: Client) =>
  (await by.request('POST', '/api/v1/workspaces', { body: { name: 'One' } })).status;

describe('the own profile', () => {
  it('can be changed in name and organization and in nothing else', async () => {
    const jo = await app.signUp();
    const answer = await jo.request('PATCH', '/api/v1/auth/me', { body: { organization: 'New' } });
    expect([answer.status, answer.body]).toMatchObject([200, { name: 'Test User', organization: 'New' }]);
    for (const body of [
      { role: 'admin' },
      { subscription_status: 'active' },
      { email: 'x@example.org' },
      {},
    ]) {
      expect((await jo.request('PATCH', '/api/v1/auth/me', { body })).status).toBe(422);
    }
  });
});

describe('users', () => {
  it('are an administrator’s business', async () => {
    const jo = await app.signUp('jo.search@example.org');
    for (const path of ['/api/v1/admin/users', `/api/v1/admin/users/${admin.userId}`]) {
      expect((await jo.request('GET', path)).status).toBe(403);
    }
    const found = await admin.request('GET', '/api/v1/admin/users?search=JO.SEARCH&limit=5');
    expect(found.body).toMatchObject({
      total: 1,
      items: [{ id: jo.userId, email_verified: false, role: 'engineer' }],
    });
    const admins = await admin.request('GET', '/api/v1/admin/users?role=admin');
    expect(admins.body).toMatchObject({ items: [{ id: admin.userId }] });
    expect((await admin.request('GET', `/api/v1/admin/users/${jo.userId}`)).body).toMatchObject({
      id: jo.userId,
    });
    const absent = await admin.request('GET', '/api/v1/admin/users/00000000-0000-4000-8000-000000000000');
    expect(absent.status).toBe(404);
  });

  it('keep their sessions when their role changes, and the new role counts at once, on every process', async () => {
    const jo = await app.signUp();
    const elsewhere = other.withToken(jo.token);
    expect([await createWorkspace(jo), await createWorkspace(elsewhere)]).toEqual([201, 201]);
    expect((await change(admin, jo.userId, { role: 'viewer' })).body).toMatchObject({ role: 'viewer' });
    expect(await createWorkspace(jo)).toBe(403);
    await expect.poll(() => createWorkspace(elsewhere), { timeout: 2_000 }).toBe(403);
    const trail = await database.asOwner(
      'select action, before, after, actor_id from audit_events where target_id = $1 order by sequence',
      [jo.userId],
    );
    expect(trail.slice(1)).toEqual([
      {
        action: 'user.changed',
        before: { role: 'engineer', email_verified: false, active: true },
        after: { role: 'viewer', email_verified: false, active: true },
        actor_id: admin.userId,
      },
    ]);
  });

  it('never change their own role', async () => {
    expect((await change(admin, admin.userId, { role: 'viewer' })).status).toBe(403);
  });

  it.each([{ role: 'viewer' }, { active: false }])('always have an administrator: %j', async (removal) => {
    const [one, two] = [await app.signUp(), await app.signUp()];
    await database.asOwner("update profiles set role = 'admin' where id = any ($1)", [
      [one.userId, two.userId],
    ]);
    await database.asOwner("update profiles set role = 'manager' where id = $1", [admin.userId]);
    // Both try to be the only one left, and both have got as far as the database when they go on.
    const holding = new pg.Client(database.connections.migration);
    await holding.connect();
    await holding.query("begin; select from profiles where role = 'admin' for update");
    const attempts = [change(one, two.userId, removal), change(two, one.userId, removal)];
    const waiting = async () =>
      (
        await database.asOwner(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        )
      ).length;
    await expect.poll(waiting, { timeout: 5_000 }).toBe(2);
    await holding.query('commit');
    await holding.end();
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    await database.asOwner("update profiles set role = 'engineer' where id = any ($1)", [
      [one.userId, two.userId],
    ]);
    await database.asOwner("update profiles set role = 'admin' where id = $1", [admin.userId]);
    const works = () => admin.request('GET', '/api/v1/admin/users').then(({ status }) => status);
    await expect.poll(works, { timeout: 2_000 }).toBe(200);
  });

  it('are changed only as they were read', async () => {
    const jo = await app.signUp();
    const path = `/api/v1/admin/users/${jo.userId}`;
    const tag = (await admin.request('GET', path)).headers.get('etag') ?? '';
    expect((await change(admin, jo.userId, { email_verified: true }, { 'if-match': tag })).status).toBe(200);
    expect((await change(admin, jo.userId, { role: 'manager' }, { 'if-match': tag })).status).toBe(412);
  });

  it('get their pending subscription once an administrator has verified their address', async () => {
    const jo = await app.signUp();
    await database.asOwner("insert into pending_subscriptions (email, plan) values ($1, 'pro')", [jo.email]);
    const sync = async () =>
      (
        await jo.request('POST', '/api/v1/auth/sync', {
          body: { id: jo.userId, email: jo.email, name: 'Jo' },
        })
      ).body;
    expect(await sync()).toMatchObject({ subscription_migrated: false, subscription_plan: 'free' });
    await change(admin, jo.userId, { email_verified: true });
    expect(await sync()).toMatchObject({ subscription_migrated: true, subscription_plan: 'pro' });
  });
});

describe('the subscription gate', () => {
  it('answers 402 in its own form until there is an active subscription', async () => {
    const billed = await startTestApp(database, {
      environment: { BILLING: 'on', PAYMENT_WEBHOOK_SECRET: 'whsec_0123456789abcdef0123456789abcdef' },
    });
    const jo = await billed.signUp();
    const refused = await jo.request('GET', '/api/v1/workspaces');
    expect([refused.status, refused.body]).toEqual([
      402,
      { detail: expect.stringContaining('subscription') },
    ]);
    const unread = await jo.request('POST', '/api/v1/analysis/gaps', { body: { nothing: 'right' } });
    expect(unread.status, 'before the body is looked at').toBe(402);
    expect((await jo.request('GET', '/api/v1/auth/me')).status).toBe(200);
    await jo.request('POST', '/api/v1/auth/sync', { body: { id: jo.userId, email: jo.email, name: 'Jo' } });
    expect((await jo.request('GET', '/api/v1/workspaces')).status).toBe(200);
    await database.asOwner("update profiles set subscription_status = 'inactive' where id = $1", [jo.userId]);
    const again = () => jo.request('GET', '/api/v1/workspaces').then(({ status }) => status);
    await expect.poll(again, { timeout: 2_000 }).toBe(402);
    await billed.stop();
  });
});
