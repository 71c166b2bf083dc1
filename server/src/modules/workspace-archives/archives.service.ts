import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { INSTALLATION, recordAudit } from '../../platform/audit/audit.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { GuardedContext, ReadContext, WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { requireRoomForWorkspace } from '../payments/plan-limits.js';
import { attachmentDisposition } from '../uploads/file-name.js';
import { deleteObjects } from '../uploads/uploads.jobs.js';
import { exportWorkspaceJob, importWorkspaceJob } from './archives.jobs.js';
import * as repository from './archives.repository.js';
import type { NewImport, WorkspaceExport, WorkspaceImport } from './archives.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request' | 'dependencies'>;

/** An address for an archive is valid for so long: archives are large. */
const UPLOAD_SECONDS = 3600;
const ARRIVAL_SECONDS = 6 * 3600;

/** An archive of the past is told as expired, whether its object is gone or will be in a moment. */
export const toExport =
  (now: Date) =>
  (row: repository.ExportRow): WorkspaceExport => ({
    id: row.id,
    workspace_id: row.workspace_id,
    status: isExpired(row, now) ? 'expired' : row.status,
    percent: row.percent,
    error: row.error,
    sha256: row.sha256,
    file_size: row.file_size === null ? null : Number(row.file_size),
    left_out: [...row.left_out],
    created_by: row.created_by,
    created_at: timestamp(row.created_at),
    finished_at: timestampOrNull(row.completed_at),
    expires_at: timestampOrNull(row.expires_at),
  });

const isExpired = ({ expires_at }: repository.ExportRow, now: Date): boolean =>
  expires_at !== null && new Date(expires_at) <= now;

export const toImport = (row: repository.ImportRow): WorkspaceImport => ({
  id: row.id,
  status: row.status,
  error: row.error,
  workspace_id: row.status === 'completed' ? row.target_id : null,
  invited: [...row.members.invited],
  remaining: {
    analyses: row.analyses,
    gap_decisions: row.gap_decisions,
    checklist_answers: row.checklist_answers,
  },
  problems: [...row.problems],
  created_at: timestamp(row.created_at),
  finished_at: timestampOrNull(row.completed_at),
});

/** Asks for an archive; one that is under way for the same person is answered instead. */
export async function startExport(
  { transaction, caller, request, dependencies, now }: Writing & Pick<WriteContext, 'now'>,
  workspaceId: string,
): Promise<WorkspaceExport> {
  const { row, isNew } = await repository.insertExport(transaction, { workspaceId, userId: caller.userId });
  if (isNew) {
    await dependencies.queue.enqueue(transaction, exportWorkspaceJob, { workspaceId, exportId: row.id });
  }
  await recordAudit(transaction, {
    workspaceId,
    action: 'workspace.exported',
    targetType: 'workspace',
    targetId: workspaceId,
    actorId: caller.userId,
    after: { export_id: row.id },
    requestId: request.id,
  });
  if (isNew) await repository.tellExport(transaction, { workspaceId, exportId: row.id }, 'queued');
  return toExport(now)(row);
}

/** One that the caller made. Throws 403 for somebody else's: it holds what only they may read. */
export async function readExport(
  { read, caller }: Pick<ReadContext, 'read' | 'caller'>,
  place: { readonly id: string; readonly export_id: string },
): Promise<repository.ExportRow> {
  const [row] = await read<repository.ExportRow>(repository.selectExport(place.id, place.export_id));
  if (!row) throw notFound('export');
  if (row.created_by !== caller.userId) {
    throw new ApiError(
      'AUTHORIZATION_ERROR',
      'An archive is for the person who made it. Make one of your own.',
    );
  }
  return row;
}

