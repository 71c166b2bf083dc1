import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { sql } from '../database/sql.js';
import { migrateQueue, openQueue } from './pg-boss-queue.js';
import { handleJob, type JobDefinition, type JobHandler, type Queue } from './queue.js';

type Payload = { readonly id: string };

const definition = (name: string, retryLimit = 0): JobDefinition<Payload> => ({
  name,
  retryLimit,
  expireInSeconds: 60,
  parse: (payload) => {
    const { id } = payload as Partial<Payload>;
    if (typeof id !== 'string') throw new Error('Not a payload.');
    return { id };
  },
});

const ignore: JobHandler<Payload> = async () => undefined;
const WORKSPACE = 'a3a3a3a3-0000-4000-8000-000000000001';

describe('the queue', () => {
  let data: TestDatabase;
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  const open = (definitions: readonly JobDefinition<Payload>[]): Promise<Queue> =>
    openQueue({ connection: data.connections.system, definitions, concurrency: 2, log });
  const enqueue = (queue: Queue, job: JobDefinition<Payload>, id: string): Promise<void> =>
    data.database.withWorkspace(WORKSPACE, (transaction) => queue.enqueue(transaction, job, { id }));

  beforeAll(async () => {
    data = await createTestDatabase();
    await migrateQueue(data.connections);
  });
  afterAll(() => data?.stop());

  test('is migrated by several processes at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => migrateQueue(data.connections)));
  });

  test('delivers what was committed and nothing that was rolled back', async () => {
    const job = definition('test.commit');
    const queue = await open([job]);
    const seen: string[] = [];
    await expect(
      data.database.withWorkspace(WORKSPACE, async (transaction) => {
        await queue.enqueue(transaction, job, { id: 'rolled back' });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await enqueue(queue, job, 'committed');
    await queue.work([handleJob(job, async ({ id }) => void seen.push(id), ignore)]);
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['committed']);
    await queue.stop(1000);
  });

  test('tries again, then gives up and says so, and keeps no words of the error anywhere', async () => {
    const job = definition('test.giving-up', 1);
    const queue = await open([job]);
    const seen: string[] = [];
    const fail: JobHandler<Payload> = async ({ id }) => {
      seen.push(`try ${id}`);
      throw Object.assign(new Error('The torque limit is 3 Nm'), { detail: 'The torque limit is 3 Nm' });
    };
    await queue.work([handleJob(job, fail, async ({ id }) => void seen.push(`gave up ${id}`))]);
    await enqueue(queue, job, 'x');
    await expect.poll(() => seen, { timeout: 20_000 }).toEqual(['try x', 'try x', 'gave up x']);
    await queue.stop(1000);
    expect(lines.join('')).toContain('job failed');
    expect(lines.join('')).not.toContain('torque');
    const kept = await data.asOwner<{ output: unknown }>('select output from pgboss.job');
    expect(kept.length).toBeGreaterThan(0);
    expect(JSON.stringify(kept)).not.toContain('torque');
  });

  test('gives a job that was stopped at shutdown to another worker', async () => {
    const job = definition('test.shutdown', 3);
    const first = await open([job]);
    let started = false;
    const untilStopped: JobHandler<Payload> = (_, { signal }) =>
      new Promise((_, reject) => {
        started = true;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    await first.work([handleJob(job, untilStopped, ignore)]);
    await enqueue(first, job, 'handed over');
    await expect.poll(() => started, { timeout: 10_000 }).toBe(true);
    const before = performance.now();
    await first.stop(4000);
    expect(performance.now() - before).toBeLessThan(5000);

    const second = await open([job]);
    const seen: string[] = [];
    await second.work([handleJob(job, async ({ id }) => void seen.push(id), ignore)]);
    await expect.poll(() => seen, { timeout: 15_000 }).toEqual(['handed over']);
    await second.stop(1000);
  });

  test('refuses a definition without a handler, with two, and a handler without a definition', async () => {
    const [one, two] = [definition('test.one'), definition('test.two')];
    const queue = await open([one]);
    await expect(queue.work([])).rejects.toThrow('The job test.one has no handler.');
    const handler = handleJob(one, ignore, ignore);
    await expect(queue.work([handler, handler])).rejects.toThrow('The job test.one is defined twice.');
    await expect(queue.work([handler, handleJob(two, ignore, ignore)])).rejects.toThrow(
      'The job test.two is not declared.',
    );
    await expect(enqueue(queue, two, 'x')).rejects.toThrow('The job test.two is not declared.');
    await expect(open([one, one])).rejects.toThrow('The job test.one is defined twice.');
    await queue.stop(1000);
  });

  test('lets the application role add jobs, not read or change them', async () => {
    for (const statement of [
      sql`select data from pgboss.job`,
      sql`update pgboss.job set data = '{}'`,
      sql`delete from pgboss.job`,
    ]) {
      const attempt = data.database.withWorkspace(WORKSPACE, (transaction) => transaction.run(statement));
      await expect(attempt).rejects.toThrow('permission denied');
    }
  });
});
