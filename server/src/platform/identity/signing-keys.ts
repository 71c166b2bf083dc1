import { randomUUID } from 'node:crypto';
import {
  type CryptoKey,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose';
import type { Database } from '../database/database.js';
import { sql } from '../database/sql.js';

/** The algorithm of the service's own tokens. */
export const OWN_ALGORITHM = 'EdDSA';

/** The service's own keys, shared by all its processes through the database. */
export interface SigningKeys {
  readonly key: JWTVerifyGetKey;
  /** Signs the claims with the newest key; `expiresAt` in seconds since 1970. */
  sign(
    claims: Readonly<Record<string, unknown>>,
    times: { issuedAt: number; expiresAt: number },
  ): Promise<string>;
}

interface Keyring {
  readonly newest: { readonly kid: string; readonly key: CryptoKey; readonly createdAt: Date };
  readonly publicKeys: ReadonlyMap<string, CryptoKey>;
  readonly readAt: number;
}

interface KeyRow {
  readonly kid: string;
  readonly private_jwk: JWK;
  readonly created_at: Date;
}

const ROTATE_AFTER_DAYS = 90;
const REREAD_COOLDOWN_MILLISECONDS = 10_000;

/** Keys are read on first use, and again when a token names a key that is not known yet. */
export function createSigningKeys(database: Database, clock: () => Date): SigningKeys {
  let reading: Promise<Keyring> | undefined;
  const read = (): Promise<Keyring> => {
    reading = readKeyring(database, clock()).catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
  const keyring = (): Promise<Keyring> => reading ?? read();

  return {
    async key(header) {
      const kid = header.kid ?? '';
      const known = await keyring();
      const isStale = clock().getTime() - known.readAt > REREAD_COOLDOWN_MILLISECONDS;
      const found = known.publicKeys.get(kid) ?? (isStale ? (await read()).publicKeys.get(kid) : undefined);
      if (!found) throw new errors.JWKSNoMatchingKey();
      return found;
    },
    async sign(claims, times) {
      let { newest } = await keyring();
      if (isWornOut(newest.createdAt, clock())) ({ newest } = await read());
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: OWN_ALGORITHM, kid: newest.kid, typ: 'JWT' })
        .setIssuedAt(times.issuedAt)
        .setExpirationTime(times.expiresAt)
        .setJti(randomUUID())
        .sign(newest.key);
    },
  };
}

const isWornOut = (createdAt: Date, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > ROTATE_AFTER_DAYS * 86_400_000;

async function readKeyring(database: Database, now: Date): Promise<Keyring> {
  const rows = await database.asSystem('signing keys', async (transaction) => {
    const select = sql`select kid, private_jwk, created_at from auth.signing_keys order by created_at desc`;
    const existing = await transaction.many<KeyRow>(select);
    if (existing[0] && !isWornOut(existing[0].created_at, now)) return existing;
    await transaction.run(sql`select pg_advisory_xact_lock(hashtext('normtrace signing key'))`);
    const [newest] = await transaction.many<KeyRow>(select);
    if (!newest || isWornOut(newest.created_at, now)) {
      const { privateKey } = await generateKeyPair(OWN_ALGORITHM, { extractable: true });
      const kid = randomUUID();
      await transaction.run(
        sql`insert into auth.signing_keys (kid, private_jwk) values (${kid}, ${await exportJWK(privateKey)})`,
      );
    }
    return transaction.many<KeyRow>(select);
  });
  const keys = await Promise.all(
    rows.map(async ({ kid, private_jwk, created_at }) => {
      const { d: _secret, ...publicJwk } = private_jwk;
      return { kid, createdAt: created_at, key: await keyOf(private_jwk), publicKey: await keyOf(publicJwk) };
    }),
  );
  return {
    newest: keys[0]!,
    publicKeys: new Map(keys.map(({ kid, publicKey }) => [kid, publicKey])),
    readAt: now.getTime(),
  };
}

async function keyOf(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, OWN_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('A signing key must not be symmetric.');
  return key;
}
