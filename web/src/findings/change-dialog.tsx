import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Api, api, take } from '../api/client.ts';
import { useMembers } from '../app/workspace.ts';
import type { Severity } from '../look/glyphs.tsx';
import { Button } from '../parts/button.tsx';
import { isConflict } from '../parts/conflict.tsx';
import { DateInput } from '../parts/date-input.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useDraft } from '../parts/draft.tsx';
import { Field } from '../parts/field.tsx';
import { useGuarded } from '../parts/guarded.tsx';
import { SEVERITIES } from '../parts/severity.tsx';
import { Failure } from '../parts/states.tsx';
import { useCommonWords } from '../parts/use-words.ts';
import { bodyOf, type GapChange, type Target, useChangeGaps } from './change-gaps.ts';
import { useChangeGap } from './change-one.tsx';
import { needsJob } from './many-changes.ts';
import { useGapWords } from './use-words.ts';

export type Asked = 'accept' | 'false_positive' | 'owner' | 'due' | 'severity';

/** Asks for what a change needs beside the click, and says before what it will do. */
export function ChangeDialog({
  asked,
  workspace,
  target,
  count,
  gap,
  onClose,
}: {
  readonly asked: Asked;
  readonly workspace: string;
  readonly target: Target;
  readonly count: number;
  /** The one that it is about, where it is one. */
  readonly gap?: Api['Gap'] | undefined;
  readonly onClose: () => void;
}) {
  if (asked === 'severity') return gap ? <SeverityDialog gap={gap} onClose={onClose} /> : null;
  return gap && count === 1 ? (
    <OneGapDialog {...{ asked, workspace, target, count, gap, onClose }} />
  ) : (
    <ManyGapsDialog {...{ asked, workspace, target, count, onClose }} />
  );
}

interface Asking {
  readonly asked: Exclude<Asked, 'severity'>;
  readonly workspace: string;
  readonly target: Target;
  readonly count: number;
  readonly onClose: () => void;
}

/** Of one gap: what somebody else changed since the dialog was opened is shown beside it. */
function OneGapDialog({ gap, ...asking }: Asking & { readonly gap: Api['Gap'] }) {
  const [seen] = useState(gap);
  const { change, send, conflict } = useChangeGap(seen);
  return <GapsDialog {...asking} change={change} conflict={conflict} onSend={send} />;
}

function ManyGapsDialog(asking: Asking) {
  const change = useChangeGaps(asking.workspace);
  return (
    <GapsDialog
      {...asking}
      change={change}
      onSend={(wanted, onSuccess) => change.mutate({ target: asking.target, change: wanted }, { onSuccess })}
    />
  );
}

