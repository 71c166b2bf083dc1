import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useWorkspace, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { SettingsPage } from './settings-page.tsx';
import { useWords } from './use-words.ts';

/** Name and description of a workspace, and its end. */
export default function GeneralPage() {
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const read = useWorkspace(workspace);
  return (
    <SettingsPage>
      <Loaded query={read}>
        {(data) => (
          <>
            <About key={data.updated_at} of={data} />
            {may('workspaces.delete') && <End of={data} />}
          </>
        )}
      </Loaded>
    </SettingsPage>
  );
}

function About({ of }: { readonly of: Api['Workspace'] }) {
  const say = useWords();
  const common = useCommonWords();
  const may = useMay(of.id);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ name = '', description = '' }: Record<string, string>) =>
      take(
        api.PATCH('/workspaces/{id}', {
          params: { path: { id: of.id } },
          // A description that was not touched stays as somebody else may have left it meanwhile.
          body: { name, ...(description !== of.description && { description }) },
        }),
      ),
    onSuccess: () => {
      toast(common('saved'));
      void client.invalidateQueries({ queryKey: ['workspace', of.id] });
      void client.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  const isFixed = !may('workspaces.manage');
  return (
    <Panel title={say('general')}>
      <form
        className="form settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(textsOf(event.currentTarget));
        }}
      >
        <Field label={say('name')}>
          <Input
            name="name"
            required
            maxLength={200}
            defaultValue={of.name}
            readOnly={isFixed}
            autoComplete="off"
          />
        </Field>
        <Field label={say('description')}>
          <textarea
            className="input"
            name="description"
            maxLength={2000}
            defaultValue={of.description}
            readOnly={isFixed}
          />
        </Field>
        {change.error && <Failure error={change.error} />}
        {isFixed ? (
          <p className="field-hint">{say('only_admins')}</p>
        ) : (
          <div className="form-end">
            <Button kind="primary" type="submit" disabled={change.isPending}>
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
