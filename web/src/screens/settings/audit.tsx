import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useMembers, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { DateInput } from '../../parts/date-input.tsx';
import { Field, Input } from '../../parts/field.tsx';
import { More } from '../../parts/more.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Failure, Loaded } from '../../parts/states.tsx';
import { dateAndTime, number } from '../../words/moments.ts';
import { SettingsPage } from './settings-page.tsx';
import { useAuditWords } from './use-audit-words.ts';
import { useWords } from './use-words.ts';

/** Resources whose events are asked for most; a pasted address may name any other. */
const SUBJECTS = [
  'gap',
  'criterion',
  'checklist',
  'trace_link',
  'work_product',
  'standard',
  'report',
  'member',
  'invitation',
  'webhook',
  'workspace',
];
const DAY_MILLISECONDS = 86_400_000;

/** A day of a date field as a moment of this person's time zone; `after` days later. */
function momentOf(day: string, after = 0): string | undefined {
  const start = new Date(`${day}T00:00:00`);
  return Number.isNaN(start.getTime())
    ? undefined
    : new Date(start.getTime() + after * DAY_MILLISECONDS).toISOString();
}

/** What was decided in a workspace, by whom and when, with the state before and after. */
export default function AuditPage() {
  const say = useWords();
  const done = useAuditWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const { data: people } = useMembers(workspace);
  const [query, setQuery] = useSearchParams();
  const set = (name: string, value: string): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const [actor, action, from, to, search] = ['actor', 'action', 'from', 'to', 'search'].map(
    (name) => query.get(name) ?? '',
  ) as [string, string, string, string, string];
  const start = momentOf(from);
  const end = momentOf(to, 1);
  const filter = {
    workspace_id: workspace,
    ...(actor && { actor_id: actor }),
    ...(action && { action }),
    ...(start && { from: start }),
    ...(end && { to: end }),
    ...(search && { search }),
  };
  const events = useInfiniteQuery({
    queryKey: ['audit', workspace, filter],
    enabled: may('audit.read'),
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/audit-log', {
          params: { query: { ...filter, limit: 50, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const check = useMutation({
    mutationFn: () => take(api.GET('/audit-log/check', { params: { query: { workspace_id: workspace } } })),
  });
  const exported = (format: string): string =>
    `/api/v1/audit-log/export?${new URLSearchParams({ ...filter, format })}`;
  return (
    <SettingsPage>
      <Panel
        title={say('audit')}
        aside={
          <div className="record-actions">
            {may.level('audit.read') === 'allowed' && (
              <Button disabled={check.isPending} onClick={() => check.mutate()}>
                {say('check')}
              </Button>
            )}
            <a className="button" href={exported('csv')} download>
              <Icon name="download" /> {say('as_csv')}
            </a>
            <a className="button" href={exported('json')} download>
              <Icon name="download" /> {say('as_json')}
            </a>
          </div>
        }
      >
        <div className="form">
          <div role="status">
            {check.data && (
              <p className="notice" data-kind={check.data.intact ? 'info' : 'error'}>
                {check.data.intact
                  ? say.count('intact', check.data.events)
                  : say('broken', { at: check.data.first_broken ?? '' })}
              </p>
            )}
          </div>
          {check.error && <Failure error={check.error} />}
          <div className="audit-filter">
            <Field label={say('search')}>
              <Input type="search" value={search} onChange={(event) => set('search', event.target.value)} />
            </Field>
            <Field label={say('actor')}>
              <select className="input" value={actor} onChange={(event) => set('actor', event.target.value)}>
                <option value="">{say('all')}</option>
                {people?.items.map((one) => (
                  <option key={one.user_id} value={one.user_id}>
                    {one.name || one.email}
                  </option>
                ))}
              </select>
            </Field>
            <Field label={say('subject')}>
              <select
                className="input"
                value={action}
                onChange={(event) => set('action', event.target.value)}
              >
                <option value="">{say('all')}</option>
                {[...new Set([...SUBJECTS.map((one) => `${one}.*`), ...(action ? [action] : [])])].map(
                  (one) => (
                    <option key={one} value={one}>
                      {one.endsWith('.*') ? say.named('subject', one.slice(0, -2)) : done.named('act', one)}
                    </option>
                  ),
                )}
              </select>
            </Field>
            <Field label={say('from')}>
              <DateInput value={from} onChange={(day) => set('from', day)} />
            </Field>
            <Field label={say('to')}>
              <DateInput value={to} onChange={(day) => set('to', day)} />
            </Field>
          </div>
          <Loaded query={events}>
            {({ pages }) => (
              <>
                <p className="field-hint" role="status">
                  {say.count('events_found', pages[0]?.total ?? 0)}
                </p>
                <ul className="records" aria-label={say('audit')}>
                  {pages
                    .flatMap(({ items }) => items)
                    .map((one) => (
                      <EventLine key={one.id} of={one} />
                    ))}
                </ul>
                <More of={events} />
              </>
            )}
          </Loaded>
        </div>
      </Panel>
    </SettingsPage>
  );
}

function EventLine({ of }: { readonly of: Api['AuditEvent'] }) {
  const say = useWords();
  const done = useAuditWords();
  const sides = (['before', 'after'] as const).filter((side) => of[side] !== null && of[side] !== undefined);
  return (
    <li>
      <div className="record-main">
        <div className="record-name">
          {done.named('act', of.action)} <span className="mono small quiet">{of.action}</span>
        </div>
        <div className="record-facts">
          <span>{dateAndTime(of.created_at, say.language)}</span>
          <bdi>{of.actor_email ?? say('service')}</bdi>
          {of.token_id && <span>{say('by_token')}</span>}
          <span>{say('sequence', { number: number(of.sequence, say.language) })}</span>
          <span className="mono">{of.target_id}</span>
        </div>
        {of.reason && (
          <p>
            <bdi>{of.reason}</bdi>
          </p>
        )}
        {of.redacted && <p className="field-hint">{say('redacted')}</p>}
      </div>
      {sides.length > 0 && (
        <details className="deliveries">
          <summary>{say('details')}</summary>
          <div className="audit-change">
            {sides.map((side) => (
              <div key={side}>
                <h3>{say(side)}</h3>
                <pre className="mono">
                  <bdi>{JSON.stringify(of[side], null, 2)}</bdi>
                </pre>
              </div>
            ))}
          </div>
        </details>
      )}
    </li>
  );
}
