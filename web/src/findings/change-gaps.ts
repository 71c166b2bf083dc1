import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Api, api, take } from '../api/client.ts';
import { isConflict } from '../parts/conflict.tsx';
import { useFailureWords } from '../parts/states.tsx';
import { toast } from '../parts/toasts.tsx';
import { needsJob, startManyChange } from './many-changes.ts';
import { useGapWords } from './use-words.ts';

export type GapChange = Api['GapChange'];
/** The gaps that a change is for: named, or all that a filter finds, with how many the person saw. */
export type Target =
  | { readonly ids: readonly string[] }
  | { readonly filter: NonNullable<Api['GapsChange']['filter']>; readonly total: number };

/** `seenAt`: refused where a gap was changed after this moment. */
export const bodyOf = (
  workspace: string,
  target: Target,
  change: GapChange,
  seenAt?: string,
): Api['GapsChange'] => ({
  workspace_id: workspace,
  change,
  ...(seenAt !== undefined && { unchanged_since: seenAt }),
  ...('ids' in target ? { ids: [...target.ids] } : { filter: target.filter, expected_total: target.total }),
});

interface Changed {
  readonly target: Target;
  readonly change: GapChange;
  /** When the gaps were read, for who asks what happened since. */
  readonly seenAt?: string;
}

/** Changes gaps, says what came of it, and offers the way back. */
export function useChangeGaps(workspace: string) {
  const say = useGapWords();
  const failure = useFailureWords();
  const client = useQueryClient();
  const refresh = useCallback(() => {
    for (const what of ['gaps', 'gap', 'overview', 'marks']) {
      void client.invalidateQueries({ queryKey: [what, workspace] });
    }
  }, [client, workspace]);
  const takeBack = async (items: Api['ChangedGaps']['items']): Promise<void> => {
    for (const [change, ids] of wayBack(items)) {
      await take(api.PATCH('/analysis/gaps', { body: bodyOf(workspace, { ids }, change) }));
    }
  };
  const change = useMutation({
    mutationFn: async ({ target, change, seenAt }: Changed): Promise<Api['ChangedGaps']> => {
      if (!('filter' in target) || !needsJob(target))
        return take(api.PATCH('/analysis/gaps', { body: bodyOf(workspace, target, change, seenAt) }));
      client.setQueryData(['gap-changes', workspace], await startManyChange(workspace, target, change));
      return { changed: 0, proposed: 0, items: [] };
    },
    onSuccess: ({ changed, proposed, items }) => {
      refresh();
      if (changed + proposed === 0) return;
      const words = [
        changed > 0 ? say.count('changed', changed) : '',
        proposed > 0 ? say.count('proposed', proposed) : '',
      ];
      toast(
        words.filter(Boolean).join(' · '),
        changed === 0
          ? undefined
          : () => {
              takeBack(items).then(
                () => {
                  refresh();
                  toast(say('taken_back'));
                },
                (error: unknown) => toast(failure(error)),
              );
            },
      );
    },
    onError: (error, { seenAt }) => {
      if (seenAt === undefined || !isConflict(error)) toast(failure(error));
    },
  });
  return { ...change, refresh };
}

/** The changes that undo a change, each with the gaps that it is for. */
export function wayBack(
  items: Api['ChangedGaps']['items'],
): readonly (readonly [change: GapChange, ids: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { id, before } of items) {
    const { status, resolution, assignee, due_date, reason, accepted_until } = before;
    const change: GapChange = {
      status,
      assignee,
      due_date,
      ...(resolution !== null && { resolution }),
      ...(reason !== null && { reason }),
      ...(accepted_until !== null && { accepted_until }),
    };
    const key = JSON.stringify(change);
    groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  return [...groups].map(([change, ids]) => [JSON.parse(change) as GapChange, ids]);
}
