import { useMutation } from '@tanstack/react-query';
import { api, take } from '../../api/client.ts';
import { STARTED } from '../../app/runs.ts';
import { Button } from '../../parts/button.tsx';
import { Failure } from '../../parts/states.tsx';
import { useWords } from './use-words.ts';

/** What the language model would be asked, before it is: nothing is sent for it. */
export function ModelEstimate({
  workspace,
  chosen,
}: {
  readonly workspace: string;
  /** Ids of the standards and checklists that are ticked. */
  readonly chosen: () => { readonly standards: readonly string[]; readonly checklists: readonly string[] };
}) {
  const say = useWords();
  const numbers = new Intl.NumberFormat(say.language);
  const estimate = useMutation({
    mutationFn: () => {
      const { standards, checklists } = chosen();
      const about = [
        ...standards.map((standard_id) => ({ standard_id })),
        ...checklists.map((checklist_id) => ({ checklist_id })),
      ];
      return Promise.all(
        about.map((one) =>
          take(api.POST('/analysis/estimate', { body: { ...STARTED, workspace_id: workspace, ...one } })),
        ),
      );
    },
  });
  const all = estimate.data ?? [];
  const sum = (key: 'questions' | 'input_tokens' | 'output_tokens' | 'cost'): number =>
    all.reduce((total, one) => total + one[key], 0);
  const [first] = all;
  const reasons = [...new Set(all.flatMap(({ because }) => because ?? []))];
  return (
    <div className="stack">
      <Button disabled={estimate.isPending} onClick={() => estimate.mutate()}>
        {say('estimate')}
      </Button>
      {first && (
        <p className="small" role="status">
          {say('estimated', {
            questions: numbers.format(sum('questions')),
            tokens: numbers.format(sum('input_tokens') + sum('output_tokens')),
            cost: first.currency === null ? '' : `, ${numbers.format(sum('cost'))} ${first.currency}`,
            documents: numbers.format(
              new Set(all.flatMap(({ documents }) => documents.map((one) => one.work_product_id))).size,
            ),
            host: first.host ?? '',
          })}{' '}
          {reasons.map((one) => say(`because_${one}`)).join(' ')}
        </p>
      )}
      {estimate.error && <Failure error={estimate.error} />}
    </div>
  );
}
