import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { createApiToken } from '../../platform/identity/api-tokens.js';
import type { PermissionTable } from '../../platform/identity/permissions.js';
import * as repository from './tokens.repository.js';
import type { CreatedToken, NewToken, Token } from './tokens.schemas.js';

type Writing = Pick<
  WriteContext,
  'transaction' | 'precondition' | 'caller' | 'request' | 'identity' | 'now' | 'afterCommit'
>;

/** More than any person can look after. */
const MOST_TOKENS = 50;
const DEFAULT_DAYS = 90;
const DAY_MILLISECONDS = 86_400_000;

export const toToken =
  (now: Date) =>
  (row: repository.TokenRow): Token => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    access: row.access,
    workspace_id: row.bound_to,
    permissions: row.permissions,
    status: row.revoked_at !== null ? 'revoked' : new Date(row.expires_at) <= now ? 'expired' : 'active',
    expires_at: timestamp(row.expires_at),
    last_used_at: timestampOrNull(row.last_used_at),
    revoked_at: timestampOrNull(row.revoked_at),
    created_at: timestamp(row.created_at),
  });

/**
 * Makes a token of the caller. Throws 422 for a workspace that they are no member of, a permission that a token
 * cannot hold, or an end past twelve months (role matrix, rule 5), and 409 when there are fifty already.
 */
export async function createToken(
  { transaction, caller, request, now }: Writing,
  input: z.output<typeof NewToken>,
  permissions: PermissionTable,
): Promise<CreatedToken> {
  const expiresAt = readEnd(input.expires_at, now);
  refuseUnusable(input.permissions ?? [], permissions);
  const workspaceId = input.workspace_id ?? null;
  if (workspaceId !== null && !(await repository.isMember(transaction, workspaceId, caller.userId))) {
    throw invalid('body.workspace_id', 'You are not a member of such a workspace.', 'unknown');
  }
  if ((await repository.countUsableTokens(transaction, caller.userId, now)) >= MOST_TOKENS) {
    throw new ApiError('CONFLICT', `You have ${MOST_TOKENS} tokens that still work. Revoke one first.`);
  }
  const { token, prefix, hash } = createApiToken();
  const made = toToken(now)(
    await repository.insertToken(transaction, {
      userId: caller.userId,
      name: input.name,
      prefix,
      hash,
      access: input.access,
      permissions: input.permissions ? [...new Set(input.permissions)] : null,
      workspaceId,
      expiresAt,
      createdAt: now,
    }),
  );
  await note({ transaction, caller, request }, made, 'token.created');
  return { ...made, token };
}

/** Ends a token of the caller at once, on every process. Ending it again changes nothing. */
export async function revokeToken(context: Writing, id: string): Promise<void> {
  const { transaction, precondition, caller, identity, now, afterCommit } = context;
  const row = await repository.lockToken(transaction, id);
  if (!row) throw notFound('token');
  precondition.check(toToken(now)(row));
  if (row.revoked_at !== null) return;
  await note(context, toToken(now)(await repository.revokeToken(transaction, id, now)), 'token.revoked');
  afterCommit(() => identity.forget(caller.userId));
}

function readEnd(wanted: string | undefined, now: Date): Date {
  if (wanted === undefined) return new Date(now.getTime() + DEFAULT_DAYS * DAY_MILLISECONDS);
  const end = new Date(wanted);
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + 1);
  if (end <= now) throw invalid('body.expires_at', 'The end of the token lies in the past.', 'past');
  if (end > latest) throw invalid('body.expires_at', 'A token lives for twelve months at most.', 'too_late');
  return end;
}

function refuseUnusable(wanted: readonly string[], { permissions }: PermissionTable): void {
  const usable = permissions.filter(({ person, later }) => !person && !later).map(({ id }) => id);
  const unusable = wanted.findIndex((id) => !usable.includes(id));
  if (unusable === -1) return;
  throw invalid(
    `body.permissions.${unusable}`,
    `A token can hold these permissions: ${usable.join(', ')}.`,
    'unknown_permission',
  );
}

const note = (
  { transaction, caller, request }: Pick<Writing, 'transaction' | 'caller' | 'request'>,
  token: Token,
  action: string,
): Promise<void> =>
  recordAudit(transaction, {
    workspaceId: INSTALLATION,
    actorId: caller.userId,
    action,
    targetType: 'token',
    targetId: token.id,
    after: {
      name: token.name,
      access: token.access,
      workspace_id: token.workspace_id,
      permissions: token.permissions,
      expires_at: token.expires_at,
    },
    requestId: request.id,
  });
