import { createHash, randomUUID } from 'node:crypto';
import type { Transaction } from '../../platform/database/database.js';
import { OutcomeUnknown } from '../../platform/database/errors.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import type { Context } from '../../platform/http/route.js';
import type { Objects, SignedUpload } from '../../platform/storage/storage.js';
import { acceptedMediaType, contradiction, HEAD_BYTES } from './content-type.js';
import { cleanFileName } from './file-name.js';
import { requireRoomForFile } from './quota.js';
import { discardUpload } from './uploads.jobs.js';
import { insertUpload, type UploadRow } from './uploads.repository.js';
import type { UploadInit } from './uploads.schemas.js';

/** An upload address is valid for this time (contract §4). */
const UPLOAD_SECONDS = 15 * 60;
/** A file that began to arrive in time gets this long to end. */
const ARRIVAL_SECONDS = 3600;

/** What was announced, checked and with a clean name. */
export interface Announcement {
  readonly fileName: string;
  readonly fileSize: number;
  readonly fileType: string;
  readonly sha256: string | undefined;
}

/** Checks an announcement. Throws 413 above the limit and 422 for a name or type that cannot be accepted. */
export function readAnnouncement(init: UploadInit, maxUploadBytes: number): Announcement {
  const fileName = cleanFileName(init.filename);
  if (fileName === undefined) {
    throw invalid(
      'body.filename',
      'Nothing of this name can be kept. Use letters or digits.',
      'invalid_filename',
    );
  }
  if (init.size > maxUploadBytes) {
    throw new ApiError('PAYLOAD_TOO_LARGE', `A file may have at most ${maxUploadBytes} bytes.`, {
      max_upload_bytes: maxUploadBytes,
    });
  }
  if (acceptedMediaType(init.content_type) === undefined) {
    throw invalid(
      'body.content_type',
      'Files of this type are not accepted. Accepted are PDF, DOCX, XLSX, PPTX, ODT, ODS, HTML, Markdown, ' +
        'reStructuredText, plain text, CSV, JSON, YAML, XML and ZIP.',
      'unsupported_content_type',
    );
  }
  return {
    fileName,
    fileSize: init.size,
    fileType: init.content_type,
    sha256: init.sha256?.toLowerCase(),
  };
}

/** Where a file arrives. */
export const uploadKey = (workspaceId: string, uploadId: string): string =>
  `${workspaceId}/uploads/${uploadId}`;

/** Records an upload and signs its address. Throws 413 or 409 when the workspace has no room for it. */
export async function openUpload(
  dependencies: Pick<Dependencies, 'storage' | 'queue' | 'configuration'>,
  transaction: Transaction,
  upload: Announcement & {
    readonly workspaceId: string;
    readonly standardId?: string;
    readonly workProductId?: string;
    readonly createdBy: string;
  },
): Promise<{ readonly uploadId: string; readonly signed: SignedUpload }> {
  await requireRoomForFile(transaction, dependencies.configuration, {
    workspaceId: upload.workspaceId,
    bytes: upload.fileSize,
  });
  const uploadId = randomUUID();
  const objectKey = uploadKey(upload.workspaceId, uploadId);
  const signed = await dependencies.storage.within(upload.workspaceId).signUpload({
    key: objectKey,
    size: upload.fileSize,
    contentType: upload.fileType,
    expiresInSeconds: UPLOAD_SECONDS,
  });
  await insertUpload(transaction, { ...upload, id: uploadId, objectKey, expiresAt: signed.expiresAt });
  // What was copied at the completion lies elsewhere; this is for what was never completed, or sent once more.
  const afterSeconds = UPLOAD_SECONDS + ARRIVAL_SECONDS;
  await dependencies.queue.enqueue(
    transaction,
    discardUpload,
    { workspaceId: upload.workspaceId, uploadId },
    { afterSeconds },
  );
  return { uploadId, signed };
}

/** An upload whose bytes were checked and lie under a key that no signed address reaches. */
export interface SettledUpload {
  readonly workspaceId: string;
  readonly objectKey: string;
  readonly sha256: string;
  readonly head: Buffer;
}

