import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Api, api, take } from '../api/client.ts';
import { useMay } from '../app/workspace.ts';
import type { GapChange, Target } from './change-gaps.ts';

// More gaps than one request changes: the service does it part after part, whether or not anybody watches.

export type ManyChange = Api['StartedGapsChange'];

/** What one request changes at most. */
const MOST_AT_ONCE = 5000;
const LOOK_MILLISECONDS = 1000;
/** So long after its end somebody who comes back is told of it. */
const NEWS_MILLISECONDS = 24 * 3_600_000;

export const needsJob = (target: Target): boolean => 'filter' in target && target.total > MOST_AT_ONCE;

export const isOver = ({ finished_at }: ManyChange): boolean => finished_at !== null;

/** The change that the person asked for last in a workspace, as long as it goes on or is news. */
export function useManyChange(workspace: string): ManyChange | undefined {
  const client = useQueryClient();
  const mayChange = useMay(workspace)('findings.status');
  const { data } = useQuery<ManyChange | null>({
    queryKey: ['gap-changes', workspace],
    enabled: mayChange,
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? LOOK_MILLISECONDS : false),
    queryFn: async ({ signal }): Promise<ManyChange | null> => {
      const query = { workspace_id: workspace, limit: 1 };
      const { items } = await take(api.GET('/analysis/gap-changes', { params: { query }, signal }));
      return items[0] ?? null;
    },
  });
  const putAway = useSyncExternalStore(watchPutAway, readPutAway);
  // What it changed is read again when it is over.
  const over = data && isOver(data) ? data.id : undefined;
  const [seen, setSeen] = useState<string>();
  useEffect(() => {
    if (data && !isOver(data)) setSeen(data.id);
    if (over === undefined || over !== seen) return;
    for (const what of ['gaps', 'gap', 'overview', 'marks']) {
      void client.invalidateQueries({ queryKey: [what, workspace] });
    }
  }, [data, over, seen, client, workspace]);
  if (!data || data.id === putAway) return undefined;
  const isNews = data.finished_at === null || Date.now() - Date.parse(data.finished_at) < NEWS_MILLISECONDS;
  return isNews ? data : undefined;
}

/** Starts one; what comes of it is told by `useManyChange`. */
export async function startManyChange(
  workspace: string,
  { filter, total }: Extract<Target, { filter: unknown }>,
  change: GapChange,
): Promise<ManyChange> {
  const body = { workspace_id: workspace, filter, expected_total: total, change };
  return take(api.POST('/analysis/gap-changes', { body }));
}

/** Ends it after the part that is on its way, or takes back what it changed. */
export function useSteerChange(workspace: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act }: { readonly id: string; readonly act: 'stop' | 'undo' }) => {
      const params = { path: { change_id: id } };
      return take(
        act === 'stop'
          ? api.POST('/analysis/gap-changes/{change_id}/stop', { params })
          : api.POST('/analysis/gap-changes/{change_id}/undo', { params }),
      );
    },
    onSuccess: (change) => client.setQueryData(['gap-changes', workspace], change),
  });
}

// The one that somebody has read the end of, also when they come back.
const NAME = 'normtrace.read-change';
const watchers = new Set<() => void>();
let lastRead = kept();

function kept(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
const readPutAway = (): string | null => lastRead;
function watchPutAway(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
export function putAway(id: string): void {
  lastRead = id;
  try {
    localStorage.setItem(NAME, id);
  } catch {
    // Forbidden storage: it holds until the page is left.
  }
  for (const watcher of watchers) watcher();
}
