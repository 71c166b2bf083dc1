import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Api, api, take } from '../api/client.ts';

export type Hit = Api['Found'];
export type HitGroup = Api['SearchResult']['groups'][number];
type Kind = HitGroup['type'];

const WAIT_MILLISECONDS = 120;
/** The service takes words of 2 to 200 letters. */
export const LONGEST = 200;

/** What of the workspace has these words, once typing pauses; nothing for a single letter. */
export function useSearch(
  workspace: string | undefined,
  typed: string,
  { types, limit }: { readonly types?: readonly Kind[]; readonly limit: number },
) {
  const words = typed.trim().slice(0, LONGEST);
  const paused = usePaused(words);
  const isAsked = workspace !== undefined && words.length > 1;
  const { data, error, isPlaceholderData, isLoading } = useQuery({
    queryKey: ['found', workspace, types, limit, paused],
    enabled: isAsked && paused.length > 1,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      take(
        api.GET('/search', {
          params: {
            query: { workspace_id: workspace!, q: paused, limit, ...(types && { type: [...types] }) },
          },
          signal,
        }),
      ),
  });
  return {
    groups: (isAsked && data?.groups) || [],
    unsearched: (isAsked && data?.documents_not_searched) || 0,
    error: isAsked ? error : null,
    /** What is shown is of other words than those typed. */
    isPending: isAsked && (paused !== words || isPlaceholderData || isLoading),
  };
}

function usePaused(words: string): string {
  const [paused, setPaused] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(words), WAIT_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [words]);
  return paused;
}
