import { contentHash, type Document, type ExtractedArtifact, extractArtifacts } from '@normtrace/engine';
import { unpackDocument } from '../documents/parsed-document.js';
import type { EngineTask } from '../engine/engine-task.js';

export interface CompareArtifactsInput {
  /** See `packDocument`. */
  readonly base: Uint8Array;
  readonly head: Uint8Array;
  /** The type that a person chose for the document. */
  readonly documentType: string | null;
}

/** What a version says of an id where it says it first. */
export interface ToldArtifact {
  readonly type: string;
  readonly name: string | null;
  readonly text: string;
  readonly asil: string | null;
  readonly status: string | null;
  readonly start: number;
  readonly end: number;
}

export interface ArtifactChange {
  readonly artifact_id: string;
  readonly base: ToldArtifact | null;
  readonly head: ToldArtifact | null;
}

interface Counted {
  readonly total: number;
  /** The first ones, in the order of the document. */
  readonly items: readonly ArtifactChange[];
}

export interface ArtifactChanges {
  readonly added: Counted;
  readonly removed: Counted;
  readonly changed: Counted;
}

const MOST_LISTED = 200;
/** Of a text. */
const MOST_LETTERS = 1_000;

/** Compares the artifacts that two versions of a document name, each read beside no other document. */
export const compareArtifactsTask: EngineTask<CompareArtifactsInput, ArtifactChanges> = {
  name: 'compareArtifacts',
  processorSeconds: 300,
  work: async ({ base, head, documentType }) => {
    const [older, newer] = [
      artifactsOf(await unpackDocument(base), documentType),
      artifactsOf(await unpackDocument(head), documentType),
    ];
    const changes = (ids: Iterable<string>, is: (id: string) => boolean): Counted => {
      const found = [...ids].filter(is);
      const items = found.slice(0, MOST_LISTED).map((id) => ({
        artifact_id: id,
        base: told(older.get(id)),
        head: told(newer.get(id)),
      }));
      return { total: found.length, items };
    };
    const result = {
      added: changes(newer.keys(), (id) => !older.has(id)),
      removed: changes(older.keys(), (id) => !newer.has(id)),
      changed: changes(
        newer.keys(),
        (id) => older.has(id) && saidBy(older.get(id)!) !== saidBy(newer.get(id)!),
      ),
    };
    return { result };
  },
};

/** By id; an id may be stated several times. */
function artifactsOf(
  document: Document,
  documentType: string | null,
): ReadonlyMap<string, readonly ExtractedArtifact[]> {
  const { artifacts } = extractArtifacts([
    { id: 'document', document, ...(documentType === null ? {} : { documentType }) },
  ]);
  const byId = new Map<string, ExtractedArtifact[]>();
  for (const one of artifacts) byId.set(one.id, [...(byId.get(one.id) ?? []), one]);
  return byId;
}

/** Status counts here: a requirement that was approved meanwhile says something else. */
const saidBy = (statements: readonly ExtractedArtifact[]): string =>
  statements.map((one) => `${contentHash(one)} ${one.status ?? ''}`).join('\n');

function told(statements: readonly ExtractedArtifact[] | undefined): ToldArtifact | null {
  const [one] = statements ?? [];
  if (!one) return null;
  const { type, name = null, text, asil = null, status = null, start, end } = one;
  return { type, name, text: text.slice(0, MOST_LETTERS), asil, status, start, end };
}
