import type { ClientConfig } from 'pg';
import { type DatabaseOptions, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import {
  APPLICATION_ROLE,
  type DatabaseConnections,
  OWNER_ROLE,
  SYSTEM_ROLE,
} from '../database/connections.js';
import type { Transaction } from '../database/database.js';
import { withMigrationLock } from '../database/migrate.js';
import {
  CONNECT_MILLISECONDS,
  KEEP_ALIVE,
  type SilenceWatch,
  watchSilence,
} from '../database/silent-connections.js';
import type { Metrics } from '../metrics/metrics.js';
import { inSpan, type Traces } from '../traces/traces.js';
import { Unavailable } from '../unavailable.js';
import { readBacklog } from './backlog.js';
import { describeError } from './describe-error.js';
import { giveBack, type JobClaims, openJobClaims, watchAbandonedJobs } from './job-claims.js';
import type { JobDefinition, JobHandler, Queue, RegisteredHandler } from './queue.js';

const SCHEMA = 'pgboss';
/**
 * A worker that hangs is noticed after this time. Long, because the queue counts what it finds like this as a failed
 * attempt: a worker that has ended is found by `job-claims.ts`, also when none was there to look for a while.
 */
const HEARTBEAT_SECONDS = 45;
/** How often somebody looks for jobs whose worker is gone; one process at a time does, for all. */
const SUPERVISE_SECONDS = 2;
/** Longest wait for a job whose notification was lost. */
const POLLING_SECONDS = 2;
const POLLING_SECONDS_GIVEN_UP = 5;

type Definition = JobDefinition<Readonly<Record<string, string>>>;

export interface QueueOptions {
  /** As the system role, which hands out jobs. Enqueuing uses the caller's transaction instead. */
  readonly connection: ClientConfig;
  readonly definitions: readonly Definition[];
  /** Jobs of one kind at the same time in this process, unless the definition says otherwise. */
  readonly concurrency: number;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
}

/**
 * Makes or upgrades the tables of the queue and says who may do what: the application role adds jobs, the system
 * role hands them out. Runs as the owner, with the migrations. Processes that start together wait for each other.
 */
export function migrateQueue(connections: DatabaseConnections): Promise<void> {
  return withMigrationLock(connections.migration, () => makeTables(connections));
}

async function makeTables(connections: DatabaseConnections): Promise<void> {
  const boss = new PgBoss({
    ...(connections.migration as DatabaseOptions),
    options: `${connections.migration.options ?? ''} -c role=${OWNER_ROLE}`,
    schema: SCHEMA,
    max: 1,
    supervise: false,
    schedule: false,
  });
  const errors: Error[] = [];
  boss.on('error', (error) => errors.push(error));
  try {
    await boss.start();
    const run = (statement: string) => boss.getDb().executeSql(statement);
    await run(`grant usage on schema ${SCHEMA} to ${APPLICATION_ROLE}, ${SYSTEM_ROLE}`);
    await run(`grant select, insert, update, delete on all tables in schema ${SCHEMA} to ${SYSTEM_ROLE}`);
    await run(`grant execute on all functions in schema ${SCHEMA} to ${APPLICATION_ROLE}, ${SYSTEM_ROLE}`);
    // Enough for adding a job, too little for reading anybody's.
    await run(`grant select on ${SCHEMA}.queue, ${SCHEMA}.version to ${APPLICATION_ROLE}`);
    for (const table of ['job', 'job_common']) {
      await run(`grant insert, select (id, name, start_after) on ${SCHEMA}.${table} to ${APPLICATION_ROLE}`);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
  if (errors[0]) throw errors[0];
}

/** Opens the queue over PostgreSQL. It adds jobs at once and hands them out after `work`. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { definitions, log, metrics, traces } = options;
  assertDistinct(definitions.map(({ name }) => name));
  const watch = watchSilence({ connection: options.connection, log });
  const connect = (working: boolean) => connectBoss(options.connection, { watch, working, log });
  let boss = await connect(false);
  for (const definition of definitions) await declare(boss, definition);
  const stopping = new AbortController();
  const names = definitions.flatMap((definition) => [definition.name, givenUpName(definition)]);
  metrics?.watch(() => readBacklog(boss.getDb(), SCHEMA, names));

  let claims: JobClaims | undefined;
  let abandoned: { stop(): void } | undefined;
  /** Of those who take jobs, by the kind that they take. */
  const takers = new Map<string, string[]>();

  const deliver = async (name: string, handler: JobHandler<unknown>, job: Delivered): Promise<void> => {
    const context = { jobId: job.id, signal: AbortSignal.any([job.signal, stopping.signal]) };
    const started = performance.now();
    const { payload, traceparent } = unwrap(job.data);
    const ids = { jobId: job.id, attempt: job.retryCount + 1, ...idsOf(payload) };
    const about = { job: name, ...ids };
    const ended = (outcome: 'done' | 'failed' | 'stopped'): number => {
      const milliseconds = performance.now() - started;
      metrics?.count('jobs', { job: name, outcome });
      metrics?.time('jobs', milliseconds / 1000, { job: name });
      return Math.round(milliseconds);
    };
    const span = {
      name: `job ${name}`,
      kind: 'consumer',
      attributes: prefixed(ids),
      parent: traceparent,
    } as const;
    claims?.hold(job.id);
    try {
      await inSpan(traces, span, () => handler(payload, context));
      log.info({ ...about, milliseconds: ended('done') }, 'job done');
    } catch (error) {
      if (context.signal.aborted) log.info({ ...about, milliseconds: ended('stopped') }, 'job stopped');
      else log.error({ ...about, milliseconds: ended('failed'), error: describeError(error) }, 'job failed');
      if (context.signal.aborted || error instanceof Unavailable) {
        // What is wrong then is not the job. Without the database it stays unclaimed, and is found like that.
        await boss
          .getDb()
          .executeSql(giveBack(SCHEMA), [name, job.id, job.retryCount])
          .catch(() => undefined);
      }
      // The library keeps the error beside the job; the message may hold what nobody should read there.
      throw new Error(context.signal.aborted ? 'stopped' : 'failed, see the log');
    } finally {
      claims?.release(job.id);
    }
  };

  /** Takes jobs one after the other, as long as there are any without a pause. */
  const take = async (name: string, handler: JobHandler<unknown>, seconds: number): Promise<void> => {
    const polling = { pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds };
    const worker: string = await boss.work<unknown, void>(name, polling, async ([job]) => {
      if (!job) return;
      boss.notifyWorker(worker);
      await deliver(name, handler, job);
    });
    takers.set(name, [...(takers.get(name) ?? []), worker]);
  };

  return {
    async enqueue(transaction, definition, payload, { afterSeconds = 0 } = {}) {
      if (!definitions.some(({ name }) => name === definition.name)) {
        throw new Error(`The job ${definition.name} is not declared.`);
      }
      await boss.send(definition.name, wrap(payload, traces?.current()), {
        db: within(transaction),
        startAfter: afterSeconds,
      });
    },

    async work(handlers) {
      assertComplete(definitions, handlers);
      await boss.stop({ graceful: false });
      boss = await connect(true);
      claims = openJobClaims(options.connection, { Client: watch.Client, log });
      for (const { definition, handler, whenGivenUp } of handlers) {
        const atOnce = definition.concurrency ?? options.concurrency;
        for (let count = 0; count < atOnce; count++) await take(definition.name, handler, POLLING_SECONDS);
        await take(givenUpName(definition), whenGivenUp, POLLING_SECONDS_GIVEN_UP);
      }
      abandoned = watchAbandonedJobs(() => boss.getDb(), {
        schema: SCHEMA,
        names,
        log,
        taken: (kinds) => {
          for (const worker of kinds.flatMap((kind) => takers.get(kind) ?? [])) boss.notifyWorker(worker);
        },
      });
    },

    async check() {
      await boss.getDb().executeSql(`select 1 from ${SCHEMA}.queue limit 1`);
    },

    async stop(milliseconds) {
      stopping.abort(new Error('The worker is shutting down.'));
      abandoned?.stop();
      await boss.stop({ graceful: true, timeout: Math.max(1000, milliseconds) });
      await claims?.stop();
      watch.stop();
    },
  };
}

interface Delivered {
  readonly id: string;
  readonly data: unknown;
  readonly retryCount: number;
  readonly signal: AbortSignal;
}

async function connectBoss(
  connection: ClientConfig,
  { watch, working, log }: { readonly watch: SilenceWatch; readonly working: boolean; readonly log: Logger },
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...(connection as DatabaseOptions),
    // Handed on to the pool; the types of the library do not know it.
    ...({ Client: watch.Client, ...KEEP_ALIVE } as object),
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    application_name: 'normtrace queue',
    schema: SCHEMA,
    max: working ? 4 : 1,
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise: working,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    useListenNotify: working,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', (error) => log.warn({ error: describeError(error) }, 'queue'));
  await boss.start();
  return boss;
}

/** Declares the queue of a definition and the one where its given-up jobs arrive. */
async function declare(boss: PgBoss, definition: Definition): Promise<void> {
  const common = {
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: 60,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    notify: true,
    // The row is the truth: a finished job is of no use to anybody.
    deleteAfterSeconds: 3600,
  };
  const givenUp = givenUpName(definition);
  const queues = [
    { name: givenUp, retryLimit: 100, expireInSeconds: 60 },
    {
      name: definition.name,
      retryLimit: definition.retryLimit,
      expireInSeconds: definition.expireInSeconds,
      deadLetter: givenUp,
    },
  ];
  for (const { name, ...own } of queues) {
    await boss.createQueue(name, { ...common, ...own });
    await boss.updateQueue(name, { ...common, ...own });
  }
}

const givenUpName = (definition: Definition): string => `${definition.name}.given-up`;

const within = (transaction: Transaction) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: await transaction.many<Record<string, unknown>>({ text, values }),
  }),
});

