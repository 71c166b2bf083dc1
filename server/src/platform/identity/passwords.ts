import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Cost of new hashes: 32 MiB and three passes, one of the equivalent settings that OWASP names for scrypt. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const HASH_BYTES = 32;

/** `scrypt$N$r$p$salt$hash`, base64url; on the thread pool, some tenths of a second. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(normalised(password), salt, HASH_BYTES, withMemory(COST));
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * True when the password belongs to the hash. Without a hash (nobody has this address) the same work is done and
 * the answer is false, so that the time tells nothing.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? NOBODY).split('$');
  if (scheme !== 'scrypt' || !salt || !hash) throw new Error('A stored password hash has an unknown form.');
  const expected = Buffer.from(hash, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(
    normalised(password),
    Buffer.from(salt, 'base64url'),
    expected.length,
    withMemory(cost),
  );
  return timingSafeEqual(actual, expected) && stored !== undefined;
}

/** The same characters typed on another keyboard are the same password (RFC 8265). */
const normalised = (password: string): string => password.normalize('NFC');

const withMemory = (cost: { readonly N: number; readonly r: number; readonly p: number }): ScryptOptions => ({
  ...cost,
  maxmem: 256 * cost.N * cost.r,
});

const NOBODY = ['scrypt', COST.N, COST.r, COST.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$');
