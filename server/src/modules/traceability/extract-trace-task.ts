import { hash } from 'node:crypto';
import {
  type ArtifactType,
  type AssumedBecause,
  contentHash,
  type ExtractedArtifact,
  type ExtractedLink,
  type ExtractionNote,
  joinDocuments,
  LINK_TYPES,
  type Location,
  loadTraceabilityRules,
  ownDefinition,
  type ReadStatements,
  readDocumentStatements,
} from '@normtrace/engine';
import type { PackedDocument } from '../documents/packed-documents.js';
import {
  documentPart,
  readDocumentText,
  readKept,
  unpackDocument,
  unpackKept,
  unpackText,
} from '../documents/parsed-document.js';
import { quoteFinder } from '../documents/quote-places.js';
import { ask, type EngineQuestion } from '../engine/engine-question.js';
import type { EngineTask } from '../engine/engine-task.js';
import { tellProgress } from '../engine/run-news.js';
import { BETWEEN, MAX_ID_LENGTH, storableId, traceRowId } from './trace-columns.js';
import {
  type ChangedRow,
  type ChangedRows,
  type Columns,
  changesOf,
  rowPacker,
  type SaidByDocument,
  saidByDocument,
  spacedOrdinals,
  unchangedDocuments,
} from './trace-differences.js';

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
}

/** Documents whose rows are known to be stored as they are. */
export interface KnownDocuments {
  readonly artifacts: readonly string[];
  readonly links: readonly string[];
}

/** What is stored of the rows of other documents, see `changesOf`. */
export interface StoredRows {
  readonly artifacts: Uint8Array | null;
  readonly links: Uint8Array | null;
}

/** What is stored of documents, but of those. */
export const storedRows: EngineQuestion<KnownDocuments, StoredRows> = { kind: 'stored rows of the trace' };

export interface TraceExtractionOutput {
  /** The columns that `writeArtifacts` takes. */
  readonly artifacts: ChangedRows;
  /** The columns that `writeLinks` takes. */
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
  readonly work_product_id: string;
  readonly location: Location;
}

/** One of several statements of an id, as it is stored beside the row of the artifact. */
export interface StoredStatement {
  readonly type: ArtifactType;
  readonly text: string;
  readonly asil?: string;
  readonly status?: string;
  readonly documentType?: string;
  readonly facts: ArtifactFacts;
  readonly work_product_id: string;
  readonly version: number;
  readonly location: Location;
}

/** What few artifacts have; stored together. */
export type ArtifactFacts = Pick<
  ExtractedArtifact,
  | 'version'
  | 'cal'
  | 'risk'
  | 'ratings'
  | 'informational'
  | 'external'
  | 'kind'
  | 'result'
  | 'stale'
  | 'configuration'
  | 'verificationMethod'
  | 'needs'
>;

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
    const notes: StoredNote[] = extraction.notes.map(({ code, message, documentId, location }) => ({
      code,
      message,
      work_product_id: documentId,
      location,
    }));
    const about = rowsAbout(input.workspaceId, sources, groups.rows, links.rows);
    const said: SaidInTrace = {
      artifacts: saidByDocument(groups.rows, about.artifacts),
      links: saidByDocument(links.rows, about.links),
    };
    const known = {
      artifacts: unchangedDocuments(said.artifacts, input.said?.artifacts),
      links: unchangedDocuments(said.links, input.said?.links),
    };
    const stored = await ask(context, storedRows, {
      artifacts: [...known.artifacts],
      links: [...known.links],
    });
    const artifacts = changesOf(groups.rows, stored.artifacts, about.artifacts, {
      isKnown: (row) => known.artifacts.has(about.artifacts.documentOf(row)),
    });
    const changedLinks = changesOf(links.rows, stored.links, about.links, {
      isKnown: (row) => known.links.has(about.links.documentOf(row)),
    });
    const written = await writtenRows(
      input.documents,
      { ...about.artifacts, changed: artifacts.changed },
      { ...about.links, changed: changedLinks.changed },
    );
    const result: TraceExtractionOutput = {
      artifacts: { written: written.artifacts, removed: artifacts.removed },
      links: { written: written.links, removed: changedLinks.removed },
      artifactCount: groups.rows.length,
      linkCount: links.rows.length,
      said,
      notes,
      noteCounts: {
        ...extraction.noteCounts,
        ...(groups.tooLong + links.tooLong > 0 ? { id_too_long: groups.tooLong + links.tooLong } : {}),
      },
    };
    return { result };
  },
};

