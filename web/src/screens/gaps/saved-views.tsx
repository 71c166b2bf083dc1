import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, take } from '../../api/client.ts';
import { useMay, useProfile } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { Failure } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { useWords } from './use-words.ts';

/** Lists under a name: one's own and those that others share; the present one can be saved as one. */
export function SavedViews({ workspace, address }: { readonly workspace: string; readonly address: string }) {
  const say = useWords();
  const may = useMay(workspace);
  const client = useQueryClient();
  const { data: me } = useProfile();
  const [, go] = useLocation();
  const [isNew, openNew] = useState(false);
  const key = ['views', workspace, 'gaps'];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/views', {
          params: { path: { id: workspace }, query: { screen: 'gaps', sort: 'name', limit: 100 } },
          signal,
        }),
      ),
  });
  const views = data?.items ?? [];
  const here = views.find(({ query }) => query === address);
  const remove = useMutation({
    mutationFn: (view: string) =>
      take(
        api.DELETE('/workspaces/{id}/views/{view_id}', {
          params: { path: { id: workspace, view_id: view } },
        }),
      ),
    onSuccess: () => {
      toast(say('view_deleted'));
      void client.invalidateQueries({ queryKey: key });
    },
  });
  if (!may('views.save')) return null;
  return (
    <div className="saved-views">
      {views.length > 0 && (
        <select
          className="input"
          aria-label={say('saved_views')}
          value={here?.id ?? ''}
          onChange={(event) => {
            const chosen = views.find(({ id }) => id === event.target.value);
            if (chosen) go(`/w/${workspace}/gaps?${chosen.query}`);
          }}
        >
          <option value="">{say('saved_views')}</option>
          {views.map(({ id, name, owner }) => (
            <option key={id} value={id}>
              {owner.id === me?.id ? name : say('view_of', { name, owner: owner.name })}
            </option>
          ))}
        </select>
      )}
      {here === undefined ? (
        <Button kind="quiet" onClick={() => openNew(true)}>
          {say('save_view')}
        </Button>
      ) : (
        here.owner.id === me?.id && (
          <Button kind="quiet" disabled={remove.isPending} onClick={() => remove.mutate(here.id)}>
            {say('delete_view')}
          </Button>
        )
      )}
      {isNew && <NewView workspace={workspace} address={address} onClose={() => openNew(false)} />}
    </div>
  );
}

function NewView({
  workspace,
  address,
  onClose,
}: {
  readonly workspace: string;
  readonly address: string;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: ({ name = '', shared }: Record<string, string>) =>
      take(
        api.POST('/workspaces/{id}/views', {
          params: { path: { id: workspace } },
          body: { screen: 'gaps', name, query: address, shared: shared === 'on' },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['views', workspace, 'gaps'] });
      onClose();
    },
  });
  return (
    <Dialog title={say('save_view')} onClose={onClose}>
      <form
        className="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(textsOf(event.currentTarget));
        }}
      >
        <Field label={say('view_name')}>
          <Input name="name" required maxLength={100} autoComplete="off" />
        </Field>
        <label className="check">
          <input type="checkbox" name="shared" />
          <span>{say('view_shared')}</span>
        </label>
        {save.error && <Failure error={save.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" disabled={save.isPending}>
            {common('save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
