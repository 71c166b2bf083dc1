import type { Transaction } from '../database/database.js';

/** A kind of job: its payload is ids, parsed at the door. */
export interface JobDefinition<Payload extends Readonly<Record<string, string>>> {
  readonly name: string;
  parse(payload: unknown): Payload;
  readonly retryLimit: number;
  readonly expireInSeconds: number;
}

export interface JobContext {
  readonly jobId: string;
  /** Aborted at shutdown, timeout or cancellation; handlers stop on it. */
  readonly signal: AbortSignal;
}

export type JobHandler<Payload> = (payload: Payload, context: JobContext) => Promise<void>;

/** Delivers jobs at least once. The row that a job is about is the truth, the queue only delivers. */
export interface Queue {
  /** Enqueues inside the caller's transaction: the job exists exactly if the transaction commits. */
  enqueue<Payload extends Readonly<Record<string, string>>>(
    transaction: Transaction,
    definition: JobDefinition<Payload>,
    payload: Payload,
  ): Promise<void>;
  /** Starts working; refuses when a definition has no handler or two. */
  work(handlers: readonly RegisteredHandler[]): Promise<void>;
  check(): Promise<void>;
  /** Waits for running jobs to stop, at most `milliseconds`. */
  stop(milliseconds: number): Promise<void>;
}

export interface RegisteredHandler {
  readonly definition: JobDefinition<Readonly<Record<string, string>>>;
  readonly handler: JobHandler<Readonly<Record<string, string>>>;
}
