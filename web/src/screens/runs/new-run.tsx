import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useHasModel } from '../../app/model.ts';
import { STARTED } from '../../app/runs.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ModelEstimate } from './model-estimate.tsx';
import { useWords } from './use-words.ts';

type Part = Api['BatchPart'];
type Planned = Api['PlannedPart'];

const idOf = ({ type, standard_id, checklist_id }: Part | Planned): string =>
  [type, standard_id, checklist_id].filter(Boolean).join(' ');
const OTHERS = ['completeness', 'traceability'] as const;

/** Chooses what is analysed, says what that comes to, asks what only a person knows, and starts it all in one act. */
export function NewRun({
  workspace,
  standard,
  onClose,
}: {
  readonly workspace: string;
  /** The only one that is chosen at first; without it all standards are, and what needs none. */
  readonly standard?: string;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const hasModel = useHasModel();
  const standards = useQuery({
    queryKey: ['standards', workspace],
    queryFn: ({ signal }) =>
      take(
        api.GET('/standards', {
          params: { query: { workspace_id: workspace, limit: 100, sort: 'name' } },
          signal,
        }),
      ),
  });
  const checklists = useQuery({
    queryKey: ['checklists', workspace, 'all'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/compliance/checklists', {
          params: { query: { workspace_id: workspace, limit: 100 } },
          signal,
        }),
      ),
  });
  /** What a person ticked or unticked; the rest is as it is at first. */
  const [ticked, setTicked] = useState<Readonly<Record<string, boolean>>>({});
  const [force, setForce] = useState(false);
  const [answers, setAnswers] = useState<Readonly<Record<string, boolean | undefined>>>({});

  const isAtFirst = ({ type, standard_id }: Part): boolean =>
    standard === undefined ? type !== 'checklist' : standard_id === standard;
  const isTicked = (part: Part): boolean => ticked[idOf(part)] ?? isAtFirst(part);
  const parts = [
    ...(standards.data?.items ?? [])
      .filter((one) => one.processing_status === 'completed')
      .map((one): Part => ({ type: 'gap_analysis', standard_id: one.id })),
    ...OTHERS.map((type): Part => ({ type })),
    ...(checklists.data?.items ?? []).map((one): Part => ({ type: 'checklist', checklist_id: one.id })),
  ].filter(isTicked);
  const wanted = JSON.stringify({ parts, force });
  const asked = useDeferredValue(wanted);
  const plan = useQuery({
    queryKey: ['plan', workspace, asked],
    placeholderData: keepPreviousData,
    enabled: standards.data !== undefined && checklists.data !== undefined && parts.length > 0,
    queryFn: ({ signal }) =>
      take(
        api.POST('/analysis/plans', {
          body: {
            ...STARTED,
            ...(JSON.parse(asked) as { parts: Part[]; force: boolean }),
            workspace_id: workspace,
            conditions: {},
          },
          signal,
        }),
      ),
  });
  const planned = useMemo(() => new Map(plan.data?.parts.map((one) => [idOf(one), one])), [plan.data]);
  const conditions = parts.some(({ type }) => type === 'gap_analysis') ? (plan.data?.conditions ?? []) : [];
  const answerOf = (one: Api['StandardCondition']): boolean | undefined =>
    one.id in answers ? answers[one.id] : (one.answer ?? undefined);
  const start = useMutation({
    mutationFn: () =>
      take(
        api.POST('/analysis/batches', {
          body: {
            ...STARTED,
            workspace_id: workspace,
            parts,
            force,
            conditions: Object.fromEntries(
              conditions.flatMap((one) => {
                const answer = answerOf(one);
                return answer === undefined ? [] : [[one.id, answer]];
              }),
            ),
          },
        }),
      ),
    onSuccess: ({ started, from_store }) => {
      toast(started === 0 ? say.count('all_there', from_store) : say.count('started', started));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['runs', workspace] }),
  });
  const choice = (part: Part, label: ReactNode, isPossible = true) => (
    <label key={idOf(part)} className="check">
      <input
        type="checkbox"
        checked={isPossible && isTicked(part)}
        disabled={!isPossible}
        onChange={(event) => setTicked({ ...ticked, [idOf(part)]: event.target.checked })}
      />
      <span>
        {label}
        {isPossible && isTicked(part) && <PartHint of={planned.get(idOf(part))} />}
      </span>
    </label>
  );
  const seconds = plan.data?.estimated_seconds ?? null;
  return (
    <Dialog title={say('new_title')} onClose={onClose} className="new-run">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate();
        }}
      >
        <p className="quiet">{say('new_text')}</p>
        <fieldset className="stack">
          <legend>
            <strong>{say('standards')}</strong>
          </legend>
          <Loaded query={standards} lines={2}>
            {({ items }) =>
              items.length === 0 ? (
                <p className="quiet">{say('no_standards')}</p>
              ) : (
                items.map((one) =>
                  choice(
                    { type: 'gap_analysis', standard_id: one.id },
                    <bdi>{one.name}</bdi>,
                    one.processing_status === 'completed',
                  ),
                )
              )
            }
          </Loaded>
        </fieldset>
        <fieldset className="stack">
          <legend>
            <strong>{say('others')}</strong>
          </legend>
          {OTHERS.map((type) => choice({ type }, say(type)))}
        </fieldset>
        <details>
          <summary>{say('checklists')}</summary>
          <Loaded query={checklists} lines={2}>
            {({ items }) => (
              <fieldset className="stack">
                <legend className="visually-hidden">{say('checklists')}</legend>
                {items.map((one) =>
                  choice(
                    { type: 'checklist', checklist_id: one.id },
                    <bdi>{(say.language === 'de' && one.title.de) || one.title.en}</bdi>,
                  ),
                )}
              </fieldset>
            )}
          </Loaded>
        </details>
        {conditions.length > 0 && (
          <details open>
            <summary>{say.count('conditions', conditions.length)}</summary>
            <p className="field-hint">{say('conditions_text')}</p>
            {conditions.map((one) => (
              <fieldset key={one.id} className="run-question">
                <legend>{one.question[say.language]}</legend>
                {([true, false, undefined] as const).map((answer) => (
                  <label key={String(answer)} className="check">
                    <input
                      type="radio"
                      name={`condition-${one.id}`}
                      checked={answerOf(one) === answer}
                      onChange={() => setAnswers({ ...answers, [one.id]: answer })}
                    />
                    {say(answer === undefined ? 'answer_unknown' : answer ? 'answer_yes' : 'answer_no')}
                  </label>
                ))}
                <span className="field-hint">{say.count('asked_by', one.asked_by.length)}</span>
              </fieldset>
            ))}
          </details>
        )}
        <label className="check">
          <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} />
          {say('force')}
        </label>
        {hasModel && (
          <ModelEstimate
            workspace={workspace}
            chosen={() => ({
              standards: parts.flatMap((part) => part.standard_id ?? []),
              checklists: parts.flatMap((part) => part.checklist_id ?? []),
            })}
          />
        )}
        <p role="status" className="small">
          {seconds !== null && seconds > 0 && say('takes', { time: lengthOf(seconds, say.language) })}
        </p>
        {plan.error && <Failure error={plan.error} onAgain={() => void plan.refetch()} />}
        {start.error && <Failure error={start.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={start.isPending || parts.length === 0 || !standards.data}
          >
            {say('start')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const MOST_TYPES = 3;

/** What would become of one analysis. */
function PartHint({ of }: { readonly of: Planned | undefined }) {
  const say = useWords();
  if (!of) return null;
  if (of.refused) {
    return (
      <span className="field-hint" data-kind="warning">
        {of.refused.message}
      </span>
    );
  }
  if (of.from_store) return <span className="field-hint">{say('is_there')}</span>;
  const names = of.missing_types.slice(0, MOST_TYPES).map(({ name }) => name[say.language]);
  const more = of.missing_types.length - names.length;
  return (
    <>
      <span className="field-hint">
        {say.count('reads', of.work_products.length)}
        {of.estimated_seconds !== null &&
          `, ${say('takes', { time: lengthOf(of.estimated_seconds, say.language) })}`}
        {of.unread_work_products.length > 0 &&
          ` · ${say.count('leaves_out', of.unread_work_products.length)}`}
      </span>
      {names.length > 0 && (
        <span className="field-hint">
          {say('not_given', { names: names.join(', ') })}
          {more > 0 && ` ${say('not_given_more', { count: more })}`}
        </span>
      )}
    </>
  );
}

/** "40 sec", "3 min" */
function lengthOf(seconds: number, language: string): string {
  const [value, unit] =
    seconds < 90 ? [Math.max(1, seconds), 'second'] : [Math.round(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}
