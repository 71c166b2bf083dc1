import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useInstallation, useOwnPermissions, useProfile } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Asking, EmailField, HandedOver } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Input } from '../../parts/field.tsx';
import { More } from '../../parts/more.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Empty, Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, calendarDate, dateAndTime, fileSize, number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';
import '../../parts/list.css';
import '../../parts/records.css';

type Role = Api['User']['role'];
const ROLES: readonly Role[] = ['viewer', 'engineer', 'manager', 'admin'];

/** The users of the installation and its state; for its administrators. */
export default function AdministrationPage() {
  const say = useWords();
  const { data: own } = useOwnPermissions();
  if (own === undefined) return null;
  const mayManage = (own.permissions['users.manage'] ?? 'denied') !== 'denied';
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('administration')}</h1>
      </div>
      {mayManage ? (
        <>
          <State />
          <Work />
          <Users />
        </>
      ) : (
        <Empty title={say('not_for_you')}>
          <p>{say('not_for_you_text')}</p>
        </Empty>
      )}
    </div>
  );
}

function State() {
  const say = useWords();
  const { data: installation } = useInstallation();
  const health = useQuery({
    queryKey: ['health'],
    refetchInterval: 15_000,
    queryFn: ({ signal }) => take(api.GET('/health', { signal })),
  });
  return (
    <Panel
      title={say('state')}
      aside={
        installation && (
          <span className="hint">
            {say('version', { name: installation.name, version: installation.version })}
          </span>
        )
      }
    >
      <Loaded query={health} lines={2}>
        {({ status, checks }) => (
          <ul className="records" aria-label={say('state')}>
            <li>
              <div className="record-main record-name">{say(`health_${status}`)}</div>
              <div className="record-actions">
                {Object.entries(checks).map(([name, state]) => (
                  <span key={name} className="tag">
                    <Icon name={state === 'ok' ? 'done' : 'warning'} /> {say.named('check', name)}:{' '}
                    {say.named('is', state)}
                  </span>
                ))}
              </div>
            </li>
            {installation && (
              <li>
                <div className="record-main record-facts">
                  <span>{say.named('identity', installation.identity.kind)}</span>
                  {installation.identity.sign_up && (
                    <span>{say.named('signup', installation.identity.sign_up)}</span>
                  )}
                  <span>{say(installation.identity.mails ? 'mails_on' : 'mails_off')}</span>
                  <span>{say(installation.billing ? 'billing_on' : 'billing_off')}</span>
                  <span>
                    {say('largest', { size: fileSize(installation.uploads.max_bytes, say.language) })}
                  </span>
                </div>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

/** Jobs, database and disk: what whoever operates the installation looks at when something takes long. */
function Work() {
  const say = useWords();
  const state = useQuery({
    queryKey: ['installation-state'],
    refetchInterval: 15_000,
    queryFn: ({ signal }) => take(api.GET('/admin/installation', { signal })),
  });
  return (
    <Panel title={say('work')}>
      <Loaded query={state} lines={3}>
        {({ users, database, storage, jobs, node_version, started_at }) => (
          <>
            <p className="record-facts">
              <span>{say('users_of', { active: users.active, total: users.total })}</span>
              <span>
                {say('database', {
                  version: database.version,
                  size: fileSize(database.bytes, say.language),
                })}
              </span>
              {storage.free_bytes !== null && (
                <span>{say('free', { size: fileSize(storage.free_bytes, say.language) })}</span>
              )}
              <span>
                {say('process', { version: node_version, when: dateAndTime(started_at, say.language) })}
              </span>
            </p>
            {jobs.length === 0 ? (
              <p className="hint">{say('no_jobs')}</p>
            ) : (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
              <section className="list-scroll" tabIndex={0} aria-label={say('jobs')}>
                <table className="list">
                  <thead>
                    <tr>
                      <th scope="col">{say('jobs')}</th>
                      {JOB_COUNTS.map((one) => (
                        <th key={one} scope="col" className="number">
                          {say(`jobs_${one}`)}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {jobs.map((one) => (
                      <tr key={one.job}>
                        <th scope="row" className="mono">
                          {one.job}
                        </th>
                        {JOB_COUNTS.map((name) => (
                          <td key={name} className="number">
                            {number(one[name], say.language)}
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const JOB_COUNTS = ['waiting', 'running', 'later', 'failed', 'oldest_seconds'] as const;

function Users() {
  const say = useWords();
  const { data: installation } = useInstallation();
  const [query, setQuery] = useSearchParams();
  const search = query.get('search') ?? '';
  const [isNew, openNew] = useState(false);
  const users = useInfiniteQuery({
    queryKey: ['users', search],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/admin/users', {
          params: {
            query: {
              limit: 50,
              sort: 'name',
              ...(search && { search }),
              ...(pageParam && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const hasAccounts = installation?.identity.has_accounts ?? false;
  return (
    <Panel
      title={say('users')}
      aside={
        hasAccounts && (
          <Button onClick={() => openNew(true)}>
            <Icon name="add" /> {say('sign_up_link')}
          </Button>
        )
      }
    >
      <div className="form">
        <Input
          type="search"
          aria-label={say('find')}
          placeholder={say('find')}
          value={search}
          onChange={(event) =>
            setQuery(event.target.value ? { search: event.target.value } : {}, { replace: true })
          }
        />
        <Loaded query={users}>
          {({ pages }) => (
            <>
              <p className="field-hint" role="status">
                {say.count('found', pages[0]?.total ?? 0)}
              </p>
              <ul className="records" aria-label={say('users')}>
                {pages
                  .flatMap(({ items }) => items)
                  .map((one) => (
                    <UserLine key={one.id} of={one} hasAccounts={hasAccounts} />
                  ))}
              </ul>
              <More of={users} />
            </>
          )}
        </Loaded>
      </div>
      {isNew && <NewLink onClose={() => openNew(false)} />}
    </Panel>
  );
}

function UserLine({ of, hasAccounts }: { readonly of: Api['User']; readonly hasAccounts: boolean }) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const { data: me } = useProfile();
  const [isDeactivating, askDeactivate] = useState(false);
  const isMe = me?.id === of.id;
  const name = of.name || of.email;
  const params = { params: { path: { id: of.id } } };
  const change = useMutation({
    mutationFn: (body: Api['UserChange']) => take(api.PATCH('/admin/users/{id}', { ...params, body })),
    onSuccess: () => {
      askDeactivate(false);
      toast(common('saved'));
    },
    onError: (error) => toast(words(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['users'] }),
  });
  const reset = useMutation({
    mutationFn: () => take(api.POST('/admin/users/{id}/password-reset', params)),
    onError: (error) => toast(words(error)),
  });
  return (
    <li>
      <div className="record-main">
        <div className="record-name">
          <bdi>{name}</bdi>
          {isMe && <span className="tag">{say('you')}</span>}
          {!of.active && <span className="tag">{say('inactive')}</span>}
          {!of.email_verified && <span className="tag">{say('not_verified')}</span>}
        </div>
        <div className="record-facts">
          <bdi>{of.email}</bdi>
          {of.organization && <bdi>{of.organization}</bdi>}
          <span>{say('since', { date: calendarDate(of.created_at, say.language) })}</span>
          <span>
            {of.last_login ? say('last_login', { when: ago(of.last_login, say.language) }) : say('never')}
          </span>
        </div>
      </div>
      <div className="record-actions">
        {isMe ? (
          <span className="tag">{say(`role_${of.role}`)}</span>
        ) : (
          <>
            <select
              className="input"
              aria-label={say('role_of', { name })}
              value={of.role}
              disabled={change.isPending}
              onChange={(event) => change.mutate({ role: event.target.value as Role })}
            >
              {ROLES.map((role) => (
                <option key={role} value={role}>
                  {say(`role_${role}`)}
                </option>
              ))}
            </select>
            {!of.email_verified && (
              <Button disabled={change.isPending} onClick={() => change.mutate({ email_verified: true })}>
                {say('verify')}
              </Button>
            )}
            {hasAccounts && (
              <Button disabled={reset.isPending} onClick={() => reset.mutate()}>
                {say('reset')}
              </Button>
            )}
            {of.active ? (
              <Button kind="quiet" onClick={() => askDeactivate(true)}>
                {say('deactivate')}
              </Button>
            ) : (
              <Button disabled={change.isPending} onClick={() => change.mutate({ active: true })}>
                {say('activate')}
              </Button>
            )}
          </>
        )}
      </div>
      {reset.data && <Handed title={say('reset')} link={reset.data} onClose={() => reset.reset()} />}
      {isDeactivating && (
        <Confirm
          title={say('deactivate_title', { name })}
          verb={say('deactivate')}
          doing={change}
          onConfirm={() => change.mutate({ active: false })}
          onClose={() => askDeactivate(false)}
        >
          <p>{say('deactivate_text')}</p>
        </Confirm>
      )}
    </li>
  );
}

function Handed({
  title,
  link,
  onClose,
}: {
  readonly title: string;
  readonly link: Api['HandedLink'];
  readonly onClose: () => void;
}) {
  const say = useWords();
  return (
    <HandedOver
      title={title}
      text={say('link_text', { when: dateAndTime(link.expires_at, say.language) })}
      label={say('link')}
      value={link.link}
      onClose={onClose}
    />
  );
}

function NewLink({ onClose }: { readonly onClose: () => void }) {
  const say = useWords();
  const [email, setEmail] = useState('');
  const make = useMutation({
    mutationFn: () => take(api.POST('/admin/sign-up-links', { body: { email } })),
  });
  if (make.data) return <Handed title={say('sign_up_link')} link={make.data} onClose={onClose} />;
  return (
    <Dialog title={say('sign_up_link')} onClose={onClose}>
      <Asking verb={say('make_link')} doing={make} onSubmit={() => make.mutate()} onClose={onClose}>
        <EmailField label={say('email')} hint={say('sign_up_text')} value={email} onChange={setEmail} />
      </Asking>
    </Dialog>
  );
}
