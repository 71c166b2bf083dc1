import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Transaction } from '../database/database.js';
import { sql } from '../database/sql.js';
import { refused } from './token-verifier.js';

/** What a token may do: never more than its user, and less where it says so. */
export interface ApiToken {
  readonly id: string;
  readonly access: 'read' | 'write';
  /** Ids of the permission table; null: every permission of the user that a token may use. */
  readonly permissions: readonly string[] | null;
  /** The only workspace that it reaches; null: all of the user. */
  readonly workspaceId: string | null;
}

/** A token as it is shown once, and what is kept of it. */
export interface NewApiToken {
  readonly token: string;
  readonly prefix: string;
  readonly hash: Buffer;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const START = 'ntk_';
const PUBLIC_CHARACTERS = 8;
/** 43 of 62 characters: 256 bits. */
const SECRET_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const FORM = new RegExp(
  `^${START}[0-9A-Za-z]{${PUBLIC_CHARACTERS + SECRET_CHARACTERS + CHECKSUM_CHARACTERS}}$`,
);

/** `ntk_`, a public part, 256 random bits and a checksum by which scanners for lost secrets know it. */
export function createApiToken(random: (bytes: number) => Buffer = randomBytes): NewApiToken {
  const body = START + randomCharacters(PUBLIC_CHARACTERS + SECRET_CHARACTERS, random);
  const token = body + checksum(body);
  return { token, prefix: prefixOf(token), hash: hashOf(token) };
}

/** True for what claims to be an API token; everything else is an access token of an issuer. */
export const isApiToken = (text: string): boolean => text.startsWith(START);

/** Key under which a token may be remembered without being readable there. Throws 401 for a wrong form or checksum. */
export function apiTokenKey(text: string): string {
  if (
    !FORM.test(text) ||
    checksum(text.slice(0, -CHECKSUM_CHARACTERS)) !== text.slice(-CHECKSUM_CHARACTERS)
  ) {
    throw refused('malformed_token', 'This is not an API token: it was cut off or mistyped.');
  }
  return hashOf(text).toString('base64url');
}

interface ApiTokenRow {
  readonly id: string;
  readonly user_id: string;
  readonly token_hash: Buffer;
  readonly access: 'read' | 'write';
  readonly permissions: readonly string[] | null;
  readonly bound_to: string | null;
  readonly expires_at: Date;
  readonly expired: boolean;
  readonly revoked: boolean;
}

/**
 * The token that a text is, found by its public part and compared in constant time; notes, to the hour, that it was
 * used. Throws 401 when it is not one of ours, has expired or was revoked.
 */
export async function findApiToken(
  transaction: Transaction,
  text: string,
): Promise<ApiToken & { readonly userId: string; readonly expiresAt: Date }> {
  const row = await transaction.maybeOne<ApiTokenRow>(sql`
    select id, user_id, token_hash, access, permissions, bound_to, expires_at,
           expires_at <= now() as expired, revoked_at is not null as revoked
    from api_tokens where prefix = ${prefixOf(text)}`);
  if (!row || !timingSafeEqual(row.token_hash, hashOf(text))) {
    throw refused('invalid_signature', 'There is no such API token.');
  }
  if (row.revoked) throw refused('revoked_session', 'This API token was revoked.');
  if (row.expired) throw refused('expired_token', 'This API token has expired.');
  await transaction.run(sql`
    update api_tokens set last_used_at = date_trunc('hour', now())
    where id = ${row.id} and last_used_at is distinct from date_trunc('hour', now())`);
  const { id, user_id, access, permissions, bound_to, expires_at } = row;
  return { id, userId: user_id, access, permissions, workspaceId: bound_to, expiresAt: expires_at };
}

const prefixOf = (token: string): string => token.slice(0, START.length + PUBLIC_CHARACTERS);

/** A plain hash is enough: nobody guesses 256 random bits. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

function checksum(text: string): string {
  let rest = crc32(text);
  let characters = '';
  for (let n = 0; n < CHECKSUM_CHARACTERS; n++) {
    characters = ALPHABET[rest % ALPHABET.length] + characters;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return characters;
}

function randomCharacters(count: number, random: (bytes: number) => Buffer): string {
  let characters = '';
  while (characters.length < count) {
    for (const byte of random(count)) {
      // The last 8 of 256 values would make some characters likelier than others.
      if (byte < 248 && characters.length < count) characters += ALPHABET[byte % ALPHABET.length];
    }
  }
  return characters;
}
