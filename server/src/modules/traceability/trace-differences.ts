import { createHash, type Hash, hash } from 'node:crypto';
import { longestRising } from '../runs/found-again.js';
import { BETWEEN, type ColumnPacker, columnPacker } from './trace-columns.js';

/** Rows by columns, each a text with a separator between the values, as UTF-8. */
export type Columns = readonly Uint8Array[];

/** What has to be written so that the table holds what the documents say now. */
export interface ChangedRows {
  /** Rows that are new or say something else; the first column is the id, the last one the hash of the others in hexadecimal digits. */
  readonly written: readonly Columns[];
  /** Ids of rows that nothing states any more, as one column. */
  readonly removed: Uint8Array;
}

/** The database begins with the first batch; it takes as long for a row of a small one as of a large one. */
const BATCH_ROWS = 5000;
/** Ids are UUIDs; hashes are as long. */
const BYTES = 16;
const NO_HASH = '00'.repeat(BYTES);
/** Ordinals of what people added are higher. */
const MOST = 1_000_000_000;

/** Hashes by document. */
export type SaidByDocument = Readonly<Record<string, string>>;

/** Rows whose texts go into a hash in one go. */
const HASHED_AT_ONCE = 1000;

/**
 * What all rows of each document say together: the same only where each row says the same, in the same order.
 * @param sourceOf What its own statements decide, of a document.
 * @param joinedOf What decides a row beside that.
 */
export function saidByDocument<Row>(
  rows: readonly Row[],
  {
    documentOf,
    sourceOf,
    joinedOf,
  }: {
    documentOf(row: Row): string;
    sourceOf(documentId: string): string;
    joinedOf(row: Row, at: number): string;
  },
): SaidByDocument {
  const documents = new Map<string, { readonly hash: Hash; texts: string[] }>();
  const take = (one: { readonly hash: Hash; texts: string[] }): void => {
    one.hash.update(`${one.texts.join('\n')}\n`);
    one.texts = [];
  };
  let last: { readonly id: string; readonly document: { readonly hash: Hash; texts: string[] } } | undefined;
  rows.forEach((row, at) => {
    const id = documentOf(row);
    if (last?.id !== id) {
      const document = documents.get(id) ?? { hash: createHash('sha256').update(sourceOf(id)), texts: [] };
      documents.set(id, document);
      last = { id, document };
    }
    const { document } = last;
    document.texts.push(joinedOf(row, at));
    if (document.texts.length === HASHED_AT_ONCE) take(document);
  });
  return Object.fromEntries(
    [...documents].map(([id, document]) => {
      take(document);
      return [id, document.hash.digest('hex').slice(0, 2 * BYTES)];
    }),
  );
}

/** Documents of which every row is stored as it is. */
export const unchangedDocuments = (
  now: SaidByDocument,
  before: SaidByDocument | undefined,
): ReadonlySet<string> =>
  new Set(Object.keys(now).filter((id) => before !== undefined && before[id] === now[id]));

/** What is stored of rows: ids by the hashes of what each says, both in hexadecimal digits alone. */
export type StoredHashes = Map<string, string>;

/** Compares rows with what is stored of them; what nothing asks for is to be removed. */
export function rowComparer(stored: StoredHashes) {
  const written = new Set<string>();
  return {
    /**
     * The row as it is to be written: its id, its values and its hash. Undefined where it is stored as it is.
     * @param values Everything that is stored of it; no two rows have the same.
     * @param idOf The id of the row, a UUID; asked for those that are written only.
     */
    changed(values: readonly string[], idOf: () => string): readonly string[] | undefined {
      const said = hash('sha256', values.join(BETWEEN), 'hex').slice(0, 2 * BYTES);
      if (stored.delete(said)) return undefined;
      const id = idOf();
      if (stored.size > 0) written.add(id.replaceAll('-', ''));
      return [id, ...values, said];
    },
    /** Ids of rows that nothing states any more, as one column. */
    removed: (): Uint8Array =>
      new TextEncoder().encode([...stored.values()].filter((id) => !written.has(id)).join(BETWEEN)),
  };
}

/** Takes the bytes that `readStored` answers: for each row the id and the hash. A row without hash is known by its id, which no row says. */
export function storedHashes(bytes: Uint8Array | null): StoredHashes {
  const stored = Buffer.from(bytes ?? new Uint8Array());
  const known: StoredHashes = new Map();
  for (let at = 0; at < stored.length; at += 2 * BYTES) {
    const id = stored.toString('hex', at, at + BYTES);
    const said = stored.toString('hex', at + BYTES, at + 2 * BYTES);
    known.set(said === NO_HASH ? `id ${id}` : said, id);
  }
  return known;
}

