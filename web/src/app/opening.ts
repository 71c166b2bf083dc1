import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { type Api, api, take } from '../api/client.ts';
import { fetchWorkspaces } from './workspace.ts';

type StartPage = Api['Preferences']['start_page'];
const NAME = 'normtrace.workspace';

/** The address of a first page below its workspace. */
export const placeOf = (page: Exclude<StartPage, 'start'>): string => (page === 'overview' ? '' : `/${page}`);

/** The workspace that is open is the one to open with the next time, where the browser lets us keep it. */
export function useOpenWorkspace(workspace: string): void {
  useEffect(() => {
    try {
      localStorage.setItem(NAME, workspace);
    } catch {
      // Forbidden storage: the application opens with my work.
    }
  }, [workspace]);
}

function lastWorkspace(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Where somebody who chose a first page is taken. Null: to my work, also where the workspace is theirs no more. */
async function chosenPage(signal: AbortSignal): Promise<string | null> {
  const { start_page: page } = await take(api.GET('/auth/me/preferences', { signal }));
  if (page === 'start') return null;
  const { items } = await fetchWorkspaces(signal);
  const last = lastWorkspace();
  const workspace = items.find(({ id }) => id === last) ?? (items.length === 1 ? items[0] : undefined);
  return workspace ? `/w/${workspace.id}${placeOf(page)}` : null;
}

/**
 * Takes a person who opens the application at `/`, or signs in, to their first page; who goes to `/` later wants my work. Answers
 * whether it is still being looked for.
 */
export function useOpening(person: string | undefined): boolean {
  const [address, go] = useLocation();
  const [isOpening, setOpening] = useState(address === '/');
  const { data, isPending } = useQuery({
    queryKey: ['opening', person],
    enabled: isOpening && person !== undefined,
    retry: false,
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => chosenPage(signal),
  });
  useEffect(() => {
    if (!isOpening || isPending) return;
    if (data) go(data, { replace: true });
    setOpening(false);
  }, [isOpening, isPending, data, go]);
  return isOpening;
}
