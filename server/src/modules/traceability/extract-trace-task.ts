import { type ExtractionNote, joinDocuments, type Location, type ReadStatements } from '@normtrace/engine';
import type { PackedDocument } from '../documents/packed-documents.js';
import { readDocumentText, unpackKept, unpackText } from '../documents/parsed-document.js';
import { quoteFinder } from '../documents/quote-places.js';
import { ask, type EngineQuestion } from '../engine/engine-question.js';
import type { EngineTask } from '../engine/engine-task.js';
import { tellProgress } from '../engine/run-news.js';
import {
  type ChangedRows,
  type Columns,
  rowComparer,
  rowPacker,
  type SaidByDocument,
  type StoredHashes,
  saidByDocument,
  storedHashes,
  unchangedDocuments,
} from './trace-differences.js';
import {
  type ArtifactRow,
  groupStatements,
  type LinkRow,
  mergeLinks,
  type Numbered,
  type QuoteOf,
  type RowsAbout,
  rowsAbout,
  sourceOf,
  spacedPlaces,
  statementsOf,
} from './trace-rows.js';

export interface TraceExtractionInput {
  readonly workspaceId: string;
  readonly documents: readonly PackedDocument[];
  /** Which engine this is, see `engineIdentity`. */
  readonly engine: string;
  /** What the rows of each document said that are stored now, if that is known. */
  readonly said: SaidInTrace | null;
}

/** Hashes of what the rows of each document say. */
export interface SaidInTrace {
  readonly artifacts: SaidByDocument;
  readonly links: SaidByDocument;
  /** `Extraction.weighed`; null where it is not known, or all of them. */
  readonly weighed: readonly string[] | null;
  /** Absent where an earlier version stored it. */
  readonly numbered?: Numbered;
}

/** Documents whose rows are known to be stored as they are. */
export interface KnownDocuments {
  readonly artifacts: readonly string[];
  readonly links: readonly string[];
}

/** What is stored of the rows of other documents, see `storedHashes`. */
export interface StoredRows {
  readonly artifacts: Uint8Array | null;
  readonly links: Uint8Array | null;
}

/** What is stored of documents, but of those. */
export const storedRows: EngineQuestion<KnownDocuments, StoredRows> = { kind: 'stored rows of the trace' };

/** Rows of a large extraction on their way ahead of it: they are stored while it makes others. */
export interface RowsAhead {
  readonly table: 'artifacts' | 'links';
  readonly columns: Columns;
}

/** Takes rows before the extraction has ended, in this order. */
export const rowsAhead: EngineQuestion<RowsAhead, null> = { kind: 'rows of the trace ahead' };

export interface TraceExtractionOutput {
  /** The columns that `writeArtifacts` takes, but for those that went ahead. */
  readonly artifacts: ChangedRows;
  /** The columns that `writeLinks` takes, but for those that went ahead. */
  readonly links: ChangedRows;
  readonly artifactCount: number;
  readonly linkCount: number;
  readonly said: SaidInTrace;
  readonly notes: readonly StoredNote[];
  readonly noteCounts: Readonly<Record<string, number>>;
}

export interface StoredNote {
  readonly code: ExtractionNote['code'] | 'id_too_long';
  readonly message: string;
  /** Key and values of the message; absent of what an earlier version stored. */
  readonly said?: NonNullable<ExtractionNote['said']>;
  readonly work_product_id: string;
  readonly location: Location;
}

const SHARES = { documents: [0, 40], artifacts: [40, 80], rows: [80, 90] } as const;

