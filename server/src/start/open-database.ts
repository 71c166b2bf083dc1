import { connectionsFromUrl, type DatabaseConnections } from '../platform/database/connections.js';
import { migrate, missingMigrations } from '../platform/database/migrate.js';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.js';
import { migrateQueue } from '../platform/queue/queue-tables.js';
import { whenDatabaseAnswers, whenThereIsRoom } from './patience.js';
import type { Process } from './run.js';

/** The database that the settings name; the embedded one is started, and stopped with the process. */
export async function connectOrEmbed({
  configuration,
  log,
  shutdown,
}: Process): Promise<DatabaseConnections> {
  const { databaseUrl, databaseOwnerUrl, dataDirectory } = configuration;
  if (databaseUrl) return connectionsFromUrl(databaseUrl, databaseOwnerUrl);
  const postgres = await whenThereIsRoom(log, dataDirectory, () =>
    startEmbeddedPostgres({
      dataDirectory,
      log,
      onLost: (error) => {
        throw error;
      },
    }),
  );
  shutdown.add({ what: 'PostgreSQL', milliseconds: 2_200, close: postgres.stop });
  return postgres.connections;
}

/** The database of an installation of several processes, which all have to reach the same one. */
export async function connectMigrated({ configuration, log }: Process): Promise<DatabaseConnections> {
  const { databaseUrl, databaseOwnerUrl } = configuration;
  if (!databaseUrl) {
    throw new Error(
      'API and worker as processes of their own need a DATABASE_URL. npm start runs everything in one.',
    );
  }
  const connections = connectionsFromUrl(databaseUrl, databaseOwnerUrl);
  const missing = await whenDatabaseAnswers(log, () => missingMigrations(connections.application));
  if (missing.length > 0) {
    throw new Error(
      `The database lacks ${missing.length} migrations, from ${missing[0]} on. Run node server/dist/start/migrate.js first.`,
    );
  }
  return connections;
}

/** Every migration: ours and those of the queue. Returns the names of ours that ran. */
export async function migrateAll(
  { configuration, log }: Process,
  connections: DatabaseConnections,
): Promise<string[]> {
  const patiently = <T>(work: () => Promise<T>): Promise<T> =>
    whenThereIsRoom(log, configuration.dataDirectory, () => whenDatabaseAnswers(log, work));
  const ran = await patiently(() => migrate(connections));
  await patiently(() => migrateQueue(connections));
  return ran;
}
