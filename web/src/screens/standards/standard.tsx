import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useKeys } from '../../app/keys.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { PanelEdge } from '../../parts/panel-edge.tsx';
import { VerdictLabel } from '../../parts/severity.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { ago, dateAndTime, percent } from '../../words/moments.ts';
import { Analyse } from './analyse.tsx';
import { ClauseTree } from './clause-tree.tsx';
import { CriterionPanel } from './criterion-panel.tsx';
import { HeatMap } from './heat-map.tsx';
import { Release } from './release.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';
import './standards.css';

const VIEWS = ['tree', 'map', 'list'] as const;
type View = (typeof VIEWS)[number];

/** One standard by a run and by people: clauses, which document speaks about what, and what has to be reviewed. */
export default function StandardPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const { standard } = useParams<{ standard: string }>();
  const [query, setQuery] = useSearchParams();
  const view = VIEWS.find((one) => one === query.get('view')) ?? 'tree';
  const run = query.get('run') ?? undefined;
  const at = query.get('at');
  const open = (criterion: string | null): void =>
    setQuery((before) => {
      const next = new URLSearchParams(before);
      if (criterion === null) next.delete('at');
      else next.set('at', criterion);
      return next;
    });
  const read =
    (include: 'criteria' | 'none') =>
    ({ signal }: { readonly signal: AbortSignal }) =>
      take(
        api.GET('/analysis/standards/{id}/review', {
          params: { path: { id: standard }, query: { include, ...(run && { analysis_id: run }) } },
          signal,
        }),
      );
  const review = useQuery({
    queryKey: ['standards', workspace, standard, 'review', run, 'none'],
    queryFn: read('none'),
  });
  // The list of all is not waited for: of a large standard it is most of what there is to say.
  const whole = useQuery({
    queryKey: ['standards', workspace, standard, 'review', run, 'criteria'],
    enabled: review.data !== undefined,
    queryFn: read('criteria'),
  });
  const criteria = whole.data?.criteria ?? [];
  /** In the order of the standard; from outside to its first criterion, or its last one. */
  const walk = (step: -1 | 1): void => {
    const here = criteria.findIndex(({ criterion_id }) => criterion_id === at);
    const next = here < 0 ? criteria.at(step > 0 ? 0 : -1) : criteria[here + step];
    if (next) open(next.criterion_id);
  };
  useKeys({
    j: () => walk(1),
    k: () => walk(-1),
    ...(at !== null && { Escape: () => open(null) }),
  });
  useTellKeys(
    say('standards'),
    useMemo(
      () => [
        ['j', say('next')],
        ['k', say('previous')],
        ['Esc', say('close_panel')],
        ['← → *', say('open_clauses')],
      ],
      [say],
    ),
  );
  const may = useMay(workspace);
  return (
    <div className="page">
      <Loaded query={review}>
        {(data) => (
          <>
            <div className="page-head">
              <h1>
                <bdi>{data.name}</bdi>
              </h1>
              <RunChoice standard={standard} run={run} />
              {may('analyses.start') && <Analyse workspace={workspace} standard={standard} />}
              {may('reports.release') && data.analysis && run === undefined && (
                <Release workspace={workspace} standard={standard} />
              )}
            </div>
            {data.analysis === null ? (
              <Empty title={say('no_run')}>
                <p>{say('no_run_text')}</p>
              </Empty>
            ) : (
              <>
                <Standing review={data} />
                <nav className="tabs" aria-label={say('standards')}>
                  {VIEWS.map((one) => (
                    <Link
                      key={one}
                      href={`?${withView(query, one)}`}
                      aria-current={one === view ? 'page' : undefined}
                    >
                      {say(one)}
                    </Link>
                  ))}
                </nav>
                <div className="side-by-side" data-open={at === null ? undefined : true}>
                  <div>
                    {view === 'tree' && (
                      <ClauseTree
                        key={standard}
                        standard={standard}
                        run={run}
                        size={sizeOf(data)}
                        at={at}
                        onOpen={open}
                      />
                    )}
                    {view === 'map' && <HeatMap standard={standard} run={run} at={at} onOpen={open} />}
                    {view === 'list' && (
                      <Loaded query={whole}>
                        {(all) => <ReviewList criteria={all.criteria} at={at} onOpen={open} />}
                      </Loaded>
                    )}
                  </div>
                  {at !== null && (
                    <>
                      <PanelEdge panel="standards.criterion" side="right" label={at} />
                      <CriterionPanel
                        key={at}
                        standard={standard}
                        run={run}
                        criterion={at}
                        onWalk={walk}
                        onClose={() => open(null)}
                      />
                    </>
                  )}
                </div>
              </>
            )}
            <p className="small">{say('indicative')}</p>
          </>
        )}
      </Loaded>
    </div>
  );
}

