import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { Asking } from '../../parts/asking.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, textsOf } from '../../parts/field.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { useWords } from './use-words.ts';

const CHOICES = ['covered', 'partial', 'missing', 'not_applicable'] as const;

/** Words of a document as evidence of a person's verdict on a criterion. */
export function UseAsEvidence({
  workspace,
  document,
  place,
  onClose,
}: {
  readonly workspace: string;
  readonly document: string;
  readonly place: { readonly start: number; readonly end: number; readonly text: string };
  readonly onClose: () => void;
}) {
  const say = useWords();
  const [standard, setStandard] = useState('');
  const standards = useQuery({
    queryKey: ['standards', workspace, 'to-judge'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/standards', {
          params: { query: { workspace_id: workspace, limit: 100, sort: 'name' } },
          signal,
        }),
      ),
  });
  return (
    <Dialog title={say('use_as_evidence')} onClose={onClose}>
      <blockquote className="place-quote">
        <bdi>{place.text}</bdi>
      </blockquote>
      <Loaded query={standards} lines={2}>
        {({ items }) => (
          <>
            <Field label={say('evidence_standard')}>
              <select
                className="input"
                value={standard}
                onChange={(event) => setStandard(event.target.value)}
              >
                <option value="">{say('choose')}</option>
                {items.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
            {standard && (
              <Judge
                key={standard}
                workspace={workspace}
                standard={standard}
                evidence={{
                  work_product_id: document,
                  quote: place.text,
                  range: { start: place.start, end: place.end },
                }}
                onClose={onClose}
              />
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}

function Judge({
  workspace,
  standard,
  evidence,
  onClose,
}: {
  readonly workspace: string;
  readonly standard: string;
  readonly evidence: Api['NewCriterionAnswer']['evidence'] extends (infer One)[] | undefined ? One : never;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const review = useQuery({
    queryKey: ['standards', workspace, standard, 'review', 'to-judge', say.language],
    queryFn: ({ signal }) =>
      take(api.GET('/analysis/standards/{id}/review', { params: { path: { id: standard } }, signal })),
  });
  const save = useMutation({
    mutationFn: async ({ criterion = '', verdict = '', reason = '' }: Record<string, string>) => {
      const path = { id: standard, criterion_id: criterion };
      const { answer, basis } = await take(
        api.GET('/analysis/standards/{id}/criteria/{criterion_id}', { params: { path } }),
      );
      // What the person quoted before stays.
      const before = (answer?.evidence ?? []).map(({ work_product_id, quote, range, note }) => ({
        work_product_id,
        quote,
        ...(range && { range }),
        ...(note && { note }),
      }));
      await take(
        api.PUT('/analysis/standards/{id}/criteria/{criterion_id}/answer', {
          params: { path },
          body: {
            verdict: verdict as (typeof CHOICES)[number],
            reason,
            ...(basis && { basis }),
            evidence: [...before, evidence],
          },
        }),
      );
    },
    onSuccess: () => {
      for (const what of ['standards', 'overview', 'gaps', 'marks']) {
        void client.invalidateQueries({ queryKey: [what, workspace] });
      }
      toast(say('evidence_used'));
      onClose();
    },
  });
  return (
    <Loaded query={review} lines={3}>
      {({ analysis, criteria }) =>
        analysis === null ? (
          <p className="notice">
            <span className="notice-text">{say('evidence_no_run')}</span>
            <Link className="button" href={`/w/${workspace}/standards/${standard}`}>
              {say('evidence_to_standard')}
            </Link>
          </p>
        ) : (
          <Asking
            verb={say('evidence_save')}
            doing={save}
            onSubmit={(form) => save.mutate(textsOf(form))}
            onClose={onClose}
          >
            <Field label={say('evidence_criterion')}>
              <select className="input" name="criterion" required defaultValue="">
                <option value="">{say('choose')}</option>
                {criteria.map(({ criterion_id, clause, title }) => (
                  <option key={criterion_id} value={criterion_id}>
                    {[clause, title].filter(Boolean).join(' ') || criterion_id}
                  </option>
                ))}
              </select>
            </Field>
            <Field label={say('evidence_verdict')}>
              <select className="input" name="verdict" defaultValue="covered">
                {CHOICES.map((one) => (
                  <option key={one} value={one}>
                    {common(`verdict_${one}`)}
                  </option>
                ))}
              </select>
            </Field>
            <Field label={say('evidence_reason')}>
              <textarea className="input" name="reason" required maxLength={4000} />
            </Field>
          </Asking>
        )
      }
    </Loaded>
  );
}
