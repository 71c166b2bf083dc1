import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { createApiToken } from '../../platform/identity/api-tokens.js';
import { watch } from '../../testing/event-stream.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
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

interface Made {
  readonly id: string;
  readonly prefix: string;
  readonly token: string;
}

const make = (by: Client, body: object, headers = {}): Promise<Answer> =>
  by.request('POST', '/api/v1/auth/tokens', { body: { name: 'Build', ...body }, headers });
async function tokenOf(by: Client, body: object = {}): Promise<{ made: Made; client: Client }> {
  const answer = await make(by, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  const made = answer.body as Made;
  return { made, client: app.withToken(made.token, by) };
}
const workspaceOf = async (by: Client, name = 'One') =>
  ((await by.request('POST', '/api/v1/workspaces', { body: { name } })).body as { id: string }).id;
const reasonOf = async (client: Client) => {
  const { status, body } = await client.request('GET', '/api/v1/auth/me');
  return status === 200
    ? 'accepted'
    : `${status} ${(body as { error: { details: { reason: string } } }).error.details.reason}`;
};

describe('an API token', () => {
  it('is shown once and kept nowhere', async () => {
    const jo = await app.signUp();
    const key = { 'idempotency-key': 'a-token' };
    const first = await make(jo, {}, key);
    const { id, token, prefix } = first.body as Made;
    expect(token).toMatch(/^ntk_[0-9A-Za-z]{57}$/);
    expect(token.startsWith(prefix)).toBe(true);
    const replayed = await make(jo, {}, key);
    expect([replayed.status, replayed.body]).toEqual([201, { ...(first.body as object), token: null }]);
    for (const path of ['/api/v1/auth/tokens', `/api/v1/auth/tokens/${id}`, '/api/v1/audit-log']) {
      const { status, text } = await jo.request('GET', path);
      expect([status, text.includes(prefix) || path.endsWith('log'), text.includes(token)]).toEqual([
        200,
        true,
        false,
      ]);
    }
    const tables = ['api_tokens', 'idempotency_keys', 'audit_events', 'pgboss.job'];
    for (const table of tables) {
      const rows = await database.asOwner<{ row: string }>(`select t::text as row from ${table} t`);
      expect(rows.some(({ row }) => row.includes(token.slice(12)))).toBe(false);
    }
    const hash = database.database.withActor(jo, (transaction) =>
      transaction.many(sql`select token_hash from api_tokens`),
    );
    await expect(hash).rejects.toMatchObject({ code: '42501' });
  });

  it('is its user, whose role it follows at once on every process', async () => {
    const jo = await app.signUp();
    const { client } = await tokenOf(jo, { access: 'write' });
    const elsewhere = other.withToken(client.token);
    const create = (by: Client) =>
      by.request('POST', '/api/v1/workspaces', { body: { name: 'Built' } }).then(({ status }) => status);
    expect([await create(client), await create(elsewhere)]).toEqual([201, 201]);
    await admin.request('PATCH', `/api/v1/admin/users/${jo.userId}`, { body: { role: 'viewer' } });
    expect(await create(client)).toBe(403);
    await expect.poll(() => create(elsewhere), { timeout: 2_000 }).toBe(403);
  });

  it('ends at once when it is revoked, on every process, and by its time', async () => {
    const jo = await app.signUp();
    const [one, two] = [await tokenOf(jo), await tokenOf(jo)];
    const elsewhere = other.withToken(one.made.token);
    expect([await reasonOf(one.client), await reasonOf(elsewhere)]).toEqual(['accepted', 'accepted']);
    const path = `/api/v1/auth/tokens/${one.made.id}`;
    expect((await admin.request('DELETE', path)).status).toBe(404);
    expect((await jo.request('DELETE', path)).status).toBe(204);
    expect((await jo.request('DELETE', path)).status).toBe(204);
    expect(await reasonOf(one.client)).toBe('401 revoked_session');
    await expect.poll(() => reasonOf(elsewhere), { timeout: 2_000 }).toBe('401 revoked_session');
    await database.asOwner(
      "update api_tokens set created_at = now() - interval '2 days', expires_at = now() - interval '1 s' where id = $1",
      [two.made.id],
    );
    const late = await startTestApp(database);
    expect(await reasonOf(late.withToken(two.made.token))).toBe('401 expired_token');
    await late.stop();
    const list = await jo.request('GET', '/api/v1/auth/tokens');
    expect((list.body as { items: unknown[] }).items).toMatchObject([
      { id: one.made.id, status: 'revoked' },
      { id: two.made.id, status: 'expired' },
    ]);
  });

  it('takes its open event streams along when it is revoked', async () => {
    const jo = await app.signUp();
    const { made } = await tokenOf(jo);
    const path = `/api/v1/workspaces/${await workspaceOf(jo)}/events`;
    const streams = await Promise.all(
      [app, other].map(({ address }) => watch(address, path, { token: made.token })),
    );
    const kim = await app.signUp();
    const others = `/api/v1/workspaces/${await workspaceOf(kim)}/events`;
    const untouched = await watch(app.address, others, { token: kim.token });
    let isOver = false;
    untouched.ended.then(() => {
      isOver = true;
    });
    await jo.request('DELETE', `/api/v1/auth/tokens/${made.id}`);
    await Promise.all(streams.map(({ ended }) => ended));
    await expect(watch(app.address, path, { token: made.token })).rejects.toThrow('401');
    expect(isOver).toBe(false);
    untouched.stop();
  });

  it('is refused with the reason when it is not one of ours', async () => {
    const jo = await app.signUp();
    const { made } = await tokenOf(jo);
    const asks = (token: string) => reasonOf(app.withToken(token));
    const last = made.token.at(-1) === 'A' ? 'B' : 'A';
    expect(await asks(made.token.slice(0, -1) + last)).toBe('401 malformed_token');
    expect(await asks(made.token.slice(0, -1))).toBe('401 malformed_token');
    expect(await asks('ntk_')).toBe('401 malformed_token');
    expect(await asks(createApiToken().token)).toBe('401 invalid_signature');
    // The public part of a real one, with another secret and a right checksum.
    const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const samePrefix = createApiToken((count) => {
      const bytes = randomBytes(count).map((byte) => byte % 62);
      [...made.prefix.slice(4)].forEach((character, n) => {
        bytes[n] = characters.indexOf(character);
      });
      return Buffer.from(bytes);
    });
    expect(samePrefix.prefix).toBe(made.prefix);
    expect(await asks(samePrefix.token)).toBe('401 invalid_signature');
  });

  it('holds the named permissions and no others', async () => {
    const jo = await app.signUp();
    const workspace = await workspaceOf(jo);
    const { client } = await tokenOf(jo, { access: 'write', permissions: ['standards.write'] });
    const create = await client.request('POST', '/api/v1/standards', {
      body: { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' },
    });
    expect(create.status).toBe(201);
    const read = await client.request('GET', `/api/v1/workspaces/${workspace}`);
    expect([read.status, read.body]).toMatchObject([
      403,
      { error: { details: { permission: 'workspaces.read', reason: 'permission_not_in_token' } } },
    ]);
  });

  it.each([
    ['an end past twelve months', { expires_at: '2999-01-01T00:00:00Z' }, 'body.expires_at'],
    ['an end in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'body.expires_at'],
    ['a permission that needs a person', { permissions: ['members.manage'] }, 'body.permissions.0'],
    ['a permission that does not exist', { permissions: ['analyses.read', 'king'] }, 'body.permissions.1'],
    ['a workspace of others', { workspace_id: 'others' }, 'body.workspace_id'],
  ])('is not made with %s', async (_, body, path) => {
    const jo = await app.signUp();
    const others = await workspaceOf(await app.signUp());
    const asked = 'workspace_id' in body ? { workspace_id: others } : body;
    expect((await make(jo, asked)).body).toMatchObject({ error: { details: { issues: [{ path }] } } });
  });

  it('is named in the audit log, also where it is narrowed to one workspace', async () => {
    const jo = await app.signUp();
    const workspace = await workspaceOf(jo);
    const { client, made } = await tokenOf(jo, { access: 'write', workspace_id: workspace });
    await client.request('PATCH', `/api/v1/workspaces/${workspace}`, { body: { name: 'Renamed' } });
    const log = await client.request('GET', `/api/v1/audit-log?workspace_id=${workspace}`);
    expect((log.body as { items: unknown[] }).items).toMatchObject([
      { action: 'workspace.changed', actor_id: jo.userId, token_id: made.id },
      { action: 'workspace.created', token_id: null },
    ]);
    expect((await client.request('POST', '/api/v1/workspaces', { body: { name: 'Two' } })).status).toBe(403);
    expect((await client.request('GET', '/api/v1/audit-log')).text).not.toContain('token.created');
  });

  it('is seen, changed and made by its user alone, in the database too', async () => {
    const [jo, kim] = [await app.signUp(), await app.signUp()];
    await tokenOf(jo);
    const asKim = (statement: Statement) =>
      database.database.withActor(kim, (transaction) => transaction.run(statement));
    expect(await asKim(sql`select from api_tokens`)).toBe(0);
    expect(await asKim(sql`update api_tokens set revoked_at = now()`)).toBe(0);
    const forJo = asKim(sql`
      insert into api_tokens (user_id, name, prefix, token_hash, access, expires_at)
      values (${jo.userId}, 'x', 'x', '', 'write', now() + interval '1 day')`);
    await expect(forJo).rejects.toMatchObject({ code: '42501' });
  });

  it('that may only read cannot make the database write', async () => {
    const jo = await app.signUp();
    const workspace = await workspaceOf(jo);
    const { made } = await tokenOf(jo);
    const through = { id: made.id, access: 'read', workspaceId: null } as const;
    const write = database.database.withActor({ userId: jo.userId, through }, (transaction) =>
      transaction.run(sql`update workspaces set name = 'x' where id = ${workspace}`),
    );
    await expect(write).rejects.toMatchObject({ code: '25006' });
  });
});

describe('a deactivated user', () => {
  it('has no session, no token and no sign-in, and gets a new session after an activation', async () => {
    const jo = await app.signUp('leaver@example.org');
    const { client } = await tokenOf(jo);
    const elsewhere = other.withToken(jo.token);
    expect([await reasonOf(jo), await reasonOf(client), await reasonOf(elsewhere)]).toEqual(
      Array(3).fill('accepted'),
    );
    const change = (body: object) => admin.request('PATCH', `/api/v1/admin/users/${jo.userId}`, { body });
    expect((await change({ active: false, reason: 'left' })).body).toMatchObject({ active: false });
    expect([await reasonOf(jo), await reasonOf(client)]).toEqual(Array(2).fill('401 revoked_session'));
    await expect.poll(() => reasonOf(elsewhere), { timeout: 2_000 }).toBe('401 revoked_session');
    const signIn = (password = 'correct horse battery') =>
      app.anyone.request('POST', '/api/v1/auth/sign-in', { body: { email: jo.email, password } });
    expect((await signIn()).status).toBe(403);
    expect((await signIn('something else')).status).toBe(401);
    const inactive = await admin.request('GET', '/api/v1/admin/users?active=false');
    expect(inactive.body).toMatchObject({ total: 1, items: [{ id: jo.userId }] });
    await change({ active: true });
    expect([await reasonOf(jo), await reasonOf(client)]).toEqual(Array(2).fill('401 revoked_session'));
    expect((await signIn()).status).toBe(200);
  });

  it('is nobody’s own doing', async () => {
    const self = await admin.request('PATCH', `/api/v1/admin/users/${admin.userId}`, {
      body: { active: false },
    });
    expect(self.status).toBe(403);
  });
});