/** Takes artifacts and links out of parsed documents, as rows for the database. */
export const extractTraceTask: EngineTask<TraceExtractionInput, TraceExtractionOutput> = {
  name: 'extractTrace',
  processorSeconds: 900,
  work: async (input, context) => {
    const progress = tellProgress(context, SHARES);
    const statements: ReadStatements[] = [];
    // The next one is unpacked by another thread while this one is read.
    let next = input.documents[0] && readAhead(unpackKept(input.documents[0].packed));
    for (const [at, document] of input.documents.entries()) {
      progress('documents', at, input.documents.length);
      const unpacked = await next;
      const following = input.documents[at + 1];
      next = following && readAhead(unpackKept(following.packed));
      statements.push(await statementsOf(document, unpacked, input.engine));
      context.signal.throwIfAborted();
    }
    progress('artifacts', 0, 1);
    const extraction = joinDocuments(statements);
    progress('rows', 0, 1);
    const sources = new Map(
      input.documents.map((document) => [document.id, sourceOf(document, input.engine)]),
    );
    const groups = await groupStatements(extraction.artifacts);
    const links = mergeLinks(extraction.links);
    const { places, numbered } = spacedPlaces(groups.rows, links.rows, input.said?.numbered);
    const about = rowsAbout(input.workspaceId, sources, places);
    const said: SaidInTrace = {
      artifacts: saidByDocument(groups.rows, about.artifacts),
      links: saidByDocument(links.rows, about.links),
      weighed: extraction.weighed ?? null,
      numbered,
    };
    const known = {
      artifacts: unchangedDocuments(said.artifacts, input.said?.artifacts),
      links: unchangedDocuments(said.links, input.said?.links),
    };
    const stored = await ask(context, storedRows, {
      artifacts: [...known.artifacts],
      links: [...known.links],
    });
    const changes = await changesOf(
      input.documents,
      {
        ...about.artifacts,
        rows: groups.rows,
        known: known.artifacts,
        stored: storedHashes(stored.artifacts),
      },
      { ...about.links, rows: links.rows, known: known.links, stored: storedHashes(stored.links) },
      async (rows) => {
        await ask(context, rowsAhead, rows);
      },
    );
    const result: TraceExtractionOutput = {
      ...changes,
      artifactCount: groups.rows.length,
      linkCount: links.rows.length,
      said,
      notes: extraction.notes.map(storedNote),
      noteCounts: {
        ...extraction.noteCounts,
        ...(groups.tooLong + links.tooLong > 0 ? { id_too_long: groups.tooLong + links.tooLong } : {}),
      },
    };
    return { result };
  },
};

export const storedNote = ({ code, message, said, documentId, location }: ExtractionNote): StoredNote => ({
  code,
  message,
  ...(said ? { said } : {}),
  work_product_id: documentId,
  location,
});

/** Begun now; that it failed is told where it is waited for. */
function readAhead<Value>(begun: Promise<Value>): Promise<Value> {
  begun.catch(() => undefined);
  return begun;
}

interface Compared<Row> extends RowsAbout<Row> {
  readonly rows: readonly Row[];
  /** Documents whose rows are stored as they are. */
  readonly known: ReadonlySet<string>;
  /** What is stored of the rows of the others. */
  readonly stored: StoredHashes;
}

/**
 * What has to be written of rows, in batches for each kind. Only documents with rows that are not known are unpacked, each while rows of the one
 * before are made.
 * @param ahead Takes batches as soon as they are full; those are not in the result.
 */
export async function changesOf(
  documents: readonly Pick<PackedDocument, 'id' | 'packed'>[],
  artifacts: Compared<ArtifactRow>,
  links: Compared<LinkRow>,
  ahead?: (rows: RowsAhead) => Promise<void>,
): Promise<{ readonly artifacts: ChangedRows; readonly links: ChangedRows }> {
  const [ofArtifacts, ofLinks] = [packerOf(artifacts), packerOf(links)];
  const wanted = documents.filter(({ id }) => ofArtifacts.has(id) || ofLinks.has(id));
  // The next one is unpacked by another thread while rows of this one are made.
  let next = wanted[0] && readAhead(unpackText(wanted[0].packed));
  for (const [at, { id }] of wanted.entries()) {
    const text = await next!;
    const following = wanted[at + 1];
    next = following && readAhead(unpackText(following.packed));
    const quoteOf = quoteFinder(readDocumentText(text));
    ofArtifacts.add(id, quoteOf);
    ofLinks.add(id, quoteOf);
    if (!ahead) continue;
    for (const columns of ofArtifacts.full()) await ahead({ table: 'artifacts', columns });
    for (const columns of ofLinks.full()) await ahead({ table: 'links', columns });
  }
  return { artifacts: ofArtifacts.whole(), links: ofLinks.whole() };
}

function packerOf<Row>({ rows, known, stored, documentOf, valuesOf, idOf }: Compared<Row>) {
  const byDocument = new Map<string, number[]>();
  rows.forEach((row, at) => {
    const id = documentOf(row);
    if (known.has(id)) return;
    const positions = byDocument.get(id);
    if (positions) positions.push(at);
    else byDocument.set(id, [at]);
  });
  const { add, full, whole } = rowPacker();
  const { changed, removed } = rowComparer(stored);
  return {
    has: (documentId: string) => byDocument.has(documentId),
    add(documentId: string, quoteOf: QuoteOf): void {
      for (const at of byDocument.get(documentId) ?? []) {
        const row = rows[at]!;
        const values = changed(valuesOf(row, at, quoteOf), () => idOf(row));
        if (values) add(values);
      }
    },
    full,
    whole: (): ChangedRows => ({ written: whole(), removed: removed() }),
  };
}