/** Takes rows, all with the same number of values, and gives them back as columns, in batches: `full` those that are full by now. */
export function rowPacker(): {
  add(values: readonly string[]): void;
  full(): Columns[];
  whole(): Columns[];
} {
  let written: Columns[] = [];
  let columns: ColumnPacker[] = [];
  let rows = 0;
  const endBatch = (): void => {
    if (rows > 0) written.push(columns.map((column) => column.take()));
    rows = 0;
  };
  return {
    add(values) {
      if (columns.length === 0) columns = values.map(columnPacker);
      for (let at = 0; at < values.length; at++) columns[at]!.add(values[at]!);
      if (++rows === BATCH_ROWS) endBatch();
    },
    full() {
      const taken = written;
      written = [];
      return taken;
    },
    whole() {
      endBatch();
      return written;
    },
  };
}

/**
 * Where the rows of each document are numbered: the first ordinal, and how many there are for it. By its id; `id 2` … where rows of
 * others stand between its own.
 */
export type OrdinalsOfDocuments = Readonly<Record<string, readonly [first: number, room: number]>>;

/**
 * Ordinals of rows that are in the order of their documents, from 1. Behind the rows of a document some stay free, and as many
 * between documents: a few rows more or less in one, or one more document, move no row of another. Where there is no room all
 * are numbered anew.
 * @param before How the rows that are stored are numbered.
 */
export function spacedOrdinals(
  documentOf: readonly string[],
  before: OrdinalsOfDocuments = {},
): { readonly ordinals: Int32Array; readonly documents: OrdinalsOfDocuments } {
  const parts: Part[] = [];
  const times = new Map<string, number>();
  for (let first = 0; first < documentOf.length; ) {
    let end = first;
    while (end < documentOf.length && documentOf[end] === documentOf[first]) end++;
    const id = documentOf[first]!;
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    parts.push({ id: time === 1 ? id : `${id} ${time}`, first, count: end - first });
    first = end;
  }
  const places = placesBetween(parts, before) ?? placesAnew(parts);
  const ordinals = new Int32Array(documentOf.length);
  for (const [n, { first, count }] of parts.entries()) {
    const [from] = places[n]!;
    for (let at = 0; at < count; at++) ordinals[first + at] = from + at;
  }
  return { ordinals, documents: Object.fromEntries(parts.map(({ id }, n) => [id, places[n]!])) };
}

/** Rows of one document, one behind the other. */
interface Part {
  /** See `OrdinalsOfDocuments`. */
  readonly id: string;
  readonly first: number;
  readonly count: number;
}

type Places = readonly (readonly [first: number, room: number])[];

const roomFor = ({ count }: Part): number => 2 ** Math.ceil(Math.log2(count + (count >> 3) + 8));

function placesAnew(parts: readonly Part[]): Places {
  let next = 1;
  return parts.map((part) => {
    const room = roomFor(part);
    // Without free ones, before they run out.
    const place = [next, next + 2 * room < MOST / 2 ? room : part.count] as const;
    next += place[1] === room ? 2 * room : place[1];
    return place;
  });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** As many parts as can stay where they are, the others between them; undefined where they have no room there. */
function placesBetween(parts: readonly Part[], before: OrdinalsOfDocuments): Places | undefined {
  const fitting = parts.map(({ id, count }) => {
    const known = Object.hasOwn(before, id) ? before[id] : undefined;
    return known && count <= known[1] ? known : undefined;
  });
  const kept = longestRising(fitting.map((known) => known?.[0]));
  if (kept.size === 0) return undefined;
  const places: (readonly [number, number])[] = [];
  let free = 1;
  let waiting: Part[] = [];
  for (let n = 0; n <= parts.length; n++) {
    const known = kept.has(n) ? fitting[n] : undefined;
    if (known === undefined && n < parts.length) {
      waiting.push(parts[n]!);
      continue;
    }
    const wide = waiting.map(roomFor);
    const end = known?.[0] ?? free + 2 * sumOf(wide);
    const rooms = sumOf(wide) <= end - free ? wide : waiting.map(({ count }) => count);
    if (end > MOST / 2 || sumOf(rooms) > end - free) return undefined;
    const between = Math.floor((end - free - sumOf(rooms)) / (waiting.length + 1));
    for (const room of rooms) {
      places.push([free + between, room]);
      free += between + room;
    }
    waiting = [];
    if (known) {
      places.push(known);
      free = known[0] + known[1];
    }
  }
  return places;
}
