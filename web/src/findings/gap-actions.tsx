import type { Api } from '../api/client.ts';
import { useMay, useMembers } from '../app/workspace.ts';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy-text.ts';
import { DateInput } from '../parts/date-input.tsx';
import { toast } from '../parts/toasts.tsx';
import { useCommonWords } from '../parts/use-words.ts';
import { calendarDate } from '../words/moments.ts';
import type { Asked } from './change-dialog.tsx';
import type { GapChange } from './change-gaps.ts';
import { useChangeGap } from './change-one.tsx';
import { useGapWords } from './use-words.ts';

const STATUSES = ['open', 'in_progress', 'resolved'] as const;

export const linkOf = (workspace: string, gap: string): string =>
  `${location.origin}/w/${workspace}/gaps/${gap}`;

/** Status, owner and date of a gap, and what can be decided about it by whoever looks at it. */
export function GapActions({
  gap,
  onAsk,
}: {
  readonly gap: Api['Gap'];
  readonly onAsk: (asked: Asked) => void;
}) {
  const say = useGapWords();
  const common = useCommonWords();
  const workspace = gap.workspace_id;
  const may = useMay(workspace);
  const members = useMembers(workspace).data?.items ?? [];
  const mayChange = may('findings.status');
  const isManager = useIsManager(workspace);
  const { send, conflict } = useChangeGap(gap);
  const set = (values: GapChange): void => send(values);
  const owner = members.find(({ user_id }) => user_id === gap.assignee)?.name;
  if (!mayChange) {
    return (
      <p className="gap-actions">
        <span className="tag">{common(`status_${gap.status}`)}</span>
        <span>{owner ?? say('nobody')}</span>
        <span>{gap.due_date ? calendarDate(gap.due_date, say.language) : say('no_date')}</span>
      </p>
    );
  }
  return (
    <div className="gap-actions">
      {conflict}
      <select
        className="input"
        aria-label={say('status')}
        value={gap.status}
        onChange={(event) =>
          event.target.value === 'accepted'
            ? onAsk('accept')
            : set({ status: event.target.value as (typeof STATUSES)[number] })
        }
      >
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {common(`status_${status}`)}
          </option>
        ))}
        {(isManager || gap.status === 'accepted') && (
          <option value="accepted">{common('status_accepted')}</option>
        )}
      </select>
      <select
        className="input"
        aria-label={say('owner')}
        value={gap.assignee ?? ''}
        onChange={(event) => set({ assignee: event.target.value || null })}
      >
        <option value="">{say('nobody')}</option>
        {members.map(({ user_id, name }) => (
          <option key={user_id} value={user_id}>
            {name}
          </option>
        ))}
      </select>
      <DateInput
        aria-label={say('due')}
        value={gap.due_date ?? ''}
        onChange={(day) => set({ due_date: day || null })}
      />
      {isManager && <Button onClick={() => onAsk('accept')}>{say('accept')}</Button>}
      <Button onClick={() => onAsk('false_positive')}>
        {say(isManager ? 'false_positive' : 'propose_false_positive')}
      </Button>
      {may('findings.severity') && (
        <Button onClick={() => onAsk('severity')}>
          {say(isManager ? 'severity_change' : 'propose_severity')}
        </Button>
      )}
      <Button kind="quiet" onClick={() => copyLink(linkOf(workspace, gap.id), say('link_copied'))}>
        {say('copy_link')}
      </Button>
    </div>
  );
}

/** Copies a link and says so; where the browser does not let a page copy, the link itself is shown. */
export const copyLink = (link: string, done: string): void =>
  void copyText(link).then((copied) => toast(copied ? done : link));

/** Whether decisions count at once: for others accepting is denied and the rest is a proposal. */
export function useIsManager(workspace: string): boolean {
  return useMay(workspace).level('findings.status') === 'allowed';
}