/** Begun now; that it failed is told where it is waited for. */
function readAhead<Value>(begun: Promise<Value>): Promise<Value> {
  begun.catch(() => undefined);
  return begun;
}

/** As they were kept when the document was read, if the same engine read it as the same type. */
async function statementsOf(
  { packed, id, documentType }: PackedDocument,
  unpacked: Uint8Array | undefined,
  engine: string,
): Promise<ReadStatements> {
  const kept = unpacked && readKept(unpacked, id, { engine, documentType: documentType ?? null });
  if (kept) return kept;
  const document = await unpackDocument(packed);
  return readDocumentStatements({ id, document, ...(documentType === undefined ? {} : { documentType }) });
}

interface Source {
  readonly version: string;
  /** The same for the same reading of a document. */
  readonly reading: string;
  /** The same where the document says the same of ids, in the same places. */
  readonly statements: string;
}
type Sources = ReadonlyMap<string, Source>;
type QuoteOf = ReturnType<typeof quoteFinder>;

/** Raised when the rows of the same statements are other ones. */
const ROWS = 1;

function sourceOf({ version, packed, documentType }: PackedDocument, engine: string): Source {
  const reading = hash('sha256', documentPart(packed), 'hex');
  return { version, reading, statements: [ROWS, engine, documentType, version, reading].join(BETWEEN) };
}

/** What is known of rows of one kind; `values` is everything that is stored, the hash excepted. */
interface RowsAbout<Row> {
  idOf(row: Row): string;
  /** Everything that decides the values: the reading stands for what is quoted from it. */
  saysOf(row: Row, at: number): string;
  documentOf(row: Row): string;
  /** What its statements say of themselves (`Source.statements`), for all rows of a document. */
  sourceOf(documentId: string): string;
  /** What decides the values beside that: which statement it is, and what all documents together make of it. */
  joinedOf(row: Row, at: number): string;
  valuesOf(changed: Omit<ChangedRow<Row>, 'said'>, quoteOf: QuoteOf): string[];
}

