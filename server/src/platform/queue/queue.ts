import type { Logger } from 'pino';
import type { Transaction } from '../database/database.js';
import type { JobCounts } from './backlog.js';

type Ids = Readonly<Record<string, string>>;

/** A kind of job: its payload is ids, parsed at the door. */
export interface JobDefinition<Payload extends Ids> {
  /** `analyses.run`: letters, digits, dots and dashes. */
  readonly name: string;
  /** Throws when it is not a payload of this kind. */
  parse(payload: unknown): Payload;
  /** How many times a job is tried again after it failed or its worker died. */
  readonly retryLimit: number;
  /** After this time in one attempt the job is taken away from its worker. */
  readonly expireInSeconds: number;
  /** Jobs of this kind at the same time in one process; else as configured, and one more for another workspace. */
  readonly concurrency?: number;
  /**
   * Nobody waits for it. While a workspace has all its places at some other kind, jobs of upkeep run one at a time in a
   * process, all kinds of them together.
   */
  readonly isUpkeep?: true;
}

export interface JobContext {
  readonly jobId: string;
  /** Aborted at shutdown, and when the job was given to another worker; handlers stop on it. */
  readonly signal: AbortSignal;
}

export type JobHandler<Payload> = (payload: Payload, context: JobContext) => Promise<void>;

/**
 * Delivers jobs at least once. The row that a job is about is the truth, the queue only delivers. Jobs of one kind are
 * started in turn for each workspace, or user, that their payload names, so that nobody waits behind all of another's.
 */
export interface Queue {
  /** Enqueues inside the caller's transaction: the job exists exactly if the transaction commits. */
  enqueue<Payload extends Ids>(
    transaction: Transaction,
    definition: JobDefinition<Payload>,
    payload: Payload,
    options?: {
      /** Not before so many seconds from now. */
      readonly afterSeconds?: number;
    },
  ): Promise<void>;
  /** Has the jobs of this kind and group that wait for their time begin now. No part of any transaction. */
  hasten<Payload extends Ids>(definition: JobDefinition<Payload>, payload: Payload): Promise<void>;
  /** Starts working; refuses when a definition has no handler or two. */
  work(handlers: readonly RegisteredHandler[]): Promise<void>;
  check(): Promise<void>;
  /** How many jobs of each kind wait, run and failed. */
  count(): Promise<readonly JobCounts[]>;
  /** Tells running jobs to stop and waits for them, at most `milliseconds`. What did not finish starts again elsewhere. */
  stop(milliseconds: number): Promise<void>;
}

/** A definition with what does it; made by `handleJob`. */
export interface RegisteredHandler {
  readonly definition: JobDefinition<Ids>;
  readonly handler: JobHandler<unknown>;
  readonly whenGivenUp: JobHandler<unknown>;
}

/**
 * Puts a definition and its handler together. `whenGivenUp` runs when every attempt failed, also when the workers
 * died on it: it writes into the row what a person should know.
 */
export function handleJob<Payload extends Ids>(
  definition: JobDefinition<Payload>,
  handler: JobHandler<Payload>,
  whenGivenUp: JobHandler<Payload>,
): RegisteredHandler {
  return {
    definition,
    handler: (payload, context) => handler(definition.parse(payload), context),
    whenGivenUp: (payload, context) => whenGivenUp(definition.parse(payload), context),
  };
}

/** The last word on a job that no person has to hear of: a line of the log. */
export const logGivenUp =
  (log: Logger, { name }: { readonly name: string }, text: string): JobHandler<Ids> =>
  async (payload, { jobId }) =>
    log.error({ job: name, jobId, ...payload }, text);
