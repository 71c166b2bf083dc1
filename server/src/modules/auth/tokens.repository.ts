import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly access: 'read' | 'write';
  readonly permissions: string[] | null;
  readonly bound_to: string | null;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly created_at: string;
}

const columns = sql`id, name, prefix, access, permissions, bound_to, expires_at, last_used_at, revoked_at, created_at`;

// Row-level security: a person sees their own.
export const selectTokens = (): Statement => sql`select ${columns} from api_tokens`;

export const selectToken = (id: string): Statement => sql`${selectTokens()} where id = ${id}`;

export const lockToken = (transaction: Transaction, id: string): Promise<TokenRow | undefined> =>
  transaction.maybeOne(sql`${selectToken(id)} for update`);

export const insertToken = (
  transaction: Transaction,
  token: {
    readonly userId: string;
    readonly name: string;
    readonly prefix: string;
    readonly hash: Buffer;
    readonly access: 'read' | 'write';
    readonly permissions: readonly string[] | null;
    readonly workspaceId: string | null;
    readonly expiresAt: Date;
    readonly createdAt: Date;
  },
): Promise<TokenRow> =>
  transaction.one(sql`
    insert into api_tokens (user_id, name, prefix, token_hash, access, permissions, bound_to, expires_at, created_at)
    values (${token.userId}, ${token.name}, ${token.prefix}, ${token.hash}, ${token.access}, ${token.permissions},
            ${token.workspaceId}, ${token.expiresAt}, ${token.createdAt})
    returning ${columns}`);

/** Tokens of the caller that still work; the profile is locked so that two requests cannot both be the last. */
export async function countUsableTokens(
  transaction: Transaction,
  userId: string,
  now: Date,
): Promise<number> {
  await transaction.one(sql`select id from profiles where id = ${userId} for update`);
  const { count } = await transaction.one<{ count: number }>(sql`
    select count(*)::int as count from api_tokens where revoked_at is null and expires_at > ${now}`);
  return count;
}

export const revokeToken = (transaction: Transaction, id: string, now: Date): Promise<TokenRow> =>
  transaction.one(sql`update api_tokens set revoked_at = ${now} where id = ${id} returning ${columns}`);

export const isMember = (
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<object | undefined> =>
  transaction.maybeOne(sql`
    select from workspace_members where workspace_id = ${workspaceId} and user_id = ${userId}`);
