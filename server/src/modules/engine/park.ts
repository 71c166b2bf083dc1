import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { type Death, deathOf } from '../../platform/processes/process-pool.js';

/** A piece of work that is not tried again by itself, for a person. */
export interface Parked {
  readonly code: string;
  readonly text: string;
}

/** The row that the work is about; `where` names it with its attempt. */
interface Work {
  readonly table: Statement;
  readonly where: Statement;
  /** `Reading the file`: begins a sentence. */
  readonly what: string;
  /** What the person can do about it, as a sentence. */
  readonly hint: string;
}

const REASONS: Readonly<Record<Death, Parked>> = {
  OutOfMemory: { code: 'out_of_memory', text: 'it took more memory than is allowed' },
  OutOfTime: { code: 'timed_out', text: 'it took more processor time than is allowed' },
  ProcessDied: { code: 'crashed', text: 'its process ended unexpectedly' },
};

/**
 * Decides about work whose process died. The first time the error is thrown again, so that the queue brings the work once
 * more; the second time the work is parked and the answer says why. The count is kept in the row, so that it outlives this
 * service. Undefined when the error is another one, and when the row is in other hands.
 */
export async function parkAfterDeaths(
  error: unknown,
  within: <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>,
  { table, where, what, hint }: Work,
): Promise<Parked | undefined> {
  const death = deathOf(error);
  if (!death) return undefined;
  const row = await within((transaction) =>
    transaction.maybeOne<{ parked: boolean }>(sql`
      update ${table} set process_deaths = (process_deaths + 1) % 2
      where ${where} returning process_deaths = 0 as parked`),
  );
  if (!row) return undefined;
  if (!row.parked) throw error;
  const { code, text } = REASONS[death];
  return {
    code,
    text: `${what} was ended twice because ${text}; it is not tried again by itself. ${hint}`,
  };
}
