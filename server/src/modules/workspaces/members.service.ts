import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import type { Grant, Role } from '../../platform/identity/permissions.js';
import { requireRoomAtNewOwner } from '../payments/plan-limits.js';
import { tellWorkspace } from '../runs/tell-workspace.js';
import * as repository from './members.repository.js';
import type { Member, MemberChange } from './members.schemas.js';

type Writing = Pick<
  WriteContext,
  'transaction' | 'precondition' | 'caller' | 'grant' | 'request' | 'dependencies'
>;
interface Place {
  readonly workspaceId: string;
  readonly userId: string;
}

export const toMember = (row: repository.MemberRow): Member => ({
  user_id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  is_owner: row.is_owner,
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
});

/** Changes the role of a member, or hands the workspace over to them. */
export async function changeMember(
  context: Writing,
  place: Place,
  change: z.infer<typeof MemberChange>,
): Promise<Member> {
  const { transaction, precondition, grant, caller } = context;
  const before = await repository.lockMember(transaction, place);
  if (!before) throw notFound('member');
  precondition.check(toMember(before));
  const role = change.role ?? before.role;
  requireWithin(grant, [before.role, role]);
  if (role !== before.role) {
    if (before.id === caller.userId) {
      throw new ApiError('AUTHORIZATION_ERROR', 'Nobody changes their own role. Ask another administrator.');
    }
    if (before.is_owner) throw ownerStays();
    await repository.updateMember(transaction, { ...place, role });
  }
  if (change.is_owner && !before.is_owner) await handOver(context, place);
  await note(context, place, {
    action: 'member.changed',
    before: { role: before.role, is_owner: before.is_owner },
    after: { role, is_owner: before.is_owner || change.is_owner === true },
  });
  return toMember(await transaction.one(repository.selectMember(place)));
}

/** Ends a membership; everybody may end their own, but the owner hands the workspace over first. */
export async function removeMember(context: Writing, place: Place): Promise<void> {
  const { transaction, precondition, grant, caller } = context;
  const before = await repository.lockMember(transaction, place);
  if (!before) throw notFound('member');
  precondition.check(toMember(before));
  if (before.id !== caller.userId) {
    if (grant.kind === 'own')
      throw new ApiError('AUTHORIZATION_ERROR', 'Your role may only end its own membership.');
    requireWithin(grant, [before.role]);
  }
  if (before.is_owner) throw ownerStays();
  // First the event: who leaves could not write it afterwards.
  await note(context, place, { action: 'member.removed', before: { role: before.role } });
  await repository.deleteMember(transaction, place);
}

async function handOver(context: Writing, place: Place): Promise<void> {
  const self = await context.transaction.maybeOne<repository.MemberRow>(
    repository.selectMember({ ...place, userId: context.caller.userId }),
  );
  if (!self?.is_owner) throw new ApiError('AUTHORIZATION_ERROR', 'Only the owner hands a workspace over.');
  await requireRoomAtNewOwner(context, place.userId);
  await repository.updateOwner(context.transaction, place);
}

/** The condition `viewer_or_engineer_only` of the permission table. */
export function requireWithin(grant: Grant, roles: readonly Role[]): void {
  if (grant.kind !== 'when' || roles.every((role) => role === 'viewer' || role === 'engineer')) return;
  throw new ApiError('AUTHORIZATION_ERROR', 'A manager decides about viewers and engineers only.');
}

const ownerStays = (): ApiError =>
  new ApiError('CONFLICT', 'The owner stays, with their role. Hand the workspace over first (`is_owner`).');

async function note(
  { transaction, caller, request }: Writing,
  { workspaceId, userId }: Place,
  event: { readonly action: string; readonly before?: unknown; readonly after?: unknown },
): Promise<void> {
  await recordAudit(transaction, {
    ...event,
    workspaceId,
    actorId: caller.userId,
    targetType: 'member',
    targetId: userId,
    requestId: request.id,
  });
  await tellMember(transaction, { workspaceId, userId });
}

/** Tells who watches the workspace that somebody joined, is another one there now, or is gone. */
export const tellMember = (
  transaction: WriteContext['transaction'],
  { workspaceId, userId }: Place,
): Promise<number> => tellWorkspace(transaction, workspaceId, { event: 'member', data: { user_id: userId } });
