import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import type { Role } from '../../platform/identity/permissions.js';
import { languageOf } from '../../platform/mail/mail-texts.js';
import { makeLink } from '../auth/one-time-links.js';
import { mailInvitationJob } from '../mails/mails.jobs.js';
import { requireMailsLeft } from '../mails/mails.service.js';
import * as repository from './invitations.repository.js';
import type { Invitation, IssuedInvitation } from './invitations.schemas.js';
import { requireWithin } from './members.service.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'grant' | 'request' | 'dependencies' | 'now'>;

const OPEN_DAYS = 7;

export const toInvitation = (row: repository.InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  user_id: row.user_id,
  role: row.role,
  invited_by: row.invited_by,
  expires_at: timestamp(row.expires_at),
  accepted_at: timestampOrNull(row.accepted_at),
  declined_at: timestampOrNull(row.declined_at),
  created_at: timestamp(row.created_at),
});

/**
 * Invites an address or an account into a workspace. Nobody is looked for, so that the answer and its time tell nothing
 * about whether there is such a person. Only an administrator of the installation is shown a link: they vouch for the
 * address by handing it to its person; otherwise a mail does, or the person finds the invitation once their address is
 * verified. Throws 409 when a member has the address or account.
 */
export async function invite(
  context: Writing,
  workspaceId: string,
  input: { readonly invited: repository.Invited; readonly role: Role },
): Promise<IssuedInvitation> {
  const { transaction, caller, grant, request, dependencies, now } = context;
  const { configuration, database, queue } = dependencies;
  const { invited, role } = input;
  requireWithin(grant, [role]);
  if (await repository.isMember(transaction, { workspaceId, invited })) {
    throw new ApiError('CONFLICT', 'This person is a member of the workspace already.');
  }
  const expiresAt = new Date(now.getTime() + OPEN_DAYS * 86_400_000);
  const row = await repository.insertInvitation(transaction, {
    workspaceId,
    invited,
    role,
    invitedBy: caller.userId,
    expiresAt,
  });
  await recordAudit(transaction, {
    workspaceId,
    actorId: caller.userId,
    action: 'invitation.created',
    targetType: 'invitation',
    targetId: row.id,
    after: { role },
    requestId: request.id,
  });
  const mailed = configuration.mail !== undefined;
  if (mailed) {
    const to = invited.email ?? invited.userId;
    await requireMailsLeft(database, { userId: caller.userId, to });
    const language = languageOf(request.headers['accept-language']);
    await queue.enqueue(transaction, mailInvitationJob, { workspaceId, invitationId: row.id, language });
  }
  const { email } = invited;
  // A link of an invitation that was not committed after all opens nothing.
  const shown =
    caller.role === 'admin' && email !== undefined
      ? await database.asSystem('link of an invitation', (system) =>
          makeLink(system, configuration, {
            purpose: 'invitation',
            email,
            invitationId: row.id,
            madeBy: caller.userId,
            expiresAt,
          }),
        )
      : undefined;
  return { ...toInvitation(row), token: shown?.token ?? null, link: shown?.link ?? null, mailed };
}

/** Withdraws an invitation that nobody has accepted. Throws 404. */
export async function withdraw(
  { transaction, caller, grant, request }: Writing,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<void> {
  const removed = await repository.deleteInvitation(transaction, place);
  if (!removed) throw notFound('invitation');
  requireWithin(grant, [removed.role]);
  await recordAudit(transaction, {
    workspaceId: place.workspaceId,
    actorId: caller.userId,
    action: 'invitation.withdrawn',
    targetType: 'invitation',
    targetId: place.id,
    before: { role: removed.role },
    requestId: request.id,
  });
}
