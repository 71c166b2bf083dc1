import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { Actor } from './database.js';
import { UniqueViolation } from './errors.js';
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

  it('name the constraint that a row breaks', async () => {
    const twice = test.database.withActor(ada, (tx) =>
      tx.run(sql`insert into workspace_members values (${workspaceOfAda}, ${ada.userId}, 'viewer')`),
    );
    await expect(twice).rejects.toMatchObject({ constraint: 'workspace_members_pkey' });
    await expect(twice).rejects.toBeInstanceOf(UniqueViolation);
  });
});
