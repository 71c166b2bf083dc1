import { jobDefinitions } from '../jobs.js';
import type { DatabaseConnections } from '../platform/database/connections.js';
import { createDatabase } from '../platform/database/create-database.js';
import type { Dependencies } from '../platform/dependencies.js';
import { openPayments } from '../platform/payments/open-payments.js';
import { openQueue } from '../platform/queue/pg-boss-queue.js';
import type { DiskStorage } from '../platform/storage/disk-storage.js';
import { openStorage } from '../platform/storage/open-storage.js';
import type { Process } from './run.js';

export interface Opened {
  readonly dependencies: Dependencies;
  /** Where files are sent to us instead of S3. */
  readonly uploads?: DiskStorage;
}

/** Opens what routes and jobs receive, over a migrated database. */
export async function openDependencies(
  { configuration, log, shutdown }: Process,
  connections: DatabaseConnections,
): Promise<Opened> {
  const clock = () => new Date();
  const database = createDatabase({ connections, log, poolSize: configuration.databasePoolSize });
  shutdown.add({ what: 'database', milliseconds: 500, close: database.close });
  const queue = await openQueue({
    connection: connections.system,
    definitions: jobDefinitions,
    concurrency: configuration.workerConcurrency,
    log,
  });
  shutdown.add({ what: 'queue', milliseconds: 500, close: () => queue.stop(500) });
  const { storage, uploads } = await openStorage(configuration, clock);
  const payments = await openPayments({ configuration, database, clock, log });
  return {
    dependencies: { configuration, database, storage, queue, payments, clock, log },
    ...(uploads ? { uploads } : {}),
  };
}
