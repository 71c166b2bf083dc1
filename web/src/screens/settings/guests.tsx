import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Asking, EmailField } from '../../parts/asking.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DateInput } from '../../parts/date-input.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type Scope = Api['Guest']['scope'];
const SCOPES: readonly Scope[] = ['analysis', 'report', 'workspace'];
const DAYS = 14;

const useGuests = (workspace: string) =>
  useQuery({
    queryKey: ['guests', workspace],
    queryFn: ({ signal }) =>
      take(
        api.GET('/workspaces/{id}/guests', {
          params: { path: { id: workspace }, query: { limit: 100 } },
          signal,
        }),
      ),
  });

/** Who from outside reads something, until when, and the way to let somebody in. */
export function Guests({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const guests = useGuests(workspace);
  const [isInviting, invite] = useState(false);
  return (
    <Panel
      title={say('guests')}
      aside={
        <Button onClick={() => invite(true)}>
          <Icon name="add" /> {say('guest_invite')}
        </Button>
      }
    >
      <p className="hint">{say('guests_text')}</p>
      <Loaded query={guests} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="hint">{say('no_guests')}</p>
          ) : (
            <ul className="records" aria-label={say('guests')}>
              {items.map((one) => (
                <GuestLine key={one.id} of={one} workspace={workspace} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isInviting && <InviteGuest workspace={workspace} onClose={() => invite(false)} />}
    </Panel>
  );
}

function GuestLine({ of, workspace }: { readonly of: Api['Guest']; readonly workspace: string }) {
  const say = useWords();
  const client = useQueryClient();
  const [isEnding, askEnd] = useState(false);
  const isOpen = of.state === 'invited' || of.state === 'active';
  const when = (moment: string): string => dateAndTime(moment, say.language);
  const end = useMutation({
    mutationFn: () =>
      take(
        api.DELETE('/workspaces/{id}/guests/{guest_id}', {
          params: { path: { id: workspace, guest_id: of.id } },
        }),
      ),
    onSuccess: () => askEnd(false),
    onSettled: () => client.invalidateQueries({ queryKey: ['guests', workspace] }),
  });
  return (
    <li>
      <div className="record-main">
        <div className="record-name">
          <bdi>{of.email}</bdi>
          <span className="tag">{say(`guest_scope_${of.scope}`)}</span>
          <span className="tag">{say(`guest_${of.state}`)}</span>
        </div>
        <div className="record-facts">
          <span>
            {of.ended_at
              ? say('guest_ended_at', { when: when(of.ended_at) })
              : say('until', { date: when(of.expires_at) })}
          </span>
          {of.entered_at && <span>{say('guest_since', { when: when(of.entered_at) })}</span>}
        </div>
      </div>
      {isOpen && (
        <div className="record-actions">
          <Button kind="quiet" onClick={() => askEnd(true)}>
            {say('guest_end')}
            <span className="visually-hidden">
              <bdi>{of.email}</bdi>
            </span>
          </Button>
        </div>
      )}
      {isEnding && (
        <Confirm
          title={say('guest_end_title', { email: of.email })}
          verb={say('guest_end')}
          doing={end}
          onConfirm={() => end.mutate()}
          onClose={() => askEnd(false)}
        >
          <p>{say('guest_end_text')}</p>
        </Confirm>
      )}
    </li>
  );
}

/** A day from now, as a field of a date has it. */
const dayAfter = (days: number): string => {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;
};

/** Asks for whom, what and until when; then shows the link, this once. */
function InviteGuest({ workspace, onClose }: { readonly workspace: string; readonly onClose: () => void }) {
  const say = useWords();
  const common = useCommonWords();
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [scope, setScope] = useState<Scope>('analysis');
  const [target, setTarget] = useState('');
  const [day, setDay] = useState(() => dayAfter(DAYS));
  const targets = useTargets(workspace, scope);
  const send = useMutation({
    mutationFn: () =>
      take(
        api.POST('/workspaces/{id}/guests', {
          params: { path: { id: workspace } },
          body: {
            email,
            scope,
            // To the end of that day here.
            expires_at: new Date(`${day}T23:59:59`).toISOString(),
            ...(scope !== 'workspace' && { target_id: target }),
          },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['guests', workspace] }),
  });
  const sent = send.data;
  return (
    <Dialog title={say('guest_invite')} onClose={onClose}>
      {sent ? (
        <>
          <p>
            {say('guest_told', {
              email: sent.email,
              when: dateAndTime(sent.expires_at, say.language),
            })}
          </p>
          {sent.link && <ShownOnce label={say('guest_link')} value={sent.link} />}
          <p className="field-hint">{say('guest_link_once')}</p>
          <div className="dialog-actions">
            <Button kind="primary" onClick={onClose}>
              {common('close')}
            </Button>
          </div>
        </>
      ) : (
        <Asking verb={say('guest_invite_verb')} doing={send} onSubmit={() => send.mutate()} onClose={onClose}>
          <EmailField label={say('email')} hint={say('guest_email_hint')} value={email} onChange={setEmail} />
          <Field label={say('guest_reads')} hint={say(`guest_about_${scope}`)}>
            <select
              className="input"
              value={scope}
              onChange={(event) => {
                setScope(event.target.value as Scope);
                setTarget('');
              }}
            >
              {SCOPES.map((one) => (
                <option key={one} value={one}>
                  {say(`guest_scope_${one}`)}
                </option>
              ))}
            </select>
          </Field>
          {scope !== 'workspace' && (
            <Field
              label={say(`guest_which_${scope}`)}
              {...(targets?.length === 0 && { hint: say(`guest_no_${scope}`) })}
            >
              <select
                className="input"
                required
                value={target}
                onChange={(event) => setTarget(event.target.value)}
              >
                <option value="">{say('guest_choose')}</option>
                {targets?.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
          )}
          <Field label={say('guest_until')} hint={say('guest_until_hint')}>
            <DateInput required min={dayAfter(0)} max={dayAfter(364)} value={day} onChange={setDay} />
          </Field>
        </Asking>
      )}
    </Dialog>
  );
}

/** Runs or reports that a guest can be let into. */
function useTargets(
  workspace: string,
  scope: Scope,
): readonly { readonly id: string; readonly name: string }[] | undefined {
  const say = useWords();
  const common = useCommonWords();
  const query = { workspace_id: workspace, limit: 100 };
  const runs = useQuery({
    queryKey: ['runs', workspace, 'for-guests'],
    enabled: scope === 'analysis',
    queryFn: ({ signal }) => take(api.GET('/analysis/analyses', { params: { query }, signal })),
  });
  const reports = useQuery({
    queryKey: ['reports', workspace, 'for-guests'],
    enabled: scope === 'report',
    queryFn: ({ signal }) => take(api.GET('/reports', { params: { query }, signal })),
  });
  const standards = useQuery({
    queryKey: ['standards', workspace, 'for-guests'],
    enabled: scope === 'analysis',
    queryFn: ({ signal }) => take(api.GET('/standards', { params: { query }, signal })),
  });
  const nameOf = (id: string | null): string | undefined =>
    standards.data?.items.find((one) => one.id === id)?.name;
  const when = (moment: string): string => dateAndTime(moment, say.language);
  return scope === 'analysis'
    ? runs.data?.items
        .filter(({ status }) => status === 'completed')
        .map(({ id, type, standard_id, finished_at, created_at }) => ({
          id,
          name: [common.named('analysis', type), nameOf(standard_id), when(finished_at ?? created_at)]
            .filter(Boolean)
            .join(' · '),
        }))
    : reports.data?.items
        .filter(({ status }) => status === 'completed')
        .map(({ id, title, created_at }) => ({ id, name: `${title} · ${when(created_at)}` }));
}