/** Sends the archive. */
export async function downloadExport(
  context: Pick<ReadContext, 'read' | 'caller' | 'reply' | 'dependencies' | 'now'>,
  place: { readonly id: string; readonly export_id: string },
): Promise<unknown> {
  const { reply, dependencies, now } = context;
  const row = await readExport(context, place);
  if (row.status !== 'completed' || row.object_key === null || isExpired(row, now)) {
    const { status } = toExport(now)(row);
    throw new ApiError(
      'CONFLICT',
      `The archive is ${status}. Wait until it is completed, or make a new one.`,
    );
  }
  return reply
    .header(
      'content-disposition',
      attachmentDisposition(`workspace ${timestamp(row.created_at).slice(0, 10)}.zip`),
    )
    .header('content-length', String(row.file_size))
    .header('etag', `"${row.sha256}"`)
    .header('x-content-type-options', 'nosniff')
    .type('application/zip')
    .send(await dependencies.storage.within(row.workspace_id).read(row.object_key));
}

/** Announces an archive and signs the address that it is sent to. */
export async function announceImport(
  { transaction, caller, request, dependencies }: Writing,
  input: z.output<typeof NewImport>,
) {
  const { maxImportBytes } = dependencies.configuration;
  if (input.size > maxImportBytes) {
    throw new ApiError('PAYLOAD_TOO_LARGE', `An archive may have at most ${maxImportBytes} bytes.`, {
      max_import_bytes: maxImportBytes,
    });
  }
  await requireRoomForWorkspace({ transaction, caller, dependencies });
  const [id, targetId] = [randomUUID(), randomUUID()];
  const objectKey = `${targetId}/imports/sent`;
  const signed = await dependencies.storage.within(targetId).signUpload({
    key: objectKey,
    size: input.size,
    contentType: 'application/zip',
    expiresInSeconds: UPLOAD_SECONDS,
  });
  await repository.insertImport(transaction, {
    id,
    userId: caller.userId,
    targetId,
    name: input.name,
    fileSize: input.size,
    sha256: input.sha256?.toLowerCase(),
    objectKey,
  });
  // Whatever lies there when the address is no longer valid is of no use to anybody.
  await dependencies.queue.enqueue(
    transaction,
    deleteObjects,
    { workspaceId: targetId, prefix: `${targetId}/imports/` },
    { afterSeconds: UPLOAD_SECONDS + ARRIVAL_SECONDS },
  );
  await recordAudit(transaction, {
    workspaceId: INSTALLATION,
    action: 'workspace.import_announced',
    targetType: 'import',
    targetId: id,
    actorId: caller.userId,
    after: { size: input.size, sha256: input.sha256?.toLowerCase() ?? null },
    requestId: request.id,
  });
  return {
    import_id: id,
    upload_id: id,
    upload_url: signed.url,
    headers: { ...signed.headers },
    expires_at: timestamp(signed.expiresAt),
  };
}

/** Takes what was sent out of reach of its address and queues the import. Calling it again changes nothing. */
export async function completeImport(
  { caller, dependencies }: Pick<GuardedContext, 'caller' | 'dependencies'>,
  id: string,
): Promise<WorkspaceImport> {
  const { database, storage, queue } = dependencies;
  const find = async (): Promise<repository.ImportRow> => {
    const [row] = await database.readAs<repository.ImportRow>(caller, repository.selectImport(id));
    if (!row) throw notFound('import');
    return row;
  };
  const row = await find();
  if (row.status !== 'pending_upload') return toImport(row);
  const objectKey = `${row.target_id}/imports/${randomUUID()}`;
  const objects = storage.within(row.target_id);
  if (!(await objects.copy(row.object_key, objectKey))) {
    throw new ApiError(
      'CONFLICT',
      'The archive has not been sent yet. Send it to the upload address first.',
      {
        reason: 'file_not_sent',
      },
    );
  }
  const isQueued = await database.withActor(caller, async (transaction) => {
    if ((await repository.queueImport(transaction, id, objectKey)) === 0) return false;
    await queue.enqueue(transaction, importWorkspaceJob, { userId: caller.userId, importId: id });
    return true;
  });
  await objects.delete(isQueued ? row.object_key : objectKey);
  return toImport(await find());
}
