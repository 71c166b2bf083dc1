import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type Api, api, take } from '../api/client.ts';
import type { Block } from './block-view.tsx';

/** What fills a window, so that it is there soon; then what is many for one answer. */
const BLOCKS = { first: 200, more: 1000 };
/** What was read of a version does not change. */
const FOR_EVER = Number.POSITIVE_INFINITY;

/** A whole document as it was read; the first blocks are there at once, the others follow by themselves as soon as they may. */
export function useDocument(
  workProduct: string,
  version: number | undefined,
  { mayFollow }: { readonly mayFollow: boolean },
) {
  const query = useInfiniteQuery({
    queryKey: ['document', workProduct, version],
    enabled: version !== undefined,
    staleTime: FOR_EVER,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }): Promise<Api['DocumentView']> =>
      take(
        api.GET('/work-products/{id}/versions/{version}/document', {
          params: {
            path: { id: workProduct, version: version! },
            query: { from_block: pageParam, blocks: pageParam === 0 ? BLOCKS.first : BLOCKS.more },
          },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.next_block ?? undefined,
  });
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data } = query;
  useEffect(() => {
    if (mayFollow && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [mayFollow, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const blocks = useMemo(() => data?.pages.flatMap((page) => page.blocks) ?? [], [data]);
  const columns = useMemo(() => columnsOf(blocks), [blocks]);
  return { ...query, about: data?.pages[0], blocks, columns, isWhole: data !== undefined && !hasNextPage };
}

/** The blocks around one place. */
export const usePassage = (
  workProduct: string,
  version: number,
  { around, blocks }: { readonly around: number; readonly blocks: number },
  { enabled = true }: { readonly enabled?: boolean } = {},
) =>
  useQuery({
    queryKey: ['passage', workProduct, version, around, blocks],
    enabled,
    staleTime: FOR_EVER,
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/{id}/versions/{version}/document', {
          params: { path: { id: workProduct, version }, query: { around, blocks } },
          signal,
        }),
      ),
  });

/** Most of the width for the columns that say most: shares by the square root of their longest text. */
const NARROWEST = 2;
const WIDEST = 11;

export interface TableColumns {
  readonly count: number;
  /** For `grid-template-columns`, the same for every row of the table. */
  readonly template: string;
}

/** The columns of each table, by its id. */
export function columnsOf(blocks: readonly Block[]): ReadonlyMap<number, TableColumns> {
  const longest = new Map<number, number[]>();
  for (const { table, cells } of blocks) {
    if (!table || !cells) continue;
    const columns = longest.get(table.id) ?? [];
    longest.set(table.id, columns);
    for (const { column, span = 1, text } of cells) {
      for (let at = column; at < column + span; at++) {
        columns[at] = Math.max(columns[at] ?? 0, span === 1 ? text.length : 0);
      }
    }
  }
  return new Map(
    [...longest].map(([id, columns]) => {
      const shares = Array.from(columns, (length = 0) =>
        Math.min(Math.max(Math.sqrt(length), NARROWEST), WIDEST).toFixed(1),
      );
      return [
        id,
        {
          count: shares.length,
          template: shares.map((share) => `minmax(calc(0.82 * var(--column)), ${share}fr)`).join(' '),
        },
      ];
    }),
  );
}
