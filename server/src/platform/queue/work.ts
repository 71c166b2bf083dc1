import { setTimeout as delay } from 'node:timers/promises';
import pg, { type ClientConfig } from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { listen } from '../database/listen.js';
import { CONNECT_MILLISECONDS, KEEP_ALIVE, type SilenceWatch } from '../database/silent-connections.js';
import type { Metrics } from '../metrics/metrics.js';
import { inSpan, type Traces } from '../traces/traces.js';
import { Unavailable } from '../unavailable.js';
import { describeError } from './describe-error.js';
import { dispatchJobs, type Kind } from './dispatch-jobs.js';
import { giveBack, openJobClaims, watchAbandonedJobs } from './job-claims.js';
import type { JobDefinition, JobHandler, RegisteredHandler } from './queue.js';
import { JOBS_CHANNEL, SCHEMA } from './queue-tables.js';
import { type TakenJob, takeJobs } from './take-jobs.js';

/** Longest wait for a job whose notification was lost, or that became due. */
const POLLING_MILLISECONDS = 1_000;
/** So long a worker tries to give a job back to a database that is away. */
const PUT_BACK_MILLISECONDS = 60_000;
const RETRY_MILLISECONDS = 250;
/** What has to be written when every attempt failed is little. */
const GIVEN_UP_SECONDS = 60;

export interface WorkOptions {
  readonly connection: ClientConfig;
  readonly watch: SilenceWatch;
  /** Jobs of one kind and workspace at the same time, unless the definition says otherwise. */
  readonly concurrency: number;
  readonly heartbeatSeconds: number;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly traces?: Traces | undefined;
}

export interface Working {
  /** Tells running jobs to stop and waits for them, at most `milliseconds`; what did not finish is given back. */
  stop(milliseconds: number): Promise<void>;
  /** Gives up the claims on what did not finish, last of all. */
  release(): Promise<void>;
}

interface Work extends Kind {
  readonly expireInSeconds: number;
  readonly handler: JobHandler<unknown>;
}

/** One job under way. */
interface Attempt {
  readonly job: TakenJob;
  readonly claim: AbortController;
  /** What ended it is not the job: it is given back and counts as no attempt. */
  isGivenBack: boolean;
}

/** Takes jobs as long as there are any, and works on them until `stop`. */
export async function startWorking(
  boss: PgBoss,
  handlers: readonly RegisteredHandler[],
  options: WorkOptions,
): Promise<Working> {
  const { connection, watch, concurrency, heartbeatSeconds, log, metrics, traces } = options;
  const works = new Map(handlers.flatMap((one) => worksOf(one, concurrency)).map((one) => [one.name, one]));
  const names = [...works.keys()];
  const stopping = new AbortController();
  const attempts = new Set<Attempt>();
  const settled: { readonly attempt: Attempt; readonly failure: Error | undefined }[] = [];
  let settling: Promise<void> | undefined;
  const claims = openJobClaims(connection, { Client: watch.Client, log });
  const warn = (error: unknown): void => log.warn({ error: describeError(error) }, 'queue');
  const pool = openPool(connection, watch).on('error', warn);
  const prepared = {
    executeSql: (text: string, values: unknown[]) => pool.query({ name: 'take', text, values }),
  };

  const deliver = async (attempt: Attempt, { name, handler }: Work): Promise<void> => {
    const { job, claim } = attempt;
    const context = { jobId: job.id, signal: AbortSignal.any([claim.signal, stopping.signal]) };
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
    try {
      await inSpan(traces, span, () => handler(payload, context));
      log.info({ ...about, milliseconds: ended('done') }, 'job done');
    } catch (error) {
      if (context.signal.aborted) log.info({ ...about, milliseconds: ended('stopped') }, 'job stopped');
      else log.error({ ...about, milliseconds: ended('failed'), error: describeError(error) }, 'job failed');
      const isInOtherHands = claim.signal.aborted && !(claim.signal.reason instanceof Expired);
      attempt.isGivenBack = stopping.signal.aborted || isInOtherHands || error instanceof Unavailable;
      if (attempt.isGivenBack) await putBack(job);
      // The library keeps the error beside the job; the message may hold what nobody should read there.
      throw new Error(context.signal.aborted ? 'stopped' : 'failed, see the log');
    }
  };
  /** What is wrong then is not the job. What cannot be said for long stays unclaimed, and is found like that. */
  const putBack = async ({ name, id, retryCount }: TakenJob): Promise<void> => {
    for (const end = performance.now() + PUT_BACK_MILLISECONDS; ; await delay(RETRY_MILLISECONDS)) {
      const isSaid = await pool.query(giveBack(SCHEMA), [name, id, retryCount]).then(
        () => true,
        () => false,
      );
      if (isSaid || stopping.signal.aborted || performance.now() > end) return;
    }
  };

  const perform = async (job: TakenJob): Promise<void> => {
    const work = works.get(job.name)!;
    const attempt: Attempt = { job, claim: new AbortController(), isGivenBack: false };
    attempts.add(attempt);
    claims.hold(job.id);
    const failure = await within(work.expireInSeconds, attempt.claim, () => deliver(attempt, work)).then(
      () => undefined,
      (error: Error) => error,
    );
    settled.push({ attempt, failure });
    settling ??= settleAll().finally(() => {
      settling = undefined;
    });
  };
  /** Tells the library how attempts ended, as many at once as there are: nobody waits for it. */
  const settleAll = async (): Promise<void> => {
    while (settled.length > 0) {
      const now = settled.splice(0);
      const done = now.filter(({ failure }) => failure === undefined).map(({ attempt }) => attempt.job);
      // Of what is given back nothing is told: told in the moment in which the database is back, it would count as failed.
      const failed = now.flatMap(({ attempt, failure }) =>
        failure && !attempt.isGivenBack ? [{ job: attempt.job, failure }] : [],
      );
      // What could not be told is claimed by nobody then, and given to others.
      await Promise.all([
        ...byName(done).map(([name, jobs]) => boss.complete(name, jobs).catch(warn)),
        ...failed.map(({ job, failure }) => boss.fail(job.name, job, failure).catch(warn)),
      ]);
      for (const { attempt } of now) {
        claims.release(attempt.job.id);
        attempts.delete(attempt);
      }
      // The library writes what was given up without saying so to anybody.
      dispatcher.wake(failed.map(({ job }) => givenUpName(job)));
    }
  };

  const dispatcher = dispatchJobs({
    kinds: [...works.values()],
    take: (asked) => takeJobs(prepared, SCHEMA, asked),
    perform,
    onError: warn,
  });
  const listening = await listen({
    connection,
    Client: watch.Client,
    channel: JOBS_CHANNEL,
    onNotification: (name) => dispatcher.wake([name]),
    onReconnect: () => dispatcher.wake(names),
    log,
  });
  const polling = setInterval(() => dispatcher.wake(names), POLLING_MILLISECONDS);
  const beating = setInterval(() => void touch(boss, attempts, warn), (heartbeatSeconds * 1000) / 3);
  const abandoned = watchAbandonedJobs(() => boss.getDb(), {
    schema: SCHEMA,
    names,
    log,
    taken: (kinds) => dispatcher.wake(kinds),
  });
  dispatcher.wake(names);

  return {
    stop: async (milliseconds) => {
      for (const timer of [polling, beating]) clearInterval(timer);
      dispatcher.stop();
      stopping.abort(new Error('The worker is shutting down.'));
      abandoned.stop();
      await listening.stop();
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, Math.max(1000, milliseconds));
      });
      await Promise.race([dispatcher.idle().then(() => settling), patience]);
      clearTimeout(timer);
      await Promise.all([...attempts].map(({ job }) => putBack(job)));
    },
    release: async () => {
      await claims.stop();
      await pool.end();
    },
  };
}

