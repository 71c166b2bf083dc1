import { createHash, type Hash, hash } from 'node:crypto';
import { longestRising } from '../runs/found-again.js';
import { BETWEEN, packColumns } from './trace-columns.js';

/** Rows by columns, each a text with a separator between the values, as UTF-8. */
export type Columns = readonly Uint8Array[];

/** What has to be written so that the table holds what the documents say now. */
export interface ChangedRows {
  /** Rows that are new or say something else; the last column is the hash of the row, in hexadecimal digits. */
  readonly written: readonly Columns[];
  /** Ids of rows that nothing states any more, as one column. */
  readonly removed: Uint8Array;
}

const BATCH_ROWS = 20_000;
/** Ids are UUIDs; hashes are as long. */
const BYTES = 16;
const NO_HASH = '\0'.repeat(BYTES);
/** Ordinals of what people added are higher. */
const MOST = 1_000_000_000;

/** A row to be written. */
export interface ChangedRow<Row> {
  readonly row: Row;
  /** Its position among all rows. */
  readonly at: number;
  readonly id: string;
  /** Of the row, in hexadecimal digits. */
  readonly said: string;
}

/** Hashes by document. */
export type SaidByDocument = Readonly<Record<string, string>>;

/** Rows whose texts go into a hash in one go. */
const HASHED_AT_ONCE = 1000;

/** A character for each byte. */
const saidHash = (says: string): string => hash('sha256', says, 'binary').slice(0, BYTES);

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

/**
 * Compares rows with what is stored of them: for each the id and the hash of what it says, of 16 bytes each.
 * @param saysOf Everything that decides what is stored of a row. No two rows say the same.
 * @param idOf The id of a row, a UUID; asked for changed rows only.
 * @param isKnown Whether a row is stored as it is; of such ones `stored` has none.
 */
export function changesOf<Row>(
  rows: readonly Row[],
  stored: Uint8Array | null,
  { saysOf, idOf }: { saysOf(row: Row, at: number): string; idOf(row: Row): string },
  { isKnown = () => false }: { readonly isKnown?: (row: Row) => boolean } = {},
): { readonly changed: readonly ChangedRow<Row>[]; readonly removed: Uint8Array } {
  const known = readStored(stored);
  const changed: ChangedRow<Row>[] = [];
  const isFirst = known.size === 0;
  const about = { saysOf, idOf };
  rows.forEach((row, at) => {
    if (isKnown(row)) return;
    if (isFirst) {
      changed.push(new NewRow(row, at, about));
      return;
    }
    const said = saidHash(saysOf(row, at));
    if (known.delete(said)) return;
    changed.push({ row, at, id: idOf(row), said: hexOf(said) });
  });
  const changedIds = new Set(known.size === 0 ? [] : changed.map(({ id }) => id.replaceAll('-', '')));
  const removed = [...known.values()]
    .map((id) => Buffer.from(id, 'latin1').toString('hex'))
    .filter((id) => !changedIds.has(id));
  return { changed, removed: new TextEncoder().encode(removed.join(BETWEEN)) };
}

interface Telling<Row> {
  saysOf(row: Row, at: number): string;
  idOf(row: Row): string;
}

/** A row where none is stored: there is nothing to compare, so its id and hash are made when it is written. */
class NewRow<Row> implements ChangedRow<Row> {
  readonly row: Row;
  readonly at: number;
  readonly #about: Telling<Row>;
  constructor(row: Row, at: number, about: Telling<Row>) {
    this.row = row;
    this.at = at;
    this.#about = about;
  }
  get id(): string {
    return this.#about.idOf(this.row);
  }
  get said(): string {
    return hexOf(saidHash(this.#about.saysOf(this.row, this.at)));
  }
}

const hexOf = (said: string): string => Buffer.from(said, 'latin1').toString('hex');

/** Takes rows, all with the same number of values, and gives them back as columns, in batches: `full` those that are full by now. */
export function rowPacker(): {
  add(values: readonly string[]): void;
  full(): Columns[];
  whole(): Columns[];
} {
  let written: Columns[] = [];
  let columns: string[][] = [];
  const endBatch = (): void => {
    if (columns.length > 0) written.push(packColumns(columns));
    columns = [];
  };
  return {
    add(values) {
      if (columns.length === 0) columns = values.map(() => []);
      for (let at = 0; at < values.length; at++) columns[at]!.push(values[at]!);
      if (columns[0]?.length === BATCH_ROWS) endBatch();
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

/** Ids by hashes, a character for each byte. A row without hash is known by its id, which no row says. */
function readStored(stored: Uint8Array | null): Map<string, string> {
  const bytes = Buffer.from(stored ?? new Uint8Array());
  const known = new Map<string, string>();
  for (let at = 0; at < bytes.length; at += 2 * BYTES) {
    const id = bytes.toString('latin1', at, at + BYTES);
    const said = bytes.toString('latin1', at + BYTES, at + 2 * BYTES);
    known.set(said === NO_HASH ? `id ${id}` : said, id);
  }
  return known;
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
