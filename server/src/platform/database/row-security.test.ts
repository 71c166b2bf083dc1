import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { addressOf } from '../../testing/test-server.js';
import { connectionsFromUrl } from './connections.js';
import { createDatabase } from './create-database.js';
import type { Actor, Statement } from './database.js';
import { sql } from './sql.js';

const DENIED = { code: '42501' };

let test: TestDatabase;
let ada: Actor & { email: string };
let ben: Actor;
let eve: Actor;
let mine: string;
let others: string;

beforeAll(async () => {
  test = await createTestDatabase();
  [ada, ben, eve] = [await test.createUser(), await test.createUser(), await test.createUser()];
  mine = await test.createWorkspace(ada);
  others = await test.createWorkspace(eve);
  await as(ada, sql`insert into workspace_members values (${mine}, ${ben.userId}, 'viewer')`);
});
afterAll(() => test.stop());

const as = (actor: Actor, statement: Statement) =>
  test.database.withActor(actor, (transaction) => transaction.run(statement));

describe('workspaces', () => {
  it('are visible to members and nobody else', async () => {
    expect(await test.database.readAs(ben, sql`select id from workspaces`)).toEqual([{ id: mine }]);
    expect(await as(ada, sql`select from workspaces where id = ${others}`)).toBe(0);
    expect(await as(ada, sql`update workspaces set name = 'taken' where id = ${others}`)).toBe(0);
    expect(await as(ada, sql`delete from workspaces where id = ${others}`)).toBe(0);
  });

  it('cannot be entered by oneself', async () => {
    const enter = as(ada, sql`insert into workspace_members values (${others}, ${ada.userId}, 'admin')`);
    await expect(enter).rejects.toMatchObject(DENIED);
    const move = as(
      ada,
      sql`update workspace_members set workspace_id = ${others} where user_id = ${ben.userId}`,
    );
    await expect(move).rejects.toMatchObject(DENIED);
  });

  it('cannot be made without their creator', async () => {
    const direct = as(ada, sql`insert into workspaces (name, owner_id) values ('x', ${ada.userId})`);
    await expect(direct).rejects.toMatchObject(DENIED);
    const byJob = test.database.withWorkspace(mine, (transaction) =>
      transaction.run(sql`select app.create_workspace(${randomUUID()}, 'x', '', 'admin')`),
    );
    await expect(byJob).rejects.toMatchObject(DENIED);
  });

  it('stay apart for jobs, and a user is narrowed to the workspace that is set as well', async () => {
    const seen = (workspace: string, actor?: Actor) =>
      test.database.withWorkspace(workspace, async (transaction) => {
        if (actor) await transaction.run(sql`select set_config('app.user_id', ${actor.userId}, true)`);
        return transaction.many(sql`select distinct workspace_id as id from workspace_members`);
      });
    expect(await seen(others)).toEqual([{ id: others }]);
    expect(await seen(mine, ada)).toEqual([{ id: mine }]);
    expect(await seen(others, ada)).toEqual([]);
  });

  it('are hidden from a connection that says nothing', async () => {
    const rows = await test.database.withActor(ada, async (transaction) => {
      await transaction.run(sql`select set_config('app.user_id', '', true)`);
      return transaction.many(sql`select id from workspaces`);
    });
    expect(rows).toEqual([]);
  });
});

