import type { Statement } from '../database/database.js';
import { sql } from '../database/sql.js';
import type { CursorScope } from './cursor.js';
import type { ReadContext } from './route.js';

/** What a row of any list has. */
export interface ListedRow {
  readonly id: string;
  /** As `to_json` writes it, with microseconds. */
  readonly created_at: string;
}

export interface PageRequest {
  readonly cursor: string;
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly next_cursor: string | null;
}

type Reader = Pick<ReadContext, 'read' | 'cursors' | 'caller' | 'operation'>;

/**
 * One page of a list, newest first, in one round trip: keyset on (`created_at`, `id`) descending, exact total under
 * the same filters. `matching` selects the filtered rows with at least `id` and `created_at`, without order or
 * limit; rows arrive through `to_json`, so timestamps are strings. The cursor is bound to the caller, the operation
 * and every other key of `query`.
 */
export async function readPage<Row extends ListedRow, Item>(
  context: Reader,
  list: {
    readonly query: PageRequest & Readonly<Record<string, unknown>>;
    readonly matching: Statement;
    readonly toItem: (row: Row) => Item;
  },
): Promise<Page<Item>> {
  const { cursor, limit, ...filters } = list.query;
  const scope: CursorScope = { operation: context.operation, userId: context.caller.userId, filters };
  const after = cursor === '' ? undefined : await context.cursors.decode(cursor, scope);
  const beyond = after
    ? sql`where (created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : sql``;
  const [found] = await context.read<{ total: number; rows: Row[] }>(sql`
    with matching as not materialized (${list.matching})
    select (select count(*)::int from matching) as total,
           (select coalesce(json_agg(page), '[]'::json)
              from (select * from matching ${beyond}
                     order by created_at desc, id desc limit ${limit + 1}) as page) as rows`);
  if (!found) throw new Error('A list statement returned no row.');

  const rows = found.rows.slice(0, limit);
  const last = rows.at(-1);
  const page = after?.page ?? 1;
  return {
    items: rows.map(list.toItem),
    total: found.total,
    page,
    limit,
    next_cursor:
      last && found.rows.length > limit
        ? await context.cursors.encode({ createdAt: last.created_at, id: last.id, page: page + 1 }, scope)
        : null,
  };
}

/** Pattern for `ilike … escape '\'` that finds the text literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
