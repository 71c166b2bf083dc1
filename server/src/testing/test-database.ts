import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import type { DatabaseConnections } from '../platform/database/connections.js';
import { createDatabase } from '../platform/database/create-database.js';
import type { Actor, Database } from '../platform/database/database.js';
import { sql } from '../platform/database/sql.js';
import { inDatabase, testServer } from './test-server.js';

export interface TestDatabase {
  /** The doors, through the application and the system role as in production. */
  readonly database: Database;
  readonly connections: DatabaseConnections;
  /** Runs a text as the login that migrates, past row-level security: for looking at what a test did, and catalogs. */
  asOwner<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A new user with a profile. The first of the database is its administrator. */
  createUser(email?: string): Promise<Actor & { readonly email: string }>;
  /** A new workspace of this user. */
  createWorkspace(owner: Actor, name?: string): Promise<string>;
  stop(): Promise<void>;
}

/** A database of this test file's own, with every migration, on real PostgreSQL. Call `stop` in `afterAll`. */
export async function createTestDatabase(template?: string): Promise<TestDatabase> {
  const { connections, stop } = await createBareDatabase(template ?? (await testServer()).template);
  const opened = openTestDatabase(connections);
  return {
    ...opened,
    stop: async () => {
      await opened.stop();
      await stop();
    },
  };
}

/** The doors to a database that stays. */
export function openTestDatabase(connections: DatabaseConnections): TestDatabase {
  const database = createDatabase({ connections, log: pino({ level: 'silent' }) });
  // Kept open: connecting costs more than most statements of tests.
  const owner = new pg.Pool({ ...connections.migration, max: 4, application_name: 'normtrace test' });
  owner.on('error', () => undefined);

  return {
    database,
    connections,
    asOwner: async (text, values = []) => (await owner.query(text, [...values])).rows,
    createUser: async (email = `${randomUUID()}@example.org`) => {
      const user = await database.asSystem('a user for a test', (transaction) =>
        transaction.one<{ id: string }>(
          sql`insert into auth.users (email, email_verified, name) values (${email}, true, 'Test User') returning id`,
        ),
      );
      return { userId: user.id, email };
    },
    createWorkspace: async (owner, workspace = 'Workspace') => {
      const id = randomUUID();
      await database.withActor(owner, (transaction) =>
        transaction.run(sql`select app.create_workspace(${id}, ${workspace}, '', 'engineer')`),
      );
      return id;
    },
    stop: async () => {
      await database.close();
      await owner.end();
    },
  };
}

/** A copy of a database; by default an empty one, as before the first migration. */
export async function createBareDatabase(
  template = 'template0',
  name = `normtrace_test_${randomBytes(6).toString('hex')}`,
): Promise<{ readonly connections: DatabaseConnections; stop(): Promise<void> }> {
  const { connections } = await testServer();
  await runOnce(connections.migration, `create database ${name} template ${template}`);
  return {
    connections: inDatabase(connections, name),
    stop: async () => {
      await runOnce(connections.migration, `drop database ${name} with (force)`);
    },
  };
}

async function runOnce(
  connection: pg.ClientConfig,
  text: string,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await client.query(text, [...values]);
  } finally {
    await client.end();
  }
}
