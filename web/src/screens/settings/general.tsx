import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Api, api, take, takeTagged } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Conflict, isConflict } from '../../parts/conflict.tsx';
import { Field, Input } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { SettingsPage } from './settings-page.tsx';
import { useWords } from './use-words.ts';

type Left = Api['TailoredOut'];
interface Values {
  readonly name: string;
  readonly description: string;
  readonly phase: string | null;
  readonly tailored_out: readonly Left[];
}

const valuesOf = ({ name, description, phase, tailored_out }: Api['Workspace']): Values => ({
  name,
  description,
  phase,
  tailored_out,
});

const readTagged = (id: string) => takeTagged(api.GET('/workspaces/{id}', { params: { path: { id } } }));

/** Name and description of a workspace, what is due in its project, and its end. */
export default function GeneralPage() {
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const read = useQuery({
    queryKey: ['workspace', workspace, 'tagged'],
    queryFn: () => readTagged(workspace),
    // What somebody types here stays until they have saved it.
    refetchOnWindowFocus: false,
  });
  return (
    <SettingsPage>
      <Loaded query={read}>
        {({ data, tag }) => (
          <>
            <About key={tag} of={data} tag={tag} />
            {may('workspaces.delete') && <End of={data} />}
          </>
        )}
      </Loaded>
    </SettingsPage>
  );
}

