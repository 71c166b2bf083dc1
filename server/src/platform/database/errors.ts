import { Unavailable } from '../unavailable.js';

/** A row with the same key exists; `constraint` names the unique constraint or index. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`A row with this key already exists (${constraint}).`, { cause });
    this.constraint = constraint;
  }
}

/** The statement names a row that does not exist, or deletes one that is still referenced. */
export class ForeignKeyViolation extends Error {
  override readonly name = 'ForeignKeyViolation';
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`A referenced row is missing or still in use (${constraint}).`, { cause });
    this.constraint = constraint;
  }
}

/** A value breaks a check constraint of the table. */
export class CheckViolation extends Error {
  override readonly name = 'CheckViolation';
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`A value is not allowed here (${constraint}).`, { cause });
    this.constraint = constraint;
  }
}

/** The database cannot be reached, or went away in the middle. Worth trying again; answered as 503. */
export class DatabaseUnavailable extends Unavailable {
  override readonly name: string = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super('The database cannot be reached at the moment.', { cause });
  }
}

/** A statement was given up after its time: it waited for a lock, or there was too much to do. Answered as 503. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';

  constructor(cause: unknown) {
    super('A statement took longer than it may.', { cause });
  }
}

/**
 * The connection was lost while a transaction was being committed: it may have been, or not. Nothing may be undone
 * because of it that belongs to the transaction.
 */
export class OutcomeUnknown extends DatabaseUnavailable {
  override readonly name = 'OutcomeUnknown';
}

/** SQLSTATEs after which the same transaction, run again, may succeed: serialization failure, deadlock. */
const WORTH_REPEATING = new Set(['40001', '40P01']);

/** Classes of SQLSTATE that mean that there is no usable connection: connection exception, operator intervention. */
const UNAVAILABLE = /^(08|57P|53300)/;

/** SQLSTATE of a statement that was cancelled: nobody cancels any, but its time is limited. */
const GIVEN_UP = '57014';

const BROKEN_SOCKET =
  /ECONN|EPIPE|ENOENT|ETIMEDOUT|Connection terminated|not queryable|timeout exceeded when trying to connect/;

export const isWorthRepeating = (error: unknown): boolean =>
  WORTH_REPEATING.has(sqlState(error) ?? '') || isStalePlan(error);

/** A prepared statement would now answer other columns than when it was prepared. */
export const isStalePlan = (error: unknown): boolean =>
  sqlState(error) === '0A000' && error instanceof Error && /cached plan/.test(error.message);

/** Errors of the driver in our own words; anything else comes back as it is. */
export function translateError(error: unknown): unknown {
  if (error instanceof DatabaseUnavailable) return error;
  const state = sqlState(error);
  if (state === undefined) return isBrokenConnection(error) ? new DatabaseUnavailable(error) : error;
  if (UNAVAILABLE.test(state)) return new DatabaseUnavailable(error);
  if (state === GIVEN_UP) return new TookTooLong(error);
  const constraint = textOf(error, 'constraint') ?? 'unknown constraint';
  if (state === '23505') return new UniqueViolation(constraint, error);
  if (state === '23503') return new ForeignKeyViolation(constraint, error);
  if (state === '23514') return new CheckViolation(constraint, error);
  return error;
}

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && BROKEN_SOCKET.test(`${textOf(error, 'code') ?? ''} ${error.message}`);
}

/** Five characters with a digit among them; EPIPE, which Node.js says, has none. */
function sqlState(error: unknown): string | undefined {
  const code = textOf(error, 'code');
  return code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

function textOf(error: unknown, key: 'code' | 'constraint'): string | undefined {
  if (typeof error !== 'object' || error === null || !(key in error)) return undefined;
  const value = (error as Record<string, unknown>)[key];
  return typeof value === 'string' ? value : undefined;
}
