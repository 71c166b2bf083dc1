import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import type { DatabaseConnections } from '../../../server/dist/platform/database/connections.js';
import { createDatabase } from '../../../server/dist/platform/database/create-database.js';
import type { Database } from '../../../server/dist/platform/database/database.js';
import { migrate } from '../../../server/dist/platform/database/migrate.js';
import { startEmbeddedPostgres } from '../../../server/dist/platform/embedded-postgres/embedded-postgres.js';
import { openQueue } from '../../../server/dist/platform/queue/pg-boss-queue.js';
import { handleJob, type JobDefinition } from '../../../server/dist/platform/queue/queue.js';
import { migrateQueue } from '../../../server/dist/platform/queue/queue-tables.js';
import { type Bench, type Figure, median, milliseconds, quantile } from '../measure.js';

const JOBS = 300;
/** A queue that is slower than this is measured by what it did until then. */
const PATIENCE_MILLISECONDS = 30_000;
const WORKSPACES = 10;
const AT_ONCE = 2;
/** As many as jobs at the same time without `WORKER_CONCURRENCY` on four cores; what the bare statements use too. */
const CONNECTIONS = 4;
const STARTS = 200;
const STARTS_PER_SECOND = 20;
/** Jobs of the workspace that is in front, and of the neighbour behind it. */
const BEFORE = 40;
const BEHIND = 4;
const WORK_MILLISECONDS = 100;

type Payload = { readonly workspaceId: string; readonly id: string };

interface Place {
  readonly connections: DatabaseConnections;
  readonly database: Database;
}

const silent = pino({ level: 'silent' });
const workspaces = Array.from({ length: WORKSPACES }, () => randomUUID());

