import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';

/** Rows above and below those in sight that are asked for as well. */
const AHEAD = 40;
/** Pages in memory: who scrolls through a hundred thousand rows does not keep them. */
const MOST_PAGES = 12;
const KEPT_MILLISECONDS = 30_000;
const FIRST = [0];

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
  const [sight, setSight] = useState<{ readonly base: typeof base; readonly pages: readonly number[] }>();
  const pages = sight?.base === base ? sight.pages : FIRST;
  const { data, error, again } = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...base, page],
      gcTime: KEPT_MILLISECONDS,
      enabled,
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
      const from = Math.floor(Math.max(0, first - AHEAD) / size);
      const to = Math.floor((last + AHEAD) / size);
      const wanted = Array.from({ length: to - from + 1 }, (_, n) => from + n);
      setSight((now) =>
        now?.base === base && now.pages.join() === wanted.join() ? now : { base, pages: wanted },
      );
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
