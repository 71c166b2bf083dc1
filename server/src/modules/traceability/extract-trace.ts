import { buffer } from 'node:stream/consumers';
import { engineIdentity } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import type { Objects } from '../../platform/storage/storage.js';
import type { PackedDocument } from '../documents/packed-documents.js';
import type { Engine } from '../engine/engine.js';
import { answering } from '../engine/engine-question.js';
import { writeNewest } from '../engine/newest-progress.js';
import { parkAfterDeaths } from '../engine/park.js';
import type { RunProgress } from '../engine/run-news.js';
import { extractEditedTask, namedArtifacts, storedPlaces } from './extract-edited-task.js';
import {
  extractTraceTask,
  type RowsAhead,
  rowsAhead,
  storedRows,
  type TraceExtractionOutput,
} from './extract-trace-task.js';
import type { ExtractTrace } from './extraction.jobs.js';
import * as repository from './extraction.repository.js';
import { ExtractionLost, storeExtraction } from './store-extraction.js';
import type { SaidByDocument } from './trace-differences.js';

type Tools = Pick<Dependencies, 'database' | 'storage' | 'queue'>;

const OUR_FAULT =
  'The trace could not be taken out of the documents because of an error on our side. Have a document processed again; if it fails again, tell the operator.';

/**
 * Takes artifacts and links out of the newest versions of all documents of a workspace, in a process, outside any
 * transaction, and writes the differences in one. What changes meanwhile is taken out by the next run.
 */
export const extractTrace =
  (tools: Tools, engine: Engine): JobHandler<ExtractTrace> =>
  async ({ workspaceId }, { signal }) => {
    const { database, queue } = tools;
    const engineVersion = await engineIdentity();
    const taken = await database.withWorkspace(workspaceId, async (transaction) => {
      if (await repository.putOff(transaction, queue, workspaceId)) return undefined;
      const extracting = await repository.takeExtraction(transaction, workspaceId);
      if (!extracting) return undefined;
      await repository.addExtractionEvent(transaction, workspaceId, { status: 'running', percent: 0 });
      const files = await transaction.many<repository.TracedFile>(repository.selectTracedFiles(workspaceId));
      const before = await transaction.one<repository.ExtractionRow>(
        repository.selectExtraction(workspaceId),
      );
      return { extracting, files, before, said: await repository.readSaid(transaction, workspaceId) };
    });
    if (!taken) return;
    const { extracting, files } = taken;
    const progress = writeNewest(({ stage, percent }) =>
      database.withWorkspace(workspaceId, (transaction) =>
        repository.addExtractionEvent(transaction, workspaceId, { status: 'running', stage, percent }),
      ),
    );
    try {
      // Whichever of the two fails ends the other.
      const ending = new AbortController();
      const asked: Asked = {
        ...taken,
        ...{ tools, engine, engineVersion },
        signal: AbortSignal.any([signal, ending.signal]),
      };
      const ahead = replayed<RowsAhead>();
      const output = (async () => {
        try {
          return (await extractEdited(asked)) ?? (await extractAll(asked, progress.report, ahead.add));
        } finally {
          ahead.end();
          await progress.finish();
        }
      })();
      const documents = files.map(({ id, version, category }) => ({
        work_product_id: id,
        version,
        document_type: category,
      }));
      // Outside any transaction as long as there is nothing to store.
      await Promise.race([output, ahead.begun]);
      try {
        await database.withWorkspace(workspaceId, (transaction) =>
          storeExtraction(transaction, queue, extracting, {
            output,
            ahead: ahead.all(),
            documents,
            readings: readingsOf(files),
            engineVersion,
          }),
        );
      } catch (error) {
        ending.abort(error);
        await output.catch(() => undefined);
        throw error;
      }
    } catch (error) {
      await progress.finish();
      if (error instanceof ExtractionLost) return;
      const parked = await parkAfterDeaths(error, (work) => database.withWorkspace(workspaceId, work), {
        table: sql`trace_extractions`,
        where: sql`workspace_id = ${workspaceId} and attempt = ${extracting.attempt}`,
        what: 'Taking the trace out of the documents',
        hint: 'Upload smaller exports, or delete the document that came last; the next change begins anew.',
      });
      if (!parked) throw error;
      await fail(tools, extracting, parked.text);
    }
  };

/** What came so far and what is still to come, from the beginning for everybody who asks: a transaction may be repeated. */
function replayed<Value>() {
  const values: Value[] = [];
  let ended = false;
  let wake: () => void;
  let next: Promise<void>;
  const wait = (): void => {
    next = new Promise((resolve) => {
      wake = resolve;
    });
  };
  wait();
  const begun = next!;
  const tell = (): void => {
    wake();
    wait();
  };
  return {
    begun,
    add(value: Value): void {
      values.push(value);
      tell();
    },
    end(): void {
      ended = true;
      tell();
    },
    async *all(): AsyncIterableIterator<Value> {
      for (let at = 0; ; at++) {
        while (at >= values.length && !ended) await next;
        if (at >= values.length) return;
        yield values[at]!;
      }
    },
  };
}

interface Asked {
  readonly tools: Tools;
  readonly engine: Engine;
  readonly engineVersion: string;
  readonly extracting: repository.Extracting;
  readonly files: readonly repository.TracedFile[];
  /** What is stored. */
  readonly before: repository.ExtractionRow;
  readonly said: repository.SaidAndRead | null;
  readonly signal: AbortSignal;
}

