import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ModelCalls } from './model-calls.tsx';
import { useWords } from './use-words.ts';

const DECISIONS = ['rules', 'model', 'neither'] as const;

/** Where rules and the language model differ in a run, and what people decided. */
export function Differences({ run }: { readonly run: Api['Analysis'] }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const [asked, ask] = useState<Api['Disagreement']>();
  const differences = useQuery({
    queryKey: ['runs', workspace, run.id, 'differences'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/analyses/{id}/disagreements', {
          params: {
            path: { id: run.id },
            query: { limit: 100, outcome: ['raised', 'lowered', 'listed'] },
          },
          signal,
        }),
      ),
  });
  return (
    <Panel
      title={say('differences')}
      aside={
        may('reports.export') && (
          <a className="button" href={`/api/v1/analysis/analyses/${run.id}/disagreements/export`} download>
            <Icon name="download" /> {say('differences_file')}
          </a>
        )
      }
    >
      <div className="form">
        <p className="hint">{say('differences_text')}</p>
        <Loaded query={differences} lines={2}>
          {({ items, total }) =>
            items.length === 0 ? (
              <p>{say('no_differences')}</p>
            ) : (
              <>
                <ul className="records" aria-label={say('differences')}>
                  {items.map((one) => (
                    <li key={one.criterion_id}>
                      <Difference of={one} onDecide={may('opinions.decide') ? () => ask(one) : undefined} />
                    </li>
                  ))}
                </ul>
                {total > items.length && (
                  <p className="small">{say.count('more_differences', total - items.length)}</p>
                )}
              </>
            )
          }
        </Loaded>
        <ModelCalls run={run.id} />
      </div>
      {asked && <Decide run={run.id} of={asked} onClose={() => ask(undefined)} />}
    </Panel>
  );
}

function Difference({
  of,
  onDecide,
}: {
  readonly of: Api['Disagreement'];
  readonly onDecide: (() => void) | undefined;
}) {
  const say = useWords();
  return (
    <>
      <div className="record-main">
        <div className="record-name">
          <bdi>{of.criterion_id}</bdi>
          {of.confirm && !of.decision && <span className="tag">{say('to_confirm')}</span>}
        </div>
        <div className="record-facts">
          <span>{say('by_rules', { verdict: say.named('verdict', of.by_rules) })}</span>
          <span>{say('by_model', { verdict: say.named('verdict', of.by_model ?? 'none') })}</span>
          <span>{say('settled', { verdict: say.named('verdict', of.settled) })}</span>
        </div>
        {of.parts
          .filter(({ because, evidence }) => because !== '' || evidence.length > 0)
          .map(({ part, because, evidence }) => (
            <div key={part} className="small">
              <bdi>{because}</bdi>
              {evidence.map(({ quote }) => (
                <blockquote key={quote}>
                  <bdi>{quote}</bdi>
                </blockquote>
              ))}
            </div>
          ))}
        {of.decision && (
          <p>
            {say(`decided_${of.decision.decision}`)} <bdi>{of.decision.reason}</bdi>
          </p>
        )}
      </div>
      <div className="record-actions">
        {onDecide && (
          <Button aria-label={say('decide_of', { name: of.criterion_id })} onClick={onDecide}>
            {say('decide')}
          </Button>
        )}
      </div>
    </>
  );
}

function Decide({
  run,
  of,
  onClose,
}: {
  readonly run: string;
  readonly of: Api['Disagreement'];
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const decide = useMutation({
    mutationFn: (form: FormData) =>
      take(
        api.PUT('/analysis/analyses/{id}/disagreements/{criterion_id}', {
          params: { path: { id: run, criterion_id: of.criterion_id } },
          body: {
            decision: DECISIONS.find((one) => one === form.get('decision')) ?? 'neither',
            reason: String(form.get('reason') ?? '').trim(),
          },
        }),
      ),
    onSuccess: () => {
      onClose();
      void client.invalidateQueries({ queryKey: ['runs', workspace, run, 'differences'] });
    },
  });
  return (
    <Dialog title={say('decide_title')} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          decide.mutate(new FormData(event.currentTarget));
        }}
      >
        <fieldset className="stack">
          <legend>
            <bdi>{of.criterion_id}</bdi>
          </legend>
          {DECISIONS.map((one) => (
            <label key={one} className="check">
              <input type="radio" name="decision" value={one} required />
              {say(`decided_${one}`)}
            </label>
          ))}
        </fieldset>
        <Field label={say('reason')}>
          <textarea className="input" name="reason" required minLength={3} maxLength={2000} />
        </Field>
        {decide.error && <Failure error={decide.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" disabled={decide.isPending}>
            {say('decide')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
