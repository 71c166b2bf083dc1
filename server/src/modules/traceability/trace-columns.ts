import { hash } from 'node:crypto';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

/**
 * Between the values of a column that travels as one text. Readers leave no control characters in documents but white
 * space, JSON writes them as escapes, and people cannot type them into the API.
 */
export const BETWEEN = '\x1e';

/** Longer ones are no ids: they would not fit into an index either. */
export const MAX_ID_LENGTH = 500;

/** An id on one line. */
export const storableId = (id: string): string => (/[^\S ]/.test(id) ? id.replace(/\s+/g, ' ').trim() : id);

/** Id of a row of the trace: always the same for the same thing, so that it outlives extractions. */
export function traceRowId(workspaceId: string, ...parts: readonly string[]): string {
  const digits = hash('sha256', [workspaceId, ...parts].join(BETWEEN), 'hex');
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ];
  return groups.join('-');
}

const encoder = new TextEncoder();
/** Values that are written at once: few enough that their texts are garbage before the collector has to copy them. */
const TOGETHER = 64;
const FIRST_BYTES = 64 * 1024;
/** Of UTF-8 for a unit of UTF-16. */
const MOST_BYTES_OF_UNIT = 3;

/** Takes the values of a column one after the other. */
export interface ColumnPacker {
  add(value: string): void;
  /** The column as one text in UTF-8; the next value begins another one. */
  take(): Uint8Array;
}

export function columnPacker(): ColumnPacker {
  let values: string[] = [];
  let bytes = new Uint8Array(FIRST_BYTES);
  let end = 0;
  let isFirst = true;
  const write = (): void => {
    if (values.length === 0) return;
    const text = isFirst ? values.join(BETWEEN) : BETWEEN + values.join(BETWEEN);
    const most = end + MOST_BYTES_OF_UNIT * text.length;
    if (most > bytes.length) {
      const larger = new Uint8Array(2 * most);
      larger.set(bytes.subarray(0, end));
      bytes = larger;
    }
    end += encoder.encodeInto(text, bytes.subarray(end)).written;
    values = [];
    isFirst = false;
  };
  return {
    add(value) {
      if (values.push(value) === TOGETHER) write();
    },
    take() {
      write();
      const column = bytes.slice(0, end);
      end = 0;
      isFirst = true;
      return column;
    },
  };
}

/** The values of a column; none of an empty table, which is null. */
export const valuesOf = (column: string | null): string[] => (column === null ? [] : column.split(BETWEEN));

/** Values of rows (SQL) as a column; an empty text for null, and null where there are no rows. */
export const columnOf = (value: Statement): Statement =>
  sql`string_agg(coalesce(${value}, ''), ${BETWEEN}::text)`;