const withView = (query: URLSearchParams, view: View): string => {
  const next = new URLSearchParams(query);
  next.set('view', view);
  return next.toString();
};

type Review = Api['StandardReview'];

const sizeOf = ({ counts }: Review): number =>
  Object.values(counts.machine).reduce((sum, count) => sum + (count ?? 0), 0);

function Standing({ review }: { readonly review: Review }) {
  const say = useWords();
  const { score, counts, review: state, releases } = review;
  const [newest] = releases;
  return (
    <section className="standing" aria-label={review.name}>
      <p className="row">
        {score.machine !== null && (
          <strong>{say('score', { percent: percent(score.machine, say.language) })}</strong>
        )}
        {score.effective !== null && score.effective !== score.machine && (
          <span>{say('score_effective', { percent: percent(score.effective, say.language) })}</span>
        )}
        {(['covered', 'partial', 'missing', 'needs_review', 'not_applicable'] as const)
          .filter((verdict) => counts.effective[verdict])
          .map((verdict) => (
            <span key={verdict} className="state-label">
              <VerdictLabel of={verdict} /> {counts.effective[verdict]}
            </span>
          ))}
      </p>
      <p className="row small">
        {state.needed > 0 && <span>{say('reviewed', { done: state.done, needed: state.needed })}</span>}
        {state.statuses.to_be_reviewed > 0 && (
          <span>{say.count('to_review', state.statuses.to_be_reviewed)}</span>
        )}
        {newest && (
          <span>
            {say(newest.current ? 'released' : 'released_old', {
              name: newest.released_by_name,
              when: ago(newest.released_at, say.language),
            })}
          </span>
        )}
      </p>
    </section>
  );
}

function RunChoice({ standard, run }: { readonly standard: string; readonly run: string | undefined }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [, setQuery] = useSearchParams();
  const { data } = useQuery({
    queryKey: ['runs', workspace, 'of', standard],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/analyses', {
          params: {
            query: {
              workspace_id: workspace,
              standard_id: standard,
              status: ['completed'],
              limit: 30,
              sort: '-created_at',
            },
          },
          signal,
        }),
      ),
  });
  const runs = data?.items ?? [];
  if (runs.length < 2 && run === undefined) return null;
  return (
    <select
      className="input run-choice"
      aria-label={say('run')}
      value={run ?? ''}
      onChange={(event) => {
        const chosen = event.target.value;
        setQuery((before) => {
          const next = new URLSearchParams(before);
          if (chosen) next.set('run', chosen);
          else next.delete('run');
          return next;
        });
      }}
    >
      <option value="">{say('newest_run')}</option>
      {runs.map((one) => (
        <option key={one.id} value={one.id}>
          {dateAndTime(one.finished_at ?? one.created_at, say.language)}
        </option>
      ))}
    </select>
  );
}

function ReviewList({
  criteria,
  at,
  onOpen,
}: {
  readonly criteria: Review['criteria'];
  readonly at: string | null;
  readonly onOpen: (criterion: string) => void;
}) {
  const say = useWords();
  const [onlyOpen, setOnlyOpen] = useState(true);
  const open = criteria.filter(({ review_status }) => review_status !== 'not_needed');
  const shown = onlyOpen && open.length > 0 ? open : criteria;
  return (
    <div className="stack">
      {open.length > 0 && (
        <label className="check">
          <input type="checkbox" checked={onlyOpen} onChange={(event) => setOnlyOpen(event.target.checked)} />
          {say('only_reviewed')}
        </label>
      )}
      <div className="list-scroll">
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{say('criterion')}</th>
              <th scope="col">{say('machine')}</th>
              <th scope="col">{say('counts')}</th>
              <th scope="col">{say('reason')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.criterion_id} aria-selected={one.criterion_id === at}>
                <td>
                  <Button kind="quiet" className="criterion-button" onClick={() => onOpen(one.criterion_id)}>
                    <span className="mono">{one.clause}</span> <bdi>{one.title}</bdi>
                  </Button>
                </td>
                <td>
                  <VerdictLabel of={one.machine_verdict} />
                </td>
                <td>
                  {one.effective_verdict && <VerdictLabel of={one.effective_verdict} />}{' '}
                  <span className="small">{say.named('review', one.review_status)}</span>
                </td>
                <td>{one.review_reason ?? one.answer?.reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
