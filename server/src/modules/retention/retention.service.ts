import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { purgeJob } from './retention.jobs.js';
import * as repository from './retention.repository.js';
import type { DeletedItem, NewPurge, PurgeRequest } from './retention.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'dependencies'>;

export const toPurgeRequest = (row: repository.PurgeRequestRow): PurgeRequest => ({
  id: row.id,
  type: row.target_type,
  target_id: row.target_id,
  reason: row.reason,
  requested_by: row.requested_by,
  created_at: timestamp(row.created_at),
});

/** `days`: from the deletion to the purge. */
export const toDeleted =
  (days: number) =>
  ({ request, deleted_at, created_at, ...row }: repository.DeletedRow): DeletedItem => ({
    ...row,
    created_at: timestamp(created_at),
    deleted_at: timestamp(deleted_at),
    purged_at: new Date(new Date(deleted_at).getTime() + days * 86_400_000).toISOString(),
    purge_request: request && toPurgeRequest(request),
  });

/** Asks to take something that was deleted away for good, at once. Throws 404, and 409 for what was not deleted. */
export async function requestPurge(
  { transaction, caller, request }: Writing,
  workspaceId: string,
  input: z.output<typeof NewPurge>,
): Promise<PurgeRequest> {
  const { type, target_id: id, reason } = input;
  const target = await repository.lockTarget(transaction, { workspaceId, type, id });
  if (!target) throw notFound(type === 'standard' ? 'standard' : 'work product');
  if (!target.deleted)
    throw new ApiError('CONFLICT', 'Delete it first; a purge takes away what was deleted.');
  const row = await repository.insertRequest(transaction, {
    workspace_id: workspaceId,
    target_type: type,
    target_id: id,
    reason,
    requested_by: caller.userId,
  });
  if (!row)
    throw new ApiError('CONFLICT', 'Somebody has asked for this already; an administrator has to agree.');
  await record({ transaction, caller, request }, row, 'purge.requested');
  return toPurgeRequest(row);
}

/** Agrees: a job takes it away with everything derived from it. Throws 403 for who asked: it needs a second person. */
export async function confirmPurge(
  { transaction, caller, request, dependencies }: Writing,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<PurgeRequest> {
  const row = await repository.takeRequest(transaction, place);
  if (!row) throw notFound('purge request');
  if (row.requested_by === caller.userId) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Somebody other than who asked has to agree.', {
      reason: 'second_person_needed',
    });
  }
  await dependencies.queue.enqueue(transaction, purgeJob, {
    workspaceId: place.workspaceId,
    type: row.target_type,
    id: row.target_id,
    because: 'confirmed',
  });
  await record({ transaction, caller, request }, row, 'purge.confirmed');
  return toPurgeRequest(row);
}

/** Takes a request back. */
export async function withdrawPurge(
  { transaction, caller, request }: Writing,
  place: { readonly workspaceId: string; readonly id: string },
): Promise<void> {
  const row = await repository.takeRequest(transaction, place);
  if (!row) throw notFound('purge request');
  await record({ transaction, caller, request }, row, 'purge.withdrawn');
}

const record = (
  { transaction, caller, request }: Pick<Writing, 'transaction' | 'caller' | 'request'>,
  row: repository.PurgeRequestRow,
  action: string,
): Promise<void> =>
  recordAudit(transaction, {
    workspaceId: row.workspace_id,
    action,
    targetType: row.target_type,
    targetId: row.target_id,
    actorId: caller.userId,
    reason: row.reason,
    after: { requested_by: row.requested_by },
    requestId: request.id,
  });
