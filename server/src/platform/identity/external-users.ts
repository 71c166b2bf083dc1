import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Transaction } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { VerifiedToken } from './token-verifier.js';

/** Stands for the issuer where a shared secret is configured without one. */
const UNNAMED_ISSUER = 'external';

/** Whoever an issuer vouches for. */
export type ExternalPerson = Pick<VerifiedToken, 'issuer' | 'subject' | 'email' | 'emailVerified' | 'name'>;

export const issuerOf = (token: Pick<VerifiedToken, 'issuer'>): string => token.issuer ?? UNNAMED_ISSUER;

/** The row of the session that a token of an external issuer belongs to: always the same one. */
export function externalSessionId(token: VerifiedToken): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([token.issuer, token.subject, token.session]))
    .digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

/** A subject that nobody has been before becomes a user; its profile follows by the trigger of the table. */
export async function insertExternalUser(transaction: Transaction, token: ExternalPerson): Promise<void> {
  // The subject is the id, as clients expect, unless it is none or a user of another issuer has it already.
  for (const id of [...(z.guid().safeParse(token.subject).success ? [token.subject] : []), randomUUID()]) {
    const made = await transaction.run(sql`
      insert into auth.users (id, email, email_verified, name, issuer, subject)
      values (${id}, ${token.email}, ${token.emailVerified}, ${token.name}, ${issuerOf(token)}, ${token.subject})
      on conflict do nothing`);
    const isThere = await transaction.maybeOne(sql`
      select id from auth.users where issuer = ${issuerOf(token)} and subject = ${token.subject}`);
    if (made > 0 || isThere) return;
  }
}

/**
 * Notes what the issuer says of its user's address. A new address is as verified as the issuer says; one that was
 * vouched for, by the issuer, an administrator or a mail, stays verified as long as it stays the same. An issuer that
 * names no address leaves the one that the person proved.
 */
export const noteAddress = (
  transaction: Transaction,
  userId: string,
  token: ExternalPerson,
): Promise<number> =>
  transaction.run(sql`
    update auth.users
    set email = ${token.email},
        email_verified = ${token.emailVerified} or (email_verified and lower(email) = lower(${token.email}))
    where id = ${userId}`);

/** Whether `noteAddress` would change anything. */
export const saysAnotherAddress = (
  token: ExternalPerson,
  known: { readonly email: string; readonly email_verified: boolean },
): boolean =>
  token.email !== '' && (token.email !== known.email || (token.emailVerified && !known.email_verified));
