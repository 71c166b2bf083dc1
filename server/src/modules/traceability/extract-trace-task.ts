import {
  type ArtifactType,
  contentHash,
  type Document,
  type ExtractedArtifact,
  type ExtractedLink,
  type ExtractionNote,
  extractArtifacts,
  type Location,
  loadTraceabilityRules,
  ownDefinition,
} from '@normtrace/engine';
import { type PackedDocument, unpackDocuments } from '../documents/packed-documents.js';
import { quoteFinder } from '../documents/quote-places.js';
import type { EngineTask } from '../engine/engine-task.js';
import { tellProgress } from '../engine/run-news.js';
import { MAX_ID_LENGTH, storableId, traceRowId } from './trace-columns.js';
import { type ChangedRows, changesOf, spacedOrdinals } from './trace-differences.js';

export interface TraceExtractionInput {
  readonly workspaceId: string;
  readonly documents: readonly PackedDocument[];
  /** What is stored of documents now, see `changesOf`. */
  readonly stored: { readonly artifacts: Uint8Array | null; readonly links: Uint8Array | null };
}

export interface TraceExtractionOutput {
  /** See `artifactValues`. */
  readonly artifacts: ChangedRows;
  /** See `linkValues`. */
  readonly links: ChangedRows;
  readonly artifactCount: number;
  readonly linkCount: number;
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
>;

const SHARES = { documents: [0, 40], artifacts: [40, 80], rows: [80, 90] } as const;

/** Takes artifacts and links out of parsed documents, as rows for the database. */
export const extractTraceTask: EngineTask<TraceExtractionInput, TraceExtractionOutput> = {
  name: 'extractTrace',
  processorSeconds: 900,
  work: async (input, context) => {
    const progress = tellProgress(context, SHARES);
    const unpacked = await unpackDocuments(input.documents, context, progress);
    progress('artifacts', 0, 1);
    const extraction = extractArtifacts(unpacked);
    progress('rows', 0, 1);
    const documents = new Map(
      unpacked.map(({ id, version, document }) => [id, sourceOf(document, Number(version))]),
    );
    const groups = await groupStatements(extraction.artifacts);
    const links = mergeLinks(extraction.links);
    const notes: StoredNote[] = extraction.notes.map(({ code, message, documentId, location }) => ({
      code,
      message,
      work_product_id: documentId,
      location,
    }));
    const artifacts = groups.rows;
    const places = spacedOrdinals(artifacts.map(({ statements }) => statements[0]!.documentId));
    const ordinals = new Map(artifacts.map(({ id }, at) => [id, String(places[at])]));
    const linkPlaces = spacedOrdinals(links.rows.map(({ link }) => link.documentId));
    const { workspaceId, stored } = input;
    const result: TraceExtractionOutput = {
      artifacts: changesOf(artifacts, stored.artifacts, (row) =>
        artifactValues(row, { workspaceId, sources: documents, ordinal: ordinals.get(row.id)! }),
      ),
      links: changesOf(links.rows, stored.links, (row, at) =>
        linkValues(row, { workspaceId, sources: documents, ordinals, ordinal: String(linkPlaces[at]) }),
      ),
      artifactCount: artifacts.length,
      linkCount: links.rows.length,
      notes,
      noteCounts: {
        ...extraction.noteCounts,
        ...(groups.tooLong + links.tooLong > 0 ? { id_too_long: groups.tooLong + links.tooLong } : {}),
      },
    };
    return { result };
  },
};

interface Source {
  readonly version: number;
  readonly quoteOf: ReturnType<typeof quoteFinder>;
}
type Sources = ReadonlyMap<string, Source>;

const sourceOf = (document: Document, version: number): Source => ({
  version,
  quoteOf: quoteFinder(document),
});

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
}

/** The same link stated in several places is one row, at its first place. */
function mergeLinks(links: readonly ExtractedLink[]): {
  readonly rows: LinkRow[];
  readonly tooLong: number;
} {
  const byKey = new Map<string, LinkRow>();
  let tooLong = 0;
  for (const link of links) {
    const sourceId = storableId(link.sourceId);
    const targetId = storableId(link.targetId);
    if (!isKept(sourceId) || !isKept(targetId)) {
      tooLong++;
      continue;
    }
    const statedAt = link.statedAt ?? 'source';
    const key = `${link.type}\n${sourceId}\n${targetId}`;
    const known = byKey.get(key);
    if (!known) byKey.set(key, { sourceId, targetId, link, statedAt });
    else if (known.statedAt !== statedAt) known.statedAt = 'both';
  }
  return { rows: [...byKey.values()], tooLong };
}

const isKept = (id: string): boolean => id.length > 0 && id.length <= MAX_ID_LENGTH;

/** Id, ordinal, artifact_id, type, name, text, status, asil, facts, statements, content_hash, then its place. */
function artifactValues(
  { id, used, statements }: ArtifactRow,
  about: { readonly workspaceId: string; readonly sources: Sources; readonly ordinal: string },
): readonly string[] {
  const { asilPlace } = used;
  const source = about.sources.get(used.documentId)!;
  const { quote, start, end, location } = source.quoteOf(used, used.text);
  const level = asilPlace && source.quoteOf(asilPlace);
  return [
    traceRowId(about.workspaceId, 'document', id),
    about.ordinal,
    id,
    used.type,
    used.name ?? '',
    used.text,
    used.status ?? '',
    used.asil ?? '',
    factsText(used),
    statements.length > 1 ? JSON.stringify(statements.map((one) => storedStatement(one, about.sources))) : '',
    contentHash(used),
    used.documentId,
    String(source.version),
    JSON.stringify(location),
    quote,
    String(start),
    String(end),
    level ? JSON.stringify(level) : '',
  ];
}

/** Id, ordinal, source_id, target_id, ordinals of both, link_type, stated_at, then its place. */
function linkValues(
  { sourceId, targetId, statedAt, link }: LinkRow,
  about: {
    readonly workspaceId: string;
    readonly sources: Sources;
    readonly ordinals: ReadonlyMap<string, string>;
    readonly ordinal: string;
  },
): readonly string[] {
  const source = about.sources.get(link.documentId)!;
  const { quote, start, end, location } = source.quoteOf(link, targetId);
  return [
    traceRowId(about.workspaceId, 'document', sourceId, link.type, targetId),
    about.ordinal,
    sourceId,
    targetId,
    about.ordinals.get(sourceId) ?? '',
    about.ordinals.get(targetId) ?? '',
    link.type,
    statedAt,
    link.documentId,
    String(source.version),
    JSON.stringify(location),
    quote,
    String(start),
    String(end),
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
    version: sources.get(documentId)!.version,
    location,
  };
}

const FACTS = [
  ...(['version', 'cal', 'risk', 'ratings', 'informational', 'external', 'kind', 'result'] as const),
  ...(['stale', 'configuration', 'verificationMethod'] as const),
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
