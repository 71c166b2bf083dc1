import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTALLATION } from '../../platform/audit/audit.js';
import type { Actor, Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { joinWorkspace } from '../../testing/join-workspace.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

interface Event {
  readonly id: string;
  readonly action: string;
  readonly reason: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly actor_id: string | null;
  readonly redacted: boolean;
}

let database: TestDatabase;
let app: TestApp;
let admin: Client;
let owner: Client;
let place: string;
let members: Readonly<Record<'viewer' | 'engineer' | 'manager' | 'admin', Client>>;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  admin = await app.signUp('admin@example.org');
  owner = await app.signUp();
  place = await newWorkspace();
  const join = async (role: string) => {
    const person = await app.signUp();
    await joinWorkspace(app, { by: owner, workspace: place, member: person, role });
    return person;
  };
  members = {
    viewer: await join('viewer'),
    engineer: await join('engineer'),
    manager: await join('manager'),
    admin: await join('admin'),
  };
  await members.engineer.request('POST', '/api/v1/standards', {
    body: { workspace_id: place, catalog_id: 'iso-26262-3-2018', name: 'Secret project' },
  });
});
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

const newWorkspace = async (): Promise<string> =>
  (
    (await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Secret project' } })).body as {
      id: string;
    }
  ).id;
const ask = (by: Client, query: Record<string, string>, path = '') =>
  by.request('GET', `/api/v1/audit-log${path}?${new URLSearchParams(query)}`);
async function eventsOf(by: Client, query: Record<string, string> = {}): Promise<readonly Event[]> {
  const { status, body, text } = await ask(by, { limit: '100', ...query });
  expect([status, text]).toEqual([200, text]);
  return (body as { items: Event[] }).items;
}
const actions = (events: readonly Event[]) => events.map(({ action }) => action);
const check = async (workspace: string, by = owner) =>
  (await ask(by, { workspace_id: workspace }, '/check')).body;

/** What nobody but the master of the database could do. */
async function tamper(statement: string, values: readonly unknown[]): Promise<void> {
  await database.asOwner('alter table audit_events disable trigger user');
  await database.asOwner(statement, values);
  await database.asOwner('alter table audit_events enable trigger user');
}

