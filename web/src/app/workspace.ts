import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { type Api, api, take } from '../api/client.ts';
import { installationQuestion, permissionsQuestion, profileQuestion } from './first-questions.ts';

/** Id of the workspace that the address is about. */
export const useWorkspaceId = (): string => useParams<{ ws: string }>().ws;

/** All workspaces of a person: a switcher and a list, not a search. */
const MOST_WORKSPACES = 100;

export const fetchWorkspaces = (signal: AbortSignal): Promise<Api['WorkspaceList']> =>
  take(
    api.GET('/workspaces', {
      params: { query: { limit: MOST_WORKSPACES, sort: '-updated_at' } },
      signal,
    }),
  );

export const useWorkspaces = () =>
  useQuery({ queryKey: ['workspaces'], queryFn: ({ signal }) => fetchWorkspaces(signal) });

export const useWorkspace = (id: string) =>
  useQuery({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => take(api.GET('/workspaces/{id}', { params: { path: { id } }, signal })),
  });

export interface May {
  (permission: string): boolean;
  /** `allowed`, `own`, `denied`, or the name of the condition under which it is allowed. */
  level(permission: string): string;
}

/** What the person may do in a workspace, by the ids of `roles.yaml`: `may('findings.status')`. */
export function useMay(workspace: string): May {
  const { data } = useQuery(permissionsQuestion(workspace));
  const level = (permission: string): string => data?.permissions[permission] ?? 'denied';
  return Object.assign((permission: string) => level(permission) !== 'denied', { level });
}

export const useProfile = () => useQuery(profileQuestion);

export const useInstallation = () => useQuery(installationQuestion);

/** People of a workspace, for names beside ids and for choosing an owner. */
export const useMembers = (workspace: string) =>
  useQuery({
    queryKey: ['members', workspace],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/members', {
          params: { path: { id: workspace }, query: { limit: 100, sort: 'name' } },
          signal,
        }),
      ),
  });

/** What the person may read as a guest, where they are no member. */
export const useGuestAccesses = () =>
  useQuery({
    queryKey: ['guest-accesses'],
    queryFn: ({ signal }) =>
      take(api.GET('/auth/me/guest-accesses', { params: { query: { limit: 100 } }, signal })),
  });

/** What the person may do in the installation, whatever the workspace. */
export const useOwnPermissions = () =>
  useQuery({
    queryKey: ['own-permissions'],
    staleTime: 60_000,
    queryFn: ({ signal }) => take(api.GET('/auth/permissions', { signal })),
  });
