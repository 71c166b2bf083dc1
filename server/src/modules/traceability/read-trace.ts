import {
  ARTIFACT_TYPES,
  type Artifact,
  type ArtifactType,
  LINK_TYPES,
  type LinkType,
  type TraceabilityInput,
} from '@normtrace/engine';
import { valuesOf } from './trace-columns.js';
import type { ArtifactFacts, StoredStatement } from './trace-rows.js';

/**
 * The trace of a workspace as it comes from the database: each column one value, null where there are no rows, all in
 * one order. Links that a person rejected are not in it.
 */
export interface TraceColumns {
  /** By artifact: ordinal and number of the type (from 1), big-endian. */
  readonly artifacts: Uint8Array | null;
  readonly artifact_ids: string | null;
  readonly asils: string | null;
  readonly statuses: string | null;
  /** JSON of `ExtraFacts`, or nothing. */
  readonly facts: string | null;
  /** Only for the matrix and the proposals. */
  readonly texts?: string | null;
  readonly names?: string | null;
  /** By link: ordinal, ordinals of source and target (0: see `named_links`), type and whose place states it. */
  readonly links: Uint8Array | null;
  /** Ordinal, source and target of the links an end of which has no ordinal. */
  readonly named_links: string | null;
  /** Links that nothing states and nobody confirmed. */
  readonly assumed_links: number;
}

/** What few artifacts have; `statements` where the documents state the id several times. */
interface ExtraFacts extends ArtifactFacts {
  readonly text?: string;
  readonly told_type?: ArtifactType;
  readonly statements?: readonly StoredStatement[];
}

export type ReadTrace = Required<Pick<TraceabilityInput, 'artifacts' | 'links' | 'ends'>>;

/** Artifacts and links as the engine takes them, in the order of their ordinals. */
export function readTrace(columns: TraceColumns): ReadTrace {
  const { artifacts, byOrdinal } = readArtifacts(columns);
  return { artifacts, ...readLinks(columns, artifacts, byOrdinal) };
}

/** Ordinals of documents are lower. */
const FIRST_ADDED = 1_000_000_000;

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

function readArtifacts(columns: TraceColumns): {
  readonly artifacts: readonly Artifact[];
  /** Position of the first artifact of each ordinal; -1 where there is none. */
  readonly byOrdinal: Int32Array;
} {
  const rows = numbersOf(columns.artifacts, 2);
  const ids = valuesOf(columns.artifact_ids);
  const asils = valuesOf(columns.asils);
  const statuses = valuesOf(columns.statuses);
  const facts = valuesOf(columns.facts);
  const texts = valuesOf(columns.texts ?? null);
  const names = valuesOf(columns.names ?? null);
  const read = factsReader();
  const artifacts: Artifact[] = [];
  const byOrdinal = byOrdinals(rows);
  for (const row of inOrder(rows, 2)) {
    const id = ids[row]!;
    const ordinal = rows[2 * row]!;
    if (ordinal < byOrdinal.length) byOrdinal[ordinal] = artifacts.length;
    const type = ARTIFACT_TYPES[rows[2 * row + 1]! - 1]!;
    const extra = facts[row] === '' ? undefined : read(facts[row]!);
    if (extra?.statements) {
      for (const one of extra.statements) artifacts.push(statedArtifact(id, type, extra.told, one));
      continue;
    }
    const artifact: Writable<Artifact> = { id, type, text: texts[row] ?? extra?.text ?? '' };
    if (names[row]) artifact.name = names[row];
    if (asils[row] !== '') artifact.asil = asils[row]!;
    if (statuses[row] !== '') artifact.status = statuses[row]!;
    if (extra) Object.assign(artifact, extra.own);
    artifacts.push(artifact);
  }
  return { artifacts, byOrdinal };
}

/** Room for something of each ordinal of documents, -1 by now. What people added has ordinals far beyond; links name it. */
export function byOrdinals(artifactRows: Int32Array): Int32Array {
  let last = 0;
  for (let at = 0; at < artifactRows.length; at += 2)
    if (artifactRows[at]! < FIRST_ADDED) last = Math.max(last, artifactRows[at]!);
  return new Int32Array(last + 1).fill(-1);
}

