import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useOwnPermissions, useWorkspaces } from '../../app/workspace.ts';
import { Icon, StateGlyph } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, number } from '../../words/moments.ts';
import { catalog } from '../../words/words.ts';
import de from './words.de.json';
import en from './words.en.json';
import './start.css';

const useWords = catalog(en, de);

/** Each is a request of its own: more would use up what a person may ask at once. Whoever has many looks for one. */
const CARDS_WITH_NUMBERS = 12;

/** All workspaces of a person, each with how it stands. */
export default function StartPage() {
  const say = useWords();
  const workspaces = useWorkspaces();
  const { data: own } = useOwnPermissions();
  const mayCreate = own !== undefined && own.permissions['workspaces.create'] !== 'denied';
  const [isNew, openNew] = useState(false);
  const [search, setSearch] = useState('');
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('workspaces')}</h1>
        {(workspaces.data?.total ?? 0) > 8 && (
          <Input
            type="search"
            aria-label={say('find')}
            placeholder={say('find')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        )}
        {mayCreate && (
          <Button kind="primary" onClick={() => openNew(true)}>
            <Icon name="add" /> {say('new')}
          </Button>
        )}
      </div>
      <Invitations />
      <Loaded query={workspaces}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={say('none')}>
              <p>{mayCreate ? say('none_text') : say('none_viewer')}</p>
              {mayCreate && (
                <Button kind="primary" onClick={() => openNew(true)}>
                  {say('new')}
                </Button>
              )}
            </Empty>
          ) : (
            <ul className="workspace-cards">
              {items
                .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
                .map((workspace, at) => (
                  <Card key={workspace.id} workspace={workspace} asks={at < CARDS_WITH_NUMBERS} />
                ))}
            </ul>
          )
        }
      </Loaded>
      {isNew && <NewWorkspace onClose={() => openNew(false)} />}
    </div>
  );
}

function Card({ workspace, asks }: { readonly workspace: Api['Workspace']; readonly asks: boolean }) {
  const say = useWords();
  const common = useCommonWords();
  const { data } = useQuery({
    queryKey: ['overview', workspace.id],
    enabled: asks,
    queryFn: ({ signal }) =>
      take(api.GET('/analysis/overview', { params: { query: { workspace_id: workspace.id } }, signal })),
  });
  return (
    <li className="panel workspace-card">
      <Link href={`/w/${workspace.id}`}>
        <h2>
          <bdi>{workspace.name}</bdi>
        </h2>
        {workspace.description && (
          <p className="workspace-about">
            <bdi>{workspace.description}</bdi>
          </p>
        )}
        <div className="workspace-numbers">
          {data &&
            SEVERITIES.map((severity) => (
              <span key={severity} className="state-label" title={common(`severity_${severity}`)}>
                <StateGlyph of={severity} label={common(`severity_${severity}`)} />
                {number(data.gaps.by_severity[severity] ?? 0, say.language)}
              </span>
            ))}
        </div>
        <p className="workspace-foot">
          {data && <>{say.count('documents', data.work_products.total)} · </>}
          {say('changed', { when: ago(workspace.updated_at, say.language) })}
        </p>
      </Link>
    </li>
  );
}

function NewWorkspace({ onClose }: { readonly onClose: () => void }) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const [, go] = useLocation();
  const create = useMutation({
    mutationFn: ({ name = '', description = '' }: Record<string, string>) =>
      take(api.POST('/workspaces', { body: { name, description } })),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['workspaces'] });
      go(`/w/${id}`);
    },
  });
  return (
    <Dialog title={say('new')} onClose={onClose}>
      <form
        className="sign-in-form"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(textsOf(event.currentTarget));
        }}
      >
        <Field label={say('name')} hint={say('name_hint')}>
          <Input name="name" required maxLength={200} autoComplete="off" />
        </Field>
        <Field label={say('description')}>
          <Input name="description" maxLength={2000} autoComplete="off" />
        </Field>
        {create.error && <Failure error={create.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" disabled={create.isPending}>
            {say('create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Invitations() {
  const say = useWords();
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['own-invitations'],
    queryFn: ({ signal }) => take(api.GET('/auth/me/invitations', { signal })),
  });
  const answer = useMutation({
    mutationFn: async ({ id, joins }: { readonly id: string; readonly joins: boolean }) => {
      const params = { params: { path: { id } } };
      await (joins
        ? take(api.POST('/auth/me/invitations/{id}/accept', params))
        : take(api.POST('/auth/me/invitations/{id}/decline', params)));
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['own-invitations'] });
      void client.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label={say('invitations')} className="invitations">
      {items.map(({ id, workspace_name }) => (
        <div key={id} className="notice">
          <span className="notice-text">{say('invited', { name: workspace_name })}</span>
          <Button kind="primary" onClick={() => answer.mutate({ id, joins: true })}>
            {say('accept')}
          </Button>
          <Button onClick={() => answer.mutate({ id, joins: false })}>{say('decline')}</Button>
        </div>
      ))}
      {answer.error && <Failure error={answer.error} />}
    </section>
  );
}
