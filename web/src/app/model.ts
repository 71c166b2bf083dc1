import { useQuery } from '@tanstack/react-query';
import { api, take } from '../api/client.ts';

/** Which language model the operator has set. It does not change while pages are open. */
export const useModel = () =>
  useQuery({
    queryKey: ['model'],
    queryFn: ({ signal }) => take(api.GET('/models', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whether there is a language model: without one no page speaks of it. */
export const useHasModel = (): boolean => useModel().data?.configured ?? false;
