import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Api, api, take, takeTagged } from '../../api/client.ts';
import { useMay, useProfile, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Asking, EmailField } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { useGuarded } from '../../parts/guarded.tsx';
import { More } from '../../parts/more.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { calendarDate } from '../../words/moments.ts';
import { Guests } from './guests.tsx';
import { SettingsPage } from './settings-page.tsx';
import { useWords } from './use-words.ts';

type Role = Api['Member']['role'];
const ROLES: readonly Role[] = ['viewer', 'engineer', 'manager', 'admin'];

/** The roles that the person may give and take here: a manager those of viewers and engineers. */
function useRolesToGive(workspace: string): readonly Role[] {
  const may = useMay(workspace);
  if (!may('members.manage')) return [];
  return may.level('members.manage') === 'allowed' ? ROLES : ['viewer', 'engineer'];
}

/** Who belongs to a workspace, in which role, and who is invited. */
export default function MembersPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const roles = useRolesToGive(workspace);
  const may = useMay(workspace);
  const ownsIt = useOwns(workspace);
  const [isInviting, invite] = useState(false);
  const members = useInfiniteQuery({
    queryKey: ['members', workspace, 'pages'],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/workspaces/{id}/members', {
          params: {
            path: { id: workspace },
            query: { limit: 50, sort: 'name', ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  return (
    <SettingsPage>
      <Panel
        title={say('members')}
        aside={
          roles.length > 0 && (
            <Button kind="primary" onClick={() => invite(true)}>
              <Icon name="add" /> {say('invite')}
            </Button>
          )
        }
      >
        <Loaded query={members}>
          {({ pages }) => (
            <>
              <ul className="records" aria-label={say('members')}>
                {pages
                  .flatMap(({ items }) => items)
                  .map((one) => (
                    <MemberLine
                      key={one.user_id}
                      of={one}
                      workspace={workspace}
                      roles={roles}
                      mayHandOver={ownsIt}
                    />
                  ))}
              </ul>
              <More of={members} />
            </>
          )}
        </Loaded>
      </Panel>
      {roles.length > 0 && <Invitations workspace={workspace} />}
      {may('guests.manage') && <Guests workspace={workspace} />}
      <Panel title={say('roles')}>
        <dl className="form">
          {ROLES.map((role) => (
            <div key={role}>
              <dt>
                <strong>{say(`role_${role}`)}</strong>
              </dt>
              <dd className="hint">{say(`about_${role}`)}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      {isInviting && <Invite workspace={workspace} roles={roles} onClose={() => invite(false)} />}
    </SettingsPage>
  );
}

/** Whether the workspace belongs to the person: only its owner hands it over. */
const useOwns = (workspace: string): boolean =>
  useQuery({
    queryKey: ['permissions', workspace],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      take(api.GET('/workspaces/{id}/permissions', { params: { path: { id: workspace } }, signal })),
  }).data?.is_owner ?? false;

function MemberLine({
  of,
  workspace,
  roles,
  mayHandOver,
}: {
  readonly of: Api['Member'];
  readonly workspace: string;
  readonly roles: readonly Role[];
  readonly mayHandOver: boolean;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const may = useMay(workspace);
  const { data: me } = useProfile();
  const [, go] = useLocation();
  const [isLeaving, askLeave] = useState(false);
  const isMe = me?.id === of.user_id;
  const isMine = roles.includes(of.role) && !isMe && !of.is_owner;
  const mayRemove =
    !of.is_owner &&
    may('members.remove') &&
    (isMe || may.level('members.remove') === 'allowed' || (may.level('members.remove') !== 'own' && isMine));
  const params = { params: { path: { id: workspace, user_id: of.user_id } } };
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['members', workspace] });
  const change = useGuarded({
    seen: of,
    read: () => takeTagged(api.GET('/workspaces/{id}/members/{user_id}', params)),
    write: (role: Role, tag) =>
      take(
        api.PATCH('/workspaces/{id}/members/{user_id}', {
          params: { ...params.params, header: { 'If-Match': tag } },
          body: { role },
        }),
      ),
    changed: (role) => ({ ...of, role }),
    told: ({ role }) => [{ label: say('role'), value: say(`role_${role}`) }],
    onSaved: () => {
      toast(common('saved'));
      refresh();
    },
    onTheirs: refresh,
    onError: (error) => {
      toast(words(error));
      refresh();
    },
  });
  const [isHandingOver, askHandOver] = useState(false);
  const handOver = useMutation({
    mutationFn: () =>
      take(api.PATCH('/workspaces/{id}/members/{user_id}', { ...params, body: { is_owner: true } })),
    onSuccess: () => {
      askHandOver(false);
      toast(say('handed_over', { name: of.name || of.email }));
    },
    onSettled: () => {
      refresh();
      for (const key of ['permissions', 'workspace']) {
        void client.invalidateQueries({ queryKey: [key, workspace] });
      }
    },
  });
  const remove = useMutation({
    mutationFn: () => take(api.DELETE('/workspaces/{id}/members/{user_id}', params)),
    onSuccess: () => {
      if (isMe) {
        go('/');
        client.clear();
      } else {
        askLeave(false);
        refresh();
      }
    },
  });
  return (
    <li>
      <div className="record-main">
        <div className="record-name">
          <bdi>{of.name || of.email}</bdi>
          {isMe && <span className="tag">{say('you')}</span>}
          {of.is_owner && <span className="tag">{say('owner')}</span>}
        </div>
        <div className="record-facts">
          <bdi>{of.email}</bdi>
          <span>{say('since', { date: calendarDate(of.created_at, say.language) })}</span>
        </div>
      </div>
      <div className="record-actions">
        {isMine ? (
          <select
            className="input"
            aria-label={say('role_of', { name: of.name || of.email })}
            value={of.role}
            disabled={change.isPending}
            onChange={(event) => change.send(event.target.value as Role)}
          >
            {roles.map((role) => (
              <option key={role} value={role}>
                {say(`role_${role}`)}
              </option>
            ))}
          </select>
        ) : (
          <span className="tag">{say(`role_${of.role}`)}</span>
        )}
        {mayHandOver && !isMe && (
          <Button kind="quiet" onClick={() => askHandOver(true)}>
            {say('hand_over')}
            <span className="visually-hidden">
              <bdi>{of.name || of.email}</bdi>
            </span>
          </Button>
        )}
        {mayRemove && (
          <Button kind="quiet" onClick={() => askLeave(true)}>
            {say(isMe ? 'leave' : 'remove')}
          </Button>
        )}
      </div>
      {change.conflict}
      {isHandingOver && (
        <Confirm
          title={say('hand_over_title', { name: of.name || of.email })}
          verb={say('hand_over')}
          doing={handOver}
          onConfirm={() => handOver.mutate()}
          onClose={() => askHandOver(false)}
        >
          <p>{say('hand_over_text')}</p>
        </Confirm>
      )}
      {isLeaving && (
        <Confirm
          title={say(isMe ? 'leave_title' : 'remove_title', { name: of.name || of.email })}
          verb={say(isMe ? 'leave' : 'remove')}
          doing={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => askLeave(false)}
        >
          <p>{say('remove_text')}</p>
        </Confirm>
      )}
    </li>
  );
}

function Invitations({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const invitations = useQuery({
    queryKey: ['invitations', workspace],
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/invitations', {
          params: { path: { id: workspace }, query: { limit: 100 } },
          signal,
        }),
      ),
  });
  const withdraw = useMutation({
    mutationFn: (id: string) =>
      take(
        api.DELETE('/workspaces/{id}/invitations/{invitation_id}', {
          params: { path: { id: workspace, invitation_id: id } },
        }),
      ),
    onError: (error) => toast(words(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['invitations', workspace] }),
  });
  return (
    <Panel title={say('invitations')}>
      <Loaded query={invitations} lines={2}>
        {({ items }) => {
          const open = items.filter(({ accepted_at }) => accepted_at === null);
          return open.length === 0 ? (
            <p className="hint">{say('no_invitations')}</p>
          ) : (
            <ul className="records" aria-label={say('invitations')}>
              {open.map((one) => (
                <li key={one.id}>
                  <div className="record-main">
                    <div className="record-name">
                      <bdi>{one.email ?? say('by_account')}</bdi>
                      <span className="tag">{say(`role_${one.role}`)}</span>
                      {one.declined_at && <span className="tag">{say('declined')}</span>}
                    </div>
                    <div className="record-facts">
                      {say('until', { date: calendarDate(one.expires_at, say.language) })}
                    </div>
                  </div>
                  <div className="record-actions">
                    <Button
                      kind="quiet"
                      disabled={withdraw.isPending}
                      onClick={() => withdraw.mutate(one.id)}
                    >
                      {say('withdraw')}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** Asks for address and role; then how the person gets there, with a link where we may hand one out. */
function Invite({
  workspace,
  roles,
  onClose,
}: {
  readonly workspace: string;
  readonly roles: readonly Role[];
  readonly onClose: () => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('engineer');
  const send = useMutation({
    mutationFn: () =>
      take(
        api.POST('/workspaces/{id}/invitations', {
          params: { path: { id: workspace } },
          body: { email, role },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['invitations', workspace] }),
  });
  const sent = send.data;
  return (
    <Dialog title={say('invite')} onClose={onClose}>
      {sent ? (
        <>
          <p>{say(sent.mailed ? 'invited_by_mail' : 'invited', { email: sent.email ?? '' })}</p>
          {sent.link && (
            <>
              <ShownOnce label={say('link')} value={sent.link} />
              <p className="field-hint">{say('link_once')}</p>
            </>
          )}
          <div className="dialog-actions">
            <Button
              onClick={() => {
                setEmail('');
                send.reset();
              }}
            >
              {say('invite_next')}
            </Button>
            <Button kind="primary" onClick={onClose}>
              {common('close')}
            </Button>
          </div>
        </>
      ) : (
        <Asking verb={say('invite_verb')} doing={send} onSubmit={() => send.mutate()} onClose={onClose}>
          <EmailField label={say('email')} value={email} onChange={setEmail} />
          <Field label={say('role')} hint={say(`about_${role}`)}>
            <select className="input" value={role} onChange={(event) => setRole(event.target.value as Role)}>
              {roles.map((one) => (
                <option key={one} value={one}>
                  {say(`role_${one}`)}
                </option>
              ))}
            </select>
          </Field>
        </Asking>
      )}
    </Dialog>
  );
}