/** What the job belongs to travels beside the ids of its payload. */
const wrap = (payload: Readonly<Record<string, string>>, traceparent: string | undefined): object =>
  traceparent === undefined ? payload : { ...payload, traceparent };

function unwrap(data: unknown): { readonly payload: unknown; readonly traceparent?: string } {
  const { traceparent, ...payload } = (data ?? {}) as Record<string, unknown>;
  return { payload, ...(typeof traceparent === 'string' ? { traceparent } : {}) };
}

const prefixed = (ids: Readonly<Record<string, string | number>>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [`normtrace.${name}`, id]));

/** Payloads are ids and nothing else, so that all of them may be logged. */
function idsOf(payload: unknown): Record<string, string> {
  const entries = Object.entries((payload ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

function assertDistinct(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`The job ${twice} is defined twice.`);
}

function assertComplete(definitions: readonly Definition[], handlers: readonly RegisteredHandler[]): void {
  assertDistinct(handlers.map(({ definition }) => definition.name));
  const handled = new Set(handlers.map(({ definition }) => definition.name));
  const without = definitions.find(({ name }) => !handled.has(name));
  if (without) throw new Error(`The job ${without.name} has no handler.`);
  const undeclared = handlers.find(
    ({ definition }) => !definitions.some(({ name }) => name === definition.name),
  );
  if (undeclared) throw new Error(`The job ${undeclared.definition.name} is not declared.`);
}
