import type { operations } from '../../api/schema.d.ts';
import type { Target } from '../../findings/change-gaps.ts';

type Query = NonNullable<operations['listGapSummaries']['parameters']['query']>;
/** One field that a list is sorted by. */
export type Sort = Exclude<NonNullable<Query['sort']>, readonly unknown[]>;
/** What a list is sorted by, and what those by that are alike in it. */
export type Sorts = readonly [first: Sort] | readonly [first: Sort, then: Sort];
/** What a list is filtered by, in the names of the API. */
export type Filter = Omit<Query, 'workspace_id' | 'sort' | 'limit' | 'cursor' | 'updated_since'>;

/** Of which several may be chosen, and of which one; the names that an address may have. */
const SEVERAL = ['severity', 'status', 'change', 'analysis_type', 'type', 'asil'] as const;
const ONE = ['standard_id', 'work_product_id', 'clause', 'assignee', 'proposal', 'analysis_id'] as const;
export type FacetName = (typeof SEVERAL)[number] | 'standard_id' | 'work_product_id' | 'clause' | 'assignee';
export const isSeveral = (name: string): boolean => (SEVERAL as readonly string[]).includes(name);

export const SORTS: readonly Sort[] = ['-severity', '-updated_at', 'due_date', 'clause', 'title', 'assignee'];

/** What an address says that a list is sorted by. */
export function sortsOf(search: URLSearchParams): Sorts {
  const known = valuesOf(search, 'sort').flatMap((one) => SORTS.find((sort) => sort === one) ?? []);
  const [first = '-severity', then] = known;
  return then === undefined || then === first ? [first] : [first, then];
}

/** What is still to be decided: what an inbox begins with. */
export const OPEN = 'status=open,in_progress&change=new,unchanged,updated';
export const EVERYTHING = 'status=open,in_progress,resolved,accepted';

/** The filter that an address says; names that are unknown are left out. */
export function filterOf(search: URLSearchParams): Filter {
  const filter: Record<string, unknown> = {};
  for (const name of SEVERAL) {
    const values = valuesOf(search, name);
    if (values.length > 0) filter[name] = values;
  }
  for (const name of ONE) {
    const value = search.get(name);
    if (value) filter[name] = value;
  }
  const words = search.get('q')?.trim();
  if (words) filter.search = words;
  if (search.get('overdue') === 'true') filter.overdue = true;
  return filter as Filter;
}

export const valuesOf = (search: URLSearchParams, name: string): readonly string[] =>
  (search.get(name) ?? '').split(',').filter(Boolean);

/** The address with a value of a facet chosen, or no longer. */
export function toggled(search: URLSearchParams, name: FacetName, value: string): URLSearchParams {
  const next = new URLSearchParams(search);
  const chosen = valuesOf(search, name);
  const values = chosen.includes(value)
    ? chosen.filter((one) => one !== value)
    : isSeveral(name)
      ? [...chosen, value]
      : [value];
  if (values.length > 0) next.set(name, values.join(','));
  else next.delete(name);
  return next;
}

/** What is filtered by, one by one, to be taken away again. */
export const chosenFilters = (
  search: URLSearchParams,
): readonly { readonly name: string; readonly values: readonly string[] }[] =>
  [...SEVERAL, ...ONE, 'q', 'overdue'].flatMap((name) => {
    const values = name === 'q' ? [search.get('q') ?? ''].filter(Boolean) : valuesOf(search, name);
    return values.length > 0 ? [{ name, values }] : [];
  });

/** Where the list lies as a file, with everything that the filters find. */
export function fileOf(workspace: string, filter: Filter, sorts: readonly Sort[]): string {
  const query = new URLSearchParams({ workspace_id: workspace, sort: sorts.join(',') });
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
  return `/api/v1/analysis/gaps/export?${query}`;
}

/** All that the list shows, for a change of all of them. */
export const targetOf = (filter: Filter, total: number): Target => ({
  filter: filter as Extract<Target, { filter: unknown }>['filter'],
  total,
});
