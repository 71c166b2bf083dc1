import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useWorkspace, useWorkspaceId } from '../../app/workspace.ts';
import { Icon, type IconName, StateGlyph } from '../../look/glyphs.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { ago, number, percent } from '../../words/moments.ts';

import { FirstPanels } from '../decide/first-panels.tsx';
import { FirstRun } from './first-run.tsx';
import { TrendChart } from './trend-chart.tsx';

import { useWords } from './use-words.ts';
import './overview.css';

/** What is still to be decided: neither closed nor gone. As the filter of the list, so that every number is the list's. */
const OPEN = { status: ['open', 'in_progress'], change: ['new', 'unchanged', 'updated'] } as const;
/** With more, what to decide is a report's matter: putting gaps together takes longer than one waits for a screen. */
const MOST_GAPS = 5000;
const OPEN_QUERY = `status=${OPEN.status.join(',')}&change=${OPEN.change.join(',')}`;

export default function OverviewPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const { data: about } = useWorkspace(workspace);
  const overview = useQuery({
    queryKey: ['overview', workspace],
    queryFn: ({ signal }) =>
      take(api.GET('/analysis/overview', { params: { query: { workspace_id: workspace } }, signal })),
  });
  return (
    <div className="page">
      <div className="page-head">
        <h1>
          <bdi>{about?.name}</bdi>
        </h1>
        {overview.data && overview.data.trend.length > 0 && (
          <>
            {may('work-products.write') && (
              <Link className="button" href={`/w/${workspace}/documents`}>
                <Icon name="upload" /> {say('add_documents')}
              </Link>
            )}
            {may('analyses.start') && (
              <Link className="button" data-kind="primary" href={`/w/${workspace}/runs`}>
                <Icon name="runs" /> {say('analyse')}
              </Link>
            )}
          </>
        )}
      </div>
      <Loaded query={overview}>
        {(data) => (data.trend.length === 0 ? <FirstRun data={data} /> : <Overview data={data} />)}
      </Loaded>
    </div>
  );
}

function Overview({ data }: { readonly data: Api['AnalysisOverview'] }) {
  const say = useWords();
  const { by_change: changes } = data.gaps;
  const hasCompared = ['unchanged', 'updated', 'absent'].some((change) => (changes[change] ?? 0) > 0);
  return (
    <>
      <Hint name="search" />
      {hasCompared && (
        <p className="overview-since">
          {say('since_last', {
            new: number(changes.new ?? 0, say.language),
            updated: number(changes.updated ?? 0, say.language),
            absent: number(changes.absent ?? 0, say.language),
          })}
        </p>
      )}
      <div className="overview-columns">
        <NeedsYou data={data} />
        <OpenGaps workspace={data.workspace_id} />
      </div>
      {data.gaps.total <= MOST_GAPS && <FirstPanels workspace={data.workspace_id} />}
      <Standards data={data} />
      <TrendChart data={data} />
    </>
  );
}

