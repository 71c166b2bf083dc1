import type { ClientConfig } from 'pg';
import { type DatabaseOptions, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Transaction } from '../database/database.js';
import {
  CONNECT_MILLISECONDS,
  KEEP_ALIVE,
  type SilenceWatch,
  watchSilence,
} from '../database/silent-connections.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Traces } from '../traces/traces.js';
import { countJobs, readBacklog } from './backlog.js';
import { describeError } from './describe-error.js';
import type { JobDefinition, Queue, RegisteredHandler } from './queue.js';
import { JOBS_CHANNEL, SCHEMA } from './queue-tables.js';
import { ASYNCHRONOUS, givenUpName, startWorking, type Working } from './work.js';

/**
 * A worker that hangs is noticed after this time. Long, because the queue counts what it finds like this as a failed
 * attempt: a worker that has ended is found by `job-claims.ts`, also when none was there to look for a while.
 */
const HEARTBEAT_SECONDS = 45;
/** How often somebody looks for jobs whose worker is gone; one process at a time does, for all. */
const SUPERVISE_SECONDS = 2;

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

/** Opens the queue over PostgreSQL. It adds jobs at once and hands them out after `work`. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { definitions, log, metrics, traces } = options;
  assertDistinct(definitions.map(({ name }) => name));
  const watch = watchSilence({ connection: options.connection, log });
  const connect = (working: boolean) => connectBoss(options.connection, { watch, working, log });
  let boss = await connect(false);
  await declare(boss, definitions);
  const names = definitions.flatMap((definition) => [definition.name, givenUpName(definition)]);
  metrics?.watch(() => readBacklog(boss.getDb(), SCHEMA, names));

  let working: Working | undefined;

  return {
    async enqueue(transaction, definition, payload, { afterSeconds = 0 } = {}) {
      if (!definitions.some(({ name }) => name === definition.name)) {
        throw new Error(`The job ${definition.name} is not declared.`);
      }
      await boss.send(definition.name, wrap(payload, traces?.current()), {
        db: within(transaction),
        startAfter: afterSeconds,
        group: { id: groupOf(payload) },
      });
    },

    async hasten({ name }, payload) {
      await boss.getDb().executeSql(
        `with due as (
           update ${SCHEMA}.job set start_after = now()
           where name = $1 and group_id = $2 and state = 'created' and start_after > now() returning id)
         select pg_notify('${JOBS_CHANNEL}', $1) from due limit 1`,
        [name, groupOf(payload)],
      );
    },

    async work(handlers) {
      assertComplete(definitions, handlers);
      await boss.stop({ graceful: false });
      boss = await connect(true);
      working = await startWorking(boss, handlers, {
        ...options,
        watch,
        heartbeatSeconds: HEARTBEAT_SECONDS,
      });
    },

    count: () =>
      countJobs(
        boss.getDb(),
        SCHEMA,
        definitions.map(({ name }) => name),
      ),

    async check() {
      await boss.getDb().executeSql(`select 1 from ${SCHEMA}.queue limit 1`);
    },

    async stop(milliseconds) {
      await working?.stop(milliseconds);
      await boss.stop({ graceful: false });
      await working?.release();
      watch.stop();
    },
  };
}

async function connectBoss(
  connection: ClientConfig,
  { watch, working, log }: { readonly watch: SilenceWatch; readonly working: boolean; readonly log: Logger },
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...(connection as DatabaseOptions),
    ...(working ? { options: `${connection.options ?? ''} ${ASYNCHRONOUS}` } : {}),
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
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', (error) => log.warn({ error: describeError(error) }, 'queue'));
  await boss.start();
  return boss;
}

/** Declares the queue of each definition and the one where its given-up jobs arrive: what is not there, or is there otherwise. */
async function declare(boss: PgBoss, definitions: readonly Definition[]): Promise<void> {
  const common = {
    retryBackoff: true,
    retryDelay: 1,
    retryDelayMax: 60,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    notify: true,
    // The row is the truth: a finished job is of no use to anybody.
    deleteAfterSeconds: 3600,
  };
  const wanted = definitions.flatMap((definition) => [
    { name: givenUpName(definition), retryLimit: 100, expireInSeconds: 60 },
    {
      name: definition.name,
      retryLimit: definition.retryLimit,
      expireInSeconds: definition.expireInSeconds,
      deadLetter: givenUpName(definition),
    },
  ]);
  // Asked once: a start that asks for each of them takes long where processors are busy.
  const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { name, ...own } of wanted) {
    const options = { ...common, ...own };
    const found = present.get(name);
    if (
      found &&
      Object.entries(options).every(([key, value]) => found[key as keyof typeof found] === value)
    ) {
      continue;
    }
    await boss.createQueue(name, options);
    await boss.updateQueue(name, options);
  }
}

/** Who takes turns with others: the workspace that the job is about, else the user, else everybody together. */
const groupOf = ({ workspaceId, userId }: Readonly<Record<string, string>>): string =>
  workspaceId ?? userId ?? 'none';

const within = (transaction: Transaction) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: await transaction.many<Record<string, unknown>>({ text, values }),
  }),
});

/** What the job belongs to travels beside the ids of its payload. */
const wrap = (payload: Readonly<Record<string, string>>, traceparent: string | undefined): object =>
  traceparent === undefined ? payload : { ...payload, traceparent };

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
