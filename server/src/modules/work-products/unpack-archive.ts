import { createHash, randomUUID } from 'node:crypto';
import { mediaTypeOf } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { Engine } from '../engine/engine.js';
import { answering } from '../engine/engine-question.js';
import { cleanFileName } from '../uploads/file-name.js';
import { requireRoomForFile } from '../uploads/quota.js';
import { processDocument } from '../uploads/uploads.jobs.js';
import * as archives from './archives.repository.js';
import { takeFile, type UnpackedFile, unpackArchiveTask } from './unpack-archive-task.js';
import { insertVersion, insertWorkProduct, lockWorkProduct } from './work-products.repository.js';

type Tools = Pick<Dependencies, 'database' | 'storage' | 'queue' | 'configuration'>;
type Unpacking = archives.Unpacking & { readonly file_name: string };

/** Names of work products are that long at most; of a longer path its end is shown. */
const LONGEST_NAME = 300;

/** What came of looking for an archive. */
export type Unpacked =
  /** A document: its bytes. */
  | { readonly bytes: Uint8Array }
  /** Every file of it is settled. */
  | 'unpacked'
  /** Deleted, or given to another attempt: nothing more is to be written. */
  | 'void'
  /** A newer version of it came meanwhile, whose files count. */
  | 'superseded';

/**
 * Takes the files out of an archive, in a process of its own: each becomes a work product, or the next version of the one that came
 * from the same path, in one transaction with the entry that says so. What an attempt before this one settled is left
 * alone. Throws what the engine throws when the archive itself cannot be opened.
 */
export async function unpackArchive(
  tools: Tools,
  engine: Engine,
  {
    reading,
    bytes,
    signal,
  }: { readonly reading: Unpacking; readonly bytes: Uint8Array; readonly signal: AbortSignal },
): Promise<Unpacked> {
  const mayBeArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!mayBeArchive) return { bytes };
  const settled = await tools.database.withWorkspace(reading.workspaceId, (transaction) =>
    archives.settledPositions(transaction, reading),
  );
  let end: 'unpacked' | 'void' | 'superseded' = 'unpacked';
  let failure: unknown;
  const input = {
    bytes,
    fileName: reading.file_name,
    maxFileBytes: tools.configuration.maxUploadBytes,
    settled,
  };
  const output = await engine
    .run(unpackArchiveTask, input, {
      signal,
      answers: [
        answering(takeFile, async (file) => {
          try {
            end = await settle(tools, reading, file);
            return end === 'unpacked';
          } catch (error) {
            failure = error;
            throw error;
          }
        }),
      ],
    })
    // The process only knows that it got no answer.
    .catch((error) => Promise.reject(failure ?? error));
  return output.isArchive ? end : { bytes };
}

async function settle(
  tools: Tools,
  reading: Unpacking,
  file: UnpackedFile,
): Promise<'unpacked' | 'void' | 'superseded'> {
  if ('refused' in file.content) return refuse(tools, reading, file, file.content.refused);
  const { bytes, format } = file.content;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const known = await tools.database.withWorkspace(reading.workspaceId, (transaction) =>
    archives.findDocument(transaction, reading, file.path),
  );
  if (known?.sha256 === sha256) {
    return withArchive(tools, reading, file, async (transaction) => {
      await archives.insertEntry(transaction, reading, { ...file, outcome: 'unchanged', document: known });
      await archives.markSource(transaction, reading, { id: known.id, path: file.path });
    });
  }
  const objects = tools.storage.within(reading.workspaceId);
  const id = known?.id ?? idOfNew(reading, file.position);
  const objectKey = `${reading.workspaceId}/work-products/${id}/${randomUUID()}`;
  await objects.write(objectKey, Buffer.from(bytes), 'application/octet-stream');
  const fileName = cleanFileName(file.path) ?? 'file';
  const content = { fileName, fileSize: bytes.length, fileType: mediaTypeOf(format), sha256, objectKey };
  const store = async (transaction: Transaction, archive: archives.LockedArchive): Promise<void> => {
    if (!known) {
      const name = [...file.path].slice(-LONGEST_NAME).join('');
      const owner = { workspaceId: reading.workspaceId, createdBy: archive.uploaded_by };
      await insertWorkProduct(transaction, { ...content, ...owner, id, name, category: undefined });
    }
    await requireRoomForFile(transaction, tools.configuration, {
      workspaceId: reading.workspaceId,
      bytes: bytes.length,
    });
    const row = await lockWorkProduct(transaction, id);
    // Deleted since it was looked up, or changed by somebody: the next attempt looks again.
    if (!row || row.version !== (known?.version ?? 0)) throw new Error('The document changed meanwhile.');
    const { version } = await insertVersion(transaction, row, {
      ...content,
      uploadedBy: archive.uploaded_by,
    });
    const outcome = known ? 'changed' : 'new';
    await archives.insertEntry(transaction, reading, { ...file, outcome, document: { id, version } });
    const tags = known ? {} : { tags: archive.tags };
    await archives.markSource(transaction, reading, { id, path: file.path, ...tags });
    await tools.queue.enqueue(transaction, processDocument, {
      workspaceId: reading.workspaceId,
      workProductId: id,
      version: String(version),
    });
  };
  const end = await withArchive(tools, reading, file, store).catch(async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    await objects.delete(objectKey);
    return refuse(tools, reading, file, { code: 'quota', text: error.message });
  });
  // Whatever else goes wrong may have been after the commit; what is left over then goes with the work product.
  if (end !== 'unpacked') await objects.delete(objectKey);
  return end;
}

const refuse = (
  tools: Tools,
  reading: Unpacking,
  file: UnpackedFile,
  error: { readonly code: string; readonly text: string },
): Promise<'unpacked' | 'void' | 'superseded'> =>
  withArchive(tools, reading, file, (transaction) =>
    archives.insertEntry(transaction, reading, { ...file, outcome: 'refused', error }),
  );

/** Does the work unless this attempt is void, and tells those who watch how far the archive is. */
function withArchive(
  { database }: Tools,
  reading: Unpacking,
  file: UnpackedFile,
  work: (transaction: Transaction, archive: archives.LockedArchive) => Promise<unknown>,
): Promise<'unpacked' | 'void' | 'superseded'> {
  return database.withWorkspace(reading.workspaceId, async (transaction) => {
    const archive = await archives.lockArchive(transaction, reading);
    if (!archive) return 'void';
    if (!archive.is_newest) return 'superseded';
    await work(transaction, archive);
    const percent = (done: number): number => Math.floor((100 * done) / file.total);
    const done = file.position + 1;
    if (percent(done) > percent(file.position)) {
      const event = {
        work_product_id: reading.workProductId,
        version: Number(reading.version),
        processing_status: 'running',
        percent: percent(done),
        done,
        total: file.total,
      };
      await transaction.run(
        sql`select app.add_event(${reading.workspaceId}, null, 'document', ${JSON.stringify(event)}::jsonb)`,
      );
    }
    return 'unpacked';
  });
}

/** The id of the document that a file becomes: the same in every attempt, so that none is made twice. */
function idOfNew({ workProductId, version }: Unpacking, position: number): string {
  const bytes = createHash('sha256')
    .update(`${workProductId} ${version} ${position}`)
    .digest()
    .subarray(0, 16);
  // Version 8, variant 1 (RFC 9562): bits of one's own making.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
