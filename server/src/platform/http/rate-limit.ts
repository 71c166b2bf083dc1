import { isIPv6 } from 'node:net';
import type { Database } from '../database/database.js';
import { sql } from '../database/sql.js';
import { ApiError } from './api-error.js';

/** A token bucket: `capacity` tokens at most, refilled evenly. One request takes one token. */
export interface BucketSize {
  readonly capacity: number;
  readonly perMinute: number;
}

export interface Decision {
  readonly allowed: boolean;
  /** Tokens left, as far as this process knows. */
  readonly remaining: number;
  /** Seconds until the next token; for `Retry-After`. At least 1 when refused. */
  readonly retryAfterSeconds: number;
}

export interface RateLimiter {
  readonly size: BucketSize;
  take(key: string): Promise<Decision>;
}

interface Lease {
  tokens: number;
  /** Tokens left in the shared bucket when the lease was taken. */
  readonly remaining: number;
  readonly expiresAt: number;
  readonly retryAfterSeconds: number;
}

/** A lease is at most this share of what the bucket holds; near the limit it is one token. */
const LEASE_SHARE = 8;
const LEASE_MILLISECONDS = 1_000;
const MAX_LEASES = 10_000;

/**
 * One bucket per key in the database, shared by all processes. So that a busy caller does not cost a statement per
 * request, a process takes tokens in small leases; what a lease did not use within a second goes back. All
 * processes together never grant more than capacity + refill.
 */
export function createRateLimiter(database: Database, size: BucketSize): RateLimiter {
  const leases = new Map<string, Lease>();
  const asking = new Map<string, Promise<Lease>>();
  const ask = (key: string): Promise<Lease> => {
    const pending = asking.get(key);
    if (pending) return pending;
    const unused = leases.get(key)?.tokens ?? 0;
    leases.delete(key);
    if (leases.size >= MAX_LEASES) leases.clear();
    const answer = takeLease(database, { key, size, unused })
      .then((lease) => {
        leases.set(key, lease);
        return lease;
      })
      .finally(() => asking.delete(key));
    asking.set(key, answer);
    return answer;
  };

  return {
    size,
    async take(key) {
      for (;;) {
        const held = leases.get(key);
        const lease = held && performance.now() < held.expiresAt && isUseful(held) ? held : await ask(key);
        if (lease.tokens > 0) {
          lease.tokens--;
          return { allowed: true, remaining: lease.remaining + lease.tokens, retryAfterSeconds: 0 };
        }
        if (lease.retryAfterSeconds > 0) {
          return {
            allowed: false,
            remaining: 0,
            retryAfterSeconds: Math.max(1, Math.ceil(lease.retryAfterSeconds)),
          };
        }
      }
    },
  };
}

/** Holds tokens, or is a refusal that still stands; a used-up lease is neither. */
const isUseful = (lease: Lease): boolean => lease.tokens > 0 || lease.retryAfterSeconds > 0;

async function takeLease(
  database: Database,
  request: { readonly key: string; readonly size: BucketSize; readonly unused: number },
): Promise<Lease> {
  const { granted, tokens } = await takeTokens(database, { ...request, share: LEASE_SHARE });
  const refillPerSecond = request.size.perMinute / 60;
  const retryAfterSeconds = granted > 0 ? 0 : (1 - tokens) / refillPerSecond;
  // A refusal stands until the next token is there, a grant for a second.
  const milliseconds =
    granted > 0 ? LEASE_MILLISECONDS : Math.min(LEASE_MILLISECONDS, retryAfterSeconds * 1000);
  return {
    tokens: granted,
    remaining: Math.floor(tokens),
    expiresAt: performance.now() + milliseconds,
    retryAfterSeconds,
  };
}

/**
 * Takes tokens in one upsert: a `share`-th of what is there, at least one, none when there is less than one.
 * `unused` goes back first. Answers what was granted and what is left.
 */
export async function takeTokens(
  database: Database,
  request: {
    readonly key: string;
    readonly size: BucketSize;
    readonly share: number;
    readonly unused?: number;
  },
): Promise<{ readonly granted: number; readonly tokens: number }> {
  const { key, size, share, unused = 0 } = request;
  const refillPerSecond = size.perMinute / 60;
  const first = Math.max(1, Math.floor(size.capacity / share));
  return database.asSystem('rate limit', (transaction) =>
    transaction.one(sql`
      insert into rate_limit_buckets as bucket (key, tokens, granted, updated_at)
      values (${key}, ${size.capacity - first}::float8, ${first}::int, clock_timestamp())
      on conflict (key) do update set (tokens, granted, updated_at) = (
        select available - share, share, clock_timestamp()
        from (
          select least(
            ${size.capacity}::float8,
            bucket.tokens + ${unused}::float8
              + greatest(0, extract(epoch from clock_timestamp() - bucket.updated_at)) * ${refillPerSecond}::float8
          ) as available
        ) refilled,
        lateral (
          select case when available >= 1 then greatest(1, floor(available / ${share}::float8)) else 0 end::int as share
        ) granting
      )
      returning granted, tokens`),
  );
}

/** Gives one token back, for an attempt that should not have counted. */
export async function giveTokenBack(database: Database, key: string, size: BucketSize): Promise<void> {
  await database.asSystem('rate limit', (transaction) =>
    transaction.run(sql`
      update rate_limit_buckets set tokens = least(${size.capacity}::float8, tokens + 1) where key = ${key}`),
  );
}

/** What stands for a client address in a key: of IPv6 the network, because whoever has one address has 2^64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [head = '', tail] = address.split('%', 1)[0]!.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...zeros, ...last].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** 429, with `details.retry_after` and `Retry-After` in seconds, at least one. */
export function tooMany(what: string, seconds: number): ApiError {
  const wait = Math.max(1, Math.ceil(seconds));
  return new ApiError('RATE_LIMITED', `Too many ${what}. Try again in ${wait} s.`, { retry_after: wait });
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-10. */
export function rateLimitHeaders(
  size: BucketSize,
  decision: Decision | undefined,
): Readonly<Record<string, string>> {
  const remaining = decision ? Math.max(0, decision.remaining) : size.capacity;
  const reset = decision && !decision.allowed ? `;t=${decision.retryAfterSeconds}` : '';
  return { 'ratelimit-policy': policyOf(size), ratelimit: `"default";r=${remaining}${reset}` };
}

const policies = new WeakMap<BucketSize, string>();

function policyOf(size: BucketSize): string {
  let policy = policies.get(size);
  if (policy === undefined) {
    const window = Math.max(1, Math.ceil((size.capacity * 60) / size.perMinute));
    policy = `"default";q=${size.capacity};w=${window}`;
    policies.set(size, policy);
  }
  return policy;
}
