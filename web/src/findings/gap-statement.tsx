import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { type Api, api, take } from '../api/client.ts';
import { useMembers, useProfile } from '../app/workspace.ts';
import { Comments } from '../comments/comments.tsx';
import { StateGlyph } from '../look/glyphs.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Failure, Loaded } from '../parts/states.tsx';
import { useCommonWords } from '../parts/use-words.ts';
import { ago, calendarDate, dateAndTime } from '../words/moments.ts';
import { useIsManager } from './gap-actions.tsx';
import { useGapWords } from './use-words.ts';
import './findings.css';

/** Severity, kind and title. */
export function GapHead({ gap, level }: { readonly gap: Api['Gap']; readonly level: 1 | 2 }) {
  const say = useGapWords();
  const common = useCommonWords();
  const Title = level === 1 ? 'h1' : 'h2';
  return (
    <div className="gap-head">
      <p className="gap-tags">
        <span className="state-label">
          <StateGlyph of={gap.severity} /> {common(`severity_${gap.severity}`)}
        </span>
        {gap.severity !== gap.severity_original && (
          <s>{say('severity_was', { severity: common(`severity_${gap.severity_original}`) })}</s>
        )}
        {gap.asil && (
          <span className="tag">
            {/^(QM|[A-D])\b/.test(gap.asil) ? say('asil', { level: gap.asil }) : gap.asil}
          </span>
        )}
        <span className="tag">{common(`change_${gap.change}`)}</span>
        <span className="tag">{common(`confidence_${gap.confidence}`)}</span>
        <span className="gap-ref">
          <bdi>{gap.standard_ref}</bdi>
        </span>
      </p>
      <Title>
        <bdi>{gap.title}</bdi>
      </Title>
    </div>
  );
}