function About({ of, tag }: { readonly of: Api['Workspace']; readonly tag: string }) {
  const say = useWords();
  const common = useCommonWords();
  const may = useMay(of.id);
  const client = useQueryClient();
  const phases = useQuery({
    queryKey: ['project-phases'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => take(api.GET('/workspaces/phases', { signal })),
  }).data;
  const [values, setValues] = useState<Values>(() => valuesOf(of));
  const [theirs, setTheirs] = useState<Awaited<ReturnType<typeof readTagged>>>();
  const renew = (): void => {
    void client.invalidateQueries({ queryKey: ['workspace', of.id] });
    void client.invalidateQueries({ queryKey: ['workspaces'] });
  };
  const change = useMutation({
    mutationFn: (now: string) =>
      take(
        api.PATCH('/workspaces/{id}', {
          params: { path: { id: of.id }, header: { 'If-Match': now } },
          body: {
            ...values,
            phase: values.phase as Api['ProjectPhase'] | null,
            tailored_out: [...values.tailored_out],
          },
        }),
      ),
    onSuccess: () => {
      toast(common('saved'));
      setTheirs(undefined);
      renew();
    },
    onError: (error) => {
      if (isConflict(error)) void readTagged(of.id).then(setTheirs);
    },
  });
  const set = (next: Partial<Values>): void => setValues({ ...values, ...next });
  const setLeft = (at: number, next: Partial<Left>): void =>
    set({
      tailored_out: values.tailored_out.map((one, place) => (place === at ? { ...one, ...next } : one)),
    });
  const isFixed = !may('workspaces.manage');
  const phaseName = (id: string | null): string =>
    phases?.phases.find((one) => one.id === id)?.name[say.language] ?? id ?? say('phase_none');
  const areaName = (id: string): string =>
    phases?.areas.find((one) => one.id === id)?.name[say.language] ?? id;
  const told = ({ name, description, phase, tailored_out }: Values): readonly string[] => [
    name,
    description,
    phaseName(phase),
    tailored_out.map(({ area, reason }) => `${areaName(area)}: ${reason}`).join('\n'),
  ];
  const labels = [say('name'), say('description'), say('phase'), say('left_out')];
  const [mine, other] = [told(values), theirs && told(valuesOf(theirs.data))];
  return (
    <Panel title={say('general')}>
      <form
        className="form settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(tag);
        }}
      >
        <Field label={say('name')}>
          <Input
            required
            maxLength={200}
            value={values.name}
            readOnly={isFixed}
            autoComplete="off"
            onChange={(event) => set({ name: event.target.value })}
          />
        </Field>
        <Field label={say('description')}>
          <textarea
            className="input"
            maxLength={2000}
            value={values.description}
            readOnly={isFixed}
            onChange={(event) => set({ description: event.target.value })}
          />
        </Field>
        <Field label={say('phase')} hint={say('phase_hint')}>
          <select
            className="input"
            value={values.phase ?? ''}
            disabled={isFixed}
            onChange={(event) => set({ phase: event.target.value || null })}
          >
            <option value="">{say('phase_none')}</option>
            {(phases?.phases ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name[say.language]}
              </option>
            ))}
          </select>
        </Field>
        <fieldset className="stack">
          <legend className="field-label">{say('left_out')}</legend>
          <p className="field-hint">{say('left_out_hint')}</p>
          {values.tailored_out.map((one, at) => (
            <div key={one.area} className="left-out">
              <strong>{areaName(one.area)}</strong>
              <Input
                required
                minLength={3}
                maxLength={1000}
                aria-label={say('left_out_reason', { area: areaName(one.area) })}
                placeholder={say('reason_why')}
                value={one.reason}
                readOnly={isFixed}
                onChange={(event) => setLeft(at, { reason: event.target.value })}
              />
              {!isFixed && (
                <Button
                  kind="quiet"
                  iconOnly
                  aria-label={say('left_out_remove', { area: areaName(one.area) })}
                  onClick={() => set({ tailored_out: values.tailored_out.filter((left) => left !== one) })}
                >
                  <Icon name="close" />
                </Button>
              )}
            </div>
          ))}
          {!isFixed && (
            <select
              className="input"
              aria-label={say('left_out_add')}
              value=""
              onChange={(event) =>
                set({ tailored_out: [...values.tailored_out, { area: event.target.value, reason: '' }] })
              }
            >
              <option value="">{say('left_out_add')}</option>
              {(phases?.areas ?? [])
                .filter(({ id }) => !values.tailored_out.some(({ area }) => area === id))
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name[say.language]}
                  </option>
                ))}
            </select>
          )}
        </fieldset>
        {theirs && other ? (
          <Conflict
            fields={labels.map((label, at) => ({ label, mine: mine[at]!, theirs: other[at]! }))}
            onMine={() => change.mutate(theirs.tag)}
            onTheirs={renew}
          />
        ) : (
          change.error && !isConflict(change.error) && <Failure error={change.error} />
        )}
        {isFixed ? (
          <p className="field-hint">{say('only_admins')}</p>
        ) : (
          <div className="form-end">
            <Button kind="primary" type="submit" disabled={change.isPending || theirs !== undefined}>
              {common('save')}
            </Button>
          </div>
        )}
      </form>
    </Panel>
  );
}

function End({ of }: { readonly of: Api['Workspace'] }) {
  const say = useWords();
  const client = useQueryClient();
  const [, go] = useLocation();
  const [isAsked, ask] = useState(false);
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => take(api.DELETE('/workspaces/{id}', { params: { path: { id: of.id } } })),
    onSuccess: () => {
      go('/');
      client.clear();
      toast(say('workspace_deleted', { name: of.name }));
    },
  });
  return (
    <Panel title={say('end')}>
      <div className="form">
        <p className="hint">{say('end_text')}</p>
        <div className="form-end">
          <Button kind="danger" onClick={() => ask(true)}>
            {say('end_verb')}
          </Button>
        </div>
      </div>
      {isAsked && (
        <Confirm
          title={say('end_title')}
          verb={say('end_verb')}
          doing={remove}
          isReady={typed === of.name}
          onConfirm={() => remove.mutate()}
          onClose={() => {
            ask(false);
            setTyped('');
          }}
        >
          <p>{say('end_text')}</p>
          <Field label={say('end_name', { name: of.name })}>
            <Input value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </Confirm>
      )}
    </Panel>
  );
}
