import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { DatabaseConnections } from './connections.js';
import { OWNER_ROLE } from './connections.js';
import { parseDatabaseUrl } from './database-url.js';
import { prepareRoles } from './roles.js';
import { CONNECT_MILLISECONDS, KEEP_ALIVE } from './silent-connections.js';

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;
const DIRECTORY = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/**
 * Brings a database up to date: roles, then every file of `server/migrations` that has not run, in the order of
 * their names, each in a transaction of its own and as the owner role. Processes that start together wait for each
 * other. Returns the names that ran. Throws when a file that has run was changed or is gone.
 */
export async function migrate(connections: DatabaseConnections, directory = DIRECTORY): Promise<string[]> {
  const migrations = await readMigrations(directory);
  return withMigrationLock(connections.migration, async (client) => {
    await prepareRoles(client, [loginOf(connections.application)]);
    await client.query(`set role ${OWNER_ROLE}`);
    return await apply(client, migrations);
  });
}

/** One process at a time changes the structure of a database; the others wait. The lock ends with the connection. */
export async function withMigrationLock<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connection,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    application_name: 'normtrace migrate',
  });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtext('normtrace migrations'))`);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Names of the migrations that a database still lacks, asked as any role. */
export async function missingMigrations(
  connection: pg.ClientConfig,
  directory = DIRECTORY,
): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    query_timeout: CONNECT_MILLISECONDS,
    application_name: 'normtrace check',
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ present: boolean }>(
      `select to_regclass('public.schema_migrations') is not null as present`,
    );
    const done = rows[0]?.present
      ? (await client.query<{ name: string }>('select name from schema_migrations')).rows.map(
          (row) => row.name,
        )
      : [];
    return migrations.map((migration) => migration.name).filter((name) => !done.includes(name));
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(
    `create table if not exists public.schema_migrations (
       name text primary key,
       checksum text not null,
       applied_at timestamptz not null default now()
     );
     grant select on public.schema_migrations to normtrace_app, normtrace_system`,
  );
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from public.schema_migrations',
  );
  const done = new Map(rows.map((row) => [row.name, row.checksum]));
  const known = new Set(migrations.map((migration) => migration.name));
  for (const name of done.keys()) {
    if (!known.has(name)) {
      throw new Error(
        `The database has run the migration ${name}, which this version does not have. Run a newer version.`,
      );
    }
  }
  const ran: string[] = [];
  for (const migration of migrations) {
    const checksum = done.get(migration.name);
    if (checksum === migration.checksum) continue;
    if (checksum !== undefined) {
      throw new Error(`The migration ${migration.name} was changed after it ran. Add a new file instead.`);
    }
    await run(client, migration);
    ran.push(migration.name);
  }
  return ran;
}

async function run(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(migration.text);
    await client.query('insert into public.schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(
      `The migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`,
      {
        cause: error,
      },
    );
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      if (!FILE_NAME.test(name)) throw new Error(`${name}: a migration is named like 0001_what_it_does.sql.`);
      const text = await readFile(new URL(name, `file://${directory}`), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function loginOf(connection: pg.ClientConfig): string {
  if (connection.connectionString === undefined) return connection.user ?? '';
  return decodeURIComponent(parseDatabaseUrl(connection.connectionString)?.username ?? '');
}
