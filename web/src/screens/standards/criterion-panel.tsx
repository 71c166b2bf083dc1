import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useDocumentNames } from '../../app/documents.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Comments } from '../../comments/comments.tsx';
import { Icon, StateGlyph, type Verdict } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { DraftArea, forgetDraft } from '../../parts/draft.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { Quote } from '../../parts/quote.tsx';
import { VerdictLabel } from '../../parts/severity.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

/** A criterion with what a run and people say, its words, its gaps, and the way to say something oneself. */
export function CriterionPanel({
  standard,
  run,
  criterion,
  onWalk,
  onClose,
}: {
  readonly standard: string;
  readonly run: string | undefined;
  readonly criterion: string;
  /** To the criterion before or behind. */
  readonly onWalk: (step: -1 | 1) => void;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  const panel = useRef<HTMLElement>(null);
  // Tab goes on in what was opened, not behind it in a list of hundreds.
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const asked = useQuery({
    queryKey: ['standards', workspace, standard, 'criterion', criterion, run],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/standards/{id}/criteria/{criterion_id}', {
          params: {
            path: { id: standard, criterion_id: criterion },
            query: { ...(run && { analysis_id: run }) },
          },
          signal,
        }),
      ),
  });
  return (
    <aside className="panel" aria-label={criterion} ref={panel} tabIndex={-1}>
      <header>
        <span className="mono">{criterion}</span>
        <span className="row">
          <Button kind="quiet" iconOnly aria-label={say('previous')} onClick={() => onWalk(-1)}>
            <Icon name="up" />
          </Button>
          <Button kind="quiet" iconOnly aria-label={say('next')} onClick={() => onWalk(1)}>
            <Icon name="down" />
          </Button>
          <Button kind="quiet" iconOnly aria-label={common('close')} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </span>
      </header>
      <div className="panel-body stack">
        <Loaded query={asked}>{(one) => <Criterion of={one} standard={standard} />}</Loaded>
        <Comments
          workspace={workspace}
          subject={{ about: 'criterion', standard_id: standard, criterion_id: criterion }}
        />
      </div>
    </aside>
  );
}

