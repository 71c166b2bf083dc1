import type { Statement } from '../database/database.js';
import { identifier, joined, sql } from '../database/sql.js';
import { invalid } from './api-error.js';
import { type Cursor, type CursorScope, staleCursor } from './cursor.js';
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
  /** Field to sort by, descending with `-` before it; of several, the next one orders what is alike in those before it. */
  readonly sort?: string | readonly string[];
  /** Only what was changed at this moment or later; for rows with `updated_at`. */
  readonly updated_since?: string | undefined;
  /** Where the page begins, counted from 0, instead of a cursor. */
  readonly offset?: number | undefined;
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
  deleted_at: moment(sql`deleted_at`),
  last_used_at: moment(sql`last_used_at`),
  /** Of what never ends: after everything else. */
  expires_at: moment(sql`coalesce(expires_at, 'infinity')`),
  email: wordKey(sql`coalesce(email, '')`),
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
 * the operation and every other key of `query`. `sorts`: fields beside those that every list may have. `details`: selects
 * what an item shows of the row `page` of `matching`, for the page alone; without it that is the row. `whole`: every row
 * has to be looked at anyway, as where words are searched, so that it is done once.
 */
export async function readPage<Row extends ListedRow, Item>(
  context: Reader,
  list: {
    readonly query: PageRequest & Readonly<Record<string, unknown>>;
    readonly matching: Statement;
    readonly toItem: (row: Row) => Item;
    readonly sorts?: Sorts;
    readonly details?: Statement;
    readonly whole?: boolean;
  },
): Promise<Page<Item>> {
  const { cursor, limit, offset = 0, ...filters } = list.query;
  if (cursor !== '' && offset > 0)
    throw invalid('query.offset', 'A page begins at an offset or after a cursor.');
  const { sort = '-created_at', updated_since: since } = filters;
  const keys = keysOf(context.operation, { sort, sorts: list.sorts });
  const scope: CursorScope = {
    operation: context.operation,
    userId: context.caller.userId,
    filters: { ...filters, sort: String(sort) },
  };
  const after = cursor === '' ? undefined : await context.cursors.decode(cursor, scope);
  const beyond = after ? sql`where ${isBeyond(keys, after)}` : sql``;
  const order = (of: Statement): Statement =>
    joined(
      [...keys, idKey(keys)].map((key) => sql`${of}${key.column} ${key.isDescending ? sql`desc` : sql`asc`}`),
    );
  const changed = since === undefined ? sql`` : sql`where updated_at >= ${since}::timestamptz`;
  const paged = sql`
    select *, array[${joined(keys.map(({ column }) => sql`to_jsonb(${column}) #>> '{}'`))}] as sort_texts
    from (select *, ${joined(keys.map(({ by, column }) => sql`${by} as ${column}`))} from matching) as keyed ${beyond}
    order by ${order(sql``)} limit ${limit + 1} offset ${offset}`;
  const shown = list.details
    ? sql`select item.*, page.sort_texts from (${paged}) as page cross join lateral (${list.details}) as item
          order by ${order(sql`page.`)}`
    : paged;
  const [found] = await context.read<{
    total: number;
    rows: (Row & { readonly sort_texts: readonly string[] })[];
  }>(sql`
    with matching as ${list.whole ? sql`materialized` : sql`not materialized`}
           (select * from (${list.matching}) as listed ${changed})
    select (select count(*)::int from matching) as total,
           (select coalesce(json_agg(shown), '[]'::json) from (${shown}) as shown) as rows`);
  if (!found) throw new Error('A list statement returned no row.');

  const rows = found.rows.slice(0, limit);
  const last = rows.at(-1);
  const page = after?.page ?? Math.floor(offset / limit) + 1;
  return {
    items: rows.map(list.toItem),
    total: found.total,
    page,
    limit,
    next_cursor:
      last && found.rows.length > limit
        ? await context.cursors.encode({ key: written(last.sort_texts), id: last.id, page: page + 1 }, scope)
        : null,
  };
}

interface OrderedKey extends SortKey {
  readonly column: Statement;
  readonly isDescending: boolean;
}

/** What rows are sorted by, each field once. Throws for one that the list does not know. */
function keysOf(
  operation: string,
  { sort, sorts }: { readonly sort: string | readonly string[]; readonly sorts: Sorts | undefined },
): readonly OrderedKey[] {
  const ordered = new Map<string, OrderedKey>();
  for (const one of [sort].flat()) {
    const field = one.replace(/^-/, '');
    const key = sorts?.[field] ?? SORT_KEYS[field];
    if (!key) throw new Error(`${operation} cannot be sorted by ${field}.`);
    if (ordered.has(field)) continue;
    ordered.set(field, {
      ...key,
      column: identifier(`sort_key_${ordered.size}`),
      isDescending: one.startsWith('-'),
    });
  }
  return [...ordered.values()];
}
type Sorts = Readonly<Record<string, SortKey>>;

/** The id decides between rows that are alike in everything, in the direction of the last field. */
const idKey = (keys: readonly OrderedKey[]): OrderedKey => ({
  by: sql`id`,
  type: sql`uuid`,
  column: sql`id`,
  isDescending: keys.at(-1)?.isDescending ?? false,
});

/** One text as it is, as cursors have always had it; of several a list. */
const written = (texts: readonly string[]): string =>
  texts.length === 1 ? (texts[0] as string) : JSON.stringify(texts);

/** Whether a row comes after the one that the cursor names. */
function isBeyond(keys: readonly OrderedKey[], { key, id }: Cursor): Statement {
  const texts: readonly string[] = keys.length === 1 ? [key] : JSON.parse(key);
  return laterThan(
    [...keys, idKey(keys)].map((one, at) => ({ ...one, value: sql`${texts[at] ?? id}::${one.type}` })),
  );
}

/** Fields in one direction are compared as a row, which an index follows; before another direction each stands alone. */
function laterThan(keys: readonly (OrderedKey & { readonly value: Statement })[]): Statement {
  const [first, ...rest] = keys;
  if (!first) throw new Error('A list is sorted by something.');
  const later = first.isDescending ? sql`<` : sql`>`;
  if (rest.every(({ isDescending }) => isDescending === first.isDescending)) {
    const columns = joined(keys.map(({ column }) => column));
    return sql`(${columns}) ${later} (${joined(keys.map(({ value }) => value))})`;
  }
  return sql`(${first.column} ${later} ${first.value} or (${first.column} = ${first.value} and ${laterThan(rest)}))`;
}

const bothWays = () => invalid('query.offset', 'A page begins at an offset or after a cursor, not both.');

/** A cursor names a row by its key and its id; items at hand have a key alone. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * One page of a list that is at hand as a whole, in its own order unless `query.sort` says otherwise. The cursor names
 * the last item of the page before, so that what comes or goes meanwhile moves nothing.
 */
export async function pageOfItems<Whole, Item>(
  context: Omit<Reader, 'read'>,
  list: {
    readonly query: Omit<PageRequest, 'sort'> &
      Readonly<Record<string, unknown>> & { readonly sort?: string | undefined };
    readonly items: readonly Whole[];
    /** What an item is known by among the others. */
    readonly keyOf: (item: Whole) => string;
    readonly toItem: (item: Whole) => Item;
    readonly sorts: Readonly<Record<string, (item: Whole) => string | number>>;
  },
): Promise<Page<Item>> {
  const { cursor, limit, ...filters } = list.query;
  const scope: CursorScope = { operation: context.operation, userId: context.caller.userId, filters };
  const after = cursor === '' ? undefined : await context.cursors.decode(cursor, scope);
  const items = sorted(list.items, list.query.sort, list.sorts);
  const last = after ? items.findIndex((item) => list.keyOf(item) === after.key) : -1;
  if (after && last === -1) throw staleCursor();
  const page = after?.page ?? 1;
  const listed = items.slice(last + 1, last + 1 + limit);
  const isLast = last + 1 + limit >= items.length;
  return {
    items: listed.map(list.toItem),
    total: items.length,
    page,
    limit,
    next_cursor: isLast
      ? null
      : await context.cursors.encode(
          { key: list.keyOf(listed.at(-1) as Whole), id: NO_ID, page: page + 1 },
          scope,
        ),
  };
}

/**
 * Where a page starts in a list that is computed anew for each page, and the cursor of the next one. Pages belong to one
 * state of what is computed: `next` throws 422 when it is another one than that of the page before.
 */
export async function computedPart(
  context: Omit<Reader, 'read'>,
  query: Omit<PageRequest, 'sort'> & Readonly<Record<string, unknown>>,
): Promise<{
  readonly offset: number;
  readonly page: number;
  next(found: { readonly state: string; readonly isLast: boolean }): Promise<string | null>;
}> {
  const { cursor, limit, offset: asked = 0, ...filters } = query;
  if (cursor !== '' && asked > 0) throw bothWays();
  const scope: CursorScope = { operation: context.operation, userId: context.caller.userId, filters };
  const after = cursor === '' ? undefined : await context.cursors.decode(cursor, scope);
  const [state, offset] = after ? after.key.split(' ') : [];
  const start = Number(offset ?? asked);
  const page = after?.page ?? (asked === 0 ? 1 : Math.floor(asked / limit) + 1);
  return {
    offset: start,
    page,
    next: async (found) => {
      if (state !== undefined && state !== found.state) throw staleCursor();
      if (found.isLast) return null;
      const key = `${found.state} ${start + limit}`;
      return context.cursors.encode({ key, id: NO_ID, page: page + 1 }, scope);
    },
  };
}

function sorted<Item>(
  items: readonly Item[],
  sort: string | undefined,
  sorts: Readonly<Record<string, (item: Item) => string | number>>,
): readonly Item[] {
  if (sort === undefined) return items;
  const keyOf = sorts[sort.replace(/^-/, '')];
  if (!keyOf) throw new Error(`A list cannot be sorted by ${sort}.`);
  const sign = sort.startsWith('-') ? -1 : 1;
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0))
    .map(({ item }) => item);
}

/** Whether a column has the value, or one of the values; true where none is wanted. Lists of texts only. */
export function isAnyOf(column: Statement, wanted: string | readonly string[] | undefined): Statement {
  if (wanted === undefined) return sql`true`;
  return typeof wanted === 'string' ? sql`${column} = ${wanted}` : sql`${column} = any (${wanted}::text[])`;
}

/** Pattern for `ilike … escape '\'` that finds the text literally. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
