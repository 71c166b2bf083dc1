import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, take, takeTagged } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Asking, HandedOver } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Input } from '../../parts/field.tsx';
import { useGuarded } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { ago, dateAndTime } from '../../words/moments.ts';
import { SettingsPage } from './settings-page.tsx';
import { useWords } from './use-words.ts';

type Event = Api['NewWebhook']['events'][number];
const EVENTS: readonly Event[] = [
  'analysis.completed',
  'analysis.failed',
  'gap.status_changed',
  'document.processed',
  'report.completed',
];
const wordOf = (event: Event): string => event.replaceAll('.', '_');
const LAST_DELIVERIES = 10;

/** Addresses that are told what happens in a workspace, and what became of each message. */
export default function WebhooksPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const [isNew, openNew] = useState(false);
  const webhooks = useQuery({
    queryKey: ['webhooks', workspace],
    enabled: may('webhooks.manage'),
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/webhooks', {
          params: { path: { id: workspace }, query: { limit: 100 } },
          signal,
        }),
      ),
  });
  return (
    <SettingsPage>
      <Panel
        title={say('webhooks')}
        aside={
          <Button kind="primary" onClick={() => openNew(true)}>
            <Icon name="add" /> {say('webhook_add')}
          </Button>
        }
      >
        <Loaded query={webhooks} lines={3}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="hint">{say('no_webhooks')}</p>
            ) : (
              <ul className="records" aria-label={say('webhooks')}>
                {items.map((one) => (
                  <WebhookLine key={one.id} of={one} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
      {isNew && <NewWebhook workspace={workspace} onClose={() => openNew(false)} />}
    </SettingsPage>
  );
}

function WebhookLine({ of }: { readonly of: Api['Webhook'] }) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const [isDeleting, askDelete] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const params = { params: { path: { id: of.workspace_id, webhook_id: of.id } } };
  const then = {
    onError: (error: unknown) => toast(words(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks', of.workspace_id] }),
  };
  const turn = useGuarded({
    seen: of,
    read: () => takeTagged(api.GET('/workspaces/{id}/webhooks/{webhook_id}', params)),
    write: (active: boolean, tag) =>
      take(
        api.PATCH('/workspaces/{id}/webhooks/{webhook_id}', {
          params: { ...params.params, header: { 'If-Match': tag } },
          body: { active },
        }),
      ),
    changed: (active) => ({ ...of, active }),
    // Of one that was given up, or sends to another address now, nobody knew when it was turned.
    told: ({ active, url, events }) => [
      { label: say('webhook_state'), value: say(active ? 'on' : 'off') },
      { label: say('url'), value: url },
      { label: say('events'), value: events.map((event) => say.named('event', wordOf(event))).join(' · ') },
    ],
    onSaved: () => void then.onSettled(),
    onTheirs: () => void then.onSettled(),
    onError: then.onError,
  });
  const rotate = useMutation({
    mutationFn: () => take(api.POST('/workspaces/{id}/webhooks/{webhook_id}/rotate-secret', params)),
    onSuccess: (answer) => setSecret(answer.secret),
    ...then,
  });
  const remove = useMutation({
    mutationFn: () => take(api.DELETE('/workspaces/{id}/webhooks/{webhook_id}', params)),
    onSettled: then.onSettled,
  });
  return (
    <li>
      <div className="record-main">
        <div className="record-name">
          <bdi>{of.url}</bdi>
          {!of.active && <span className="tag">{say('off')}</span>}
        </div>
        {of.description && <bdi>{of.description}</bdi>}
        <div className="record-facts">
          {of.events.map((event) => say.named('event', wordOf(event))).join(' · ')}
        </div>
        {of.disabled_reason && <p className="record-wrong">{say(`disabled_${of.disabled_reason}`)}</p>}
        {of.failing_since && of.active && (
          <p className="record-wrong">
            {say('failing_since', { when: dateAndTime(of.failing_since, say.language) })}
          </p>
        )}
      </div>
      <div className="record-actions">
        <Button disabled={turn.isPending} onClick={() => turn.send(!of.active)}>
          {say(of.active ? 'turn_off' : 'turn_on')}
        </Button>
        <Button disabled={rotate.isPending} onClick={() => rotate.mutate()}>
          {say('rotate')}
        </Button>
        <Button kind="quiet" onClick={() => askDelete(true)}>
          {say('delete')}
        </Button>
      </div>
      {turn.conflict}
      <Deliveries of={of} />
      {secret && <Secret value={secret} hint={say('rotated')} onClose={() => setSecret(null)} />}
      {isDeleting && (
        <Confirm
          title={say('webhook_delete')}
          verb={say('delete')}
          doing={remove}
          onConfirm={() => remove.mutate()}
          onClose={() => askDelete(false)}
        >
          <p>
            <bdi>{of.url}</bdi>
          </p>
        </Confirm>
      )}
    </li>
  );
}

function Deliveries({ of }: { readonly of: Api['Webhook'] }) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const path = { id: of.workspace_id, webhook_id: of.id };
  const key = ['deliveries', of.workspace_id, of.id];
  const [isOpen, open] = useState(false);
  const deliveries = useQuery({
    queryKey: key,
    enabled: isOpen,
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/webhooks/{webhook_id}/deliveries', {
          params: { path, query: { limit: LAST_DELIVERIES } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'queued') ? 3000 : false,
  });
  const again = useMutation({
    mutationFn: (delivery_id: string) =>
      take(
        api.POST('/workspaces/{id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', {
          params: { path: { ...path, delivery_id } },
        }),
      ),
    onSuccess: () => toast(say('sent_again')),
    onError: (error) => toast(words(error)),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  });
  return (
    <details className="deliveries" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{say('deliveries')}</summary>
      {isOpen && (
        <Loaded query={deliveries} lines={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="hint">{say('no_deliveries')}</p>
            ) : (
              <ul className="records" aria-label={say('deliveries')}>
                {items.map((one) => (
                  <li key={one.id}>
                    <div className="record-main">
                      <div className="record-name">
                        {say.named('event', wordOf(one.event))}
                        <span className="tag">{say(`delivery_${one.status}`)}</span>
                      </div>
                      <div className="record-facts">
                        <span title={dateAndTime(one.created_at, say.language)}>
                          {ago(one.created_at, say.language)}
                        </span>
                        <span>{say.count('attempts', one.attempts)}</span>
                        {one.response_status !== null && (
                          <span>{say('answered', { status: one.response_status })}</span>
                        )}
                        {one.next_attempt_at && (
                          <span>
                            {say('next_attempt', { when: dateAndTime(one.next_attempt_at, say.language) })}
                          </span>
                        )}
                      </div>
                      {one.error && (
                        <p className="record-wrong">
                          <bdi>{one.error}</bdi>
                        </p>
                      )}
                    </div>
                    <div className="record-actions">
                      {one.status !== 'queued' && (
                        <Button disabled={again.isPending} onClick={() => again.mutate(one.id)}>
                          {say('send_again')}
                        </Button>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </details>
  );
}

function Secret({
  value,
  hint,
  onClose,
}: {
  readonly value: string;
  readonly hint: string;
  readonly onClose: () => void;
}) {
  const say = useWords();
  return (
    <HandedOver title={say('secret')} text={hint} label={say('secret')} value={value} onClose={onClose} />
  );
}

function NewWebhook({ workspace, onClose }: { readonly workspace: string; readonly onClose: () => void }) {
  const say = useWords();
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: (form: FormData) =>
      take(
        api.POST('/workspaces/{id}/webhooks', {
          params: { path: { id: workspace } },
          body: {
            url: String(form.get('url')),
            description: String(form.get('description')),
            events: EVENTS.filter((event) => form.has(event)),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks', workspace] }),
  });
  if (add.data?.secret) {
    return <Secret value={add.data.secret} hint={say('secret_once')} onClose={onClose} />;
  }
  return (
    <Dialog title={say('webhook_add')} onClose={onClose}>
      <Asking
        verb={say('add')}
        doing={add}
        onSubmit={(form) => add.mutate(new FormData(form))}
        onClose={onClose}
      >
        <Field label={say('url')} hint={say('url_hint')}>
          <Input name="url" type="url" required maxLength={2048} autoComplete="off" />
        </Field>
        <Field label={say('description')}>
          <Input name="description" maxLength={200} autoComplete="off" />
        </Field>
        <fieldset className="event-choice">
          <legend>{say('events')}</legend>
          {EVENTS.map((event) => (
            <label key={event} className="check">
              <input type="checkbox" name={event} defaultChecked />
              <span>{say.named('event', wordOf(event))}</span>
            </label>
          ))}
        </fieldset>
      </Asking>
    </Dialog>
  );
}
