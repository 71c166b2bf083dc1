import { randomUUID } from 'node:crypto';
import { listDocumentTypeIds } from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit, recordAudits } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { GuardedContext, WriteContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { requestExtraction } from '../traceability/extraction.repository.js';
import { titleOf } from '../uploads/file-name.js';
import { deleteObjects, processDocument } from '../uploads/uploads.jobs.js';
import { claimCompletion, findWorkProductUpload } from '../uploads/uploads.repository.js';
import {
  completing,
  discardLeftover,
  openUpload,
  readAnnouncement,
  settleUnlessDone,
} from '../uploads/uploads.service.js';
import * as archives from './archives.repository.js';
import type { ListedRow } from './work-product-lists.repository.js';
import * as repository from './work-products.repository.js';
import type {
  ArchiveEntry,
  DeletionQuery,
  ListedWorkProduct,
  VersionUpload,
  WorkProduct,
  WorkProductChange,
  WorkProductUpload,
  WorkProductUploadSession,
  WorkProductVersion,
} from './work-products.schemas.js';

type Writing = Pick<
  WriteContext,
  'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies' | 'grant'
>;

/** The API's view of rows; needs the public address for `file_url`. */
export const toWorkProduct =
  (baseUrl: string) =>
  (row: repository.WorkProductRow): WorkProduct => ({
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    original_filename: row.original_filename,
    file_url: `${baseUrl}/api/v1/work-products/${row.id}/content`,
    file_size: Number(row.file_size),
    file_type: row.file_type,
    category: row.category,
    uploaded_at: timestamp(row.uploaded_at),
    processing_status: row.processing_status,
    processing_error: row.processing_error,
    compliance_score: Number(row.compliance_score ?? 0),
    assessed: row.compliance_score !== null,
    tags: [...row.tags],
    ai_excluded: row.ai_excluded,
    version: row.version,
    uploaded_by: row.newest?.uploaded_by ?? null,
    format: row.newest?.format ?? null,
    language: row.newest?.language ?? null,
    page_count: row.newest?.page_count ?? null,
    source_archive:
      row.source_path === null
        ? null
        : {
            work_product_id: row.source_archive_id,
            path: row.source_path,
            version: row.source_archive_version,
          },
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  });

export const toListed =
  (baseUrl: string) =>
  ({ summary, ...row }: ListedRow): ListedWorkProduct => ({
    ...toWorkProduct(baseUrl)(row),
    ...(summary && {
      summary: {
        ...summary,
        newest_run: summary.newest_run && {
          ...summary.newest_run,
          finished_at: timestamp(summary.newest_run.finished_at),
        },
      },
    }),
  });

export const toVersion =
  (baseUrl: string) =>
  (row: repository.VersionRow): WorkProductVersion => ({
    work_product_id: row.work_product_id,
    version: row.version,
    original_filename: row.file_name,
    file_url: `${baseUrl}/api/v1/work-products/${row.work_product_id}/content?version=${row.version}`,
    file_size: Number(row.file_size),
    file_type: row.file_type,
    sha256: row.sha256,
    uploaded_at: timestamp(row.uploaded_at),
    uploaded_by: row.uploaded_by,
    processing_status: row.processing_status,
    processing_error: row.processing_error,
    format: row.format,
    language: row.language,
    page_count: row.page_count,
    detected_category: row.detected_category,
    notes: row.notes.map(({ code, message }) => ({ code, message })),
  });

export const toEntry = (row: archives.EntryRow): ArchiveEntry => ({
  path: row.path,
  outcome: row.outcome,
  work_product_id: row.work_product_id,
  version: row.work_product_version,
  processing_status: row.processing_status,
  error: row.error,
});

/** Announces a new work product: it exists from now on, waiting for its file. */
export async function announceWorkProduct(
  { transaction, caller, dependencies }: Writing,
  input: z.output<typeof WorkProductUpload>,
): Promise<WorkProductUploadSession> {
  const announcement = readAnnouncement(input, dependencies.configuration.maxUploadBytes);
  await refuseUnknownType(input.category);
  const id = randomUUID();
  await repository.insertWorkProduct(transaction, {
    ...announcement,
    workspaceId: input.workspace_id,
    id,
    name: input.name ?? titleOf(announcement.fileName),
    category: input.category,
    createdBy: caller.userId,
  });
  const { uploadId, signed } = await openUpload(dependencies, transaction, {
    ...announcement,
    workspaceId: input.workspace_id,
    workProductId: id,
    createdBy: caller.userId,
  });
  return session(id, uploadId, signed);
}

/** Announces the next version of a work product; the present one stays until the file is complete. */
export async function announceVersion(
  { transaction, caller, dependencies }: Writing,
  id: string,
  input: z.output<typeof VersionUpload>,
): Promise<WorkProductUploadSession> {
  const announcement = readAnnouncement(input, dependencies.configuration.maxUploadBytes);
  const row = await repository.lockWorkProduct(transaction, id);
  if (!row) throw notFound('work product');
  const { uploadId, signed } = await openUpload(dependencies, transaction, {
    ...announcement,
    workspaceId: row.workspace_id,
    workProductId: id,
    createdBy: caller.userId,
  });
  return session(id, uploadId, signed);
}

/**
 * Completes an upload: checks the bytes, makes the version and queues its reading in one transaction. Calling it
 * again gives the work product and changes nothing.
 */
export async function completeUpload(
  { caller, dependencies, log }: Pick<GuardedContext, 'caller' | 'dependencies' | 'log'>,
  id: string,
  uploadId?: string,
): Promise<WorkProduct> {
  const { database, queue, configuration } = dependencies;
  const find = (wanted: string | undefined) =>
    database.withActor(caller, (transaction) => findWorkProductUpload(transaction, id, wanted));
  const upload = await find(uploadId);
  if (!upload) throw notFound('upload');
  const present = toWorkProduct(configuration.baseUrl);
  const settled = await settleUnlessDone(dependencies, upload, {
    folder: `work-products/${id}`,
    again: () => find(upload.id),
  });
  const complete = () =>
    database.withActor(caller, async (transaction) => {
      const row = await repository.lockWorkProduct(transaction, id);
      if (!row) throw notFound('work product');
      if (!settled || !(await claimCompletion(transaction, upload))) return { row, claimed: false };
      const changed = await repository.insertVersion(transaction, row, {
        fileName: upload.file_name,
        fileSize: Number(upload.file_size),
        fileType: upload.file_type,
        sha256: settled.sha256,
        objectKey: settled.objectKey,
        uploadedBy: caller.userId,
      });
      await queue.enqueue(transaction, processDocument, {
        workspaceId: row.workspace_id,
        workProductId: id,
        version: String(changed.version),
      });
      return { row: changed, claimed: true };
    });
  const done = await completing({ dependencies, log }, settled, complete);
  await discardLeftover({ dependencies, log }, upload, { settled, claimed: done.claimed });
  return present(done.row);
}

/** Analyses look documents up by their type: one that no expectation knows would hide the document from them. */
export async function refuseUnknownType(
  category: string | null | undefined,
  path = 'body.category',
): Promise<void> {
  if (category === null || category === undefined) return;
  const known = await listDocumentTypeIds();
  if (known.has(category)) return;
  const message = `There is no such document type. Choose one of ${[...known].sort().join(', ')}.`;
  throw invalid(path, message, 'unknown');
}

/** Changes name, document type, tags, and whether a language model may see it. */
export async function changeWorkProduct(
  { transaction, precondition, caller, request, dependencies }: Writing,
  id: string,
  change: z.output<typeof WorkProductChange>,
): Promise<WorkProduct> {
  const row = await repository.lockWorkProduct(transaction, id);
  if (!row) throw notFound('work product');
  const present = toWorkProduct(dependencies.configuration.baseUrl);
  precondition.check(present(row));
  await refuseUnknownType(change.category);
  const after = await applyChange({ transaction, caller, request }, row, change);
  if (after.category !== row.category) await retrace(dependencies, transaction, row);
  return present(after);
}

/** Writes a change of a locked work product, with its audit event. With another type its artifacts are others. */
export async function applyChange(
  { transaction, caller, request }: Pick<Writing, 'transaction' | 'caller' | 'request'>,
  row: repository.WorkProductRow,
  change: z.output<typeof WorkProductChange>,
): Promise<repository.WorkProductRow> {
  const chosen = change.category === undefined ? row.category_chosen : change.category !== null;
  const category =
    change.category === null
      ? await repository.detectedCategory(transaction, row)
      : (change.category ?? row.category);
  const after = await repository.updateWorkProduct(transaction, {
    ...row,
    name: change.name ?? row.name,
    tags: change.tags === undefined ? row.tags : [...new Set(change.tags)],
    category,
    category_chosen: chosen,
    ai_excluded: change.ai_excluded ?? row.ai_excluded,
  });
  await recordAudit(transaction, {
    ...about(row),
    action: 'work_product.changed',
    actorId: caller.userId,
    before: { name: row.name, category: row.category, tags: row.tags, ai_excluded: row.ai_excluded },
    after: { name: after.name, category: after.category, tags: after.tags, ai_excluded: after.ai_excluded },
    requestId: request.id,
  });
  return after;
}

/** Reads the newest version again; of an archive, what was refused. */
export async function reprocessWorkProduct(
  { transaction, dependencies }: Writing,
  id: string,
): Promise<WorkProduct> {
  const row = await repository.lockWorkProduct(transaction, id);
  if (!row) throw notFound('work product');
  if (row.version === 0) {
    throw new ApiError('CONFLICT', 'There is no file to read yet. Complete the upload first.');
  }
  const changed =
    row.processing_status === 'queued' ? row : await repository.requeueVersion(transaction, row);
  if (changed !== row) {
    const { workspace_id: workspaceId, version } = row;
    await archives.forgetRefused(transaction, { workspaceId, workProductId: id, version: String(version) });
    await dependencies.queue.enqueue(transaction, processDocument, {
      workspaceId: row.workspace_id,
      workProductId: id,
      version: String(row.version),
    });
  }
  return toWorkProduct(dependencies.configuration.baseUrl)(changed);
}

/**
 * Takes a work product away; its files are deleted by a job, what analyses quoted from it stays. Documents that came out
 * of an archive stay or go with it as the caller says; throws 409 when there are any and the caller says nothing.
 */
export async function removeWorkProduct(
  context: Writing,
  id: string,
  documents: z.output<typeof DeletionQuery>['documents'],
): Promise<void> {
  const { transaction, precondition, dependencies } = context;
  const row = await repository.lockWorkProduct(transaction, id);
  if (!row) throw notFound('work product');
  requireOwn(context, [row]);
  precondition.check(toWorkProduct(dependencies.configuration.baseUrl)(row));
  await removeLocked(context, [row], documents);
}

/** Takes locked work products away, as `removeWorkProduct`; answers how many with the documents that went along. */
export async function removeLocked(
  context: Omit<Writing, 'precondition'>,
  rows: readonly repository.WorkProductRow[],
  documents: z.output<typeof DeletionQuery>['documents'],
): Promise<number> {
  const { transaction, caller, request, dependencies } = context;
  const chosen = new Set(rows.map(({ id }) => id));
  const taken = (await repository.lockDocuments(transaction, rows)).filter(({ id }) => !chosen.has(id));
  if (taken.length > 0 && documents === undefined) {
    throw new ApiError(
      'CONFLICT',
      `${taken.length} documents came out of ${rows.length === 1 ? 'this archive' : 'these archives'}. Say what happens to them: documents=keep or documents=delete.`,
      { reason: 'archive_has_documents', documents: taken.length },
    );
  }
  const going = documents === 'delete' ? taken : [];
  requireOwn(context, going);
  const removed = [...going, ...rows];
  for (const one of removed) await remove(context, one);
  await archives.forgetArchives(transaction, rows);
  const read = removed.find(({ version }) => version > 0);
  if (read) await retrace(dependencies, transaction, read);
  await recordAudits(
    transaction,
    removed.map((one) => ({
      ...about(one),
      action: 'work_product.deleted',
      actorId: caller.userId,
      before: { name: one.name, version: one.version },
      requestId: request.id,
    })),
  );
  return removed.length;
}

export function requireOwn(
  { grant, caller }: Pick<Writing, 'grant' | 'caller'>,
  rows: readonly repository.WorkProductRow[],
): void {
  if (grant.kind === 'allowed' || rows.every((row) => row.created_by === caller.userId)) return;
  throw new ApiError('AUTHORIZATION_ERROR', 'Engineers may delete the work products that they uploaded.');
}

async function remove(
  { transaction, dependencies }: Pick<Writing, 'transaction' | 'dependencies'>,
  row: repository.WorkProductRow,
): Promise<void> {
  await repository.hideWorkProduct(transaction, row);
  await dependencies.queue.enqueue(transaction, deleteObjects, {
    workspaceId: row.workspace_id,
    prefix: `${row.workspace_id}/work-products/${row.id}/`,
  });
}

/** Artifacts depend on the type of their document, and go with it. Nothing to do before it was read. */
export async function retrace(
  { queue }: Writing['dependencies'],
  transaction: Writing['transaction'],
  row: repository.WorkProductRow,
): Promise<void> {
  if (row.version > 0) await requestExtraction(transaction, queue, row.workspace_id);
}

const about = (row: repository.WorkProductRow) => ({
  workspaceId: row.workspace_id,
  targetType: 'work_product',
  targetId: row.id,
});

const session = (
  fileId: string,
  uploadId: string,
  signed: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly expiresAt: Date;
  },
): WorkProductUploadSession => ({
  upload_id: uploadId,
  file_id: fileId,
  upload_url: signed.url,
  headers: { ...signed.headers },
  expires_at: timestamp(signed.expiresAt),
});
