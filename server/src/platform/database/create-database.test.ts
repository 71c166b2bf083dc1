import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { createDatabase } from './create-database.js';
import type { Actor } from './database.js';
import { DatabaseUnavailable, TookTooLong, UniqueViolation } from './errors.js';
import { sql } from './sql.js';

let test: TestDatabase;
let ada: Actor;
let ben: Actor;
let workspaceOfAda: string;
let workspaceOfBen: string;

beforeAll(async () => {
  test = await createTestDatabase();
  ada = await test.createUser();
  ben = await test.createUser();
  workspaceOfAda = await test.createWorkspace(ada, 'of Ada');
  workspaceOfBen = await test.createWorkspace(ben, 'of Ben');
});
afterAll(() => test.stop());

const workspaces = sql`select id from workspaces`;

describe('the doors', () => {
  it('show a user the workspaces they are a member of', async () => {
    expect(await test.database.readAs(ada, workspaces)).toEqual([{ id: workspaceOfAda }]);
    expect(await test.database.withActor(ben, (tx) => tx.many(workspaces))).toEqual([{ id: workspaceOfBen }]);
  });

  it('show a job its workspace', async () => {
    const seen = await test.database.withWorkspace(workspaceOfBen, (tx) => tx.many(workspaces));
    expect(seen).toEqual([{ id: workspaceOfBen }]);
  });

  it('do not let a scope reach the next user of a connection', async () => {
    for (let round = 0; round < 30; round++) {
      const [actor, own] = round % 2 ? [ada, workspaceOfAda] : [ben, workspaceOfBen];
      expect(await test.database.readAs(actor, workspaces)).toEqual([{ id: own }]);
      expect(await test.database.readAs({ userId: randomUUID() }, workspaces)).toEqual([]);
    }
  });

  it('undo the transaction when the work throws', async () => {
    const rename = test.database.withActor(ada, async (tx) => {
      expect(await tx.run(sql`update workspaces set name = 'other'`)).toBe(1);
      throw new Error('changed my mind');
    });
    await expect(rename).rejects.toThrow('changed my mind');
    const [row] = await test.database.readAs<{ name: string }>(ada, sql`select name from workspaces`);
    expect(row?.name).toBe('of Ada');
  });

  it('refuse to write through the reading door', async () => {
    const write = test.database.readAs(ada, sql`update workspaces set name = 'other' returning id`);
    await expect(write).rejects.toThrow(/read-only/);
  });

  it('do not call a transaction done that PostgreSQL has given up', async () => {
    const swallowed = test.database.withActor(ada, async (tx) => {
      await tx.run(sql`update workspaces set name = 'lost'`);
      await tx.run(sql`update workspaces set name = ''`).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow(/went on after/);
  });

  it('give a statement up that waits for what somebody else has locked', async () => {
    const hasty = createDatabase({
      connections: test.connections,
      log: pino({ level: 'silent' }),
      statementTimeout: 300,
    });
    try {
      await test.database.withActor(ada, async (tx) => {
        await tx.run(sql`update workspaces set name = 'held' where id = ${workspaceOfAda}`);
        const waiting = hasty.withActor(ada, (other) =>
          other.run(sql`update workspaces set name = 'of nobody' where id = ${workspaceOfAda}`),
        );
        await expect(waiting).rejects.toBeInstanceOf(TookTooLong);
      });
    } finally {
      await hasty.close();
    }
    await test.database.withActor(ada, (tx) =>
      tx.run(sql`update workspaces set name = 'of Ada' where id = ${workspaceOfAda}`),
    );
  });

  it('run a transaction again that lost a deadlock', async () => {
    const both = [await test.createWorkspace(ada), await test.createWorkspace(ada)];
    let attempts = 0;
    let meet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const rename = (ids: readonly string[]) =>
      test.database.withActor(ada, async (tx) => {
        const update = (id: string | undefined) =>
          tx.run(sql`update workspaces set description = description || 'x' where id = ${id}`);
        await update(ids[0]);
        attempts++;
        if (attempts >= 2) meet();
        await met;
        await update(ids[1]);
      });
    await Promise.all([rename(both), rename(both.toReversed())]);
    // Three, or four when both give up at the same moment.
    expect(attempts).toBeGreaterThanOrEqual(3);
    const rows = await test.database.readAs(
      ada,
      sql`select description from workspaces where id = any(${both})`,
    );
    expect(rows).toEqual([{ description: 'xx' }, { description: 'xx' }]);
  });

  it('go on when a migration changes what a statement answers', async () => {
    const all = sql`select * from workspaces`;
    // On as many connections as there may be.
    const everywhere = () => Promise.all(Array.from({ length: 12 }, () => test.database.readAs(ben, all)));
    await everywhere();
    await test.database.withActor(ben, (tx) => tx.many(all));
    await test.asOwner('alter table workspaces add column colour text');
    for (const [row] of await everywhere()) expect(row).toHaveProperty('colour');
    expect(await test.database.withActor(ben, (tx) => tx.many(all))).toEqual(
      await test.database.readAs(ben, all),
    );
  });

  it('survive the end of their connections, in use and idle', async () => {
    const holding = test.database.withActor(ada, async (tx) => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await test.asOwner('select pg_terminate_backend($1)', [pid]);
      await tx.many(workspaces);
    });
    await expect(holding).rejects.toBeInstanceOf(DatabaseUnavailable);
    await test.asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await expect
      .poll(() => test.database.readAs(ben, workspaces).catch(() => []), { timeout: 10_000 })
      .toEqual([{ id: workspaceOfBen }]);
  });

  it('say that there is no database when there is none', async () => {
    const nowhere = { host: '127.0.0.1', port: 1, user: 'nobody', database: 'nothing' };
    const closed = createDatabase({
      connections: { application: nowhere, system: nowhere },
      log: pino({ level: 'silent' }),
    });
    await expect(closed.readAs(ada, workspaces)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(closed.withActor(ada, (tx) => tx.many(workspaces))).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
    await closed.close();
  });

  it('take only UUIDs for a scope', async () => {
    await expect(test.database.readAs({ userId: `x'; drop table profiles` }, workspaces)).rejects.toThrow(
      /UUID/,
    );
  });

  it('name the constraint that a row breaks', async () => {
    const twice = test.database.withActor(ada, (tx) =>
      tx.run(sql`insert into workspace_members values (${workspaceOfAda}, ${ada.userId}, 'viewer')`),
    );
    await expect(twice).rejects.toMatchObject({ constraint: 'workspace_members_pkey' });
    await expect(twice).rejects.toBeInstanceOf(UniqueViolation);
  });
});
