import { createHash } from 'node:crypto';
import type { Transaction } from '../database/database.js';
import { sql } from '../database/sql.js';
import { ApiError, invalid } from './api-error.js';

/** An answer that is remembered under a key. */
export interface RememberedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface IdempotentRequest {
  readonly userId: string;
  readonly key: string;
  readonly operation: string;
  readonly params: unknown;
  readonly body: unknown;
}

const KEY = /^[\x21-\x7e]{1,255}$/;
const KEEP = '24 hours';
/** How long a request waits for one with the same key that is still running. */
const WAIT = '5s';
const LOCK_NOT_AVAILABLE = '55P03';

/** The `Idempotency-Key` header; throws 422 when it cannot be one. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw invalid(
    'headers.idempotency-key',
    'An idempotency key has 1 to 255 visible ASCII characters.',
    'invalid_format',
  );
}

/**
 * Claims the key in the transaction that will answer the request, or gives the answer that is remembered under it.
 * A request with the same key in another transaction waits here for its end: after a commit it finds the answer,
 * after a rollback it goes on as the first. Throws 422 when the key was used for another request and 409 when the
 * other one takes longer than five seconds.
 */
export async function claimKey(
  transaction: Transaction,
  request: IdempotentRequest,
): Promise<RememberedAnswer | undefined> {
  const { userId, key } = request;
  const hash = hashOf(request);
  await transaction.run(sql`select set_config('lock_timeout', ${WAIT}, true)`);
  await transaction.run(sql`
    delete from idempotency_keys where user_id = ${userId} and created_at < now() - ${KEEP}::interval`);
  const claimed = await transaction
    .run(sql`
      insert into idempotency_keys (user_id, key, request_hash) values (${userId}, ${key}, ${hash})
      on conflict (user_id, key) do nothing`)
    .catch((error: unknown) => {
      throw isLockTimeout(error) ? stillRunning() : error;
    });
  await transaction.run(sql`select set_config('lock_timeout', '0', true)`);
  if (claimed === 1) return undefined;

  const first = await transaction.one<RememberedAnswer & { request_hash: Buffer }>(sql`
    select request_hash, status, headers, body from idempotency_keys
    where user_id = ${userId} and key = ${key}`);
  if (!first.request_hash.equals(hash)) {
    throw keyReused();
  }
  return { status: first.status, headers: first.headers, body: first.body };
}

/** Remembers the answer under the claimed key; commits with what the request made. */
export async function rememberAnswer(
  transaction: Transaction,
  request: IdempotentRequest,
  answer: RememberedAnswer,
): Promise<void> {
  await transaction.run(sql`
    update idempotency_keys
    set status = ${answer.status}, headers = ${JSON.stringify(answer.headers)}::jsonb,
        body = ${JSON.stringify(answer.body ?? null)}::jsonb
    where user_id = ${request.userId} and key = ${request.key}`);
}

/** 422: the key belongs to another request. */
export const keyReused = (): ApiError =>
  invalid(
    'headers.idempotency-key',
    'This idempotency key was used for another request. Take a new key for a new request.',
    'key_reused',
  );

const hashOf = ({ operation, params, body }: IdempotentRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([operation, sorted(params), sorted(body)]))
    .digest();

/** The same value with the keys of objects in order, so that their order in the request does not count. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

const stillRunning = (): ApiError =>
  new ApiError('CONFLICT', 'A request with this idempotency key is still running. Try again in a moment.');

const isLockTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
