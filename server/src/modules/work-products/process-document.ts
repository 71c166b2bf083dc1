import { buffer } from 'node:stream/consumers';
import { engineIdentity } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import type { Objects } from '../../platform/storage/storage.js';
import { pagesPrefix, placesKey } from '../documents/page-objects.js';
import { type Engine, explainFailure } from '../engine/engine.js';
import { parkAfterDeaths } from '../engine/park.js';
import { extractTraceJob } from '../traceability/extraction.jobs.js';
import { mayBegin, requestExtraction } from '../traceability/extraction.repository.js';
import { wantVectors } from '../vectors/embed-ahead.jobs.js';
import { announce } from '../webhooks/announce.js';
import * as archives from './archives.repository.js';
import { wantPassages } from './passages.jobs.js';
import { type ReadDocumentOutput, readDocumentTask } from './read-document-task.js';
import { unpackArchive } from './unpack-archive.js';

interface Payload {
  readonly workspaceId: string;
  readonly workProductId: string;
  readonly version: string;
}

/** One attempt to read a version; a later one makes its writes void. */
interface Reading extends Payload {
  readonly attempt: number;
  readonly file_name: string;
  readonly object_key: string;
  /** What the version was read into before, which somebody may be reading just now. */
  readonly parsed_key: string | null;
}

type Telling = Pick<Dependencies, 'queue' | 'configuration'>;

const OUR_FAULT =
  'The file could not be read because of an error on our side. Try to process it again; if it fails again, tell the operator.';

const NOTHING_TAKEN =
  'None of the files in this archive can be read. Its entries say for each of them why, and what to do.';
const SUPERSEDED = 'A newer version of this archive came before this one was unpacked.';

type Tools = Telling & Pick<Dependencies, 'database' | 'storage'>;

/**
 * Reads a version and shows how it went. Archives are unpacked instead; they end with the last document that came out of
 * them, whoever reads it.
 */
export const readVersion =
  (tools: Tools, engine: Engine): JobHandler<Payload> =>
  async (payload, context) => {
    await readOne(tools, engine)(payload, context);
    await endReading(tools, payload);
  };

/** Reads a document in a limited process and stores it, parsed, as one object; takes the files out of an archive. */
const readOne =
  (tools: Tools, engine: Engine): JobHandler<Payload> =>
  async (payload, { signal }) => {
    const { database } = tools;
    const storage = tools.storage.within(payload.workspaceId);
    const reading = await database.withWorkspace(payload.workspaceId, (transaction) =>
      begin(transaction, payload),
    );
    if (!reading) return;
    const end = (work: (transaction: Transaction) => Promise<void>): Promise<void> =>
      database.withWorkspace(payload.workspaceId, work);
    let read: ReadDocumentOutput;
    try {
      const sent = await buffer(await storage.read(reading.object_key));
      const found = await unpackArchive(tools, engine, { reading, bytes: sent, signal });
      if (typeof found === 'string') {
        await end((transaction) => endArchive(tools, transaction, { reading, found }));
        return;
      }
      const { bytes } = found;
      read = await engine.run(
        readDocumentTask,
        { bytes, fileName: reading.file_name, engine: await engineIdentity() },
        { signal, group: payload.workspaceId },
      );
    } catch (error) {
      const failure =
        explainFailure(error) ??
        (await parkAfterDeaths(error, (work) => database.withWorkspace(payload.workspaceId, work), {
          table: sql`work_product_versions v`,
          where: isThis(reading),
          what: 'Reading the file',
          hint: 'Split it, or save it again from its source, and upload that.',
        }));
      if (!failure) throw error;
      await end((transaction) => failVersion(tools, transaction, { reading, failure }));
      return;
    }
    const parsedKey = `${reading.object_key}.parsed-${reading.attempt}`;
    await storage.write(parsedKey, Buffer.from(read.packed), 'application/octet-stream');
    if (read.pages)
      await storage.write(placesKey(parsedKey), Buffer.from(read.pages), 'application/octet-stream');
    let isKept = false;
    await end(async (transaction) => {
      isKept = await finish(tools, transaction, { reading, read, parsedKey });
    });
    // Deleted while it was read: nobody else would delete what was written after that.
    if (!isKept) await discardReading(storage, parsedKey);
    else await discardAttempts(storage, reading);
  };

