import { useEffect, useSyncExternalStore } from 'react';
import { type Api, ApiFailure, api, take } from '../api/client.ts';
import type { GapChange, Target } from './change-gaps.ts';

// More gaps than one request changes: part after part, while somebody goes on working. Which gaps is read first, so that those
// that no longer match the filter because they were changed do not move the rest.

/** What one request changes at most. */
const MOST_AT_ONCE = 5000;
/** So many at once: others wait for some seconds at most, and what is shown moves. */
const PART = 2000;
const PAGE = 500;

export interface InParts {
  readonly stage: 'reading' | 'changing' | 'undoing';
  readonly done: number;
  readonly total: number;
}
/** What came of it: those that could not be changed are left as they are. */
export interface Outcome {
  readonly changed: number;
  readonly proposed: number;
  readonly refused: number;
  /** Why, of the first. */
  readonly why: string;
  readonly items: Api['ChangedGaps']['items'];
  readonly error?: unknown;
}

let now: InParts | undefined;
let isStopped = false;
const watchers = new Set<() => void>();
function tell(next: InParts | undefined): void {
  now = next;
  for (const watcher of watchers) watcher();
}

/** How far it is; undefined while nothing is changed in parts. */
export const useInParts = (): InParts | undefined =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => now,
  );

/** After the part that is on its way. */
export const stopInParts = (): void => {
  isStopped = true;
};

/** Whoever closes the tab is asked: what is not changed then stays as it is. */
export function useAskBeforeLeaving(isMoving: boolean): void {
  useEffect(() => {
    if (!isMoving) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isMoving]);
}

export const needsParts = (target: Target): boolean =>
  ('ids' in target ? target.ids.length : target.total) > MOST_AT_ONCE;

/** Whether something is being changed in parts: one thing after the other. */
export const isInParts = (): boolean => now !== undefined;

/** Changes everything that the target means; throws nothing, an error stands in the outcome with what was changed before it. */
export async function changeInParts(workspace: string, target: Target, change: GapChange): Promise<Outcome> {
  isStopped = false;
  tell({ stage: 'reading', done: 0, total: 'ids' in target ? target.ids.length : target.total });
  try {
    const ids = 'ids' in target ? target.ids : await idsOf(workspace, target);
    return await patch(workspace, [[change, ids]], 'changing');
  } catch (error) {
    return { changed: 0, proposed: 0, refused: 0, why: '', items: [], error };
  } finally {
    tell(undefined);
  }
}

/** Takes changes back, those of each kind together. */
export async function undoInParts(
  workspace: string,
  changes: readonly (readonly [GapChange, readonly string[]])[],
): Promise<Outcome> {
  isStopped = false;
  try {
    return await patch(workspace, changes, 'undoing');
  } finally {
    tell(undefined);
  }
}

async function idsOf(
  workspace: string,
  { filter, total }: Extract<Target, { filter: unknown }>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null && !isStopped) {
    const query = { ...filter, workspace_id: workspace, limit: PAGE, sort: ['created_at' as const], cursor };
    const page: Api['GapSummaryList'] = await patiently(() =>
      take(api.GET('/analysis/gaps/summaries', { params: { query } })),
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
    tell({ stage: 'reading', done: ids.length, total: Math.max(total, ids.length) });
  }
  return isStopped ? [] : ids;
}

async function patch(
  workspace: string,
  changes: readonly (readonly [GapChange, readonly string[]])[],
  stage: InParts['stage'],
): Promise<Outcome> {
  const total = changes.reduce((sum, [, ids]) => sum + ids.length, 0);
  const items: Api['ChangedGaps']['items'][number][] = [];
  let [done, changed, proposed, refused, why] = [0, 0, 0, 0, ''];
  const outcome = (error?: unknown): Outcome => ({
    ...{ changed, proposed, refused, why, items },
    ...(error !== undefined && { error }),
  });
  for (const [change, ids] of changes) {
    for (let at = 0; at < ids.length && !isStopped; at += PART) {
      let part = ids.slice(at, at + PART);
      const size = part.length;
      tell({ stage, done, total });
      while (part.length > 0) {
        try {
          const body = { workspace_id: workspace, ids: [...part], change };
          const answer = await patiently(() => take(api.PATCH('/analysis/gaps', { body })));
          changed += answer.changed;
          proposed += answer.proposed;
          items.push(...answer.items);
          break;
        } catch (error) {
          // None of the part was changed because of some: the others are changed without them.
          const not = refusedIn(error);
          if (not.length === 0) return outcome(error);
          const ids = new Set(not.map(({ id }) => id));
          refused += ids.size;
          why ||= not[0]!.message;
          part = part.filter((id) => !ids.has(id));
        }
      }
      done += size;
    }
  }
  return outcome();
}

function refusedIn(error: unknown): readonly { readonly id: string; readonly message: string }[] {
  if (!(error instanceof ApiFailure) || !Array.isArray(error.details.items)) return [];
  return error.details.items as readonly { readonly id: string; readonly message: string }[];
}

/** Asks again where the service says that it was asked too often. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 429) throw error;
      await new Promise((done) => setTimeout(done, 1000 * (error.retryAfter ?? 1)));
    }
  }
}
