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
/** Ordinals of what people added are higher. */
const MOST = 1_000_000_000;

/**
 * Compares rows with what is stored of them: for each the id and the hash of its values, of 16 bytes each.
 * @param valuesOf The id of the row, then everything that is stored of it. Ids are unique.
 */
export function changesOf<Row>(
  rows: readonly Row[],
  stored: Uint8Array | null,
  valuesOf: (row: Row, at: number) => readonly string[],
): ChangedRows {
  const known = readStored(stored);
  const written: Columns[] = [];
  let batch: (readonly string[])[] = [];
  const endBatch = (): void => {
    if (batch.length > 0) written.push(packColumns(batch, (values) => values));
    batch = [];
  };
  rows.forEach((row, at) => {
    const values = valuesOf(row, at);
    const said = hash('sha256', values.join(BETWEEN), 'hex').slice(0, 2 * BYTES);
    const id = values[0]!.replaceAll('-', '');
    const isSame = known.get(id) === said;
    known.delete(id);
    if (isSame) return;
    batch.push([...values, said]);
    if (batch.length === BATCH_ROWS) endBatch();
  });
  endBatch();
  return { written, removed: new TextEncoder().encode([...known.keys()].join(BETWEEN)) };
}

function readStored(stored: Uint8Array | null): Map<string, string> {
  const bytes = Buffer.from(stored ?? new Uint8Array());
  const known = new Map<string, string>();
  for (let at = 0; at < bytes.length; at += 2 * BYTES) {
    known.set(bytes.toString('hex', at, at + BYTES), bytes.toString('hex', at + BYTES, at + 2 * BYTES));
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
