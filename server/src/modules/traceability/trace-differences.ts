import { hash } from 'node:crypto';
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

/**
 * Compares rows with what is stored of them: for each the id and the hash of what it says, of 16 bytes each.
 * @param saysOf Everything that decides what is stored of a row. No two rows say the same.
 * @param idOf The id of a row, a UUID; asked for changed rows only.
 */
export function changesOf<Row>(
  rows: readonly Row[],
  stored: Uint8Array | null,
  { saysOf, idOf }: { saysOf(row: Row, at: number): string; idOf(row: Row): string },
): { readonly changed: readonly ChangedRow<Row>[]; readonly removed: Uint8Array } {
  const known = readStored(stored);
  const changed: ChangedRow<Row>[] = [];
  rows.forEach((row, at) => {
    const said = hash('sha256', saysOf(row, at), 'binary').slice(0, BYTES);
    if (known.delete(said)) return;
    changed.push({ row, at, id: idOf(row), said: Buffer.from(said, 'latin1').toString('hex') });
  });
  const changedIds = new Set(known.size === 0 ? [] : changed.map(({ id }) => id.replaceAll('-', '')));
  const removed = [...known.values()]
    .map((id) => Buffer.from(id, 'latin1').toString('hex'))
    .filter((id) => !changedIds.has(id));
  return { changed, removed: new TextEncoder().encode(removed.join(BETWEEN)) };
}

/** Takes rows, all with the same number of values, and gives them back as columns, in batches. */
export function rowPacker(): { add(values: readonly string[]): void; whole(): Columns[] } {
  const written: Columns[] = [];
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
 * Ordinals of rows that are in the order of their documents, from 1. Behind the rows of a document some ordinals stay
 * free: a few rows more or less in one move no row of another.
 */
export function spacedOrdinals(documentOf: readonly string[]): Int32Array {
  const ordinals = new Int32Array(documentOf.length);
  let next = 1;
  for (let first = 0; first < documentOf.length; ) {
    let end = first;
    while (end < documentOf.length && documentOf[end] === documentOf[first]) end++;
    for (let at = first; at < end; at++) ordinals[at] = next + at - first;
    const count = end - first;
    const room = 2 ** Math.ceil(Math.log2(count + (count >> 3) + 8));
    // Without free ones, before they run out.
    next += next + room < MOST / 2 ? room : count;
    first = end;
  }
  return ordinals;
}
