import { createHash, randomBytes } from 'node:crypto';
import type { Configuration } from '../../platform/configuration/configuration.js';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/** What a link is for; each with the start of its tokens and the word behind the # of its address. */
const PURPOSES = {
  /** An administrator vouches for an address that has no account yet. */
  sign_up: { start: 'acc_', fragment: 'sign-up' },
  /** Mailed to an address that somebody says is theirs. */
  verify_address: { start: 'adr_', fragment: 'verify' },
  /** Sets a new password without the old one. */
  reset_password: { start: 'pwd_', fragment: 'reset' },
  /** Mailed to an address that is invited, or handed out by an administrator. */
  invitation: { start: 'inv_', fragment: 'invitation' },
  /** Handed to somebody from outside who may read something; proves no address. */
  guest: { start: 'gst_', fragment: 'guest' },
} as const;
export type Purpose = keyof typeof PURPOSES;

export interface OneTimeLink {
  readonly id: string;
  readonly purpose: Purpose;
  readonly user_id: string | null;
  /** The address that it proves. Null: none. */
  readonly email: string | null;
  readonly invitation_id: string | null;
  readonly made_by: string | null;
}

/** What is shown or mailed, this once. */
export interface ShownLink {
  readonly token: string;
  /** The token behind the #, where no log and no server sees it. */
  readonly link: string;
  readonly expiresAt: Date;
}

/** Makes a link; its token of 256 random bits is kept as its SHA-256 only. As the system. */
export async function makeLink(
  transaction: Transaction,
  { baseUrl }: Pick<Configuration, 'baseUrl'>,
  about: {
    readonly purpose: Purpose;
    readonly userId?: string;
    readonly email?: string;
    readonly invitationId?: string;
    readonly madeBy?: string;
    readonly expiresAt: Date;
  },
): Promise<ShownLink> {
  const { purpose, expiresAt } = about;
  const { start, fragment } = PURPOSES[purpose];
  const token = start + randomBytes(32).toString('base64url');
  await transaction.run(sql`
    insert into auth.one_time_links (purpose, token_hash, user_id, email, invitation_id, made_by, expires_at)
    values (${purpose}, ${hashOf(token)}, ${about.userId ?? null}, ${about.email ?? null},
            ${about.invitationId ?? null}, ${about.madeBy ?? null}, ${expiresAt})`);
  return { token, link: `${baseUrl}/#${fragment}=${token}`, expiresAt };
}

/** The link of a token if it can still be used for this; locked, so that two cannot use it. As the system. */
export const lockLink = (
  transaction: Transaction,
  claim: { readonly token: string; readonly purposes: readonly Purpose[]; readonly now: Date },
): Promise<OneTimeLink | undefined> =>
  transaction.maybeOne(sql`
    select id, purpose, user_id, email, invitation_id, made_by from auth.one_time_links
    where token_hash = ${hashOf(claim.token)} and purpose = any (${claim.purposes}::text[])
      and used_at is null and expires_at > ${claim.now}
    for update`);

/** Ends a link; with `alike`, every other one of the same purpose for the same account too. */
export const useLink = (
  transaction: Transaction,
  { id, purpose, user_id }: OneTimeLink,
  { now, alike = false }: { readonly now: Date; readonly alike?: boolean },
): Promise<number> =>
  transaction.run(sql`
    update auth.one_time_links set used_at = ${now}
    where used_at is null and (id = ${id} or (${alike} and purpose = ${purpose} and user_id = ${user_id}))`);

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
