import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import { readPrecondition } from '../../platform/http/etag.js';
import type { GuardedContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import * as repository from './auth.repository.js';
import type { User, UserChange } from './auth.schemas.js';
import { toProfile } from './profiles.service.js';
import { endAccess } from './sessions.repository.js';

export const toUser = (row: repository.UserRow): User => ({
  ...toProfile(row),
  active: row.deactivated_at === null,
  updated_at: timestamp(row.updated_at),
});

/** One user, for an administrator. */
export async function readUser(
  { dependencies }: Pick<GuardedContext, 'dependencies'>,
  id: string,
): Promise<User> {
  const row = await dependencies.database.asSystem('a user for an administrator', (transaction) =>
    repository.findUser(transaction, id),
  );
  if (!row) throw notFound('user');
  return toUser(row);
}

/**
 * Changes the role of a user, notes that their address is theirs, or deactivates them: then their sessions and API
 * tokens end and do not come back with a later activation. Takes effect on their running sessions. Throws 403 for
 * oneself and 409 when nobody would be left to administer.
 */
export async function changeUser(
  {
    dependencies,
    identity,
    caller,
    request,
    now,
  }: Pick<GuardedContext, 'dependencies' | 'identity' | 'caller' | 'request' | 'now'>,
  id: string,
  change: z.infer<typeof UserChange>,
): Promise<User> {
  const precondition = readPrecondition(request.headers['if-match']);
  const changed = await dependencies.database.asSystem(
    'an administrator changes a user',
    async (transaction) => {
      const row = await repository.lockUser(transaction, id);
      if (!row) throw notFound('user');
      const before = toUser(row);
      precondition.check(before);
      const role = change.role ?? before.role;
      const emailVerified = change.email_verified ?? before.email_verified;
      if (role !== before.role && id.toLowerCase() === caller.userId) {
        throw new ApiError(
          'AUTHORIZATION_ERROR',
          'Nobody changes their own role. Ask another administrator.',
        );
      }
      const active = change.active ?? before.active;
      if (!active && id.toLowerCase() === caller.userId) {
        throw new ApiError(
          'AUTHORIZATION_ERROR',
          'Nobody deactivates themselves. Ask another administrator.',
        );
      }
      if (
        before.role === 'admin' &&
        before.active &&
        (role !== 'admin' || !active) &&
        !(await repository.hasOtherAdmin(transaction, before.id))
      ) {
        throw new ApiError(
          'CONFLICT',
          'The last administrator stays. Make somebody else an administrator first.',
        );
      }
      const deactivatedAt = active ? null : (row.deactivated_at ?? now);
      await repository.updateUser(transaction, { id: before.id, role, emailVerified, deactivatedAt });
      if (!active) await endAccess(transaction, before.id);
      await recordAudit(transaction, {
        workspaceId: INSTALLATION,
        actorId: caller.userId,
        action: 'user.changed',
        targetType: 'user',
        targetId: before.id,
        reason: change.reason,
        before: { role: before.role, email_verified: before.email_verified, active: before.active },
        after: { role, email_verified: emailVerified, active },
        requestId: request.id,
      });
      const after = await repository.findUser(transaction, id);
      if (!after) throw notFound('user');
      return toUser(after);
    },
  );
  identity.forget(changed.id);
  return changed;
}
