import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useGuestAccesses } from '../../app/workspace.ts';
import { Panel } from '../../parts/panel.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime } from '../../words/moments.ts';
import { Document } from './document.tsx';
import { Report } from './report.tsx';
import { Run } from './run.tsx';
import { useWords } from './use-words.ts';
import '../../parts/records.css';
import './guest.css';

/** What a person from outside may read: a workspace, one analysis or one report, until a moment. */
export default function GuestPage() {
  const say = useWords();
  const { guest: id } = useParams<{ guest: string }>();
  const accesses = useGuestAccesses();
  return (
    <div className="page">
      <Loaded query={accesses}>
        {({ items }) => {
          const access = items.find((one) => one.id === id);
          return access ? (
            <>
              <div className="page-head">
                <h1>
                  <bdi>{access.workspace_name}</bdi>
                </h1>
                <span className="tag">{say(`scope_${access.scope}`)}</span>
              </div>
              <p className="hint">{say('until', { when: dateAndTime(access.expires_at, say.language) })}</p>
              <Within access={access} />
            </>
          ) : (
            <Empty title={say('over')}>
              <p>{say('over_text')}</p>
            </Empty>
          );
        }}
      </Loaded>
    </div>
  );
}

/** What is open lies in the address: a run, a report, or a place in a document. */
function Within({ access }: { readonly access: Api['GuestAccess'] }) {
  const say = useWords();
  const [query] = useSearchParams();
  const document = query.get('document');
  const run = query.get('run') ?? (access.scope === 'analysis' ? access.target_id : null);
  const report = query.get('report') ?? (access.scope === 'report' ? access.target_id : null);
  const back = run && document ? `/me/guest/${access.id}?run=${run}` : `/me/guest/${access.id}`;
  const isFirst = !document && (access.scope !== 'workspace' || (!run && !report));
  return (
    <>
      {!isFirst && (
        <p>
          <Link href={back}>{say('back')}</Link>
        </p>
      )}
      {document ? (
        <Document
          id={document}
          version={Number(query.get('v') ?? 1)}
          at={query.get('at') ?? undefined}
          title={query.get('name') ?? undefined}
        />
      ) : run ? (
        <Run access={access} id={run} />
      ) : report ? (
        <Report id={report} />
      ) : (
        <Contents access={access} />
      )}
    </>
  );
}

/** Runs, reports and documents of a workspace. */
function Contents({ access }: { readonly access: Api['GuestAccess'] }) {
  const say = useWords();
  const common = useCommonWords();
  const workspace = access.workspace_id;
  const of = { params: { query: { workspace_id: workspace, limit: 100 } } } as const;
  const runs = useQuery({
    queryKey: ['runs', workspace, 'guest'],
    queryFn: ({ signal }) => take(api.GET('/analysis/analyses', { ...of, signal })),
  });
  const reports = useQuery({
    queryKey: ['reports', workspace, 'guest'],
    queryFn: ({ signal }) => take(api.GET('/reports', { ...of, signal })),
  });
  const documents = useQuery({
    queryKey: ['documents', workspace, 'guest'],
    queryFn: ({ signal }) => take(api.GET('/work-products', { ...of, signal })),
  });
  const here = `/me/guest/${access.id}`;
  return (
    <>
      <Panel title={say('runs')}>
        <Loaded query={runs} lines={3}>
          {({ items, total }) => (
            <Records
              label={say('runs')}
              total={total}
              items={items
                .filter(({ status }) => status === 'completed')
                .map((one) => ({
                  href: `${here}?run=${one.id}`,
                  id: one.id,
                  name: common.named('analysis', one.type),
                  facts: [dateAndTime(one.finished_at ?? one.created_at, say.language)],
                }))}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title={say('reports')}>
        <Loaded query={reports} lines={2}>
          {({ items, total }) => (
            <Records
              label={say('reports')}
              total={total}
              items={items
                .filter(({ status }) => status === 'completed')
                .map((one) => ({
                  href: `${here}?report=${one.id}`,
                  id: one.id,
                  name: one.title,
                  facts: [dateAndTime(one.created_at, say.language)],
                }))}
            />
          )}
        </Loaded>
      </Panel>
      <Panel title={say('documents')}>
        <Loaded query={documents} lines={3}>
          {({ items, total }) => (
            <Records
              label={say('documents')}
              total={total}
              items={items.map((one) => ({
                href: `${here}?document=${one.id}&v=${one.version}&name=${encodeURIComponent(one.name)}`,
                id: one.id,
                name: one.name,
                facts: [say('version', { version: one.version })],
              }))}
            />
          )}
        </Loaded>
      </Panel>
    </>
  );
}

function Records({
  label,
  items,
  total,
}: {
  readonly label: string;
  readonly total: number;
  readonly items: readonly {
    readonly id: string;
    readonly href: string;
    readonly name: string;
    readonly facts: readonly string[];
  }[];
}) {
  const say = useWords();
  if (items.length === 0) return <p className="hint">{say('none')}</p>;
  return (
    <>
      <ul className="records" aria-label={label}>
        {items.map(({ id, href, name, facts }) => (
          <li key={id}>
            <div className="record-main">
              <div className="record-name">
                <Link href={href}>
                  <bdi>{name}</bdi>
                </Link>
              </div>
              <div className="record-facts">
                {facts.map((fact) => (
                  <span key={fact}>{fact}</span>
                ))}
              </div>
            </div>
          </li>
        ))}
      </ul>
      {total > 100 && <p className="hint">{say('first_hundred', { total })}</p>}
    </>
  );
}
