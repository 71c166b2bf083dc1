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

/** Columns, each one text as UTF-8. */
export const packColumns = (columns: readonly (readonly string[])[]): readonly Uint8Array[] =>
  columns.map((values) => encoder.encode(values.join(BETWEEN)));

/** The values of a column; none of an empty table, which is null. */
export const valuesOf = (column: string | null): string[] => (column === null ? [] : column.split(BETWEEN));

/** Values of rows (SQL) as a column; an empty text for null, and null where there are no rows. */
export const columnOf = (value: Statement): Statement =>
  sql`string_agg(coalesce(${value}, ''), ${BETWEEN}::text)`;