/** Deletes what attempts before this one wrote and died before they could name it. */
async function discardAttempts(
  objects: Objects,
  { object_key, parsed_key, attempt }: Reading,
): Promise<void> {
  for (let before = 1; before < attempt; before++) {
    const key = `${object_key}.parsed-${before}`;
    if (key !== parsed_key) await discardReading(objects, key);
  }
}

async function discardReading(objects: Objects, parsedKey: string): Promise<void> {
  await objects.delete(parsedKey);
  await objects.deletePrefix(pagesPrefix(parsedKey));
}

/** The last word on a version that no attempt could read. */
export const giveUpVersion =
  (tools: Telling & Pick<Dependencies, 'database'>): JobHandler<Payload> =>
  async (payload) => {
    await tools.database.withWorkspace(payload.workspaceId, async (transaction) => {
      const version = await transaction.maybeOne<{ attempt: number }>(sql`
        select attempt from work_product_versions
        where workspace_id = ${payload.workspaceId} and work_product_id = ${payload.workProductId}
          and version = ${payload.version} and processing_status in ('queued', 'running')`);
      const failure = { code: 'crashed', text: OUR_FAULT };
      if (version) await failVersion(tools, transaction, { reading: { ...payload, ...version }, failure });
    });
    await endReading(tools, payload);
  };

async function endArchive(
  tools: Telling,
  transaction: Transaction,
  { reading, found }: { readonly reading: Reading; readonly found: 'unpacked' | 'void' | 'superseded' },
): Promise<void> {
  if (found === 'void') return;
  if (found === 'superseded') {
    await failVersion(tools, transaction, { reading, failure: { code: 'superseded', text: SUPERSEDED } });
    return;
  }
  if (!(await archives.lockArchive(transaction, reading))) return;
  await archives.insertGone(transaction, reading);
  const { files, refused, ...failure } = await archives.endUnpacking(transaction, reading);
  if (refused < files) return;
  const own = refused === 1 ? { code: failure.code, text: failure.error } : undefined;
  await failVersion(tools, transaction, { reading, failure: own ?? { code: 'empty', text: NOTHING_TAKEN } });
}

/**
 * Ends the archive that this version is of, and those that it came out of, when nothing of them is left to read. In a
 * transaction after the one that ended the version: of two documents that end together, the later one sees the other. A run
 * over the trace that waits for the last document begins then.
 */
async function endReading(tools: Telling & Pick<Dependencies, 'database'>, payload: Payload): Promise<void> {
  const { workspaceId } = payload;
  const isLast = await tools.database.withWorkspace(workspaceId, async (transaction) => {
    const waiting = await archives.findWaitingArchives(transaction, payload);
    for (const archive of [payload, ...waiting]) {
      if (!(await archives.completeArchive(transaction, archive))) continue;
      await show(transaction, archive, { status: 'completed' });
      await tell(tools, transaction, archive, { processing_status: 'completed' });
    }
    return mayBegin(transaction, workspaceId);
  });
  if (isLast) await tools.queue.hasten(extractTraceJob, { workspaceId });
}

async function begin(transaction: Transaction, payload: Payload): Promise<Reading | undefined> {
  const version = await transaction.maybeOne<Omit<Reading, keyof Payload>>(sql`
    update work_product_versions v set processing_status = 'running', attempt = v.attempt + 1
    from work_products p
    where p.workspace_id = v.workspace_id and p.id = v.work_product_id and p.deleted_at is null
      and v.workspace_id = ${payload.workspaceId} and v.work_product_id = ${payload.workProductId}
      and v.version = ${payload.version} and v.processing_status in ('queued', 'running')
    returning v.attempt, v.file_name, v.object_key, v.parsed_key`);
  if (!version) return undefined;
  await show(transaction, payload, { status: 'running' });
  return { ...payload, ...version };
}