function GapsDialog({
  asked,
  workspace,
  target,
  count,
  change,
  conflict,
  onSend,
  onClose,
}: Asking & {
  readonly change: Pick<ReturnType<typeof useChangeGaps>, 'error' | 'isPending'>;
  readonly conflict?: ReactNode;
  readonly onSend: (wanted: GapChange, onDone: () => void) => void;
}) {
  const say = useGapWords();
  const common = useCommonWords();
  const members = useMembers(workspace).data?.items ?? [];
  const [reason, setReason] = useDraft(`${asked}:${'ids' in target ? target.ids.join() : 'filter'}`);
  const [date, setDate] = useState('');
  const [person, setPerson] = useState('');
  const wanted = ((): GapChange => {
    switch (asked) {
      case 'accept':
        return {
          status: 'accepted',
          reason: reason || '…',
          ...(date && { accepted_until: `${date}T23:59:59Z` }),
          ...(person && { owner: person }),
        };
      case 'false_positive':
        return { status: 'resolved', resolution: 'false_positive', reason: reason || '…' };
      case 'owner':
        return { assignee: person || null };
      case 'due':
        return { due_date: date || null };
    }
  })();
  const preview = useQuery({
    queryKey: ['gap-preview', workspace, target, wanted],
    enabled: (count > 1 || asked === 'accept') && !needsJob(target),
    queryFn: ({ signal }) =>
      take(api.POST('/analysis/gaps/preview', { body: bodyOf(workspace, target, wanted), signal })),
  });
  const refused = preview.data?.refused ?? [];
  const needsReason = asked === 'accept' || asked === 'false_positive';
  const people = members.map(({ user_id, name }) => (
    <option key={user_id} value={user_id}>
      {name}
    </option>
  ));
  return (
    <Dialog title={say.count(`${asked}_title`, count)} onClose={onClose}>
      <form
        className="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSend(wanted, () => {
            setReason('');
            onClose();
          });
        }}
      >
        {asked === 'accept' && <p>{say('accept_text')}</p>}
        {asked === 'false_positive' && <p>{say('false_positive_text')}</p>}
        {needsReason && (
          <Field label={say('reason')}>
            <textarea
              className="input"
              required
              maxLength={2000}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        )}
        {(asked === 'accept' || asked === 'due') && (
          <Field label={say(asked === 'accept' ? 'until' : 'due')}>
            <DateInput value={date} onChange={setDate} />
          </Field>
        )}
        {(asked === 'accept' || asked === 'owner') && (
          <Field label={say(asked === 'accept' ? 'waiver_owner' : 'owner')}>
            <select className="input" value={person} onChange={(event) => setPerson(event.target.value)}>
              <option value="">{asked === 'owner' ? say('nobody') : '–'}</option>
              {people}
            </select>
          </Field>
        )}
        {needsJob(target) && <p>{say('in_parts')}</p>}
        {preview.data && (
          <p role="status">
            {say('preview', {
              changed: preview.data.changed,
              proposed: preview.data.proposed,
              unchanged: preview.data.unchanged,
            })}
          </p>
        )}
        {refused.length > 0 && (
          <p className="notice" data-kind="warning">
            {say.count('preview_refused', refused.length, { why: refused[0]!.message })}
          </p>
        )}
        {conflict}
        {change.error && !isConflict(change.error) && <Failure error={change.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" disabled={change.isPending || refused.length > 0}>
            {say('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function SeverityDialog({ gap, onClose }: { readonly gap: Api['Gap']; readonly onClose: () => void }) {
  const say = useGapWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const [severity, setSeverity] = useState<Severity | ''>(gap.severity);
  const [reason, setReason] = useDraft(`severity:${gap.id}`);
  // As it was when the dialog opened: what is read again meanwhile is not what the person saw.
  const [seen] = useState(gap);
  const params = { path: { gap_id: gap.id } };
  const refresh = (): void => {
    for (const what of ['gaps', 'gap', 'overview', 'marks']) {
      void client.invalidateQueries({ queryKey: [what, gap.workspace_id] });
    }
    onClose();
  };
  const change = useGuarded({
    seen,
    read: async () => ({ data: await take(api.GET('/analysis/gaps/{gap_id}', { params })) }),
    write: (to: Severity | null) =>
      take(api.PUT('/analysis/gaps/{gap_id}/severity', { params, body: { severity: to, reason } })),
    changed: (to) => ({ ...seen, severity: to ?? seen.severity_original }),
    told: (of) => [{ label: say('severity_title'), value: common(`severity_${of.severity}`) }],
    onSaved: () => {
      setReason('');
      refresh();
    },
    onTheirs: refresh,
  });
  return (
    <Dialog title={say('severity_title')} onClose={onClose}>
      <form
        className="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault();
          change.send(severity === '' ? null : severity);
        }}
      >
        <p>{say('severity_text')}</p>
        <Field label={say('severity_title')}>
          <select
            className="input"
            value={severity}
            onChange={(event) => setSeverity(event.target.value as Severity | '')}
          >
            {SEVERITIES.map((one) => (
              <option key={one} value={one}>
                {common(`severity_${one}`)}
              </option>
            ))}
            <option value="">
              {say('by_rubric', { severity: common(`severity_${gap.severity_original}`) })}
            </option>
          </select>
        </Field>
        <Field label={say('reason')}>
          <textarea
            className="input"
            required
            maxLength={2000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        {change.conflict ?? (change.error && <Failure error={change.error} />)}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" disabled={change.isPending || change.isOpen}>
            {say('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
