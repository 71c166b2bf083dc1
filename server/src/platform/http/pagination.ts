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
  /** Field to sort by, descending with `-` before it. */
  readonly sort?: string;
  /** Only what was changed at this moment or later; for rows with `updated_at`. */
  readonly updated_since?: string | undefined;
}

/** What a row is sorted by: an expression over the columns of `matching`, never null, and its type. */
export interface SortKey {
  readonly by: Statement;
  readonly type: Statement;
}

const moment = (by: Statement): SortKey => ({ by, type: sql`timestamptz` });
/** Text without regard to case. */
export const wordKey = (by: Statement): SortKey => ({ by: sql`lower(${by})`, type: sql`text` });

/** Fields that mean the same in every list which has them. */
const SORT_KEYS: Readonly<Record<string, SortKey>> = {
  created_at: moment(sql`created_at`),
  updated_at: moment(sql`updated_at`),
  name: wordKey(sql`name`),
  title: wordKey(sql`title`),
};

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly next_cursor: string | null;
}

type Reader = Pick<ReadContext, 'read' | 'cursors' | 'caller' | 'operation'>;

/**
 * One page of a list, newest first unless `query.sort` says otherwise, in one round trip: keyset on the sorted field and
 * `id`, exact total under the same filters. `matching` selects the filtered rows with at least `id` and `created_at`,
 * without order or limit; rows arrive through `to_json`, so timestamps are strings. The cursor is bound to the caller,
 * the operation and every other key of `query`. `sorts`: fields beside those that every list may have.
 */
export async function readPage<Row extends ListedRow, Item>(
  context: Reader,
  list: {
    readonly query: PageRequest & Readonly<Record<string, unknown>>;
    readonly matching: Statement;
    readonly toItem: (row: Row) => Item;
    readonly sorts?: Readonly<Record<string, SortKey>>;
  },
): Promise<Page<Item>> {
  const { cursor, limit, ...filters } = list.query;
  const { sort = '-created_at', updated_since: since } = filters;
  const isDescending = sort.startsWith('-');
  const field = sort.replace(/^-/, '');
  const key = list.sorts?.[field] ?? SORT_KEYS[field];
  if (!key) throw new Error(`${context.operation} cannot be sorted by ${field}.`);
  const scope: CursorScope = { operation: context.operation, userId: context.caller.userId, filters };
  const after = cursor === '' ? undefined : await context.cursors.decode(cursor, scope);
  const order = isDescending ? sql`desc` : sql`asc`;
  const beyond = after
    ? sql`where (sort_key, id) ${isDescending ? sql`<` : sql`>`} (${after.key}::${key.type}, ${after.id}::uuid)`
    : sql``;
  const changed = since === undefined ? sql`` : sql`where updated_at >= ${since}::timestamptz`;
  const [found] = await context.read<{ total: number; rows: (Row & { readonly sort_text: string })[] }>(sql`
    with matching as not materialized (select * from (${list.matching}) as listed ${changed})
    select (select count(*)::int from matching) as total,
           (select coalesce(json_agg(page), '[]'::json)
              from (select *, to_jsonb(sort_key) #>> '{}' as sort_text
                      from (select *, ${key.by} as sort_key from matching) as keyed ${beyond}
                     order by sort_key ${order}, id ${order} limit ${limit + 1}) as page) as rows`);
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
        ? await context.cursors.encode({ key: last.sort_text, id: last.id, page: page + 1 }, scope)
        : null,
  };
}

/** Whether a column has the value, or one of the values; true where none is wanted. Lists of texts only. */
export function isAnyOf(column: Statement, wanted: string | readonly string[] | undefined): Statement {
  if (wanted === undefined) return sql`true`;
  return typeof wanted === 'string' ? sql`${column} = ${wanted}` : sql`${column} = any (${wanted}::text[])`;
}

/** Pattern for `ilike … escape '\'` that finds the text literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
