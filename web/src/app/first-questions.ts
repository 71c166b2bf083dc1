import { queryOptions } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { type Api, api, take } from '../api/client.ts';

export const profileQuestion = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: ({ signal }): Promise<Api['Profile']> => take(api.GET('/auth/me', { signal })),
});

export const installationQuestion = queryOptions({
  queryKey: ['installation'],
  staleTime: 60_000,
  queryFn: ({ signal }) => take(api.GET('/installation', { signal })),
});

export const permissionsQuestion = (workspace: string) =>
  queryOptions({
    queryKey: ['permissions', workspace],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      take(api.GET('/workspaces/{id}/permissions', { params: { path: { id: workspace } }, signal })),
  });

/** A screen for people who are signed in, and the workspace it is about. */
const SIGNED = /^\/(?:me\/|w\/([^/]+)|$)/;

/** Asks what every screen waits for while the application is still being put together. */
export function askEarly(path: string): void {
  const signed = SIGNED.exec(path);
  if (!signed) return;
  void cache.prefetchQuery(profileQuestion);
  void cache.prefetchQuery(installationQuestion);
  if (signed[1]) void cache.prefetchQuery(permissionsQuestion(decodeURIComponent(signed[1])));
}