describe('the audit log', () => {
  it('shows an engineer what they did, a manager the workspace, a viewer nothing', async () => {
    const inPlace = { workspace_id: place };
    const joined = ['member.added', 'invitation.accepted', 'invitation.created'];
    const all = ['standard.created', ...joined, ...joined, ...joined, ...joined, 'workspace.created'];
    expect((await ask(members.viewer, inPlace)).status).toBe(403);
    expect(await eventsOf(members.viewer, { action: 'member.*' })).toEqual([]);
    // Who accepts an invitation adds themselves.
    const ofEngineer = ['standard.created', 'member.added', 'invitation.accepted'];
    // Events of one moment have no order.
    const sorted = (names: readonly string[]) => [...names].sort();
    const seenBy = async (by: Client, query = {}) => sorted(actions(await eventsOf(by, query)));
    expect(await seenBy(members.engineer, inPlace)).toEqual(sorted(ofEngineer));
    expect(await seenBy(members.manager, { ...inPlace, limit: '100' })).toEqual(sorted(all));
    expect(await seenBy(owner, { ...inPlace, limit: '100' })).toEqual(sorted(all));
    // Without a workspace: one's own account as well.
    expect(await seenBy(members.engineer)).toEqual(sorted([...ofEngineer, 'user.signed_up']));
    const stranger = await app.signUp();
    expect((await ask(stranger, inPlace)).status).toBe(404);
    expect(actions(await eventsOf(stranger))).toEqual(['user.signed_up']);
  });

  it('leaves out texts for whoever administers without being a manager there', async () => {
    for (const by of [members.admin, admin]) {
      const answer = await ask(by, { workspace_id: place, limit: '100' });
      const events = (answer.body as { items: Event[] }).items;
      const ofOthers = events.filter(({ actor_id }) => actor_id !== by.userId);
      expect([events.length, ofOthers.length]).toEqual([14, by === admin ? 14 : 12]);
      expect(ofOthers.every(({ redacted }) => redacted)).toBe(true);
      expect(answer.text).not.toContain('Secret project');
      expect(events.find(({ action }) => action === 'standard.created')?.after).toEqual({
        name: '[redacted]',
        version: '[redacted]',
        catalog_id: 'iso-26262-3-2018',
      });
      expect(
        events.filter(({ action }) => action === 'member.added').map(({ after }) => after),
      ).toContainEqual({
        role: 'manager',
      });
    }
    expect((await ask(members.manager, { workspace_id: place })).text).toContain('Secret project');
    const renamed = await newWorkspace();
    await owner.request('PATCH', `/api/v1/workspaces/${renamed}`, { body: { name: 'Other' } });
    const [event] = await eventsOf(admin, { workspace_id: renamed, action: 'workspace.changed' });
    expect(event).toMatchObject({ before: { name: '[redacted]' }, after: { name: '[redacted]' } });
  });

  it('shows an administrator of the installation everything, workspaces that are gone included', async () => {
    const gone = await newWorkspace();
    await owner.request('DELETE', `/api/v1/workspaces/${gone}`);
    expect(actions(await eventsOf(admin, { workspace_id: gone }))).toEqual([
      'workspace.deleted',
      'workspace.created',
    ]);
    expect((await ask(owner, { workspace_id: gone })).status).toBe(404);
    expect(new Set(actions(await eventsOf(admin)))).toContain('user.signed_up');
    // But not through a token of one workspace, be it their own.
    const { body } = await admin.request('POST', '/api/v1/workspaces', { body: { name: 'Own' } });
    const { id } = body as { id: string };
    const made = await admin.request('POST', '/api/v1/auth/tokens', {
      body: { name: 'x', workspace_id: id },
    });
    const token = app.withToken((made.body as { token: string }).token);
    expect(actions(await eventsOf(token))).toEqual(['workspace.created']);
    expect((await ask(token, { workspace_id: place })).status).toBe(404);
  });

  it('knows sign-ins, also those that failed', async () => {
    const jo = await app.signUp();
    const signIn = (email: string, password: string) =>
      app.anyone.request('POST', '/api/v1/auth/sign-in', {
        body: { email, password },
        headers: { 'x-request-id': 'try-1' },
      });
    await signIn(jo.email, 'wrong password');
    await signIn('nobody@example.org', 'wrong password');
    await signIn(jo.email, 'correct horse battery');
    const events = await eventsOf(admin, { search: 'try-1' });
    expect(events).toMatchObject([
      { action: 'user.signed_in', actor_id: jo.userId, target_id: jo.userId },
      { action: 'user.sign_in_failed', actor_id: null, target_id: 'unknown' },
      {
        action: 'user.sign_in_failed',
        actor_id: null,
        target_id: jo.userId,
        after: { address: '127.0.0.1' },
      },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/nobody@|wrong password/);
    expect(actions(await eventsOf(jo))).toEqual(['user.signed_in', 'user.signed_up']);
  });

  it('is filtered and searched, but not by texts that the reader does not see', async () => {
    const reason = 'Moves to the brake_project';
    const change = await admin.request('PATCH', `/api/v1/admin/users/${members.viewer.userId}`, {
      body: { email_verified: true, reason },
    });
    expect(change.status).toBe(200);
    expect(actions(await eventsOf(admin, { search: 'BRAKE_PROJECT' }))).toEqual(['user.changed']);
    expect(await eventsOf(admin, { search: 'brakeXproject' })).toEqual([]);
    await database.database.withActor(owner, (transaction) =>
      transaction.run(sql`
        insert into audit_events (workspace_id, actor_id, action, target_type, target_id, reason)
        values (${place}, ${owner.userId}, 'gap.tried', 'gap', 'x', 'because of the gearbox')`),
    );
    const found = async (by: Client) => (await eventsOf(by, { search: 'gearbox' })).length;
    expect([await found(members.manager), await found(members.admin), await found(admin)]).toEqual([1, 0, 0]);
    const filtered = await eventsOf(owner, {
      workspace_id: place,
      action: 'member.*',
      actor_id: members.manager.userId,
      target_id: members.manager.userId,
      from: '2020-01-01T00:00:00Z',
      to: '2999-01-01T00:00:00Z',
    });
    expect(filtered).toMatchObject([{ action: 'member.added', after: { role: 'manager' } }]);
    expect(await eventsOf(owner, { workspace_id: place, to: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect((await ask(owner, { action: 'member%' })).status).toBe(422);
  });

  it('is exported whole, newest first, safe in a spreadsheet', async () => {
    const large = await newWorkspace();
    await database.database.withActor(owner, (transaction) =>
      transaction.run(sql`
        insert into audit_events (workspace_id, actor_id, action, target_type, target_id, reason)
        select ${large}, ${owner.userId}, 'gap.tried', 'gap', n::text, '=HYPERLINK("http://x", "a")'
        from generate_series(1, 1203) n`),
    );
    const json = await ask(owner, { workspace_id: large, action: 'gap.*', format: 'json' }, '/export');
    const { items } = json.body as { items: { id: string; sequence: number }[] };
    expect([json.status, new Set(items.map(({ id }) => id)).size]).toEqual([200, 1203]);
    const csv = await ask(owner, { workspace_id: large, action: 'gap.*', format: 'csv' }, '/export');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    const lines = csv.text.replace('\uFEFF', '').split('\r\n');
    expect(lines[0]).toContain('created_at,workspace_id,sequence');
    expect(lines.length).toBe(1 + 1203 + 1);
    expect(lines.slice(1, -1).every((line) => line.includes(`,"'=HYPERLINK(""http://x"", ""a"")",`))).toBe(
      true,
    );
    expect(actions(await eventsOf(owner, { workspace_id: large, action: 'audit_log.exported' })).length).toBe(
      2,
    );
    expect((await ask(members.viewer, { workspace_id: place }, '/export')).status).toBe(403);
  });
});

describe('events of the installation', () => {
  it('are, in the database too, for whoever did them, in their own name and not through a token of one workspace', async () => {
    const as = (actor: Actor, statement: Statement) =>
      database.database.withActor(actor, (transaction) => transaction.run(statement));
    const seen = sql`select from audit_events where workspace_id = ${INSTALLATION}`;
    const stranger = await app.signUp();
    expect(await as(stranger, seen)).toBe(1);
    const through = { id: stranger.userId, access: 'write', workspaceId: place } as const;
    expect(await as({ userId: stranger.userId, through }, seen)).toBe(0);
    for (const actor of [owner.userId, null]) {
      const forged = as(
        stranger,
        sql`insert into audit_events (workspace_id, actor_id, action, target_type, target_id)
            values (${INSTALLATION}, ${actor}, 'user.changed', 'user', 'x')`,
      );
      await expect(forged).rejects.toMatchObject({ code: '42501' });
    }
    const byJob = database.database.withWorkspace(place, (transaction) =>
      transaction.run(sql`
        insert into audit_events (workspace_id, actor_id, action, target_type, target_id)
        values (${INSTALLATION}, null, 'user.changed', 'user', 'x')`),
    );
    await expect(byJob).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the chain', () => {
  it('has no holes however many write at once, and nobody dates or numbers an event', async () => {
    const busy = await newWorkspace();
    const rename = (n: number) =>
      owner.request('PATCH', `/api/v1/workspaces/${busy}`, { body: { name: `Name ${n}` } });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => rename(n)));
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
    await database.database.withActor(owner, (transaction) =>
      transaction.run(sql`
        insert into audit_events (workspace_id, actor_id, action, target_type, target_id, sequence, hash, created_at)
        values (${busy}, ${owner.userId}, 'a.b', 'x', 'x', 1, '\\x00', '2001-01-01')`),
    );
    expect(await check(busy)).toMatchObject({ events: 18, intact: true, first_broken: null });
    const dated = await database.asOwner(
      "select from audit_events where created_at < now() - interval '1 day'",
    );
    expect(dated).toEqual([]);
    const forge = database.database.withActor(owner, (transaction) =>
      transaction.run(sql`update audit_chains set last_sequence = 1`),
    );
    await expect(forge).rejects.toMatchObject({ code: '42501' });
    expect(await check(INSTALLATION, admin)).toMatchObject({ intact: true });
    expect((await ask(owner, { workspace_id: INSTALLATION }, '/check')).status).toBe(404);
  });

  it.each([
    ['changed', "update audit_events set reason = 'other' where workspace_id = $1 and sequence = 2", 2],
    ['removed', 'delete from audit_events where workspace_id = $1 and sequence = 2', 3],
    ['removed at the end', 'delete from audit_events where workspace_id = $1 and sequence = 4', 4],
    [
      'changed with its own hash',
      `update audit_events e set action = 'x.y', hash = app.audit_hash('', e) where workspace_id = $1 and sequence = 2`,
      2,
    ],
  ])('breaks when an event is %s past all grants', async (_, statement, where) => {
    const workspace = await newWorkspace();
    for (const name of ['A', 'B', 'C']) {
      await owner.request('PATCH', `/api/v1/workspaces/${workspace}`, { body: { name } });
    }
    expect(await check(workspace)).toMatchObject({ events: 4, intact: true });
    await tamper(statement, [workspace]);
    expect(await check(workspace)).toMatchObject({ intact: false, first_broken: where });
  });
});
