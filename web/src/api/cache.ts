import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './client.ts';
import { sessionEnded } from './session.ts';

const MOST_TRIES = 3;

const watchSession = (error: unknown): void => {
  if (error instanceof ApiFailure && error.status === 401) sessionEnded();
};

/** What was read stays for a while and is told as such; what was refused for a reason is not asked again. */
export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: watchSession }),
  mutationCache: new MutationCache({ onError: watchSession }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failed, error) => {
        if (!(error instanceof ApiFailure)) return failed < 1;
        return [0, 429, 502, 503, 504].includes(error.status) && failed < MOST_TRIES;
      },
      retryDelay: (failed, error) =>
        error instanceof ApiFailure && error.retryAfter !== undefined
          ? error.retryAfter * 1000
          : [1000, 2000, 5000][failed]!,
    },
  },
});