/** A person's word about the type holds for every statement. */
function statedArtifact(
  id: string,
  type: ArtifactType,
  told: ArtifactType | undefined,
  { facts, work_product_id, version: _version, location, documentType, ...stated }: StoredStatement,
): Artifact {
  return {
    id,
    ...stated,
    ...(told === undefined ? {} : { type }),
    ...(documentType === undefined ? {} : { documentType }),
    ...facts,
    documentId: work_product_id,
    location,
  };
}

interface ReadFacts {
  readonly own: ArtifactFacts;
  readonly text: string | undefined;
  readonly told: ArtifactType | undefined;
  readonly statements: readonly StoredStatement[] | undefined;
}

/** Most facts are those of many artifacts: each text is read once. */
function factsReader(): (text: string) => ReadFacts {
  const known = new Map<string, ReadFacts>();
  return (written) => {
    let facts = known.get(written);
    if (!facts) {
      const { text, told_type: told, statements, ...own } = JSON.parse(written) as ExtraFacts;
      facts = { own, text, told, statements };
      if (known.size < 10_000) known.set(written, facts);
    }
    return facts;
  };
}

const STATED_AT = ['source', 'target', 'both'] as const;

function readLinks(
  columns: TraceColumns,
  artifacts: readonly Artifact[],
  byOrdinal: Int32Array,
): Pick<ReadTrace, 'links' | 'ends'> {
  const rows = numbersOf(columns.links, 4);
  const named = namesReader(columns.named_links);
  const links: Writable<ReadTrace['links'][number]>[] = [];
  const count = rows.length / 4;
  const ends = { sources: new Int32Array(count).fill(-1), targets: new Int32Array(count).fill(-1) };
  for (const row of inOrder(rows, 4)) {
    const at = links.length;
    const source = byOrdinal[rows[4 * row + 1]!] ?? -1;
    const target = byOrdinal[rows[4 * row + 2]!] ?? -1;
    const code = rows[4 * row + 3]!;
    ends.sources[at] = source;
    ends.targets[at] = target;
    const [sourceName, targetName] = source < 0 || target < 0 ? named(rows[4 * row]!) : [];
    links.push({
      sourceId: source < 0 ? sourceName! : artifacts[source]!.id,
      targetId: target < 0 ? targetName! : artifacts[target]!.id,
      type: LINK_TYPES[(code >> 2) - 1] as LinkType,
      statedAt: STATED_AT[code & 3]!,
    });
  }
  return { links, ends };
}

/** Ends of the links that are named, by the ordinal of the link. */
export function namesReader(
  column: string | null,
): (ordinal: number) => readonly [source: string, target: string] {
  const values = valuesOf(column);
  const names = new Map<number, readonly [string, string]>();
  for (let at = 0; at < values.length; at += 3) {
    names.set(Number(values[at]), [values[at + 1]!, values[at + 2]!]);
  }
  return (ordinal) => {
    const found = names.get(ordinal);
    if (!found) throw new Error(`The ends of link ${ordinal} are not told.`);
    return found;
  };
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Numbers of four bytes, big-endian as PostgreSQL sends them. Rows of `width` numbers. */
export function numbersOf(bytes: Uint8Array | null, width: number): Int32Array {
  if (bytes === null) return new Int32Array(0);
  if (bytes.byteLength % (4 * width) !== 0) throw new Error('A packed column does not end with a row.');
  const numbers = new Int32Array(bytes.byteLength / 4);
  const own = Buffer.from(numbers.buffer);
  own.set(bytes);
  if (isLittleEndian) own.swap32();
  return numbers;
}

/**
 * Rows by their first number. Tables are nearly always read as they were written: then there is nothing to sort.
 * Ordinals of people's additions can be equal only to none.
 */
export function inOrder(rows: Int32Array, width: number): Int32Array {
  const count = rows.length / width;
  const order = new Int32Array(count);
  let sorted = true;
  for (let row = 0; row < count; row++) {
    order[row] = row;
    sorted &&= row === 0 || rows[width * (row - 1)]! < rows[width * row]!;
  }
  if (sorted) return order;
  if (count > ROWS) return order.sort((a, b) => rows[width * a]! - rows[width * b]!);
  // Numbers are sorted without a function: the place of a row goes along in what is below the number.
  const keys = new Float64Array(count);
  for (let row = 0; row < count; row++) keys[row] = rows[width * row]! * ROWS + row;
  keys.sort();
  for (let at = 0; at < count; at++) order[at] = keys[at]! % ROWS;
  return order;
}

/** Times an ordinal it is still a whole number. */
const ROWS = 2 ** 22;
