import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, take } from '../../api/client.ts';
import { useHasModel } from '../../app/model.ts';
import { STARTED } from '../../app/runs.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ModelEstimate } from './model-estimate.tsx';
import { useWords } from './use-words.ts';

const NO_OPTIONS = { conditions: {}, aliases: [] };
const QUALITY = { without: [], glossary: [], least: 'medium' as const };

/** Chooses what is analysed, and starts it all. */
export function NewRun({ workspace, onClose }: { readonly workspace: string; readonly onClose: () => void }) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const hasModel = useHasModel();
  const form = useRef<HTMLFormElement>(null);
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
  const start = useMutation({
    mutationFn: async (form: FormData): Promise<number> => {
      const common = { ...STARTED, workspace_id: workspace, force: form.has('force') };
      const standard = form.getAll('standard').map(String);
      const checklist = form.getAll('checklist').map(String);
      await Promise.all([
        ...standard.map((standard_id) =>
          take(api.POST('/analysis/gaps', { body: { ...common, standard_id } })),
        ),
        ...checklist.map((checklist_id) =>
          take(api.POST('/compliance/checklist', { body: { ...common, checklist_id, options: NO_OPTIONS } })),
        ),
        ...(form.has('completeness')
          ? [
              take(
                api.POST('/compliance/completeness', {
                  body: { ...common, options: { ...NO_OPTIONS, requirement_quality: QUALITY } },
                }),
              ),
            ]
          : []),
        ...(form.has('traceability') ? [take(api.POST('/traceability/analyze', { body: common }))] : []),
      ]);
      return (
        standard.length +
        checklist.length +
        Number(form.has('completeness')) +
        Number(form.has('traceability'))
      );
    },
    onSuccess: (count) => {
      toast(say.count('started', count));
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['runs', workspace] }),
  });
  return (
    <Dialog title={say('new_title')} onClose={onClose}>
      <form
        ref={form}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(new FormData(event.currentTarget));
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
                items.map((one) => (
                  <label key={one.id} className="check">
                    <input
                      type="checkbox"
                      name="standard"
                      value={one.id}
                      defaultChecked={one.processing_status === 'completed'}
                      disabled={one.processing_status !== 'completed'}
                    />
                    <bdi>{one.name}</bdi>
                  </label>
                ))
              )
            }
          </Loaded>
        </fieldset>
        <fieldset className="stack">
          <legend>
            <strong>{say('others')}</strong>
          </legend>
          {(['completeness', 'traceability'] as const).map((one) => (
            <label key={one} className="check">
              <input type="checkbox" name={one} defaultChecked />
              {say(one)}
            </label>
          ))}
        </fieldset>
        <details>
          <summary>{say('checklists')}</summary>
          <Loaded query={checklists} lines={2}>
            {({ items }) => (
              <fieldset className="stack">
                {items.map((one) => (
                  <label key={one.id} className="check">
                    <input type="checkbox" name="checklist" value={one.id} />
                    <bdi>{(say.language === 'de' && one.title.de) || one.title.en}</bdi>
                  </label>
                ))}
              </fieldset>
            )}
          </Loaded>
        </details>
        <label className="check">
          <input type="checkbox" name="force" />
          {say('force')}
        </label>
        {hasModel && (
          <ModelEstimate
            workspace={workspace}
            chosen={() => {
              const data = new FormData(form.current!);
              return {
                standards: data.getAll('standard').map(String),
                checklists: data.getAll('checklist').map(String),
              };
            }}
          />
        )}
        {start.error && <Failure error={start.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" kind="primary" disabled={start.isPending}>
            {say('start')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