function Criterion({ of, standard }: { readonly of: Api['ReviewedCriterion']; readonly standard: string }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const nameOf = useDocumentNames(workspace);
  const search = of.machine?.search as { readonly statement?: string } | null | undefined;
  const quotes = onceEach([...(of.answer?.evidence ?? []), ...(of.machine?.evidence ?? [])]);
  return (
    <div className="stack">
      <h2>
        <bdi>{of.title ?? of.clause}</bdi>
      </h2>
      {of.text && (
        <p>
          <bdi>{of.text}</bdi>
        </p>
      )}
      {of.machine === null ? (
        <p className="quiet">{say('not_judged')}</p>
      ) : (
        <dl className="verdicts">
          <dt>{say('machine')}</dt>
          <dd>
            <VerdictLabel of={of.machine.verdict} />
            <p>{of.machine.reason}</p>
          </dd>
          {of.answer && (
            <>
              <dt>{say('person')}</dt>
              <dd>
                {of.answer.verdict && <VerdictLabel of={of.answer.verdict} />} {of.answer.rating}
                <p>
                  <bdi>{of.answer.reason}</bdi>
                </p>
                <p className="small">
                  {say('history_line', {
                    name: of.answer.answered_by_name,
                    when: dateAndTime(of.answer.answered_at, say.language),
                  })}
                </p>
              </dd>
            </>
          )}
          <dt>{say('counts')}</dt>
          <dd>
            {of.effective_verdict && <VerdictLabel of={of.effective_verdict} />}{' '}
            {of.review_status !== 'not_needed' && (
              <span className="small">{say.named('review', of.review_status)}</span>
            )}
            {of.review_reason && <p className="small">{of.review_reason}</p>}
          </dd>
        </dl>
      )}
      {of.machine && may('checklists.answer') && (
        <AnswerForm of={of} standard={standard} machine={of.machine.verdict} />
      )}
      {of.machine && (
        <section className="stack" aria-label={say('quotes')}>
          <h3>{say('quotes')}</h3>
          {of.machine.evidence.length === 0 && <p className="quiet">{say('no_quotes')}</p>}
          {quotes.map((one) => (
            <Quote
              key={`${one.role} ${one.work_product_id} ${one.range?.start} ${one.range?.end}`}
              of={one}
              workspace={workspace}
              name={nameOf(one.work_product_id)}
            />
          ))}
          {search?.statement && <p className="small">{search.statement}</p>}
        </section>
      )}
      {of.gaps.length > 0 && (
        <section className="stack" aria-label={say('gaps')}>
          <h3>{say('gaps')}</h3>
          <ul className="stack">
            {of.gaps.map((gap) => (
              <li key={gap.id}>
                <StateGlyph of={gap.severity} label={gap.severity} />{' '}
                <Link href={`/w/${workspace}/gaps/${gap.id}`}>
                  <bdi>{gap.title}</bdi>
                </Link>{' '}
                <GapStatus of={gap.status} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {of.history.length > 0 && <History of={of.history} />}
    </div>
  );
}

/** What a person and the run both quote is shown once. */
const onceEach = (quotes: readonly Api['Evidence'][]): readonly Api['Evidence'][] => [
  ...new Map(
    quotes.map((one) => [`${one.role} ${one.work_product_id} ${one.range?.start} ${one.range?.end}`, one]),
  ).values(),
];

function GapStatus({ of }: { readonly of: string }) {
  const common = useCommonWords();
  return <span className="tag">{common.named('status', of)}</span>;
}

const CHOICES = ['covered', 'partial', 'missing', 'not_applicable'] as const;
type Choice = (typeof CHOICES)[number];

function AnswerForm({
  of,
  standard,
  machine,
}: {
  readonly of: Api['ReviewedCriterion'];
  readonly standard: string;
  readonly machine: Verdict;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const nameOf = useDocumentNames(workspace);
  const first = of.answer?.verdict ?? (machine === 'needs_review' ? 'covered' : machine);
  const [verdict, setVerdict] = useState<Choice>(first);
  const path = { id: standard, criterion_id: of.criterion_id };
  const draft = `criterion:${standard}:${of.criterion_id}`;
  const quoted = [...new Set(of.machine?.evidence.map((one) => one.work_product_id))];
  const refresh = (said: string): void => {
    for (const what of ['standards', 'overview', 'gaps']) {
      void client.invalidateQueries({ queryKey: [what, workspace] });
    }
    toast(said);
  };
  const save = useMutation({
    mutationFn: ({ reason = '', quote = '', document = '', rating = '' }: Record<string, string>) =>
      take(
        api.PUT('/analysis/standards/{id}/criteria/{criterion_id}/answer', {
          params: { path },
          body: {
            verdict,
            reason,
            ...(of.analysis_id && { analysis_id: of.analysis_id }),
            ...(of.basis && { basis: of.basis }),
            ...(rating && { rating: rating as 'N' }),
            ...(quote && document && { evidence: [{ work_product_id: document, quote }] }),
          },
        }),
      ),
    onSuccess: () => {
      forgetDraft(draft);
      refresh(say('saved'));
    },
  });
  const takeBack = useMutation({
    mutationFn: () =>
      take(api.DELETE('/analysis/standards/{id}/criteria/{criterion_id}/answer', { params: { path } })),
    onSuccess: () => refresh(say('taken_back')),
  });
  return (
    <details className="answer" open={of.review_status === 'to_be_reviewed' || undefined}>
      <summary>{say(of.answer ? 'judge_again' : 'judge')}</summary>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(textsOf(event.currentTarget));
        }}
      >
        <fieldset className="row">
          <legend className="visually-hidden">{say('judge')}</legend>
          {CHOICES.map((one) => (
            <label key={one} className="check">
              <input type="radio" name="verdict" checked={one === verdict} onChange={() => setVerdict(one)} />
              {common(`verdict_${one}`)}
            </label>
          ))}
        </fieldset>
        {of.kind === 'practice' && (
          <Field label={say('rating')}>
            <select className="input" name="rating" defaultValue={of.answer?.rating ?? ''}>
              <option value="">{say('no_rating')}</option>
              {['N', 'P', 'L', 'F'].map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </Field>
        )}
        <Field label={say('reason')} hint={say('reason_hint')}>
          <DraftArea draft={draft} name="reason" required maxLength={4000} />
        </Field>
        {quoted.length > 0 && (
          <>
            <Field label={say('quote')} hint={say('quote_hint')}>
              <Input name="quote" maxLength={1000} />
            </Field>
            <Field label={say('quote_document')}>
              <select className="input" name="document">
                {quoted.map((id) => (
                  <option key={id} value={id}>
                    {nameOf(id)}
                  </option>
                ))}
              </select>
            </Field>
          </>
        )}
        {(save.error ?? takeBack.error) && <Failure error={save.error ?? takeBack.error} />}
        <div className="row">
          <Button type="submit" kind="primary" disabled={save.isPending}>
            {say('save')}
          </Button>
          {of.answer && (
            <Button disabled={takeBack.isPending} onClick={() => takeBack.mutate()}>
              {say('take_back')}
            </Button>
          )}
        </div>
      </form>
    </details>
  );
}

function History({ of }: { readonly of: readonly Api['CriterionAnswer'][] }) {
  const say = useWords();
  return (
    <section className="stack" aria-label={say('history')}>
      <h3>{say('history')}</h3>
      <ol className="stack">
        {of.map((one) => (
          <li key={one.id}>
            {one.verdict ? <VerdictLabel of={one.verdict} /> : say('taken_back')}{' '}
            <span className="small">
              {say('history_line', {
                name: one.answered_by_name,
                when: dateAndTime(one.answered_at, say.language),
              })}
            </span>
            {one.reason && (
              <p>
                <bdi>{one.reason}</bdi>
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