/** What is expected, what was found, why it matters and what to do. */
export function GapStatement({ gap }: { readonly gap: Api['Gap'] }) {
  const say = useGapWords();
  const parts = [
    ['expected', gap.expected],
    ['observed', gap.observed],
    ['why', gap.why_it_matters],
  ] as const;
  const recommendations = gap.recommendations.length > 0 ? gap.recommendations : [gap.recommendation];
  return (
    <dl className="gap-statement">
      {parts
        .filter(([, text]) => text)
        .map(([key, text]) => (
          <div key={key}>
            <dt>{say(key)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      {recommendations.some(Boolean) && (
        <div>
          <dt>
            {say('recommendation')}
            {gap.effort_hint && <span className="field-hint"> {say(`effort_${gap.effort_hint}`)}</span>}
          </dt>
          {recommendations.map((text) => (
            <dd key={text}>{text}</dd>
          ))}
        </div>
      )}
      {gap.remedy && (
        <div>
          <dt>
            {say('remedy')} <span className="tag">{say('remedy_mark')}</span>
            {gap.remedy.effort && <span className="field-hint"> {say(`effort_${gap.remedy.effort}`)}</span>}
          </dt>
          <dd lang={gap.remedy.language}>
            <ol>
              {gap.remedy.steps.map((step) => (
                <li key={step}>
                  <bdi>{step}</bdi>
                </li>
              ))}
            </ol>
          </dd>
        </div>
      )}
      {gap.by_model && (
        <div>
          <dt>{say('second_opinion')}</dt>
          <dd>
            <span className="tag">{say(`model_${gap.by_model}`)}</span>
          </dd>
        </div>
      )}
      {gap.affected && gap.affected.items.length > 0 && (
        <div>
          <dt>
            {say('affected')} <span className="field-hint">{gap.affected.count}</span>
          </dt>
          <dd>
            <ul className="gap-affected">
              {gap.affected.items.map(({ id, title, severity, work_product_id }) => (
                <li key={`${id}-${work_product_id}`}>
                  <StateGlyph of={severity} /> <bdi>{title ?? id}</bdi>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      )}
      {gap.severity_reasons.length > 0 && (
        <div>
          <dt>{say('reasons')}</dt>
          {gap.severity_reasons.map((text) => (
            <dd key={text}>{text}</dd>
          ))}
        </div>
      )}
    </dl>
  );
}

/** What waits for a second person, what was accepted, and which decisions no longer count. */
export function GapDecisions({ gap }: { readonly gap: Api['NamedGap'] }) {
  const say = useGapWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const { data: me } = useProfile();
  const isManager = useIsManager(gap.workspace_id);
  const members = useMembers(gap.workspace_id).data?.items ?? [];
  // What a change answers has no names; the members are there then.
  const who = (id: string): string =>
    gap.refs?.people[id]?.name ?? members.find(({ user_id }) => user_id === id)?.name ?? say('somebody');
  const [rejected, reject] = useState<string>();
  const decide = useMutation({
    mutationFn: ({ id, ...body }: { id: string } & Api['GapProposalDecision']) =>
      take(
        api.PATCH('/analysis/gaps/{gap_id}/proposals/{proposal_id}', {
          params: { path: { gap_id: gap.id, proposal_id: id } },
          body,
        }),
      ),
    onSuccess: () => {
      reject(undefined);
      for (const what of ['gaps', 'gap', 'overview']) {
        void client.invalidateQueries({ queryKey: [what, gap.workspace_id] });
      }
    },
  });
  const { waiver } = gap;
  return (
    <>
      {waiver && gap.status === 'accepted' && (
        <div className="notice">
          <span className="notice-text">
            {say('waiver', { who: waiver.accepted_by.map(who).join(', ') })}
            {' · '}
            {say('waiver_owner_is', { who: who(waiver.owner) })}
            {' · '}
            {gap.accepted_until
              ? say('waiver_until', { date: calendarDate(gap.accepted_until, say.language) })
              : say('waiver_open_end')}
            {gap.reason && (
              <span className="gap-reason">
                <bdi>{gap.reason}</bdi>
              </span>
            )}
          </span>
        </div>
      )}
      {gap.proposals.map((proposal) => (
        <div key={proposal.id} className="notice" data-kind="warning">
          <span className="notice-text">
            {say(`proposal_${proposal.kind}`, {
              who: who(proposal.proposed_by),
              severity: proposal.severity ? common(`severity_${proposal.severity}`) : '',
            })}
            {proposal.kind === 'acceptance' && <> · {say('accepted_one_of_two')}</>}
            <span className="gap-reason">
              <bdi>{proposal.reason}</bdi>
            </span>
          </span>
          {isManager && proposal.proposed_by !== me?.id && (
            <>
              <Button kind="primary" onClick={() => decide.mutate({ id: proposal.id, decision: 'approve' })}>
                {say('approve')}
              </Button>
              <Button onClick={() => reject(proposal.id)}>{say('reject')}</Button>
            </>
          )}
          {proposal.proposed_by === me?.id && (
            <Button onClick={() => decide.mutate({ id: proposal.id, decision: 'withdraw' })}>
              {say('withdraw')}
            </Button>
          )}
        </div>
      ))}
      {gap.previous_decisions.map((former) => (
        <p key={former.ended_at} className="field-hint">
          {say('previous_decision', {
            date: calendarDate(former.ended_at, say.language),
            decision: say(`decision_${former.decision}`),
          })}
        </p>
      ))}
      {decide.error && <Failure error={decide.error} />}
      {rejected && (
        <Dialog title={say('reject_title')} onClose={() => reject(undefined)}>
          <form
            className="sign-in-form"
            onSubmit={(event) => {
              event.preventDefault();
              const reason = String(new FormData(event.currentTarget).get('reason'));
              decide.mutate({ id: rejected, decision: 'reject', reason });
            }}
          >
            <Field label={say('reason')}>
              <textarea className="input" name="reason" required maxLength={2000} />
            </Field>
            <div className="dialog-actions">
              <Button kind="primary" type="submit">
                {say('reject_title')}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

/** What became of a gap: runs, decisions, comments; the newest first. */
export function GapHistory({ gap }: { readonly gap: Api['Gap'] }) {
  const say = useGapWords();
  const common = useCommonWords();
  const history = useQuery({
    queryKey: ['gap', gap.workspace_id, gap.id, 'history'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/gaps/{gap_id}/history', {
          params: { path: { gap_id: gap.id }, query: { limit: 50, sort: '-created_at', refs: true } },
          signal,
        }),
      ),
  });
  return (
    <section>
      <h2 className="small-heading">{say('history')}</h2>
      <Loaded query={history} lines={3}>
        {({ items, refs }) => (
          <ol className="gap-history">
            {items.map((entry) => (
              <li key={entry.id}>
                <time dateTime={entry.created_at} title={dateAndTime(entry.created_at, say.language)}>
                  {ago(entry.created_at, say.language)}
                </time>
                <span>
                  {say(`history_${entry.type}`)}
                  {entry.change && <> · {common(`change_${entry.change}`)}</>}
                  {entry.actor && (
                    <>
                      {' · '}
                      <bdi>{refs?.people[entry.actor]?.name ?? say('somebody')}</bdi>
                    </>
                  )}
                  <Difference entry={entry} />
                  {(entry.text ?? entry.reason) && (
                    <span className="gap-reason">
                      <bdi>{entry.text ?? entry.reason}</bdi>
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  );
}

function Difference({ entry }: { readonly entry: Api['GapHistory']['items'][number] }) {
  const common = useCommonWords();
  const { before, after } = entry as {
    readonly before: { readonly status?: string } | null;
    readonly after: { readonly status?: string } | null;
  };
  if (!before?.status || !after?.status || before.status === after.status) return null;
  return (
    <>
      {' · '}
      {common.named('status', before.status)} {'→'} {common.named('status', after.status)}
    </>
  );
}

/** What people say about it. */
export const GapComments = ({
  gap,
  field,
}: {
  readonly gap: Api['Gap'];
  readonly field?: Ref<HTMLTextAreaElement>;
}) => (
  <Comments
    workspace={gap.workspace_id}
    subject={{ about: 'gap', gap_id: gap.id }}
    {...(field && { field })}
  />
);
