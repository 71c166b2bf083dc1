import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Api, api, take } from '../../api/client.ts';
import type { Language } from '../../look/look.ts';

const MOST_ENTRIES = 500;

/** What is to be decided over all analyses, each fact once. Read anew with the overview: what changes one changes the other. */
export const useFirstPage = (workspace: string, language: Language): UseQueryResult<Api['FirstPage']> =>
  useQuery({
    queryKey: ['overview', workspace, 'first-page', language],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/first-page', {
          params: { query: { workspace_id: workspace, limit: MOST_ENTRIES } },
          signal,
        }),
      ),
  });
