import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import type { GuardedContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import type { Session } from './auth.schemas.js';
import * as repository from './sessions.repository.js';

type Own = Pick<GuardedContext, 'dependencies' | 'identity' | 'caller' | 'request'>;

export const toSession =
  (current: string) =>
  (row: repository.ListedSession): Session => ({
    id: row.id,
    is_current: row.id === current,
    created_at: timestamp(row.created_at),
    last_used_at: timestamp(row.last_used_at),
    expires_at: timestamp(row.expires_at),
    address: row.address,
    user_agent: row.user_agent,
  });

/** Ends an open session of the caller. Answers whether there was such a one. */
export const endOne = async (context: Own, id: string): Promise<boolean> =>
  (await end(context, {
    action: 'session.ended',
    targetType: 'session',
    targetId: id,
    work: (transaction, userId) => repository.endSession(transaction, id, userId),
  })) > 0;

/** Ends every session of the caller but the one that asks. Answers how many were open. */
export const endOthers = (context: Own): Promise<number> =>
  end(context, {
    action: 'session.others_ended',
    targetType: 'user',
    targetId: context.caller.userId,
    isAlways: true,
    work: (transaction, userId) => repository.endOtherSessions(transaction, context.caller.sessionId, userId),
  });

async function end(
  { dependencies, identity, caller, request }: Own,
  {
    work,
    isAlways = false,
    ...event
  }: {
    readonly action: string;
    readonly targetType: string;
    readonly targetId: string;
    /** An event also when nothing was open. */
    readonly isAlways?: boolean;
    readonly work: (...input: [Parameters<typeof repository.endSession>[0], string]) => Promise<number>;
  },
): Promise<number> {
  const ended = await dependencies.database.asSystem('a person ends sessions', async (transaction) => {
    const count = await work(transaction, caller.userId);
    if (count > 0 || isAlways) {
      await recordAudit(transaction, {
        ...event,
        workspaceId: INSTALLATION,
        actorId: caller.userId,
        after: { ended: count },
        requestId: request.id,
      });
    }
    return count;
  });
  identity.forget(caller.userId);
  return ended;
}
