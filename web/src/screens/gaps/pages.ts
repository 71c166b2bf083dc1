import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { FIRST, isSameSight, type Sight, sightOf, usePagesInTurn } from '../../parts/pages.ts';
import type { Filter, Sort } from './filters.ts';

export type Summary = Api['GapSummaryList']['items'][number];
export type Refs = Api['GapSummaryList']['refs'];
type Page = Api['GapSummaryList'];

const PAGE = 200;
/** Rows above and below those in sight that are asked for as well. */
const AHEAD = 60;
/** Pages in memory: who scrolls through a hundred thousand rows does not keep them. */
const MOST_PAGES = 12;
const KEPT_MILLISECONDS = 30_000;
const NO_REFS: Refs = { people: {}, work_products: {}, standards: {} };

/** A list of any length of which some pages are here. */
export interface GapList {
  readonly total: number;
  /** Those that are here, in their order; there may be others between them. */
  readonly items: readonly Summary[];
  readonly refs: Refs;
  /** The row at a place of the whole list, counted from 0; undefined while it is on its way. */
  readonly at: (place: number) => Summary | undefined;
  /** Place of a gap; -1 where it is not here. */
  readonly placeOf: (id: string | undefined) => number;
}

/** The list under a filter: pages around what is in sight. What was shown stays until something of another filter is here. */
export function useGapList(workspace: string, filter: Filter, sort: readonly Sort[]) {
  const base = useMemo(() => ['gaps', workspace, 'list', filter, sort] as const, [workspace, filter, sort]);
  const [looked, setLooked] = useState<{ readonly base: typeof base; readonly sight: Sight }>();
  const sight = looked?.base === base ? looked.sight : FIRST;
  const { pages } = sight;
  const isInTurn = usePagesInTurn(base, sight);
  const { data, error, again } = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...base, page],
      gcTime: KEPT_MILLISECONDS,
      enabled: isInTurn(page),
      queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Page> =>
        take(
          api.GET('/analysis/gaps/summaries', {
            params: {
              query: {
                workspace_id: workspace,
                ...filter,
                sort: [...sort],
                limit: PAGE,
                offset: page * PAGE,
              },
            },
            signal,
          }),
        ),
    })),
    combine: (results) => ({
      data: results.map((result) => result.data),
      error: results.find((result) => result.error)?.error ?? null,
      again: () => results.map((result) => result.refetch()),
    }),
  });
  const held = useRef<{ readonly base: typeof base; readonly pages: ReadonlyMap<number, Page> }>(undefined);
  const list = useMemo((): GapList | undefined => {
    const loaded = new Map(held.current?.base === base ? held.current.pages : []);
    data.forEach((page, at) => {
      if (page) loaded.set(pages[at]!, page);
    });
    if (loaded.size > 0) held.current = { base, pages: nearest(loaded, pages) };
    return held.current && listOf(held.current.pages, data.find((page) => page)?.total);
  }, [data, base, pages]);
  const look = useCallback(
    (first: number, last: number) => {
      const next = sightOf(first, last, { size: PAGE, ahead: AHEAD });
      setLooked((now) => (now?.base === base && isSameSight(now.sight, next) ? now : { base, sight: next }));
    },
    [base],
  );
  // Something of this list is here, or will not come: what is told beside it may be asked for.
  const isAnswered = error !== null || data.some((page) => page !== undefined);
  return { list, error, again, look, isAnswered };
}

const nearest = (loaded: Map<number, Page>, [here = 0]: readonly number[]): ReadonlyMap<number, Page> =>
  loaded.size <= MOST_PAGES
    ? loaded
    : new Map([...loaded].sort(([a], [b]) => Math.abs(a - here) - Math.abs(b - here)).slice(0, MOST_PAGES));

function listOf(pages: ReadonlyMap<number, Page>, newest: number | undefined): GapList {
  const inOrder = [...pages].sort(([a], [b]) => a - b);
  const places = new Map<string, number>();
  for (const [page, { items }] of inOrder) {
    for (const [at, { id }] of items.entries()) places.set(id, page * PAGE + at);
  }
  return {
    total: newest ?? inOrder[0]?.[1].total ?? 0,
    items: inOrder.flatMap(([, { items }]) => items),
    refs: inOrder.reduce<Refs>(
      (all, [, { refs }]) => ({
        people: { ...all.people, ...refs.people },
        work_products: { ...all.work_products, ...refs.work_products },
        standards: { ...all.standards, ...refs.standards },
      }),
      NO_REFS,
    ),
    at: (place) => pages.get(Math.floor(place / PAGE))?.items[place % PAGE],
    placeOf: (id) => (id === undefined ? -1 : (places.get(id) ?? -1)),
  };
}

/** Ids around a place without a hole, and where the first of them stands. */
export function idsAround(
  { at, total }: GapList,
  place: number,
): {
  readonly from: number;
  readonly ids: readonly string[];
} {
  let from = Math.max(place, 0);
  while (from > 0 && at(from - 1)) from--;
  const ids: string[] = [];
  for (let next = from; next < total; next++) {
    const gap = at(next);
    if (!gap) break;
    ids.push(gap.id);
  }
  return { from, ids };
}
