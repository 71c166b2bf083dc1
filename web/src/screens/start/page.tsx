import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useGuestAccesses, useOwnPermissions } from '../../app/workspace.ts';
import { Icon, StateGlyph } from '../../look/glyphs.tsx';
import { Asking } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, dateAndTime, number } from '../../words/moments.ts';
import { ImportArchive } from './import-archive.tsx';
import { useWords } from './use-words.ts';
import { Waiting } from './waiting.tsx';
import './start.css';

/** What waits for a person in all workspaces, and how each of these stands. */
export default function StartPage() {
  const say = useWords();
  const workspaces = useQuery({
    queryKey: ['workspaces', 'summary'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces', {
          params: { query: { limit: 100, sort: '-updated_at', include: 'summary' } },
          signal,
        }),
      ),
  });
  const { data: own } = useOwnPermissions();
  const mayCreate = own !== undefined && own.permissions['workspaces.create'] !== 'denied';
  const guestOf = useGuestAccesses().data?.total ?? 0;
  const isGuestOnly = !mayCreate && guestOf > 0;
  const [isNew, openNew] = useState(false);
  const [isImport, openImport] = useState(false);
  const [search, setSearch] = useState('');
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('my_work')}</h1>
        {mayCreate && (
          <>
            <Button onClick={() => openImport(true)}>
              <Icon name="upload" /> {say('import')}
            </Button>
            <Button kind="primary" onClick={() => openNew(true)}>
              <Icon name="add" /> {say('new')}
            </Button>
          </>
        )}
      </div>
      <Invitations />
      <AsGuest />
      <Loaded query={workspaces}>
        {({ items }) =>
          items.length === 0 ? (
            isGuestOnly ? null : (
              <Empty title={say('none')}>
                <p>{mayCreate ? say('none_text') : say('none_viewer')}</p>
                {mayCreate && (
                  <Button kind="primary" onClick={() => openNew(true)}>
                    {say('new')}
                  </Button>
                )}
              </Empty>
            )
          ) : (
            <>
              <Waiting />
              <div className="row">
                <h2>{say('workspaces')}</h2>
                {items.length > 8 && (
                  <Input
                    type="search"
                    aria-label={say('find')}
                    placeholder={say('find')}
                    value={search}
                    onChange={(event) => setSearch(event.target.value)}
                  />
                )}
              </div>
              <ul className="workspace-cards">
                {items
                  .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
                  .map((workspace) => (
                    <Card key={workspace.id} workspace={workspace} />
                  ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {isImport && <ImportArchive onClose={() => openImport(false)} />}
      {isNew && <NewWorkspace onClose={() => openNew(false)} />}
    </div>
  );
}

function Card({ workspace }: { readonly workspace: Api['ListedWorkspace'] }) {
  const say = useWords();
  const common = useCommonWords();
  const { summary } = workspace;
  return (
    <li className="panel workspace-card">
      <Link href={`/w/${workspace.id}`}>
        <h3>
          <bdi>{workspace.name}</bdi>
        </h3>
        {workspace.description && (
          <p className="workspace-about">
            <bdi>{workspace.description}</bdi>
          </p>
        )}
        {summary && (
          <>
            <div className="workspace-numbers">
              {SEVERITIES.map((severity) => (
                <span key={severity} className="state-label" title={common(`severity_${severity}`)}>
                  <StateGlyph of={severity} label={common(`severity_${severity}`)} />
                  {number(summary.gaps[severity], say.language)}
                </span>
              ))}
              {summary.overdue > 0 && (
                <span className="tag">{say.count('overdue_count', summary.overdue)}</span>
              )}
            </div>
            {summary.standards
              .filter(({ score }) => score !== null)
              .map(({ id, name, score, delta }) => (
                <p key={id} className="workspace-score">
                  <bdi>{say('score', { name, score: number(Math.round(score ?? 0), say.language) })}</bdi>
                  {delta !== null && Math.round(delta) !== 0 && (
                    <span className="workspace-delta" data-falls={delta < 0 || undefined}>
                      {say(delta < 0 ? 'fewer_points' : 'more_points', {
                        points: number(Math.abs(Math.round(delta)), say.language),
                      })}
                    </span>
                  )}
                </p>
              ))}
            <p className="workspace-foot">
              {say.count('documents', summary.work_products)} · {say.count('people', summary.members)} ·{' '}
              {summary.running > 0
                ? say.count('running', summary.running)
                : summary.last_run_at
                  ? say('last_run', { when: ago(summary.last_run_at, say.language) })
                  : say('no_run')}
            </p>
          </>
        )}
      </Link>
    </li>
  );
}

function NewWorkspace({ onClose }: { readonly onClose: () => void }) {
  const say = useWords();
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
      <Asking
        verb={say('create')}
        doing={create}
        onSubmit={(form) => create.mutate(textsOf(form))}
        onClose={onClose}
      >
        <Field label={say('name')} hint={say('name_hint')}>
          <Input name="name" required maxLength={200} autoComplete="off" />
        </Field>
        <Field label={say('description')}>
          <Input name="description" maxLength={2000} autoComplete="off" />
        </Field>
      </Asking>
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

/** What somebody from outside was let in to read. */
function AsGuest() {
  const say = useWords();
  const { data } = useGuestAccesses();
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label={say('as_guest')}>
      <h2>{say('as_guest')}</h2>
      <ul className="workspace-cards">
        {items.map(({ id, workspace_name, scope, expires_at }) => (
          <li key={id} className="panel workspace-card">
            <Link href={`/me/guest/${id}`}>
              <h3>
                <bdi>{workspace_name}</bdi>
              </h3>
              <p className="workspace-about">{say(`guest_${scope}`)}</p>
              <p className="workspace-foot">
                {say('guest_until', { when: dateAndTime(expires_at, say.language) })}
              </p>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
