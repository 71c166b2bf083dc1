import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { DatabaseUnavailable } from '../database/errors.js';
import { sql } from '../database/sql.js';
import { watchAbandonedJobs } from './job-claims.js';
import { openQueue } from './pg-boss-queue.js';
import { handleJob, type JobDefinition, type JobHandler, type Queue } from './queue.js';
import { JOBS_CHANNEL, migrateQueue } from './queue-tables.js';

type Payload = { readonly id: string; readonly workspaceId?: string };

const definition = (name: string, retryLimit = 0): JobDefinition<Payload> => ({
  name,
  retryLimit,
  expireInSeconds: 60,
  parse: (payload) => {
    const { id, workspaceId } = payload as Partial<Payload>;
    if (typeof id !== 'string') throw new Error('Not a payload.');
    return workspaceId === undefined ? { id } : { id, workspaceId };
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
  const enqueue = (
    queue: Queue,
    job: JobDefinition<Payload>,
    id: string,
    workspaceId?: string,
  ): Promise<void> =>
    data.database.withWorkspace(WORKSPACE, (transaction) =>
      queue.enqueue(transaction, job, workspaceId === undefined ? { id } : { id, workspaceId }),
    );

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

  /** Jobs end when they are told to. */
  const held = () => {
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const handler: JobHandler<Payload> = ({ id }) =>
      new Promise((resolve) => {
        started.push(id);
        ends.set(id, resolve);
      });
    return { started, handler, end: (id: string) => ends.get(id)!() };
  };

  test('starts jobs of one workspace after those of the others, in turn, and keeps a place for one that has none', async () => {
    const job = definition('test.turns');
    const queue = await open([job]);
    const { started, handler, end } = held();
    for (let n = 1; n <= 5; n++) await enqueue(queue, job, `a${n}`, 'a');
    await queue.work([handleJob(job, handler, ignore)]);
    await expect.poll(() => started, { timeout: 10_000 }).toEqual(['a1', 'a2']);
    // Both places of a workspace are taken; the spare one is for somebody else.
    await enqueue(queue, job, 'b1', 'b');
    await expect.poll(() => started, { timeout: 10_000 }).toEqual(['a1', 'a2', 'b1']);
    for (const id of ['b2', 'c1', 'c2', 'd1']) await enqueue(queue, job, id, id[0]);
    const begun = [...started];
    for (const next of [
      ['a1', 'c1'],
      ['b1', 'd1'],
      ['c1', 'b2'],
      ['d1', 'c2'],
      ['a2', 'a3'],
    ] as const) {
      end(next[0]);
      begun.push(next[1]);
      await expect.poll(() => started, { timeout: 10_000 }).toEqual(begun);
    }
    for (const id of ['b2', 'c2', 'a3']) end(id);
    await expect.poll(() => started.length, { timeout: 10_000 }).toBe(10);
    for (const id of ['a4', 'a5']) end(id);
    await queue.stop(1000);
  });

  test('lets those wait for which nobody waits, one at a time, while a person does', async () => {
    const [job, sweep] = [
      definition('test.person'),
      { ...definition('test.sweep'), isUpkeep: true as const },
    ];
    const queue = await open([job, sweep]);
    const [people, nobody] = [held(), held()];
    for (const id of ['p1', 'p2', 'p3']) await enqueue(queue, job, id, 'a');
    await queue.work([handleJob(job, people.handler, ignore), handleJob(sweep, nobody.handler, ignore)]);
    await expect.poll(() => people.started, { timeout: 10_000 }).toEqual(['p1', 'p2']);
    for (const id of ['s1', 's2', 's3']) await enqueue(queue, sweep, id, 'a');
    await expect.poll(() => nobody.started, { timeout: 10_000 }).toEqual(['s1']);
    nobody.end('s1');
    await expect.poll(() => nobody.started, { timeout: 10_000 }).toEqual(['s1', 's2']);
    people.end('p1');
    people.end('p2');
    await expect.poll(() => people.started, { timeout: 10_000 }).toEqual(['p1', 'p2', 'p3']);
    await expect.poll(() => nobody.started, { timeout: 10_000 }).toEqual(['s1', 's2', 's3']);
    for (const id of ['s2', 's3']) nobody.end(id);
    people.end('p3');
    await queue.stop(1000);
  });

  test('hands out every job once to several workers, without a pause between them', async () => {
    const job = definition('test.many');
    const workers = [await open([job]), await open([job])];
    const ids = Array.from({ length: 120 }, (_, n) => `${n}`);
    for (const id of ids) await enqueue(workers[0]!, job, id, `workspace ${Number(id) % 7}`);
    const seen: string[] = [];
    for (const worker of workers)
      await worker.work([handleJob(job, async ({ id }) => void seen.push(id), ignore)]);
    // A pause of the length of a look for lost notifications after each job would take two minutes.
    await expect.poll(() => seen.length, { timeout: 30_000 }).toBe(ids.length);
    expect(new Set(seen).size).toBe(ids.length);
    for (const worker of workers) await worker.stop(1000);
  });

  test('is told of a job by the database: the channel is the one of the library', async () => {
    const job = definition('test.told');
    const queue = await open([job]);
    const told: string[] = [];
    const listening = await data.database.listen(JOBS_CHANNEL, (name) => told.push(name));
    await enqueue(queue, job, 'x');
    await expect.poll(() => told, { timeout: 10_000 }).toContain(job.name);
    await listening.stop();
    await queue.stop(1000);
  });

  test('takes a job away from a handler that does not end in its time, and tries it again', async () => {
    const job = { ...definition('test.slow', 1), expireInSeconds: 1 };
    const queue = await open([job]);
    const seen: string[] = [];
    await queue.work([
      handleJob(
        job,
        async (_, { signal }) => {
          seen.push('try');
          signal.addEventListener('abort', () => seen.push('told to stop'), { once: true });
          await new Promise(() => undefined);
        },
        async () => void seen.push('gave up'),
      ),
    ]);
    await enqueue(queue, job, 'x');
    await expect
      .poll(() => seen, { timeout: 30_000 })
      .toEqual(['try', 'told to stop', 'try', 'told to stop', 'gave up']);
    await queue.stop(1000);
  });

  test('counts no attempt that ended because the database was away, also when the job could not be given back', async () => {
    // Nothing can be given back for a moment, and everything else can be written: as when the database comes back.
    await data.asOwner(`
      create function refuse_to_give_back() returns trigger language plpgsql as
        $$ begin raise exception 'not now'; end $$;
      create trigger refuse_to_give_back before update on pgboss.job for each row
        when (new.retry_limit > old.retry_limit) execute function refuse_to_give_back();`);
    const job = definition('test.away', 0);
    const queue = await open([job]);
    const seen: string[] = [];
    const work: JobHandler<Payload> = async () => {
      seen.push('try');
      if (seen.length === 1) throw new DatabaseUnavailable(new Error('gone'));
    };
    await queue.work([handleJob(job, work, async () => void seen.push('gave up'))]);
    await enqueue(queue, job, 'x');
    await expect.poll(() => seen, { timeout: 10_000 }).toEqual(['try']);
    await delay(2_000);
    expect(seen).toEqual(['try']);
    await data.asOwner(`
      drop trigger refuse_to_give_back on pgboss.job;
      drop function refuse_to_give_back();`);
    await expect.poll(() => seen, { timeout: 30_000 }).toEqual(['try', 'try']);
    await queue.stop(1000);
  });

  test('gives a job back that two workers found without its worker, the first of which is gone by then', async () => {
    const job = definition('test.orphan', 0);
    const queue = await open([job]);
    await enqueue(queue, job, 'x');
    await data.asOwner(
      "update pgboss.job set state = 'active', started_on = now() - interval '1 minute' where name = 'test.orphan'",
    );
    let looks = 0;
    const watch = () => {
      const looked = looks;
      const statements = {
        executeSql: async (text: string, values: unknown[]) => {
          const rows = await data.asOwner(text, values);
          looks++;
          return { rows };
        },
      };
      const kinds: string[] = [];
      const { stop } = watchAbandonedJobs(() => statements, {
        schema: 'pgboss',
        names: [job.name],
        log,
        taken: (names) => kinds.push(...names),
      });
      return {
        kinds,
        untilLooked: async () => {
          await expect.poll(() => looks, { interval: 20, timeout: 30_000 }).toBeGreaterThan(looked);
          stop();
        },
      };
    };
    await data.asOwner(
      'select pg_sleep(greatest(0, 5.5 - extract(epoch from now() - pg_postmaster_start_time())))',
    );
    const first = watch();
    await first.untilLooked();
    expect(first.kinds).toEqual([]);
    await delay(1_600);
    const second = watch();
    await second.untilLooked();
    expect(second.kinds).toEqual([job.name]);
    expect(looks).toBe(2);
    expect(await data.asOwner("select state::text from pgboss.job where name = 'test.orphan'")).toEqual([
      { state: 'retry' },
    ]);
    await queue.stop(1000);
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
