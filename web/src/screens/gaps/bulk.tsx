import { useMay } from '../../app/workspace.ts';
import type { Asked } from '../../findings/change-dialog.tsx';
import { type GapChange, type Target, useChangeGaps } from '../../findings/change-gaps.ts';
import { useIsManager } from '../../findings/gap-actions.tsx';
import { Button } from '../../parts/button.tsx';
import { number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

/** What can be done with everything that is selected. */
export function Bulk({
  workspace,
  target,
  count,
  total,
  isAll,
  onAll,
  onNone,
  onAsk,
}: {
  readonly workspace: string;
  readonly target: Target;
  readonly count: number;
  readonly total: number;
  readonly isAll: boolean;
  readonly onAll: () => void;
  readonly onNone: () => void;
  readonly onAsk: (asked: Asked) => void;
}) {
  const say = useWords();
  const may = useMay(workspace);
  const isManager = useIsManager(workspace);
  const change = useChangeGaps(workspace);
  const set = (values: GapChange): void => change.mutate({ target, change: values }, { onSuccess: onNone });
  return (
    <section className="bulk" aria-label={say.count('selected', count)}>
      <strong>{say.count('selected', count)}</strong>
      {!isAll && count < total && (
        <Button kind="quiet" onClick={onAll}>
          {say('select_all', { total: number(total, say.language) })}
        </Button>
      )}
      <Button kind="quiet" onClick={onNone}>
        {say('unselect')} <kbd>Esc</kbd>
      </Button>
      {may('findings.status') && (
        <span className="bulk-actions">
          <Button onClick={() => set({ status: 'open' })}>
            {say('set_open')} <kbd>1</kbd>
          </Button>
          <Button onClick={() => set({ status: 'in_progress' })}>
            {say('set_in_progress')} <kbd>2</kbd>
          </Button>
          <Button onClick={() => set({ status: 'resolved' })}>
            {say('set_resolved')} <kbd>3</kbd>
          </Button>
          {isManager && (
            <Button onClick={() => onAsk('accept')}>
              {say('accept')} <kbd>4</kbd>
            </Button>
          )}
          <Button onClick={() => onAsk('false_positive')}>
            {say('false_positive')} <kbd>f</kbd>
          </Button>
          <Button onClick={() => onAsk('owner')}>
            {say('owner')} <kbd>a</kbd>
          </Button>
          <Button onClick={() => onAsk('due')}>
            {say('due')} <kbd>d</kbd>
          </Button>
        </span>
      )}
    </section>
  );
}
