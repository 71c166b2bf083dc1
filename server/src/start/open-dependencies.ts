import { jobDefinitions } from '../jobs.js';
import { openClock } from '../platform/database/clock.js';
import type { DatabaseConnections } from '../platform/database/connections.js';
import { createDatabase } from '../platform/database/create-database.js';
import type { Dependencies } from '../platform/dependencies.js';
import { openPayments } from '../platform/payments/open-payments.js';
import { openQueue } from '../platform/queue/pg-boss-queue.js';
import { countStorageErrors } from '../platform/storage/count-errors.js';
import type { DiskStorage } from '../platform/storage/disk-storage.js';
import { openStorage } from '../platform/storage/open-storage.js';
import type { Storage } from '../platform/storage/storage.js';
import { observe } from './observe.js';
import { warnOfLittleRoom } from './patience.js';
import type { Process } from './run.js';

export interface Opened {
  readonly dependencies: Dependencies;
  /** Where files are sent to us instead of S3. */
  readonly uploads?: DiskStorage;
}

/** Opens what routes and jobs receive, over a migrated database. */
export async function openDependencies(process: Process, connections: DatabaseConnections): Promise<Opened> {
  const { configuration, log, shutdown } = process;
  const { metrics, traces } = await observe(process);
  const database = createDatabase({
    connections,
    log,
    poolSize: configuration.databasePoolSize,
    metrics,
  });
  shutdown.add({ what: 'database', milliseconds: 500, close: database.close });
  const { now: clock, stop } = await openClock(database, log);
  shutdown.add({ what: 'clock', milliseconds: 100, close: async () => stop() });
  const queue = await openQueue({
    connection: connections.system,
    definitions: jobDefinitions,
    concurrency: configuration.workerConcurrency,
    log,
    metrics,
    traces,
  });
  shutdown.add({ what: 'queue', milliseconds: 500, close: () => queue.stop(500) });
  const counting = <Kind extends Storage>(storage: Kind): Kind =>
    metrics ? countStorageErrors(storage, metrics) : storage;
  const { storage, uploads } = await openStorage(configuration, clock);
  await warnOfLittleRoom(log, configuration);
  const payments = await openPayments({ configuration, database, clock, log });
  return {
    dependencies: {
      configuration,
      database,
      storage: counting(storage),
      queue,
      payments,
      clock,
      log,
      metrics,
      traces,
    },
    ...(uploads ? { uploads: counting(uploads) } : {}),
  };
}
