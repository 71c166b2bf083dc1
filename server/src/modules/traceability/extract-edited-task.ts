import {
  type AssumedBecause,
  compareStatements,
  joinDocuments,
  type ReadStatements,
} from '@normtrace/engine';
import type { PackedDocument } from '../documents/packed-documents.js';
import { unpackKept } from '../documents/parsed-document.js';
import { ask, type EngineQuestion } from '../engine/engine-question.js';
import type { EngineTask } from '../engine/engine-task.js';
import { changesOf, type StoredNote, storedNote } from './extract-trace-task.js';
import { storableId, traceRowId } from './trace-columns.js';
import { type ChangedRows, type StoredHashes, saidByDocument } from './trace-differences.js';
import {
  type ArtifactRow,
  groupStatements,
  type LinkRow,
  mergeLinks,
  type RowPlaces,
  rowsAbout,
  sourceOf,
  statementsOf,
} from './trace-rows.js';

export interface EditedInput {
  readonly workspaceId: string;
  /** Which engine this is, see `engineIdentity`. */
  readonly engine: string;
  /** The only document that is another one than in the stored trace, as it was and as it is. */
  readonly before: PackedDocument;
  readonly now: PackedDocument;
  /** What its rows said that are stored. */
  readonly said: SaidOfDocument;
  /** Whether its words decide nothing in other documents. */
  readonly isFree: boolean;
  /** Stored notes about it. */
  readonly notes: readonly StoredNote[];
}

/** Hashes of what the rows of one document say; absent where it has none. */
export interface SaidOfDocument {
  readonly artifacts: string | undefined;
  readonly links: string | undefined;
}

/** What has to be written; nothing is removed. */
export interface EditedOutput {
  readonly artifacts: ChangedRows;
  readonly links: ChangedRows;
  readonly said: SaidOfDocument;
  /** In the order of those that were given. */
  readonly notes: readonly StoredNote[];
}

/** Ids as written. */
export type NamedIds = readonly string[];
/** Artifacts of other documents that have these ids: id and type as documents tell it. */
export type NamedArtifacts = readonly (readonly [id: string, type: string])[];
export const namedArtifacts: EngineQuestion<NamedIds, NamedArtifacts> = {
  kind: 'named artifacts of the trace',
};

/** Ids of rows. */
export interface AskedPlaces {
  readonly artifacts: readonly string[];
  readonly links: readonly string[];
}
/** By row, in the order asked for; null where there is none. */
export interface StoredPlaces {
  readonly artifacts: readonly (StoredPlace | null)[];
  readonly links: readonly (StoredLinkPlace | null)[];
}
export interface StoredPlace {
  readonly ordinal: number;
  readonly work_product_id: string;
  /** Hash of what it says, in hexadecimal digits; empty where an earlier version stored none. */
  readonly said: string;
}
export interface StoredLinkPlace extends StoredPlace {
  readonly source: number | null;
  readonly target: number | null;
  readonly stated_at: LinkRow['statedAt'];
  readonly assumed: AssumedBecause | null;
}
export const storedPlaces: EngineQuestion<AskedPlaces, StoredPlaces> = { kind: 'stored places of the trace' };

/** Where artifacts of other documents stand in the join. */
const OTHERS = 'others';

/**
 * The rows of one document that was edited without saying anything else to others: the same statements, worded or placed
 * otherwise. They are made beside nothing but the artifacts that it names. That this is right is proved by the document as it was:
 * made the same way, with the ordinals that are stored, its rows have to say what the stored ones say. Null where it does
 * not, or more was edited: then all documents have to be joined.
 */
export const extractEditedTask: EngineTask<EditedInput, EditedOutput | null> = {
  name: 'extractEdited',
  processorSeconds: 300,
  work: async (input, context) => {
    const [before, now] = await Promise.all([input.before, input.now].map((one) => read(one, input.engine)));
    const change = compareStatements(before!, now!);
    if (change === 'more' || (change === 'words' && !input.isFree)) return { result: null };
    const others = othersOf(await ask(context, namedArtifacts, idsNamedIn(before!)));
    const was = await rowsOf(input.workspaceId, others, before!);
    // Made while the database looks.
    const [places, is] = await Promise.all([
      ask(context, storedPlaces, was.ids),
      rowsOf(input.workspaceId, others, now!),
    ]);
    const [stored, next] = [storedAs(was, places), storedAs(is, places)];
    if (!stored || !next || !isSame(was.ids, is.ids)) return { result: null };
    const saidBefore = saidOf(input, input.before, stored);
    const notes = newNotes(input.notes, was.notes, is.notes);
    if (!notes || !isSame(saidBefore, input.said)) return { result: null };
    const about = rowsAbout(input.workspaceId, sourcesOf(input, input.now), next.places);
    const known: ReadonlySet<string> = new Set();
    const { artifacts, links } = await changesOf(
      [input.now],
      { ...about.artifacts, rows: next.artifacts, known, stored: next.said.artifacts },
      { ...about.links, rows: next.links, known, stored: next.said.links },
    );
    const result: EditedOutput = {
      artifacts,
      links,
      said: saidOf(input, input.now, next),
      notes,
    };
    return { result };
  },
};

const read = async (document: PackedDocument, engine: string): Promise<ReadStatements> =>
  statementsOf(document, await unpackKept(document.packed), engine);

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Everything that may be an id of an artifact elsewhere: what is no id is found nowhere. */
function idsNamedIn({ seen: { statements, sentences } }: ReadStatements): readonly string[] {
  const ids = new Set<string>();
  const add = (written: string): void => {
    ids.add(storableId(written.trim()));
    for (const one of written.split(/[\s,;|&+]+/u)) if (one !== '') ids.add(one);
  };
  for (const { id, references, context } of statements) {
    ids.add(storableId(id));
    if (context) add(context.id);
    for (const { written } of references) add(written);
  }
  for (const { sources, targets } of sentences) {
    add(sources);
    add(targets);
  }
  return [...ids];
}