describe('profiles', () => {
  it('are visible to oneself and to people of the same workspace', async () => {
    const ids = async (actor: Actor) =>
      (await test.database.readAs<{ id: string }>(actor, sql`select id from profiles`)).map((row) => row.id);
    expect(new Set(await ids(ada))).toEqual(new Set([ada.userId, ben.userId]));
    expect(await ids(eve)).toEqual([eve.userId]);
  });

  it('are changed by oneself, but for role and subscription', async () => {
    expect(await as(ada, sql`update profiles set name = 'Ada L.'`)).toBe(1);
    for (const column of ['role', 'subscription_status', 'subscription_plan', 'email', 'id']) {
      const change = as(ada, { text: `update profiles set ${column} = ${column}`, values: [] });
      await expect(change).rejects.toMatchObject(DENIED);
    }
  });

  it('have one of four roles', async () => {
    const king = test.database.asSystem('a test', (transaction) =>
      transaction.run(sql`update profiles set role = 'king'`),
    );
    await expect(king).rejects.toMatchObject({ constraint: 'profiles_role' });
  });

  it('begin inactive; of people who sign up at the same time one becomes the administrator', async () => {
    const fresh = await createTestDatabase();
    try {
      let second: Promise<Actor> | undefined;
      let isSecondIn = false;
      await fresh.database.asSystem('a slow sign-up', async (transaction) => {
        await transaction.run(sql`insert into auth.users (email) values ('first@example.org')`);
        second = fresh.createUser().finally(() => {
          isSecondIn = true;
        });
        const isWaiting = async () => {
          const waiting = await fresh.asOwner(
            `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
          );
          return waiting.length > 0 || isSecondIn;
        };
        await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true);
      });
      await second;
      const rows = await fresh.asOwner(
        `select role, subscription_status, subscription_plan from profiles order by role`,
      );
      expect(rows).toEqual([
        { role: 'admin', subscription_status: 'inactive', subscription_plan: null },
        { role: 'engineer', subscription_status: 'inactive', subscription_plan: null },
      ]);
    } finally {
      await fresh.stop();
    }
  });
});

describe('audit events', () => {
  const event = (workspace: string, actor: string | null) => sql`
    insert into audit_events (workspace_id, actor_id, action, target_type, target_id)
    values (${workspace}, ${actor}, 'test', 'workspace', ${workspace})`;

  it('are written in one’s own name, in one’s own workspace', async () => {
    expect(await as(ada, event(mine, ada.userId))).toBe(1);
    await expect(as(ada, event(mine, ben.userId))).rejects.toMatchObject(DENIED);
    await expect(as(ada, event(mine, null))).rejects.toMatchObject(DENIED);
    await expect(as(ada, event(others, ada.userId))).rejects.toMatchObject(DENIED);
    expect(await as(eve, sql`select from audit_events`)).toBe(0);
  });

  it.each(['update audit_events set action = $$x$$', 'delete from audit_events', 'truncate audit_events'])(
    'cannot be undone, by nobody: %s',
    async (text) => {
      await as(ada, event(mine, ada.userId));
      await expect(as(ada, { text, values: [] })).rejects.toMatchObject(DENIED);
      await expect(test.asOwner(text)).rejects.toMatchObject(DENIED);
    },
  );

  it('outlive their workspace', async () => {
    const short = await test.createWorkspace(ada);
    await as(ada, event(short, ada.userId));
    expect(await as(ada, sql`delete from workspaces where id = ${short}`)).toBe(1);
    expect(await test.asOwner('select from audit_events where workspace_id = $1', [short])).toHaveLength(1);
  });
});

describe('the application role', () => {
  it.each(['auth.users', 'pending_subscriptions'])('cannot read %s', async (table) => {
    await expect(as(ada, { text: `select * from ${table}`, values: [] })).rejects.toMatchObject(DENIED);
  });

  it('cannot become another role', async ({ skip }) => {
    skip(
      test.connections.application.options !== undefined,
      'this login takes its role by itself, and may leave it',
    );
    await expect(as(ada, sql`set local role normtrace_owner`)).rejects.toMatchObject(DENIED);
  });

  it('is taken by a mightier login when it connects', async () => {
    const url = addressOf(test.connections.migration);
    const borrowed = createDatabase({ connections: connectionsFromUrl(url), log: pino({ level: 'silent' }) });
    try {
      const role = sql`select current_user::text as role`;
      expect(await borrowed.readAs(ada, role)).toEqual([{ role: 'normtrace_app' }]);
      expect(await borrowed.asSystem('a test', (tx) => tx.one(role))).toEqual({ role: 'normtrace_system' });
      expect(await borrowed.readAs(ben, sql`select id from workspaces`)).toEqual([{ id: mine }]);
    } finally {
      await borrowed.close();
    }
  });
});
