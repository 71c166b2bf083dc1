import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, take } from '../../api/client.ts';
import { useMay, useProfile } from '../../app/workspace.ts';
import { Asking } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { useWords } from './use-words.ts';
import { addressOf, isSameAddress, useViews, type View, viewOf, viewsKey } from './views.ts';

/** Says once what a view had that this version does not know any more. */
export function useDropped(): (view: View) => void {
  const say = useWords();
  return ({ dropped }) => {
    if (dropped.length > 0) {
      toast(say('view_dropped', { parts: dropped.map(({ value }) => value).join(', ') }));
    }
  };
}

/** Lists under a name: one's own and those that others share; the present one can be saved as one. */
export function SavedViews({ workspace, address }: { readonly workspace: string; readonly address: string }) {
  const say = useWords();
  const may = useMay(workspace);
  const client = useQueryClient();
  const { data: me } = useProfile();
  const [, go] = useLocation();
  const [isNew, openNew] = useState(false);
  const tellDropped = useDropped();
  const views = useViews(workspace).data?.items ?? [];
  const here = views.find((view) => isSameAddress(addressOf(view), address));
  const refresh = (): void => void client.invalidateQueries({ queryKey: viewsKey(workspace) });
  const begin = useMutation({
    mutationFn: ({ id, is_default }: View) =>
      take(
        api.PATCH('/workspaces/{id}/views/{view_id}', {
          params: { path: { id: workspace, view_id: id } },
          body: { is_default: !is_default },
        }),
      ),
    onSuccess: ({ is_default }) => {
      toast(say(is_default ? 'view_begins' : 'view_begins_not'));
      refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (view: string) =>
      take(
        api.DELETE('/workspaces/{id}/views/{view_id}', {
          params: { path: { id: workspace, view_id: view } },
        }),
      ),
    onSuccess: () => {
      toast(say('view_deleted'));
      refresh();
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
            if (!chosen) return;
            tellDropped(chosen);
            go(`/w/${workspace}/gaps?${addressOf(chosen)}`);
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
          <>
            <Button
              kind="quiet"
              aria-pressed={here.is_default}
              disabled={begin.isPending}
              onClick={() => begin.mutate(here)}
            >
              {say('view_default')}
            </Button>
            <Button kind="quiet" disabled={remove.isPending} onClick={() => remove.mutate(here.id)}>
              {say('delete_view')}
            </Button>
          </>
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
    mutationFn: ({ name = '', shared, is_default }: Record<string, string>) =>
      take(
        api.POST('/workspaces/{id}/views', {
          params: { path: { id: workspace } },
          body: {
            ...viewOf(address),
            screen: 'gaps',
            name,
            shared: shared === 'on',
            is_default: is_default === 'on',
          },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: viewsKey(workspace) });
      onClose();
    },
  });
  return (
    <Dialog title={say('save_view')} onClose={onClose}>
      <Asking
        verb={common('save')}
        doing={save}
        onSubmit={(form) => save.mutate(textsOf(form))}
        onClose={onClose}
      >
        <Field label={say('view_name')}>
          <Input name="name" required maxLength={100} autoComplete="off" />
        </Field>
        <label className="check">
          <input type="checkbox" name="shared" />
          <span>{say('view_shared')}</span>
        </label>
        <label className="check">
          <input type="checkbox" name="is_default" />
          <span>{say('view_default_hint')}</span>
        </label>
      </Asking>
    </Dialog>
  );
}