function othersOf(artifacts: NamedArtifacts): ReadStatements {
  return {
    seen: {
      source: { id: OTHERS, format: 'markdown' },
      statements: artifacts.map(
        ([id, type]) => ({ ...DEFINED, id, type: type as Statement['type'] }) as Statement,
      ),
      sentences: [],
      demands: [],
    },
  };
}

/** A definition that says nothing; as kept ones, it lacks what is undefined. */
const DEFINED: Partial<Statement> = {
  kind: 'definition',
  text: '',
  location: {},
  start: 0,
  end: 0,
  references: [],
  named: false,
};

type Statement = ReadStatements['seen']['statements'][number];

/** Rows of one document, with their ids. */
interface MadeRows {
  readonly artifacts: readonly ArtifactRow[];
  readonly links: readonly LinkRow[];
  readonly ids: AskedPlaces;
  readonly notes: readonly StoredNote[];
}

async function rowsOf(workspaceId: string, others: ReadStatements, own: ReadStatements): Promise<MadeRows> {
  const { id } = own.seen.source;
  const extraction = joinDocuments([others, own]);
  const groups = await groupStatements(extraction.artifacts);
  const artifacts = groups.rows.filter(({ used }) => used.documentId === id);
  const links = mergeLinks(extraction.links).rows;
  return {
    artifacts,
    links,
    ids: {
      artifacts: artifacts.map((row) => traceRowId(workspaceId, 'document', row.id)),
      links: links.map(({ sourceId, targetId, link: { type } }) =>
        traceRowId(workspaceId, 'document', sourceId, type, targetId),
      ),
    },
    notes: extraction.notes.filter(({ documentId }) => documentId === id).map(storedNote),
  };
}

/** Rows of one document with the ordinals that are stored. */
interface PlacedRows {
  readonly artifacts: readonly ArtifactRow[];
  readonly links: readonly LinkRow[];
  readonly places: RowPlaces;
  /** What is stored of them. */
  readonly said: { readonly artifacts: StoredHashes; readonly links: StoredHashes };
}

const bareId = (id: string): string => id.replaceAll('-', '');

/** Undefined where one is not stored as made here. A link that another document states before this one is its row. */
function storedAs(
  { artifacts, links, notes: _, ids }: MadeRows,
  stored: StoredPlaces,
): PlacedRows | undefined {
  const id = artifacts[0]?.used.documentId ?? links[0]?.link.documentId;
  if (stored.artifacts.length !== ids.artifacts.length || stored.links.length !== ids.links.length)
    return undefined;
  if (!stored.artifacts.every((place) => place?.work_product_id === id)) return undefined;
  const own: LinkRow[] = [];
  const places: StoredLinkPlace[] = [];
  const said = {
    artifacts: new Map(ids.artifacts.map((row, at) => [stored.artifacts[at]!.said, bareId(row)])),
    links: new Map<string, string>(),
  };
  for (const [at, row] of links.entries()) {
    const place = stored.links[at];
    if (!place || (place.stated_at !== row.statedAt && place.stated_at !== 'both')) return undefined;
    if (place.assumed !== null && place.assumed !== row.assumed) return undefined;
    if (place.work_product_id !== id) continue;
    own.push({ ...row, statedAt: place.stated_at, assumed: place.assumed ?? undefined });
    places.push(place);
    said.links.set(place.said, bareId(ids.links[at]!));
  }
  return {
    artifacts,
    links: own,
    said,
    places: {
      artifacts: stored.artifacts.map((place) => place!.ordinal),
      links: places.map(({ ordinal }) => ordinal),
      endsOf: (_row, at) => [String(places[at]!.source ?? ''), String(places[at]!.target ?? '')],
    },
  };
}

const sourcesOf = ({ engine }: EditedInput, document: PackedDocument) =>
  new Map([[document.id, sourceOf(document, engine)]]);

function saidOf(
  input: EditedInput,
  document: PackedDocument,
  { artifacts, links, places }: PlacedRows,
): SaidOfDocument {
  const about = rowsAbout(input.workspaceId, sourcesOf(input, document), places);
  return {
    artifacts: saidByDocument(artifacts, about.artifacts)[document.id],
    links: saidByDocument(links, about.links)[document.id],
  };
}

/** The stored notes with their new places; undefined where they are not those of the document as it was. */
function newNotes(
  stored: readonly StoredNote[],
  before: readonly StoredNote[],
  now: readonly StoredNote[],
): readonly StoredNote[] | undefined {
  const taken = new Map<string, number>();
  const of = (notes: readonly StoredNote[], { code }: StoredNote) =>
    notes.filter((note) => note.code === code)[taken.get(code) ?? 0];
  const found: StoredNote[] = [];
  for (const note of stored) {
    const [old, next] = [of(before, note), of(now, note)];
    if (!old || !next || !isSameNote(old, note)) return undefined;
    found.push(next);
    taken.set(note.code, (taken.get(note.code) ?? 0) + 1);
  }
  return found;
}

/** Stored ones have the keys of their places in another order. */
const isSameNote = (one: StoredNote, other: StoredNote): boolean =>
  one.message === other.message &&
  isSame(Object.entries(one.location).sort(), Object.entries(other.location).sort());