function NeedsYou({ data }: { readonly data: Api['AnalysisOverview'] }) {
  const say = useWords();
  const { workspace_id: workspace, gaps, work_products } = data;
  const severe = useQuery({
    queryKey: ['gaps', workspace, 'new-severe'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/gaps/facets', {
          params: {
            query: {
              workspace_id: workspace,
              severity: ['critical', 'high'],
              status: ['open'],
              change: ['new'],
              facets: ['severity'],
            },
          },
          signal,
        }),
      ),
  });
  const failed = work_products.by_status.failed ?? 0;
  const newSevere = severe.data?.total ?? 0;
  const lines: readonly (readonly [count: number, icon: IconName, href: string, words: string])[] = [
    [
      gaps.proposed,
      'people',
      `/w/${workspace}/gaps?proposal=acceptance`,
      say.count('proposed', gaps.proposed),
    ],
    [
      newSevere,
      'warning',
      `/w/${workspace}/gaps?severity=critical,high&status=open&change=new`,
      say.count('new_severe', newSevere),
    ],
    [gaps.overdue, 'clock', `/w/${workspace}/gaps?overdue=true`, say.count('overdue', gaps.overdue)],
    [failed, 'documents', `/w/${workspace}/documents`, say.count('failed_documents', failed)],
  ];
  const waiting = lines.filter(([count]) => count > 0);
  return (
    <Panel title={say('needs_you')}>
      {waiting.length === 0 ? (
        <p className="overview-quiet">{say('nothing_needs_you')}</p>
      ) : (
        <ul className="overview-lines">
          {waiting.map(([, icon, href, words]) => (
            <li key={icon}>
              <Icon name={icon} /> <Link href={href}>{words}</Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function OpenGaps({ workspace }: { readonly workspace: string }) {
  const say = useWords();
  const common = useCommonWords();
  const open = useQuery({
    queryKey: ['gaps', workspace, 'open-by-severity'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/gaps/facets', {
          params: {
            query: {
              workspace_id: workspace,
              status: [...OPEN.status],
              change: [...OPEN.change],
              facets: ['severity'],
            },
          },
          signal,
        }),
      ),
  });
  return (
    <Panel title={say('gaps')} aside={<Link href={`/w/${workspace}/gaps`}>{say('all_gaps')}</Link>}>
      <Loaded query={open} lines={4}>
        {({ total, facets }) => {
          const counts = new Map(facets.severity?.values.map(({ value, count }) => [value, count]));
          return total === 0 ? (
            <p className="overview-quiet">{say('no_gaps')}</p>
          ) : (
            <ul className="overview-severities">
              {SEVERITIES.map((severity) => {
                const count = counts.get(severity) ?? 0;
                return (
                  <li key={severity}>
                    <Link href={`/w/${workspace}/gaps?${OPEN_QUERY}&severity=${severity}`}>
                      <StateGlyph of={severity} />
                      <span>{common(`severity_${severity}`)}</span>
                      <strong>{number(count, say.language)}</strong>
                      <span className="bar" aria-hidden="true">
                        <span
                          data-state={severity}
                          style={{ width: `${(100 * count) / total}%`, background: 'currentColor' }}
                        />
                      </span>
                    </Link>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}

interface Line {
  /** How far people are with a checklist. */
  readonly review?: string | undefined;
  readonly id: string;
  readonly name: string;
  readonly href: string;
  readonly score: number;
  readonly assessed: boolean;
  readonly finished_at: string | null;
  readonly gaps: number;
  readonly by_severity: Readonly<Record<string, number>>;
}

function Standards({ data }: { readonly data: Api['AnalysisOverview'] }) {
  const say = useWords();
  const common = useCommonWords();
  const workspace = `/w/${data.workspace_id}`;
  const base = `${workspace}/gaps?${OPEN_QUERY}`;
  const checklists = useQuery({
    queryKey: ['checklists', data.workspace_id, 'states'],
    enabled: data.others.some(({ analysis_type }) => analysis_type === 'checklist'),
    queryFn: ({ signal }) =>
      take(
        api.GET('/compliance/checklists', {
          params: { query: { workspace_id: data.workspace_id, limit: 100, include: 'state' } },
          signal,
        }),
      ),
  }).data?.items;
  /** Where the work on it is done: gaps of one checklist are no list of their own. */
  const hrefOf = (type: string, which: string | undefined): string => {
    if (type === 'checklist' && which) return `${workspace}/checklists/${which}`;
    return type === 'traceability' ? `${workspace}/trace` : `${base}&analysis_type=${type}`;
  };
  const lines: readonly Line[] = [
    ...data.standards.map((one) => ({
      ...one,
      id: one.standard_id,
      href: `${base}&standard_id=${one.standard_id}`,
    })),
    ...data.others.map((one) => {
      const which = one.series.split(':')[1];
      const type = common.named('analysis', one.analysis_type);
      const checklist = checklists?.find(({ id }) => id === which);
      return {
        ...one,
        id: one.series,
        name: checklist
          ? `${type}: ${(say.language === 'de' && checklist.title.de) || checklist.title.en}`
          : type,
        href: hrefOf(one.analysis_type, which),
        review: checklist?.state ? reviewWords(checklist.state, say) : undefined,
      };
    }),
  ];
  if (lines.length === 0) return null;
  return (
    <Panel title={say('standards')}>
      <ul className="overview-standards">
        {lines.map((line) => (
          <li key={line.id}>
            <Link href={line.href} className="overview-name">
              <bdi>{line.name}</bdi>
              {line.review && <span className="field-hint">{line.review}</span>}
            </Link>
            <span className="bar" aria-hidden="true">
              <span style={{ width: `${line.assessed ? line.score : 0}%` }} />
            </span>
            <span className="overview-score">
              {line.assessed
                ? say('score', { percent: percent(line.score, say.language) })
                : say('not_assessed')}
            </span>
            <span className="overview-counts">
              {SEVERITIES.filter((severity) => line.by_severity[severity]).map((severity) => (
                <span key={severity} className="state-label">
                  <StateGlyph of={severity} label={common(`severity_${severity}`)} />
                  {number(line.by_severity[severity] ?? 0, say.language)}
                </span>
              ))}
            </span>
            <span className="overview-when">
              {line.finished_at && say('run_when', { when: ago(line.finished_at, say.language) })}
            </span>
          </li>
        ))}
      </ul>
      <p className="field-hint">{say('indicative')}</p>
    </Panel>
  );
}

function reviewWords(
  { needed, done, counts, released }: NonNullable<Api['ListedChecklist']['state']>,
  say: ReturnType<typeof useWords>,
): string {
  return [
    needed === 0 ? say('nothing_reviewed') : say('reviewed', { done, needed }),
    ...(counts.fail > 0 ? [say.count('fails', counts.fail)] : []),
    ...(released ? [say('approved')] : []),
  ].join(' · ');
}