async function finish(
  tools: Telling,
  transaction: Transaction,
  result: { readonly reading: Reading; readonly read: ReadDocumentOutput; readonly parsedKey: string },
): Promise<boolean> {
  const { reading, read, parsedKey } = result;
  const written = await transaction.run(sql`
    update work_product_versions v
    set processing_status = 'completed', processing_error = null, processing_error_code = null,
        parsed_key = ${parsedKey}, format = ${read.format}, language = ${read.language},
        page_count = ${read.pageCount}, block_count = ${read.blockCount},
        detected_category = ${read.detectedCategory}, notes = ${JSON.stringify(read.notes)}::jsonb,
        processed_at = now()
    from work_products p
    where p.workspace_id = v.workspace_id and p.id = v.work_product_id and p.deleted_at is null
      and ${isThis(reading)}`);
  if (written !== 1) return false;
  // Before the event: whoever stores a trace locks the rows in this order, too.
  await requestExtraction(transaction, tools.queue, reading.workspaceId);
  await wantPassages(transaction, tools.queue, reading);
  await wantVectors(tools, transaction, reading);
  await show(transaction, reading, { status: 'completed', detected: read.detectedCategory });
  await tell(tools, transaction, reading, { processing_status: 'completed' });
  return true;
}

/** Ends a version without a reading, with the reason that a person reads. */
export async function failVersion(
  tools: Telling,
  transaction: Transaction,
  {
    reading,
    failure,
  }: {
    readonly reading: Payload & { readonly attempt: number };
    readonly failure: { readonly code: string; readonly text: string };
  },
): Promise<void> {
  const written = await transaction.run(sql`
    update work_product_versions v
    set processing_status = 'failed', processing_error = ${failure.text},
        processing_error_code = ${failure.code}, processed_at = now()
    where ${isThis(reading)}`);
  if (written !== 1) return;
  await show(transaction, reading, { status: 'failed', error: failure.text });
  await tell(tools, transaction, reading, { processing_status: 'failed', error_code: failure.code });
}

/** Tells the webhooks of the workspace that a version was read or could not be. */
const tell = (
  tools: Telling,
  transaction: Transaction,
  { workspaceId, workProductId, version }: Payload,
  state: { readonly processing_status: 'completed' | 'failed'; readonly error_code?: string },
): Promise<void> =>
  announce(tools, transaction, {
    workspaceId,
    type: 'document.processed',
    data: { work_product_id: workProductId, version: Number(version), ...state },
    path: `/api/v1/work-products/${workProductId}`,
  });

const isThis = (reading: Payload & { readonly attempt: number }) => sql`
  v.workspace_id = ${reading.workspaceId} and v.work_product_id = ${reading.workProductId}
  and v.version = ${reading.version} and v.attempt = ${reading.attempt}`;

/** Shows the state of the newest version on the work product and tells those who watch. */
async function show(
  transaction: Transaction,
  { workspaceId, workProductId, version }: Payload,
  state: { readonly status: string; readonly error?: string; readonly detected?: string | null },
): Promise<void> {
  const shown = await transaction.run(sql`
    update work_products
    set processing_status = ${state.status}, processing_error = ${state.error ?? null},
        category = case when ${state.status} = 'completed' and not category_chosen
                        then ${state.detected ?? null} else category end
    where workspace_id = ${workspaceId} and id = ${workProductId} and version = ${version}`);
  if (shown === 0) return;
  const event = { work_product_id: workProductId, version: Number(version), processing_status: state.status };
  await transaction.run(
    sql`select app.add_event(${workspaceId}, null, 'document', ${JSON.stringify(event)}::jsonb)`,
  );
}
