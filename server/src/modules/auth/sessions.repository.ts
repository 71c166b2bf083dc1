import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

// Everything here runs as the system: sessions are no business of the application role.

export interface SessionRow {
  readonly id: string;
  readonly started_at: Date;
  readonly expires_at: Date;
  readonly open: boolean;
}

/** A session as its person sees it. */
export interface ListedSession {
  readonly id: string;
  /** Its start: lists are newest first. */
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
}

/** Not ended, and neither its own time nor that of a token of an external issuer is over. */
const isOpen = sql`ended_at is null and greatest(expires_at, coalesce(token_expires_at, expires_at)) > now()`;

export const selectOpenSessions = (userId: string): Statement => sql`
  select id, started_at as created_at, last_used_at, expires_at, address, user_agent
  from auth.sessions where user_id = ${userId} and ${isOpen}`;

export const insertSession = (
  transaction: Transaction,
  session: {
    readonly userId: string;
    readonly startedAt: Date;
    readonly expiresAt: Date;
    readonly address: string;
    readonly userAgent: string | null;
    /** Of the secret in the cookie of a browser; null: the session has access tokens. */
    readonly cookieHash: Buffer | null;
  },
): Promise<SessionRow> =>
  transaction.one(sql`
    insert into auth.sessions (user_id, started_at, expires_at, last_used_at, address, user_agent, cookie_hash)
    values (${session.userId}, ${session.startedAt}, ${session.expiresAt}, ${session.startedAt}, ${session.address},
            ${session.userAgent}, ${session.cookieHash})
    returning id, started_at, expires_at, true as open`);

/** `open`: it can be refreshed, which that of an external issuer cannot as long as its tokens last. */
export const findSession = (
  transaction: Transaction,
  id: string,
  userId: string,
): Promise<SessionRow | undefined> =>
  transaction.maybeOne(sql`
    select id, started_at, expires_at, ended_at is null and expires_at > now() as open
    from auth.sessions where id::text = ${id} and user_id = ${userId}`);

export const endSession = (transaction: Transaction, id: string, userId: string): Promise<number> =>
  transaction.run(sql`
    update auth.sessions set ended_at = now() where id::text = ${id} and user_id = ${userId} and ${isOpen}`);

export const endSessionOfCookie = (transaction: Transaction, hash: Buffer): Promise<number> =>
  transaction.run(sql`update auth.sessions set ended_at = now() where cookie_hash = ${hash} and ${isOpen}`);

/** Ends every session of a user but one, those of an external issuer too that were not used here yet. */
export async function endOtherSessions(
  transaction: Transaction,
  id: string | undefined,
  userId: string,
): Promise<number> {
  await transaction.run(sql`update auth.users set sessions_ended_at = now() where id = ${userId}`);
  return transaction.run(sql`
    update auth.sessions set ended_at = now()
    where id::text is distinct from ${id ?? null} and user_id = ${userId} and ${isOpen}`);
}

export const revokeTokens = (transaction: Transaction, userId: string): Promise<number> =>
  transaction.run(sql`
    update api_tokens set revoked_at = now() where user_id = ${userId} and revoked_at is null`);

/** Ends every session and revokes every API token of a user. */
export async function endAccess(transaction: Transaction, userId: string): Promise<void> {
  await endOtherSessions(transaction, undefined, userId);
  await revokeTokens(transaction, userId);
}