function rowsAbout(
  workspaceId: string,
  sources: Sources,
  artifacts: readonly ArtifactRow[],
  links: readonly LinkRow[],
): { readonly artifacts: RowsAbout<ArtifactRow>; readonly links: RowsAbout<LinkRow> } {
  const places = spacedOrdinals(artifacts.map(({ statements }) => statements[0]!.documentId));
  const ordinals = new Map(artifacts.map(({ id }, at) => [id, String(places[at])]));
  const linkPlaces = spacedOrdinals(links.map(({ link }) => link.documentId));
  const locations = locationTexts();
  const quoted = locationTexts();
  const statementsIn = (documentId: string): string => sources.get(documentId)!.statements;
  return {
    artifacts: {
      sourceOf: statementsIn,
      joinedOf({ id, used, statements }, at) {
        const { type, text, name = '', start, end, asilPlace, ratings } = used;
        const { status = '', asil = '', verificationMethod = '', result = '' } = used;
        const place = `${places[at]} ${start} ${end} ${asilPlace?.start} ${asilPlace?.end}`;
        const said = `${id}${BETWEEN}${type}${BETWEEN}${name}${BETWEEN}${text}`;
        const settled = `${status}${BETWEEN}${asil}${BETWEEN}${verificationMethod}${BETWEEN}${result}`;
        const rest =
          statements.length > 1 || ratings
            ? JSON.stringify([ratings, statements, statements.map((one) => statementsIn(one.documentId))])
            : '';
        return `${place}${BETWEEN}${said}${BETWEEN}${settled}${BETWEEN}${rest}`;
      },
      documentOf: ({ used }) => used.documentId,
      idOf: ({ id }) => traceRowId(workspaceId, 'document', id),
      saysOf(row, at) {
        const { used } = row;
        const source = sources.get(used.documentId)!;
        const { start, end, asilPlace } = used;
        const level = asilPlace ? JSON.stringify(asilPlace) : '';
        return `${source.reading} ${source.version} ${places[at]} ${start} ${end} ${locations(used.location)} ${level}${BETWEEN}${statedOf(row, sources).join(BETWEEN)}`;
      },
      valuesOf({ row, at, id }, quoteOf) {
        const { used } = row;
        const { quote, start, end, location } = quoteOf(used, used.text);
        const level = used.asilPlace && quoteOf(used.asilPlace);
        return [
          id,
          String(places[at]),
          ...statedOf(row, sources),
          contentHash(used),
          used.documentId,
          sources.get(used.documentId)!.version,
          quoted(location),
          quote,
          String(start),
          String(end),
          level ? JSON.stringify(level) : '',
        ];
      },
    },
    links: {
      sourceOf: statementsIn,
      joinedOf({ sourceId, targetId, statedAt, link }, at) {
        const ends = `${ordinals.get(sourceId) ?? ''} ${ordinals.get(targetId) ?? ''}`;
        return `${linkPlaces[at]} ${link.start} ${link.end} ${ends} ${link.type} ${statedAt}${BETWEEN}${sourceId}${BETWEEN}${targetId}`;
      },
      documentOf: ({ link }) => link.documentId,
      idOf: ({ sourceId, targetId, link }) =>
        traceRowId(workspaceId, 'document', sourceId, link.type, targetId),
      saysOf({ sourceId, targetId, statedAt, assumed, link }, at) {
        const source = sources.get(link.documentId)!;
        const ends = `${ordinals.get(sourceId) ?? ''}${BETWEEN}${ordinals.get(targetId) ?? ''}`;
        const place = `${link.start} ${link.end} ${locations(link.location)}`;
        return `${source.reading} ${source.version} ${linkPlaces[at]} ${place}${BETWEEN}${sourceId}${BETWEEN}${targetId}${BETWEEN}${ends} ${link.type} ${statedAt}${assumed ? ` ${assumed}` : ''}`;
      },
      valuesOf({ row: { sourceId, targetId, statedAt, assumed, link }, at, id }, quoteOf) {
        const { quote, start, end, location } = quoteOf(link, targetId);
        return [
          id,
          String(linkPlaces[at]),
          sourceId,
          targetId,
          ordinals.get(sourceId) ?? '',
          ordinals.get(targetId) ?? '',
          link.type,
          statedAt,
          assumed ?? '',
          link.documentId,
          sources.get(link.documentId)!.version,
          quoted(location),
          quote,
          String(start),
          String(end),
        ];
      },
    },
  };
}

/** Locations as text; links of one row have the same one, one after the other. */
function locationTexts(): (location: Location) => string {
  let last: Location | undefined;
  let text = '';
  return (location) => {
    if (location !== last) text = JSON.stringify(location);
    last = location;
    return text;
  };
}

interface Changed<Row> extends RowsAbout<Row> {
  readonly changed: readonly ChangedRow<Row>[];
}

/** The values of changed rows, in batches for each kind; only documents that have such are unpacked, each while rows of the one before are made. */
async function writtenRows(
  documents: readonly PackedDocument[],
  artifacts: Changed<ArtifactRow>,
  links: Changed<LinkRow>,
): Promise<{ readonly artifacts: Columns[]; readonly links: Columns[] }> {
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
  }
  return { artifacts: ofArtifacts.whole(), links: ofLinks.whole() };
}

function packerOf<Row>({ changed, documentOf, valuesOf }: Changed<Row>) {
  const byDocument = new Map<string, ChangedRow<Row>[]>();
  for (const one of changed) {
    const id = documentOf(one.row);
    const known = byDocument.get(id);
    if (known) known.push(one);
    else byDocument.set(id, [one]);
  }
  const { add, whole } = rowPacker();
  return {
    has: (documentId: string) => byDocument.has(documentId),
    add(documentId: string, quoteOf: QuoteOf): void {
      for (const one of byDocument.get(documentId) ?? []) {
        const values = valuesOf(one, quoteOf);
        values.push(one.said);
        add(values);
      }
    },
    whole,
  };
}

/** An id with its statements; `used` is the one that the engine uses. */
interface ArtifactRow {
  readonly id: string;
  readonly used: ExtractedArtifact;
  readonly statements: readonly ExtractedArtifact[];
}

