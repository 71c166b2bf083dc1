import { createHash } from 'node:crypto';
import { type DatabaseOptions, PgBoss } from 'pg-boss';
import {
  APPLICATION_ROLE,
  type DatabaseConnections,
  OWNER_ROLE,
  SYSTEM_ROLE,
} from '../database/connections.js';
import { withMigrationLock } from '../database/migrate.js';
import { unclaimedTable } from './job-claims.js';
import { waitingIndex } from './take-jobs.js';

export const SCHEMA = 'pgboss';

/** Where the library says the kind of a job when one is added that is due: as its `notify` does for this schema. */
export const JOBS_CHANNEL = `pgboss_${createHash('sha224').update(SCHEMA).digest('hex').slice(0, 24)}`;

/**
 * Makes or upgrades the tables of the queue and says who may do what: the application role adds jobs, the system
 * role hands them out. Runs as the owner, with the migrations. Processes that start together wait for each other.
 */
export function migrateQueue(connections: DatabaseConnections): Promise<void> {
  return withMigrationLock(connections.migration, () => makeTables(connections));
}

async function makeTables(connections: DatabaseConnections): Promise<void> {
  const boss = new PgBoss({
    ...(connections.migration as DatabaseOptions),
    options: `${connections.migration.options ?? ''} -c role=${OWNER_ROLE}`,
    schema: SCHEMA,
    max: 1,
    supervise: false,
    schedule: false,
  });
  const errors: Error[] = [];
  boss.on('error', (error) => errors.push(error));
  try {
    await boss.start();
    const run = (statement: string) => boss.getDb().executeSql(statement);
    await run(waitingIndex(SCHEMA));
    await run(unclaimedTable(SCHEMA));
    await run(`grant usage on schema ${SCHEMA} to ${APPLICATION_ROLE}, ${SYSTEM_ROLE}`);
    await run(`grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${SYSTEM_ROLE}`);
    await run(`grant execute on all functions in schema ${SCHEMA} to ${APPLICATION_ROLE}, ${SYSTEM_ROLE}`);
    // Enough for adding a job, too little for reading anybody's.
    await run(`grant select on ${SCHEMA}.queue, ${SCHEMA}.version to ${APPLICATION_ROLE}`);
    for (const table of ['job', 'job_common']) {
      await run(`grant insert, select (id, name, start_after) on ${SCHEMA}.${table} to ${APPLICATION_ROLE}`);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  if (errors[0]) throw errors[0];
}
