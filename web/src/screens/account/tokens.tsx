import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, take } from '../../api/client.ts';
import { useWorkspaces } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Asking, HandedOver } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input, textsOf } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ago, calendarDate } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

const DAY_MILLISECONDS = 86_400_000;
const DAYS = [7, 30, 90, 365] as const;
const USUAL_DAYS = 90;

/** Tokens for programs that use the API in the person's name. */
export function Tokens() {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const { data: workspaces } = useWorkspaces();
  const [isNew, openNew] = useState(false);
  const tokens = useQuery({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => take(api.GET('/auth/tokens', { params: { query: { limit: 100 } }, signal })),
  });
  const revoke = useMutation({
    mutationFn: (id: string) => take(api.DELETE('/auth/tokens/{id}', { params: { path: { id } } })),
    onError: (error) => toast(words(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
  return (
    <Panel
      title={say('tokens')}
      aside={
        <Button onClick={() => openNew(true)}>
          <Icon name="add" /> {say('token_make')}
        </Button>
      }
    >
      <Loaded query={tokens} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="hint">{say('no_tokens')}</p>
          ) : (
            <ul className="records" aria-label={say('tokens')}>
              {items.map((one) => (
                <li key={one.id}>
                  <div className="record-main">
                    <div className="record-name">
                      <bdi>{one.name}</bdi>
                      <span className="tag">{say(`access_${one.access}`)}</span>
                      {one.status !== 'active' && <span className="tag">{say(`token_${one.status}`)}</span>}
                    </div>
                    <div className="record-facts">
                      <span className="mono">{one.prefix}…</span>
                      <bdi>
                        {one.workspace_id
                          ? (workspaces?.items.find(({ id }) => id === one.workspace_id)?.name ??
                            one.workspace_id)
                          : say('all_workspaces')}
                      </bdi>
                      <span>{say('until', { date: calendarDate(one.expires_at, say.language) })}</span>
                      <span>
                        {one.last_used_at
                          ? say('used', { when: ago(one.last_used_at, say.language) })
                          : say('never_used')}
                      </span>
                    </div>
                  </div>
                  <div className="record-actions">
                    {one.status === 'active' && (
                      <Button disabled={revoke.isPending} onClick={() => revoke.mutate(one.id)}>
                        {say('revoke')}
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isNew && <NewToken onClose={() => openNew(false)} />}
    </Panel>
  );
}

function NewToken({ onClose }: { readonly onClose: () => void }) {
  const say = useWords();
  const client = useQueryClient();
  const { data: workspaces } = useWorkspaces();
  const make = useMutation({
    mutationFn: ({ name = '', access, workspace, days }: Record<string, string>) =>
      take(
        api.POST('/auth/tokens', {
          body: {
            name,
            access: access === 'write' ? 'write' : 'read',
            ...(workspace && { workspace_id: workspace }),
            expires_at: new Date(Date.now() + Number(days) * DAY_MILLISECONDS).toISOString(),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  });
  if (make.data?.token) {
    return (
      <HandedOver
        title={say('token')}
        text={say('token_once')}
        label={say('token')}
        value={make.data.token}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={say('token_make')} onClose={onClose}>
      <Asking
        verb={say('token_make')}
        doing={make}
        onSubmit={(form) => make.mutate(textsOf(form))}
        onClose={onClose}
      >
        <Field label={say('token_name')} hint={say('token_name_hint')}>
          <Input name="name" required maxLength={100} autoComplete="off" />
        </Field>
        <Field label={say('access')}>
          <select className="input" name="access" defaultValue="read">
            <option value="read">{say('access_read')}</option>
            <option value="write">{say('access_write')}</option>
          </select>
        </Field>
        <Field label={say('workspace')}>
          <select className="input" name="workspace" defaultValue="">
            <option value="">{say('all_workspaces')}</option>
            {workspaces?.items.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </Field>
        <Field label={say('valid')}>
          <select className="input" name="days" defaultValue={USUAL_DAYS}>
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {say.count('days', days)}
              </option>
            ))}
          </select>
        </Field>
        <p className="field-hint">{say('token_text')}</p>
      </Asking>
    </Dialog>
  );
}
