import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { loadPermissionTable } from '../../platform/identity/permissions.js';
import { CATALOG_RULES } from '../catalog-rules.js';
import { startServer } from '../global-setup.js';
import { inDatabase } from '../test-server.js';
import { contradictsRows } from './contradicts-rows.js';
import { type DatabaseMutant, databaseMutants, roleMutants } from './mutants.js';
import { failing } from './probe.js';
import { allProbes } from './probes.js';
import { fillGround, type Ground } from './sample-rows.js';
import { loadSurvivors } from './stated/survivors.js';

/**
 * `npm run mutate-policies`: loosens or drops every policy, grant, constraint, trigger, function and permission, one at
 * a time, and asks the tests that look at them – never the reviewed surfaces. Fails when a mutant is seen by none and
 * `stated/survivors.yaml` has no reason for it, or when a reason there is for nothing.
 *
 * The probes of the mutant's table come first, then every other, then the rules of the catalog; each mutant in a
 * transaction that is rolled back. The requests of the table of isolation can be asked about one mutant as well:
 * `TEST_DATABASE_MUTATION="<statement>" npx vitest run server/dist/testing/isolation`.
 */
type Seen =
  | 'probe'
  | 'rule of the catalog'
  | 'table of isolation'
  | 'with a reason'
  | 'SURVIVED'
  | 'impossible';
const counts = new Map<string, Map<Seen, number>>();
const survivors: string[] = [];
const reasons = loadSurvivors();
const used = new Set<string>();

function note(kind: string, name: string, seen: Seen): void {
  let said = seen;
  if (seen === 'SURVIVED') {
    const reason = reasons.find(
      ({ kinds, mutants }) => kinds.includes(kind) && mutants.some((one) => one.test(name)),
    );
    if (reason) {
      said = 'with a reason';
      used.add(reason.reason);
    } else survivors.push(`${kind}: ${name}`);
  }
  const ofKind = counts.get(kind) ?? new Map<Seen, number>();
  counts.set(kind, ofKind.set(said, (ofKind.get(said) ?? 0) + 1));
}

async function isBroken(client: pg.Client): Promise<boolean> {
  for (const { query } of CATALOG_RULES) if ((await client.query(query)).rows.length > 0) return true;
  return false;
}

async function seenBy(ground: Ground, { about, statement }: DatabaseMutant): Promise<Seen> {
  const { client } = ground;
  await client.query('begin');
  try {
    await client.query(statement);
    const near = probes.filter((probe) => probe.about === about);
    const far = probes.filter((probe) => probe.about !== about);
    if ((await failing(ground, near, { first: true })).length > 0) return 'probe';
    // What the near ones miss of a table is seldom seen by those of other tables: the rules are quicker.
    if (await isBroken(client)) return 'rule of the catalog';
    return (await failing(ground, far, { first: true })).length > 0 ? 'probe' : 'SURVIVED';
  } catch (error) {
    // A mutant that PostgreSQL itself refuses.
    if (!(error instanceof pg.DatabaseError)) throw error;
    return 'impossible';
  } finally {
    await client.query('rollback');
  }
}

async function mutateDatabase(ground: Ground): Promise<void> {
  const { client } = ground;
  await client.query('begin');
  const failed = [
    ...(await failing(ground, probes)),
    ...((await isBroken(client)) ? ['a rule of the catalog'] : []),
  ];
  await client.query('rollback');
  if (failed.length > 0) throw new Error(`The probes fail without any mutant: ${failed.join('\n')}`);
  for (const mutant of await databaseMutants(client)) {
    note(mutant.kind, mutant.statement.replaceAll(/\s+/g, ' '), await seenBy(ground, mutant));
  }
}

const probes = allProbes();
const started = Date.now();
const directory = await mkdtemp(join(tmpdir(), 'normtrace-mutants-'));
const { server, stop } = await startServer(join(directory, 'data'));
try {
  const client = new pg.Client(inDatabase(server.connections, server.template).migration);
  await client.connect();
  await fillGround(client)
    .then(mutateDatabase)
    .finally(() => client.end());
} finally {
  await stop();
  await rm(directory, { recursive: true, force: true });
}
for (const { name, table } of roleMutants(loadPermissionTable())) {
  note('permission', name, contradictsRows(table) ? 'table of isolation' : 'SURVIVED');
}

const total = new Map<Seen, number>();
for (const [kind, seen] of counts) {
  for (const [by, count] of seen) total.set(by, (total.get(by) ?? 0) + count);
  console.log(`${kind}: ${[...seen].map(([by, count]) => `${count} ${by}`).join(', ')}`);
}
console.log(
  `All: ${[...total].map(([by, count]) => `${count} ${by}`).join(', ')}; ${Math.round((Date.now() - started) / 1000)} s`,
);
for (const survivor of survivors) console.log(`SURVIVED ${survivor}`);
const stale = reasons.filter(({ reason }) => !used.has(reason));
for (const { reason } of stale) console.log(`survivors.yaml has a reason for nothing: ${reason}`);
process.exitCode = survivors.length + stale.length === 0 ? 0 : 1;
