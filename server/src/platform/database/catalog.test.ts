import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOG_RULES } from '../../testing/catalog-rules.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';

let test: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  test = await createTestDatabase();
  client = new pg.Client(test.connections.migration);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test.stop();
});

async function offendersOf(rule: string): Promise<string[]> {
  const { query } = CATALOG_RULES.find((candidate) => candidate.rule === rule)!;
  const { rows } = await client.query<{ offender: string }>(query);
  return rows.map((row) => row.offender);
}

describe('the catalog', () => {
  it.each(CATALOG_RULES)('$rule', async ({ rule }) => {
    expect(await offendersOf(rule)).toEqual([]);
  });

  it('is that of the real tables', async () => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_policy where polrelid = 'workspace_members'::regclass`,
    );
    expect(rows[0]?.count).toBeGreaterThanOrEqual(4);
  });
});

const NEW_TABLE =
  'create table planted (workspace_id uuid not null, id uuid not null, primary key (workspace_id, id));';

/** What somebody might write one day, the rule that it breaks, and who is named. */
const DEFECTS: readonly (readonly [rule: string, statement: string, offender: string])[] = [
  ['a table of workspace data forces row-level security', NEW_TABLE, 'planted'],
  [
    'a table of workspace data forces row-level security',
    'alter table workspaces no force row level security',
    'workspaces',
  ],
  [
    'what the application role can touch is under row-level security',
    'create table planted (id uuid); grant select (id) on planted to normtrace_app',
    'planted',
  ],
  [
    'there is a policy for every command that is granted',
    'drop policy workspace_update on workspace_members',
    'workspace_members for update by normtrace_app',
  ],
  [
    'there is a policy for every command that is granted',
    'grant delete on profiles to normtrace_system',
    'profiles for delete by normtrace_system',
  ],
  [
    'a policy of the application role on workspace data asks for the visible workspaces',
    'create policy planted on workspaces for select to normtrace_app using (true)',
    'workspaces.planted',
  ],
  [
    'a policy of the application role on workspace data asks for the visible workspaces',
    'alter policy workspace_insert on workspace_members with check (true)',
    'workspace_members.workspace_insert',
  ],
  [
    'a policy of the application role on workspace data asks for the visible workspaces',
    'alter policy workspace_update on workspace_members with check (true)',
    'workspace_members.workspace_update',
  ],
  ['a policy names its roles', 'create policy planted on profiles using (true)', 'profiles.planted'],
  [
    'the application role may not truncate, refer to or trigger on a table',
    'grant truncate on audit_events to normtrace_app',
    'audit_events',
  ],
  [
    'the key of a table of workspace data begins with the workspace',
    'create table planted (id uuid primary key, workspace_id uuid)',
    'planted',
  ],
  [
    'a foreign key to workspace data carries the workspace',
    `${NEW_TABLE} alter table planted add unique (id);
     create table child (workspace_id uuid, id uuid references planted (id), primary key (workspace_id, id))`,
    'child.child_id_fkey',
  ],
  [
    'a foreign key to workspace data carries the workspace',
    'create table child (id uuid, other uuid references workspaces (id))',
    'child.child_other_fkey',
  ],
  ['what belongs to a workspace goes with it', NEW_TABLE, 'planted'],
  [
    'what belongs to a workspace goes with it',
    'alter table gaps drop constraint gaps_workspace_id_fkey',
    'gaps',
  ],
  [
    'what belongs to a workspace goes with it',
    'alter table trace_links drop constraint trace_links_added_in_fkey',
    'trace_links',
  ],
  [
    'what belongs to a workspace goes with it',
    `alter table trace_links drop column added_in,
     add column added_in uuid generated always as (case when rejected then workspace_id end) stored references workspaces on delete cascade`,
    'trace_links',
  ],
  [
    'what is about a work product or a standard goes with it, or forgets it',
    'create table planted (workspace_id uuid not null references workspaces on delete cascade, work_product_id uuid)',
    'planted.work_product_id',
  ],
  [
    'a view asks as the one who uses it, and nothing is materialised past row-level security',
    'create view planted as select * from workspaces',
    'planted',
  ],
  [
    'a view asks as the one who uses it, and nothing is materialised past row-level security',
    'create materialized view planted as select * from workspaces',
    'planted',
  ],
  [
    'the roles of the service have no powers beyond their grants',
    'alter role normtrace_app bypassrls',
    'normtrace_app',
  ],
  [
    'the roles of the service have no powers beyond their grants',
    'grant normtrace_owner to normtrace_app',
    'normtrace_app is a member of normtrace_owner',
  ],
  [
    'nothing is set for the roles of the service: a connection says what it needs',
    'alter role normtrace_app set search_path = public, pg_temp',
    'normtrace_app',
  ],
  [
    'the roles of the service own nothing',
    'create schema planted authorization normtrace_app',
    'pg_namespace',
  ],
  [
    'the application role cannot create and cannot see who the users are',
    'grant create on schema public to normtrace_app',
    'public',
  ],
  [
    'the application role cannot create and cannot see who the users are',
    'grant usage on schema auth to normtrace_app',
    'auth',
  ],
  [
    'a function that runs as its owner has a fixed search path and is not for everybody',
    'alter function app.visible_workspaces() reset search_path',
    'app.visible_workspaces()',
  ],
  [
    'a function that runs as its owner has a fixed search path and is not for everybody',
    'grant execute on function app.visible_workspaces() to public',
    'app.visible_workspaces()',
  ],
];

describe('a defect is found', () => {
  it.each(DEFECTS)('%s: %s', async (rule, statement, offender) => {
    await client.query('begin');
    try {
      await client.query(statement);
      const offenders = await offendersOf(rule);
      expect(offenders.map((found) => (offender === 'pg_namespace' ? found.split(' ')[0] : found))).toContain(
        offender,
      );
    } finally {
      await client.query('rollback');
    }
  });

  it('for every rule', () => {
    const covered = new Set(DEFECTS.map(([rule]) => rule));
    expect(CATALOG_RULES.map(({ rule }) => rule).filter((rule) => !covered.has(rule))).toEqual([]);
  });
});
