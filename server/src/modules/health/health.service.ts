import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { freeBytes, keepsDataHere, NO_ROOM_BYTES } from '../../platform/disk-space.js';
import type { Context } from '../../platform/http/route.js';
import { productVersion } from '../../platform/product-version.js';
import { describeError } from '../../platform/queue/describe-error.js';
import type { Health } from './health.schemas.js';

/** Version of this package. */
export const VERSION: string = productVersion();

const PATIENCE_MILLISECONDS = 2_000;

/**
 * Asks database, storage, queue and disk. Without database, storage or room on the disk nothing works; without queue only
 * jobs wait, and with little room uploads are refused.
 */
export async function checkHealth({
  database,
  storage,
  queue,
  configuration,
  log,
}: Pick<Context, 'log'> &
  Pick<Dependencies, 'database' | 'storage' | 'queue' | 'configuration'>): Promise<Health> {
  const check = async (name: string, work: () => Promise<unknown>): Promise<'ok' | 'down'> => {
    try {
      await withPatience(work());
      return 'ok';
    } catch (error) {
      log.warn({ error: describeError(error), check: name }, 'health check failed');
      return 'down';
    }
  };
  let disk: 'ok' | 'low' | 'down' | undefined;
  const [databaseState, storageState, queueState, diskState] = await Promise.all([
    check('database', () =>
      database.asSystem('health', (transaction) => transaction.one(sql`select 1 as alive`)),
    ),
    check('storage', () => storage.check()),
    check('queue', () => queue.check()),
    check('disk', async () => {
      disk = await roomOf(configuration);
    }),
  ]);
  const checks = {
    database: databaseState,
    storage: storageState,
    queue: queueState,
    ...(diskState === 'down' ? { disk: 'down' as const } : disk ? { disk } : {}),
  };
  const isDown = [checks.database, checks.storage, checks.disk].includes('down');
  const isDegraded = checks.queue === 'down' || checks.disk === 'low';
  return { status: isDown ? 'down' : isDegraded ? 'degraded' : 'ok', version: VERSION, checks };
}

/** Undefined when neither database nor documents lie on a disk of this process. */
async function roomOf(
  configuration: Dependencies['configuration'],
): Promise<'ok' | 'low' | 'down' | undefined> {
  if (!keepsDataHere(configuration)) return undefined;
  const { dataDirectory, minFreeBytes } = configuration;
  const free = await freeBytes(dataDirectory);
  if (free < Math.min(NO_ROOM_BYTES, minFreeBytes)) return 'down';
  return free < minFreeBytes ? 'low' : 'ok';
}

async function withPatience(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MILLISECONDS);
  });
  try {
    await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
