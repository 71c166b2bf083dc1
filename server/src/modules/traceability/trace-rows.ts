import { hash } from 'node:crypto';
import {
  type ArtifactType,
  type AssumedBecause,
  contentHash,
  type ExtractedArtifact,
  type ExtractedLink,
  LINK_TYPES,
  type Location,
  loadTraceabilityRules,
  ownDefinition,
  type ReadStatements,
  readDocumentStatements,
} from '@normtrace/engine';
import type { PackedDocument } from '../documents/packed-documents.js';
import { documentPart, readKept, unpackDocument } from '../documents/parsed-document.js';
import type { quoteFinder } from '../documents/quote-places.js';
import { BETWEEN, MAX_ID_LENGTH, storableId, traceRowId } from './trace-columns.js';
import { type OrdinalsOfDocuments, spacedOrdinals } from './trace-differences.js';

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

/** As they were kept when the document was read, if the same engine read it as the same type. */
export async function statementsOf(
  { packed, id, documentType }: PackedDocument,
  unpacked: Uint8Array | undefined,
  engine: string,
): Promise<ReadStatements> {
  const kept = unpacked && readKept(unpacked, id, { engine, documentType: documentType ?? null });
  if (kept) return kept;
  const document = await unpackDocument(packed);
  return readDocumentStatements({ id, document, ...(documentType === undefined ? {} : { documentType }) });
}

export interface Source {
  readonly version: string;
  /** The same where the document says the same of ids, in the same places. */
  readonly statements: string;
}
export type Sources = ReadonlyMap<string, Source>;
export type QuoteOf = ReturnType<typeof quoteFinder>;

/** Raised when the rows of the same statements are other ones. */
const ROWS = 1;

export function sourceOf({ version, packed, documentType }: PackedDocument, engine: string): Source {
  const reading = hash('sha256', documentPart(packed), 'hex');
  return { version, statements: [ROWS, engine, documentType, version, reading].join(BETWEEN) };
}

/** What is known of rows of one kind. */
export interface RowsAbout<Row> {
  idOf(row: Row): string;
  documentOf(row: Row): string;
  /** What its statements say of themselves (`Source.statements`), for all rows of a document. */
  sourceOf(documentId: string): string;
  /** What decides the values beside that: which statement it is, and what all documents together make of it. */
  joinedOf(row: Row, at: number): string;
  /** Everything that is stored of a row but its id and its hash. No two rows have the same. */
  valuesOf(row: Row, at: number, quoteOf: QuoteOf): string[];
}

/** Ordinals of rows, as they are stored: of the rows at these positions, and of the ends of links; empty where none has the id. */
export interface RowPlaces {
  readonly artifacts: ArrayLike<number>;
  readonly links: ArrayLike<number>;
  endsOf(row: LinkRow, at: number): readonly [source: string, target: string];
}

/** How the rows of documents are numbered. */
export interface Numbered {
  readonly artifacts: OrdinalsOfDocuments;
  readonly links: OrdinalsOfDocuments;
}

/**
 * Ordinals of all rows of a trace.
 * @param before How those are numbered that are stored.
 */
export function spacedPlaces(
  artifacts: readonly ArtifactRow[],
  links: readonly LinkRow[],
  before?: Numbered,
): { readonly places: RowPlaces; readonly numbered: Numbered } {
  const ofArtifacts = spacedOrdinals(
    artifacts.map(({ statements }) => statements[0]!.documentId),
    before?.artifacts,
  );
  const ofLinks = spacedOrdinals(
    links.map(({ link }) => link.documentId),
    before?.links,
  );
  const ordinals = new Map(artifacts.map(({ id }, at) => [id, ofArtifacts.ordinals[at]!]));
  // Looked up once: each row is told several times. No ordinal is 0.
  const sources = Int32Array.from(links, ({ sourceId }) => ordinals.get(sourceId) ?? 0);
  const targets = Int32Array.from(links, ({ targetId }) => ordinals.get(targetId) ?? 0);
  const textOf = (ordinal: number): string => (ordinal === 0 ? '' : String(ordinal));
  return {
    places: {
      artifacts: ofArtifacts.ordinals,
      links: ofLinks.ordinals,
      endsOf: (_row, at) => [textOf(sources[at]!), textOf(targets[at]!)],
    },
    numbered: { artifacts: ofArtifacts.documents, links: ofLinks.documents },
  };
}

export interface AboutRows {
  readonly artifacts: RowsAbout<ArtifactRow>;
  readonly links: RowsAbout<LinkRow>;
}

export function rowsAbout(
  workspaceId: string,
  sources: Sources,
  { artifacts: places, links: linkPlaces, endsOf }: RowPlaces,
): AboutRows {
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
      valuesOf(row, at, quoteOf) {
        const { used } = row;
        const { quote, start, end, location } = quoteOf(used, used.text);
        const level = used.asilPlace && quoteOf(used.asilPlace);
        return [
          String(places[at]),
          ...statedOf(row, sources),
          contentHash(used),
          used.documentId,
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
      joinedOf(row, at) {
        const { sourceId, targetId, statedAt, assumed, link } = row;
        const ends = endsOf(row, at).join(' ');
        return `${linkPlaces[at]} ${link.start} ${link.end} ${ends} ${link.type} ${statedAt} ${assumed ?? ''}${BETWEEN}${sourceId}${BETWEEN}${targetId}`;
      },
      documentOf: ({ link }) => link.documentId,
      idOf: ({ sourceId, targetId, link }) =>
        traceRowId(workspaceId, 'document', sourceId, link.type, targetId),
      valuesOf(row, at, quoteOf) {
        const { sourceId, targetId, statedAt, assumed, link } = row;
        const { quote, start, end, location } = quoteOf(link, targetId);
        return [
          String(linkPlaces[at]),
          sourceId,
          targetId,
          ...endsOf(row, at),
          link.type,
          statedAt,
          assumed ?? '',
          link.documentId,
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

/** An id with its statements; `used` is the one that the engine uses. */
export interface ArtifactRow {
  readonly id: string;
  readonly used: ExtractedArtifact;
  readonly statements: readonly ExtractedArtifact[];
}

export async function groupStatements(
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

export interface LinkRow {
  readonly sourceId: string;
  readonly targetId: string;
  readonly link: ExtractedLink;
  statedAt: 'source' | 'target' | 'both';
  /** Undefined where one of the places states it. */
  assumed: AssumedBecause | undefined;
}

/** The same link stated in several places is one row, at its first place. */
export function mergeLinks(links: readonly ExtractedLink[]): {
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