async function extractAll(
  { tools, engine, engineVersion, extracting: { workspaceId }, files, said, signal }: Asked,
  report: (progress: RunProgress) => void,
  goesAhead: (rows: RowsAhead) => void,
): Promise<TraceExtractionOutput> {
  const { database, storage } = tools;
  return engine.run(
    extractTraceTask,
    {
      workspaceId,
      engine: engineVersion,
      documents: await loadFiles(storage.within(workspaceId), files, signal),
      said,
    },
    {
      signal,
      group: workspaceId,
      // Whoever comes after this attempt makes its writes void: nothing else changes these rows until it stores.
      answers: [
        answering(storedRows, (known) =>
          database.withWorkspace(workspaceId, (transaction) =>
            repository.readStored(transaction, workspaceId, known),
          ),
        ),
        answering(rowsAhead, async (rows) => {
          goesAhead(rows);
          return null;
        }),
      ],
      onNews: (news) => {
        if (news.kind === 'progress') report(news.progress);
      },
    },
  );
}

/** Where one document was edited and says the same to others (`extractEditedTask`); undefined where all have to be joined. */
async function extractEdited(asked: Asked): Promise<TraceExtractionOutput | undefined> {
  const { tools, engine, engineVersion, extracting, before: stored, said, signal } = asked;
  const { workspaceId } = extracting;
  const file = editedFile(asked);
  const objects = tools.storage.within(workspaceId);
  if (!file || !said || (await objects.size(file.before)) === undefined) return undefined;
  const { id } = file.now;
  const [before, now] = await loadFiles(objects, [{ ...file.now, ...file.was }, file.now], signal);
  const within = <Answer>(work: (transaction: Transaction) => Promise<Answer>) =>
    tools.database.withWorkspace(workspaceId, work);
  const edited = await engine.run(
    extractEditedTask,
    {
      workspaceId,
      engine: engineVersion,
      before: before!,
      now: now!,
      said: { artifacts: said.artifacts[id], links: said.links[id] },
      isFree: said.weighed?.includes(id) === false,
      notes: stored.notes.filter((note) => note.work_product_id === id),
    },
    {
      signal,
      group: workspaceId,
      answers: [
        answering(namedArtifacts, (ids) =>
          within((transaction) => repository.readNamed(transaction, { workspaceId, documentId: id }, ids)),
        ),
        answering(storedPlaces, (places) =>
          within((transaction) => repository.readPlaces(transaction, workspaceId, places)),
        ),
      ],
    },
  );
  if (!edited) return undefined;
  const notes = [...edited.notes];
  const withSaid = (of: SaidByDocument, one: string | undefined) =>
    one === undefined ? of : { ...of, [id]: one };
  return {
    ...edited,
    said: {
      artifacts: withSaid(said.artifacts, edited.said.artifacts),
      links: withSaid(said.links, edited.said.links),
      weighed: said.weighed,
      ...(said.numbered ? { numbered: said.numbered } : {}),
    },
    artifactCount: stored.artifacts,
    linkCount: stored.links,
    notes: stored.notes.map((note) => (note.work_product_id === id ? notes.shift()! : note)),
    noteCounts: stored.note_counts,
  };
}

/** The only document that is another one than the stored trace was made of, if there is exactly one and nothing else changed. */
function editedFile({ files, before: { documents, engine_version }, said, engineVersion }: Asked) {
  const readings = said?.readings;
  if (!readings || engine_version !== engineVersion || files.length !== documents.length) return undefined;
  const same = files.every(({ id, category }, at) => {
    const document = documents[at]!;
    return document.work_product_id === id && document.document_type === category;
  });
  const edited = [...files.entries()].filter(([, { id, parsed_key }]) => readings[id] !== parsed_key);
  const [[at, now] = []] = edited;
  if (!same || edited.length !== 1 || at === undefined || !now) return undefined;
  const parsed_key = readings[now.id];
  return parsed_key === undefined
    ? undefined
    : { now, before: parsed_key, was: { parsed_key, version: documents[at]!.version } };
}

const readingsOf = (files: readonly repository.TracedFile[]): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map(({ id, parsed_key }) => [id, parsed_key]));

/** The last word on a run that no attempt could finish. */
export const giveUpExtraction =
  (tools: Pick<Tools, 'database' | 'queue'>): JobHandler<ExtractTrace> =>
  async ({ workspaceId }) => {
    const { database } = tools;
    const row = await database.withWorkspace(workspaceId, (transaction) =>
      transaction.maybeOne<{ attempt: number }>(sql`
        update trace_extractions set status = 'running', taken = requested
        where workspace_id = ${workspaceId} and status in ('queued', 'running') returning attempt`),
    );
    if (row) await fail(tools, { workspaceId, attempt: row.attempt }, OUR_FAULT);
  };

const fail = (
  { database, queue }: Pick<Tools, 'database' | 'queue'>,
  extracting: repository.Extracting,
  error: string,
): Promise<void> =>
  database.withWorkspace(extracting.workspaceId, async (transaction) => {
    if (!(await repository.endExtraction(transaction, queue, extracting, { status: 'failed', error })))
      return;
    await repository.addExtractionEvent(transaction, extracting.workspaceId, { status: 'failed', error });
  });

/** Document versions as they are handed to a process. */
export async function loadFiles(
  objects: Objects,
  files: readonly repository.TracedFile[],
  signal: AbortSignal,
): Promise<readonly PackedDocument[]> {
  const documents: PackedDocument[] = [];
  for (const { id, name, version, sha256, category, parsed_key } of files) {
    signal.throwIfAborted();
    const packed = new Uint8Array(await buffer(await objects.read(parsed_key)));
    documents.push({
      id,
      name,
      version: String(version),
      sha256,
      packed,
      ...(category === null ? {} : { documentType: category }),
    });
  }
  return documents;
}
