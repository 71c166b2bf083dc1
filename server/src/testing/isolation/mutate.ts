import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { guardOf } from '../../platform/http/route.js';
import { grantFor, loadPermissionTable, rolesInWorkspace } from '../../platform/identity/permissions.js';
import { routes } from '../../routes.js';
import { CATALOG_RULES } from '../catalog-rules.js';
import { startServer } from '../global-setup.js';
import { inDatabase } from '../test-server.js';
import { DATABASE_MUTANTS, roleMutants } from './mutants.js';
import { ACTORS } from './row.js';
import { isolationRows } from './rows.js';
import { rolesSurface, SURFACE_QUERY } from './surface.js';

/**
 * `npm run mutate-policies`: loosens or drops every policy, grant, constraint, trigger and permission, one at a time,
 * and asks the tests that look at them. Says for each kind which test saw it, and fails when one was seen by none.
 *
 * The rules of the catalog, the table of isolation and the two surfaces are asked here, in a transaction that is rolled
 * back, so that a thousand mutants take a minute. The requests of the table of isolation can be asked about one mutant
 * as well: `TEST_DATABASE_MUTATION="<statement>" npx vitest run server/dist/testing/isolation`.
 */
const SNAPSHOTS = new URL('../../../src/testing/isolation/', import.meta.url);
const snapshot = (name: string): string => readFileSync(new URL(name, SNAPSHOTS), 'utf8').trim();

type Seen = 'rule of the catalog' | 'table of isolation' | 'surface' | 'survived' | 'impossible';
const counts = new Map<string, Map<Seen, number>>();
const survivors: string[] = [];

function note(kind: string, name: string, seen: Seen): void {
  const ofKind = counts.get(kind) ?? new Map<Seen, number>();
  counts.set(kind, ofKind.set(seen, (ofKind.get(seen) ?? 0) + 1));
  if (seen === 'survived') survivors.push(`${kind}: ${name}`);
}

async function mutateDatabase(client: pg.Client): Promise<void> {
  const surface = async () =>
    (await client.query<{ line: string }>(SURFACE_QUERY)).rows.map(({ line }) => line).join('\n');
  const isBroken = async () => {
    for (const { query } of CATALOG_RULES) if ((await client.query(query)).rows.length > 0) return true;
    return false;
  };
  const expected = snapshot('database.surface');
  if ((await isBroken()) || (await surface()) !== expected) {
    throw new Error('The tests of the catalog fail without any mutant: run them first.');
  }
  const { rows } = await client.query<{ kind: string; statement: string }>(DATABASE_MUTANTS);
  for (const { kind, statement } of rows) {
    await client.query('begin');
    try {
      await client.query(statement);
      const seen = (await isBroken())
        ? 'rule of the catalog'
        : (await surface()) === expected
          ? 'survived'
          : 'surface';
      note(kind, statement, seen);
    } catch (error) {
      // A mutant that PostgreSQL itself refuses.
      if (!(error instanceof pg.DatabaseError)) throw error;
      note(kind, `${statement}: ${error.message}`, 'impossible');
    } finally {
      await client.query('rollback');
    }
  }
}

function mutateRoles(): void {
  const table = loadPermissionTable();
  const expected = snapshot('roles.surface');
  if (rolesSurface(table).join('\n') !== expected)
    throw new Error('The test of the roles fails without any mutant.');
  for (const mutant of roleMutants(table)) {
    const seen = contradictsRows(mutant.table)
      ? 'table of isolation'
      : rolesSurface(mutant.table).join('\n') === expected
        ? 'survived'
        : 'surface';
    note('permission', mutant.name, seen);
  }
}

/** Whether a row of the table of isolation decides what the table grants plainly, or leaves a condition undecided. */
const contradictsRows = (table: ReturnType<typeof loadPermissionTable>): boolean =>
  isolationRows.some((row) => {
    const route = routes.find(({ operation }) => operation === row.operation);
    const guard = route && guardOf(route);
    if (row.about !== 'workspace' || !guard) return false;
    return ACTORS.some((actor) => {
      const membership = { role: actor === 'owner' ? 'admin' : actor, isOwner: actor === 'owner' } as const;
      const grant = grantFor(table.find(guard.permission), rolesInWorkspace(table, 'engineer', membership));
      const isDecided = grant !== undefined && grant.kind !== 'allowed';
      return (row.decided?.[actor] !== undefined) !== isDecided;
    });
  });

const directory = await mkdtemp(join(tmpdir(), 'normtrace-mutants-'));
const { server, stop } = await startServer(join(directory, 'data'));
try {
  const client = new pg.Client(inDatabase(server.connections, server.template).migration);
  await client.connect();
  await mutateDatabase(client).finally(() => client.end());
  mutateRoles();
} finally {
  await stop();
  await rm(directory, { recursive: true, force: true });
}
for (const [kind, seen] of counts) {
  const parts = [...seen].map(([by, count]) => `${count} ${by}`);
  console.log(`${kind}: ${parts.join(', ')}`);
}
for (const survivor of survivors) console.log(`SURVIVED ${survivor}`);
process.exitCode = survivors.length === 0 ? 0 : 1;
