import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

let database: TestDatabase;
let app: TestApp;
let owner: Client;
let manager: Client;
let engineer: Client;
let stranger: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  await app.signUp();
  [owner, manager, engineer, stranger] = await Promise.all([
    app.signUp(),
    app.signUp(),
    app.signUp(),
    app.signUp(),
  ]);
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

/** A workspace of the owner with a manager and an engineer; answers the path of its members. */
async function team(): Promise<string> {
  const { headers } = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Team' } });
  const members = `${headers.get('location')}/members`;
  await join(members, manager, 'manager');
  await join(members, engineer, 'engineer');
  return members;
}
const join = (members: string, member: Client, role: string, by = owner) =>
  joinWorkspace(app, { by, workspace: members.split('/').at(-2) ?? '', member, role });
const add = (by: Client, members: string, body: unknown) => by.request('POST', members, { body });
const change = (by: Client, members: string, whom: Client, body: unknown) =>
  by.request('PATCH', `${members}/${whom.userId}`, { body });
const remove = (by: Client, members: string, whom: Client) =>
  by.request('DELETE', `${members}/${whom.userId}`);

describe('members', () => {
  it('are listed with their roles, the owner first among equals', async () => {
    const members = await team();
    const { body } = await engineer.request('GET', `${members}?limit=10`);
    const { items, total } = body as {
      items: { user_id: string; role: string; is_owner: boolean }[];
      total: number;
    };
    expect(total).toBe(3);
    expect(new Map(items.map(({ user_id, role, is_owner }) => [user_id, [role, is_owner]]))).toEqual(
      new Map([
        [owner.userId, ['admin', true]],
        [manager.userId, ['manager', false]],
        [engineer.userId, ['engineer', false]],
      ]),
    );
    const managers = await owner.request(
      'GET',
      `${members}?role=manager&search=${manager.email.toUpperCase()}`,
    );
    expect(managers.body).toMatchObject({ total: 1, items: [{ user_id: manager.userId }] });
    expect((await owner.request('GET', `${members}?search=nobody`)).body).toMatchObject({
      total: 0,
      items: [],
    });
    expect((await stranger.request('GET', members)).status).toBe(404);
  });

  it('are named by address or account, and not twice', async () => {
    const members = await team();
    expect((await add(owner, members, { email: engineer.email, role: 'viewer' })).status).toBe(409);
    expect((await add(owner, members, { user_id: engineer.userId, role: 'viewer' })).status).toBe(409);
    expect((await add(owner, members, { role: 'viewer' })).status).toBe(422);
    const again = await Promise.all(
      Array.from({ length: 8 }, () => add(owner, members, { email: stranger.email, role: 'viewer' })),
    );
    expect(again.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const open = await owner.request('GET', `${members.replace('/members', '/invitations')}?limit=100`);
    const items = (open.body as { items: { email: string | null; accepted_at: string | null }[] }).items;
    expect(items.filter(({ email }) => email === stranger.email).length).toBe(1);
  });

  it('are invited in the same way whether or not there is such a person', async () => {
    const members = await team();
    const told = async (body: { readonly email?: string; readonly user_id?: string }) => {
      const { status, headers, body: answer } = await add(owner, members, { ...body, role: 'viewer' });
      const { id, created_at, expires_at, ...rest } = answer as Record<string, unknown>;
      expect(headers.get('location')).toMatch(new RegExp(`/invitations/${id}$`));
      return { status, rest: { ...rest, email: '', user_id: '' } };
    };
    const known = [await told({ email: stranger.email }), await told({ user_id: stranger.userId })];
    const unknown = [
      await told({ email: `${randomUUID()}@example.org` }),
      await told({ user_id: randomUUID() }),
    ];
    expect(unknown).toEqual(known);
    expect(known[0]).toEqual(known[1]);
    const text = JSON.stringify((await owner.request('GET', members)).body);
    expect(text).not.toContain(stranger.userId);
    expect((await owner.request('GET', `${members}/${stranger.userId}`)).status).toBe(404);
  });

  it('of every role see the workspace; whoever leaves does not', async () => {
    const members = await team();
    const workspace = members.replace('/members', '');
    expect((await engineer.request('GET', workspace)).status).toBe(200);
    expect((await remove(engineer, members, engineer)).status).toBe(204);
    expect((await engineer.request('GET', workspace)).status).toBe(404);
    expect((await engineer.request('GET', members)).status).toBe(404);
  });

  it('get a new role that counts from the next request on', async () => {
    const members = await team();
    const rename = () =>
      engineer.request('PATCH', members.replace('/members', ''), { body: { name: 'Mine' } });
    expect((await rename()).status).toBe(403);
    expect((await change(owner, members, engineer, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
    expect((await rename()).status).toBe(200);
    expect((await change(owner, members, engineer, { role: 'viewer' })).status).toBe(200);
    expect((await rename()).status).toBe(403);
  });

  it('who are managers decide about viewers and engineers only', async () => {
    const members = await team();
    expect((await add(manager, members, { email: stranger.email, role: 'admin' })).status).toBe(403);
    await join(members, stranger, 'viewer', manager);
    expect((await change(manager, members, stranger, { role: 'engineer' })).status).toBe(200);
    expect((await change(manager, members, stranger, { role: 'manager' })).status).toBe(403);
    expect((await change(manager, members, owner, { role: 'viewer' })).status).toBe(403);
    expect((await remove(manager, members, owner)).status).toBe(403);
    expect((await remove(manager, members, stranger)).status).toBe(204);
    expect((await remove(manager, members, manager)).status).toBe(204);
  });

  it('who are engineers decide about themselves only', async () => {
    const members = await team();
    expect((await add(engineer, members, { email: stranger.email, role: 'viewer' })).status).toBe(403);
    expect((await change(engineer, members, manager, { role: 'viewer' })).status).toBe(403);
    expect((await remove(engineer, members, manager)).status).toBe(403);
    expect((await change(engineer, members, engineer, { role: 'admin' })).status).toBe(403);
  });

  it('never change their own role, and the owner stays until the workspace is handed over', async () => {
    const members = await team();
    expect((await change(owner, members, owner, { role: 'viewer' })).status).toBe(403);
    expect((await remove(owner, members, owner)).status).toBe(409);
    await change(owner, members, engineer, { role: 'admin' });
    expect((await change(engineer, members, owner, { role: 'viewer' })).status).toBe(409);
    expect((await change(engineer, members, engineer, { is_owner: true })).status).toBe(403);
    expect((await change(owner, members, manager, { is_owner: true })).body).toMatchObject({
      is_owner: true,
    });
    expect((await remove(owner, members, owner)).status).toBe(204);
    expect(
      (await manager.request('PATCH', members.replace('/members', ''), { body: { name: 'x' } })).status,
    ).toBe(200);
  });

  it('leave a trail with before and after', async () => {
    const members = await team();
    await change(owner, members, engineer, { role: 'viewer' });
    await remove(owner, members, engineer);
    const workspace = members.split('/').at(-2);
    const trail = await database.asOwner(
      `select action, actor_id, before, after from audit_events
       where workspace_id = $1 and target_id = $2 order by created_at`,
      [workspace, engineer.userId],
    );
    const by = { actor_id: owner.userId };
    expect(trail).toEqual([
      // Who accepts adds themselves.
      { actor_id: engineer.userId, action: 'member.added', before: null, after: { role: 'engineer' } },
      {
        ...by,
        action: 'member.changed',
        before: { role: 'engineer', is_owner: false },
        after: { role: 'viewer', is_owner: false },
      },
      { ...by, action: 'member.removed', before: { role: 'viewer' }, after: null },
    ]);
  });
});
