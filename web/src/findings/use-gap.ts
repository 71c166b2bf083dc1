import { useQuery } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';

export const useGap = (workspace: string, id: string | undefined) =>
  useQuery({
    queryKey: ['gap', workspace, id],
    enabled: id !== undefined,
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/gaps/{gap_id}', {
          params: { path: { gap_id: id! }, query: { refs: true } },
          signal,
        }),
      ),
  });
