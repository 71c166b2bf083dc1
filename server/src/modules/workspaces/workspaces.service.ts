import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import { notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { requireRoomForWorkspace } from '../payments/plan-limits.js';
import { deleteObjects } from '../uploads/uploads.jobs.js';
import * as repository from './workspaces.repository.js';
import type { ListedWorkspace, NewWorkspace, Workspace, WorkspaceChange } from './workspaces.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies'>;

export const toWorkspace = (row: repository.WorkspaceRow): Workspace => ({
  id: row.id,
  name: row.name,
  description: row.description,
  phase: row.phase,
  tailored_out: row.tailored_out.map((one) => ({ ...one })),
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
});

export const toListedWorkspace = ({ summary, ...row }: repository.ListedWorkspaceRow): ListedWorkspace => ({
  ...toWorkspace(row),
  ...(summary && { summary: { ...summary, last_run_at: timestampOrNull(summary.last_run_at) } }),
});

/** Makes a workspace; its creator owns it. Throws 402 when the plan of the caller has no room for it. */
export async function createWorkspace(
  { transaction, caller, request, dependencies }: Omit<Writing, 'precondition'>,
  input: z.infer<typeof NewWorkspace>,
): Promise<Workspace> {
  await requireRoomForWorkspace({ transaction, caller, dependencies });
  const workspace = toWorkspace(
    await repository.insertWorkspace(transaction, { id: randomUUID(), ...input }),
  );
  await recordAudit(transaction, {
    ...about(workspace.id),
    action: 'workspace.created',
    actorId: caller.userId,
    after: input,
    requestId: request.id,
  });
  return workspace;
}

/** Changes name, description, and what is due in its project. Throws 404, or 412 when the workspace is not as the caller last saw it. */
export async function changeWorkspace(
  { transaction, precondition, caller, request }: Writing,
  id: string,
  change: z.infer<typeof WorkspaceChange>,
): Promise<Workspace> {
  const before = await repository.lockWorkspace(transaction, id);
  if (!before) throw notFound('workspace');
  precondition.check(toWorkspace(before));
  const { name = before.name, description = before.description, phase = before.phase } = change;
  const { tailored_out = before.tailored_out } = change;
  const now = { name, description, phase, tailored_out };
  const after = await repository.updateWorkspace(transaction, { id, ...now });
  await recordAudit(transaction, {
    ...about(id),
    action: 'workspace.changed',
    actorId: caller.userId,
    before: {
      ...{ name: before.name, description: before.description },
      ...{ phase: before.phase, tailored_out: before.tailored_out },
    },
    after: now,
    requestId: request.id,
  });
  return toWorkspace(after);
}

/** Deletes a workspace, every row in it and, by a job, its files. The audit event stays. */
export async function removeWorkspace(
  { transaction, precondition, caller, request, dependencies }: Writing,
  id: string,
): Promise<void> {
  const before = await repository.lockWorkspace(transaction, id);
  if (!before) throw notFound('workspace');
  precondition.check(toWorkspace(before));
  // First the event: afterwards the caller is no member any more and could not write it.
  await recordAudit(transaction, {
    ...about(id),
    action: 'workspace.deleted',
    actorId: caller.userId,
    before: { name: before.name, description: before.description },
    requestId: request.id,
  });
  await dependencies.queue.enqueue(transaction, deleteObjects, { workspaceId: id, prefix: `${id}/` });
  await repository.deleteWorkspace(transaction, id);
}

const about = (id: string) => ({ workspaceId: id, targetType: 'workspace', targetId: id });
