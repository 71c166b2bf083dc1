import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';

/** Rows above and below those in sight that are asked for as well. */
const AHEAD = 40;
/** Pages in memory: who scrolls through a hundred thousand rows does not keep them. */
const MOST_PAGES = 12;
const KEPT_MILLISECONDS = 30_000;

/** Pages of a list of which rows are looked at: those in sight, and with them those above and below. */
export interface Sight {
  readonly near: readonly number[];
  readonly pages: readonly number[];
}
export const FIRST: Sight = { near: [0], pages: [0] };

/** The pages for rows in sight, of `size` rows each. */
export function sightOf(
  first: number,
  last: number,
  { size, ahead }: { readonly size: number; readonly ahead: number },
): Sight {
  const pagesOf = (top: number, end: number): readonly number[] => {
    const from = Math.floor(Math.max(0, top) / size);
    return Array.from({ length: Math.floor(end / size) - from + 1 }, (_, n) => from + n);
  };
  return { near: pagesOf(first, last), pages: pagesOf(first - ahead, last + ahead) };
}

export const isSameSight = (one: Sight, other: Sight): boolean =>
  one.pages.join() === other.pages.join() && one.near.join() === other.near.join();

/** Whether a page is asked for now: what is in sight first, what is above and below it when that is here. */
export function usePagesInTurn(base: readonly unknown[], { near }: Sight): (page: number) => boolean {
  const cache = useQueryClient();
  const isHere = near.every((page) => cache.getQueryState([...base, page])?.data !== undefined);
  return (page) => isHere || near.includes(page);
}

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly total: number;
}

/** A list of any length of which some pages are here. */
export interface PagedList<Item, Page> {
  readonly total: number;
  /** The row at a place of the whole list, counted from 0; undefined while it is on its way. */
  readonly at: (place: number) => Item | undefined;
  /** One of the pages, for what is told beside the rows. */
  readonly page: Page;
}

/** Pages around what is in sight. What was shown stays until something of another list is here. */
export function usePagedList<Item, Page extends PageOf<Item>>(asked: {
  /** Stays the same from one rendering to the next for the same list. */
  readonly base: readonly unknown[];
  /** Rows of a page. */
  readonly size: number;
  readonly read: (offset: number, limit: number, signal: AbortSignal) => Promise<Page>;
  readonly enabled?: boolean;
}) {
  const { base, size, read, enabled = true } = asked;
  const [looked, setLooked] = useState<{ readonly base: typeof base; readonly sight: Sight }>();
  const sight = looked?.base === base ? looked.sight : FIRST;
  const { pages } = sight;
  const isInTurn = usePagesInTurn(base, sight);
  const { data, error, again } = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...base, page],
      gcTime: KEPT_MILLISECONDS,
      enabled: enabled && isInTurn(page),
      queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<Page> =>
        read(page * size, size, signal),
    })),
    combine: (results) => ({
      data: results.map((result) => result.data),
      error: results.find((result) => result.error)?.error ?? null,
      again: () => results.map((result) => result.refetch()),
    }),
  });
  const held = useRef<{ readonly base: typeof base; readonly pages: ReadonlyMap<number, Page> }>(undefined);
  const list = useMemo((): PagedList<Item, Page> | undefined => {
    const loaded = new Map(held.current?.base === base ? held.current.pages : []);
    data.forEach((page, at) => {
      if (page) loaded.set(pages[at]!, page);
    });
    if (loaded.size > 0) held.current = { base, pages: nearest(loaded, pages) };
    const kept = held.current?.pages;
    const one = data.find((page) => page) ?? kept?.values().next().value;
    if (!kept || !one) return undefined;
    return {
      total: one.total,
      page: one,
      at: (place) => kept.get(Math.floor(place / size))?.items[place % size],
    };
  }, [data, base, pages, size]);
  const look = useCallback(
    (first: number, last: number) => {
      const next = sightOf(first, last, { size, ahead: AHEAD });
      setLooked((now) => (now?.base === base && isSameSight(now.sight, next) ? now : { base, sight: next }));
    },
    [base, size],
  );
  return { list, error, again, look };
}

const nearest = <Page>(
  loaded: Map<number, Page>,
  [here = 0]: readonly number[],
): ReadonlyMap<number, Page> =>
  loaded.size <= MOST_PAGES
    ? loaded
    : new Map([...loaded].sort(([a], [b]) => Math.abs(a - here) - Math.abs(b - here)).slice(0, MOST_PAGES));