async function groupStatements(
  artifacts: readonly ExtractedArtifact[],
): Promise<{ readonly rows: ArtifactRow[]; readonly tooLong: number }> {
  const rules = await loadTraceabilityRules();
  const byId = new Map<string, ExtractedArtifact[]>();
  let tooLong = 0;
  for (const artifact of artifacts) {
    const id = storableId(artifact.id);
    if (id.length === 0 || id.length > MAX_ID_LENGTH) {
      tooLong++;
      continue;
    }
    const known = byId.get(id);
    if (known) known.push(artifact);
    else byId.set(id, [artifact]);
  }
  const rows = [...byId].map(([id, statements]) => ({
    id,
    used: statements.length === 1 ? statements[0]! : ownDefinition(statements, rules),
    statements,
  }));
  return { rows, tooLong };
}

interface LinkRow {
  readonly sourceId: string;
  readonly targetId: string;
  readonly link: ExtractedLink;
  statedAt: 'source' | 'target' | 'both';
  /** Undefined where one of the places states it. */
  assumed: AssumedBecause | undefined;
}

/** The same link stated in several places is one row, at its first place. */
function mergeLinks(links: readonly ExtractedLink[]): {
  readonly rows: LinkRow[];
  readonly tooLong: number;
} {
  // By numbers: texts made of both ids for each of hundreds of thousands of links take longer than all else here.
  const numbers = new Map<string, number>();
  const numberOf = (id: string): number => {
    let number = numbers.get(id);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(id, number);
    }
    return number;
  };
  const bySource: Map<number, LinkRow>[] = [];
  const rows: LinkRow[] = [];
  let tooLong = 0;
  for (const link of links) {
    const sourceId = storableId(link.sourceId);
    const targetId = storableId(link.targetId);
    if (!isKept(sourceId) || !isKept(targetId)) {
      tooLong++;
      continue;
    }
    const statedAt = link.statedAt ?? 'source';
    const source = numberOf(sourceId);
    bySource[source] ??= new Map();
    const key = numberOf(targetId) * LINK_TYPES.length + LINK_TYPES.indexOf(link.type);
    const known = bySource[source].get(key);
    if (known) {
      if (known.statedAt !== statedAt) known.statedAt = 'both';
      if (link.assumed === undefined) known.assumed = undefined;
      continue;
    }
    const row: LinkRow = { sourceId, targetId, link, statedAt, assumed: link.assumed };
    bySource[source].set(key, row);
    rows.push(row);
  }
  return { rows, tooLong };
}

const isKept = (id: string): boolean => id.length > 0 && id.length <= MAX_ID_LENGTH;

/** artifact_id, type, name, text, status, asil, facts, statements. */
function statedOf({ id, used, statements }: ArtifactRow, sources: Sources): readonly string[] {
  return [
    id,
    used.type,
    used.name ?? '',
    used.text,
    used.status ?? '',
    used.asil ?? '',
    factsText(used),
    statements.length > 1 ? JSON.stringify(statements.map((one) => storedStatement(one, sources))) : '',
  ];
}

function storedStatement(one: ExtractedArtifact, sources: Sources): StoredStatement {
  const { type, text, asil, status, documentType, documentId, location } = one;
  return {
    type,
    text,
    ...(asil === undefined ? {} : { asil }),
    ...(status === undefined ? {} : { status }),
    ...(documentType === undefined ? {} : { documentType }),
    facts: factsOf(one),
    work_product_id: documentId,
    version: Number(sources.get(documentId)!.version),
    location,
  };
}

const FACTS = [
  ...(['version', 'cal', 'risk', 'ratings', 'informational', 'external', 'kind', 'result'] as const),
  ...(['stale', 'configuration', 'verificationMethod', 'needs'] as const),
] as const satisfies readonly (keyof ArtifactFacts)[];

function factsText(artifact: ExtractedArtifact): string {
  const facts = factsOf(artifact);
  return Object.keys(facts).length === 0 ? '' : JSON.stringify(facts);
}

function factsOf(artifact: ExtractedArtifact): ArtifactFacts {
  const facts: Record<string, unknown> = {};
  for (const name of FACTS) if (artifact[name] !== undefined) facts[name] = artifact[name];
  return facts;
}