/**
 * Takes the bytes out of reach of the signed address (which stays valid for a while), then checks size, SHA-256 and
 * first bytes of exactly what was taken. Throws 409 before the bytes are there and 422 when they are not what was
 * announced; nothing is left behind then, and the file can be sent again.
 */
async function settleUpload(
  { storage }: Pick<Dependencies, 'storage'>,
  upload: UploadRow,
  folder: string,
): Promise<SettledUpload> {
  const objectKey = `${upload.workspace_id}/${folder}/${randomUUID()}`;
  const objects = storage.within(upload.workspace_id);
  if (!(await objects.copy(upload.object_key, objectKey))) {
    throw new ApiError('CONFLICT', 'The file has not been sent yet. Send it to the upload address first.', {
      reason: 'file_not_sent',
    });
  }
  try {
    const { size, sha256, head } = await inspect(objects, objectKey);
    if (size !== Number(upload.file_size)) {
      throw invalid(
        'body',
        `The file has ${size} bytes, announced were ${upload.file_size}.`,
        'size_mismatch',
      );
    }
    if (upload.sha256 !== null && upload.sha256 !== sha256) {
      throw invalid('body', 'The SHA-256 of the file is not the announced one.', 'sha256_mismatch');
    }
    const problem = contradiction(head, upload.file_type);
    if (problem) {
      throw invalid('body', `${problem} Announce and send it again with its real type.`, 'content_mismatch');
    }
    return { workspaceId: upload.workspace_id, objectKey, sha256, head };
  } catch (error) {
    await objects.delete(objectKey);
    throw error;
  }
}

/**
 * As `settleUpload`; undefined when the upload is complete already. Of two completions at once, the slower one may find
 * the sent file gone: `again` then reads the row once more.
 */
export async function settleUnlessDone(
  dependencies: Pick<Dependencies, 'storage'>,
  upload: UploadRow,
  { folder, again }: { readonly folder: string; again(): Promise<UploadRow | undefined> },
): Promise<SettledUpload | undefined> {
  if (upload.completed_at !== null) return undefined;
  try {
    return await settleUpload(dependencies, upload, folder);
  } catch (error) {
    const wasNotThere = error instanceof ApiError && error.code === 'CONFLICT';
    if (wasNotThere && (await again())?.completed_at) return undefined;
    throw error;
  }
}

/**
 * Runs the transaction of a completion; when it fails, what was settled for it is deleted: nobody else knows of it. Unless
 * the answer to the commit was lost: the row may be there then, and what is of no use is found by `sweep-objects.ts`.
 */
export async function completing<T>(
  { dependencies: { storage }, log }: Pick<Context, 'dependencies' | 'log'>,
  settled: SettledUpload | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (settled && !(error instanceof OutcomeUnknown)) {
      await storage
        .within(settled.workspaceId)
        .delete(settled.objectKey)
        .catch((failure) => log.warn({ err: failure }, 'a file that is of no use was left over'));
    }
    throw error;
  }
}

/** Deletes what a completion leaves over: the sent file, or a copy of it when somebody else was faster. */
export async function discardLeftover(
  { dependencies: { storage }, log }: Pick<Context, 'dependencies' | 'log'>,
  upload: UploadRow,
  { settled, claimed }: { readonly settled: SettledUpload | undefined; readonly claimed: boolean },
): Promise<void> {
  const leftover = claimed ? upload.object_key : settled?.objectKey;
  if (leftover === undefined) return;
  await storage
    .within(upload.workspace_id)
    .delete(leftover)
    .catch((error) =>
      log.warn({ uploadId: upload.id, err: error }, 'a file that is of no use was left over'),
    );
}

/** Size, hash and first bytes; the rest is read only where nobody hashed it while it came. */
async function inspect(objects: Objects, key: string) {
  const known = await objects.digest(key);
  const hash = createHash('sha256');
  const first: Buffer[] = [];
  let size = 0;
  for await (const chunk of await objects.read(key)) {
    const bytes = chunk as Buffer;
    if (size < HEAD_BYTES) first.push(bytes.subarray(0, HEAD_BYTES - size));
    size += bytes.length;
    if (known && size >= HEAD_BYTES) break;
    if (!known) hash.update(bytes);
  }
  if (known) return { ...known, head: Buffer.concat(first) };
  return { size, sha256: hash.digest('hex'), head: Buffer.concat(first) };
}