/** The queue with PostgreSQL and one worker: jobs that do nothing, how soon they start, who waits for whom. */
export const queue: Bench = {
  name: 'queue',
  about: `One worker process with ${AT_ONCE} jobs of a kind at once and embedded PostgreSQL. Jobs of no work, ${JOBS} of ${WORKSPACES} workspaces queued before the worker starts; the limit is taking and ending each of them by two bare statements on ${CONNECTIONS} connections.`,
  async run({ log }) {
    const directory = await mkdtemp(join(tmpdir(), 'normtrace-bench-'));
    const postgres = await startEmbeddedPostgres({
      dataDirectory: directory,
      log: silent,
      onLost: (error) => {
        throw error;
      },
    });
    const { connections } = postgres;
    await migrate(connections);
    await migrateQueue(connections);
    const database = createDatabase({ connections, log: silent });
    const place = { connections, database };
    try {
      const figures = [await throughput(place), await starts(place), await neighbour(place)];
      log('measured');
      return figures;
    } finally {
      await database.close();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

const definition = (name: string): JobDefinition<Payload> => ({
  name,
  parse: (payload) => payload as Payload,
  retryLimit: 2,
  expireInSeconds: 600,
});

const nobody = async (): Promise<void> => undefined;

async function openWorker({ connections, database }: Place, name: string) {
  const job = definition(name);
  const worker = await openQueue({
    connection: connections.system,
    definitions: [job],
    concurrency: AT_ONCE,
    log: silent,
  });
  return {
    enqueue: (workspaceId: string, id: string = randomUUID()) =>
      database.withWorkspace(workspaceId, (transaction) =>
        worker.enqueue(transaction, job, { workspaceId, id }),
      ),
    work: (handler: (payload: Payload) => Promise<void>) => worker.work([handleJob(job, handler, nobody)]),
    stop: () => worker.stop(1000),
  };
}

async function throughput(place: Place): Promise<Figure> {
  const own: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < 3; round++) {
    const worker = await openWorker(place, `bench.small-${round}`);
    for (let n = 0; n < JOBS; n++) await worker.enqueue(workspaces[n % WORKSPACES]!);
    let done = 0;
    let finish: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await worker.work(async () => {
      done += 1;
      if (done === JOBS) finish();
    });
    const time = await milliseconds(() => Promise.race([all, pause(PATIENCE_MILLISECONDS)]));
    own.push((1000 * done) / time);
    await worker.stop();
    bare.push((1000 * JOBS) / (await milliseconds(() => bareJobs(place))));
  }
  return {
    name: 'jobs of no work',
    value: `${median(own).toFixed(0)} a second`,
    peer: `${median(bare).toFixed(0)} a second by bare statements`,
    ratio: median(own) / median(bare),
    goal: '≥ 100 a second',
    note: 'from the start of the worker',
  };
}

/** One statement to take a job and one to end it, each a transaction, and nothing of a queue around them. */
async function bareJobs({ connections }: Place): Promise<void> {
  const pool = new pg.Pool({ ...connections.migration, max: CONNECTIONS });
  try {
    await pool.query('create table if not exists bench_jobs (id int primary key, state text)');
    await pool.query(`insert into bench_jobs select n, 'new' from generate_series(1, ${JOBS}) n`);
    let next = 1;
    const one = async (): Promise<void> => {
      for (let id = next++; id <= JOBS; id = next++) {
        await pool.query("update bench_jobs set state = 'active' where id = $1", [id]);
        await pool.query("update bench_jobs set state = 'done' where id = $1", [id]);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
    await pool.query('drop table bench_jobs');
  } finally {
    await pool.end();
  }
}

async function starts(place: Place): Promise<Figure> {
  const worker = await openWorker(place, 'bench.start');
  const waited: number[] = [];
  const sent = new Map<string, number>();
  await worker.work(async ({ id }) => void waited.push(performance.now() - sent.get(id)!));
  await worker.enqueue(workspaces[0]!, first(sent));
  await pause(1000);
  waited.length = 0;
  const begin = performance.now();
  for (let n = 0; n < STARTS; n++) {
    await pause(Math.max(0, begin + (n * 1000) / STARTS_PER_SECOND - performance.now()));
    const id = randomUUID();
    void worker.enqueue(workspaces[n % WORKSPACES]!, id).then(() => sent.set(id, performance.now()));
    sent.set(id, performance.now());
  }
  while (waited.length < STARTS) await pause(20);
  await worker.stop();
  return {
    name: `start of a job after its commit, ${STARTS_PER_SECOND} a second`,
    value: `p99 ${quantile(waited, 0.99).toFixed(0)} ms`,
    goal: '≤ 50 ms',
    note: `p50 ${median(waited).toFixed(1)} ms, ${STARTS} jobs`,
  };
}

function first(sent: Map<string, number>): string {
  const id = randomUUID();
  sent.set(id, performance.now());
  return id;
}

async function neighbour(place: Place): Promise<Figure> {
  const run = async (name: string, before: number): Promise<number> => {
    const worker = await openWorker(place, name);
    const [front, behind] = [workspaces[0]!, workspaces[1]!];
    for (let n = 0; n < before; n++) await worker.enqueue(front);
    let left = BEHIND;
    let finish: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await worker.work(async ({ workspaceId }) => {
      await pause(WORK_MILLISECONDS);
      if (workspaceId === behind && --left === 0) finish();
    });
    await pause(before > 0 ? 2 * WORK_MILLISECONDS : 1000);
    const time = await milliseconds(async () => {
      for (let n = 0; n < BEHIND; n++) await worker.enqueue(behind);
      await all;
    });
    await worker.stop();
    return time;
  };
  const alone = await run('bench.alone', 0);
  const behind = await run('bench.behind', BEFORE);
  return {
    name: `${BEHIND} jobs of ${WORK_MILLISECONDS} ms behind ${BEFORE} of another workspace`,
    value: `${behind.toFixed(0)} ms`,
    peer: `${alone.toFixed(0)} ms alone`,
    ratio: behind / alone,
    goal: '≤ 2 × its time alone',
  };
}