function worksOf({ definition, handler, whenGivenUp }: RegisteredHandler, concurrency: number): Work[] {
  const { name, expireInSeconds, isUpkeep = false } = definition;
  return [
    {
      name,
      isUpkeep,
      places: definition.concurrency ?? concurrency,
      hasSpare: definition.concurrency === undefined,
      expireInSeconds,
      handler,
    },
    {
      name: givenUpName(definition),
      isUpkeep: false,
      places: 1,
      hasSpare: false,
      expireInSeconds: GIVEN_UP_SECONDS,
      handler: whenGivenUp,
    },
  ];
}

/** The queue where the given-up jobs of a definition arrive. */
export const givenUpName = ({
  name,
}: Pick<JobDefinition<Readonly<Record<string, string>>>, 'name'>): string => `${name}.given-up`;

/** What a worker writes of jobs is done again when it is lost with the machine of the server: nothing waits for the disk. */
export const ASYNCHRONOUS = '-c synchronous_commit=off';

/** For taking jobs and giving them back. */
const openPool = (connection: ClientConfig, { Client }: SilenceWatch): pg.Pool =>
  new pg.Pool({
    ...connection,
    ...KEEP_ALIVE,
    Client,
    options: `${connection.options ?? ''} ${ASYNCHRONOUS} -c jit=off`,
    connectionTimeoutMillis: CONNECT_MILLISECONDS,
    application_name: 'normtrace queue',
    max: 2,
  });

/** An attempt took longer than its kind of job may. */
class Expired extends Error {
  override readonly name = 'Expired';
}

/** Ends an attempt after its time also when its handler does not; the library takes the job away then, too. */
async function within(seconds: number, claim: AbortController, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Expired('expired');
      reject(error);
      claim.abort(error);
    }, seconds * 1000);
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Says that this worker still works, and stops what is in other hands by now. */
async function touch(
  boss: PgBoss,
  attempts: Iterable<Attempt>,
  warn: (error: unknown) => void,
): Promise<void> {
  const all = [...attempts];
  for (const [name, jobs] of byName(all.map(({ job }) => job))) {
    try {
      // The types of the library leave out whom it touched.
      const { settled } = (await boss.touch(name, jobs)) as { readonly settled?: readonly string[] };
      if (!settled) continue;
      const kept = new Set(settled);
      for (const { job, claim } of all) {
        if (job.name === name && !kept.has(job.id)) claim.abort(new Error('The job is in other hands.'));
      }
    } catch (error) {
      // Says nothing about whose the jobs are.
      warn(error);
    }
  }
}

const byName = (jobs: readonly TakenJob[]): [name: string, jobs: TakenJob[]][] =>
  [...new Set(jobs.map(({ name }) => name))].map((name) => [name, jobs.filter((job) => job.name === name)]);

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
