import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { Context } from '../../platform/http/route.js';
import { productVersion } from '../../platform/product-version.js';
import { describeError } from '../../platform/queue/describe-error.js';
import type { Health } from './health.schemas.js';

/** Version of this package. */
export const VERSION: string = productVersion();

const PATIENCE_MILLISECONDS = 2_000;

/** Asks database, storage and queue. Without database or storage nothing works; without queue only jobs wait. */
export async function checkHealth({
  database,
  storage,
  queue,
  log,
}: Pick<Context, 'log'> & Pick<Dependencies, 'database' | 'storage' | 'queue'>): Promise<Health> {
  const check = async (name: string, work: () => Promise<unknown>): Promise<'ok' | 'down'> => {
    try {
      await withPatience(work());
      return 'ok';
    } catch (error) {
      log.warn({ error: describeError(error), check: name }, 'health check failed');
      return 'down';
    }
  };
  const [databaseState, storageState, queueState] = await Promise.all([
    check('database', () =>
      database.asSystem('health', (transaction) => transaction.one(sql`select 1 as alive`)),
    ),
    check('storage', () => storage.check()),
    check('queue', () => queue.check()),
  ]);
  const checks = { database: databaseState, storage: storageState, queue: queueState };
  const isDown = databaseState === 'down' || storageState === 'down';
  return { status: isDown ? 'down' : queueState === 'down' ? 'degraded' : 'ok', version: VERSION, checks };
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
