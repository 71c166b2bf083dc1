import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { isOver } from '../../app/runs.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SEVERITIES } from '../../parts/severity.tsx';
import { Loaded, useFailureWords } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime, percent } from '../../words/moments.ts';
import { Differences } from './differences.tsx';
import { Results } from './results.tsx';
import { gapsOf, RunProgress, useSubjectOf } from './run-parts.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';
import '../../parts/records.css';

/** Runs are asked again while they are under way: the stream tells that they end, this is for when it does not. */
const ASK_AGAIN_MILLISECONDS = 5000;

/** What these said stands nowhere else: the pages of checklists and documents show the newest run. */
const HAS_RESULTS: ReadonlySet<string> = new Set(['completeness', 'checklist']);

/** One run: how far it is, what it read, what it found. */
export default function RunPage() {
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  const subjectOf = useSubjectOf(workspace);
  const { run: id } = useParams<{ run: string }>();
  const run = useQuery({
    queryKey: ['runs', workspace, id],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/analyses', {
          params: { query: { workspace_id: workspace, limit: 100, sort: '-created_at' } },
          signal,
        }),
      ).then(async ({ items }) => items.find((one) => one.id === id) ?? readRun(id, signal)),
    refetchInterval: ({ state }) =>
      state.data && !isOver(state.data.status) ? ASK_AGAIN_MILLISECONDS : false,
  });
  return (
    <div className="page">
      <Loaded query={run}>
        {(data) => (
          <>
            <div className="page-head">
              <h1>
                <bdi>{subjectOf(data, common.named('analysis', data.type))}</bdi>
              </h1>
              <Actions run={data} />
            </div>
            <RunProgress run={data} />
            {data.error && (
              <div className="notice" data-kind="error" role="alert">
                {data.error}
              </div>
            )}
            {data.status === 'completed' && <Result run={data} workspace={workspace} />}
            {data.status === 'completed' && data.mode === 'ai' && <Differences run={data} />}
            {data.status === 'completed' && HAS_RESULTS.has(data.type) && <Results run={data} />}
            <Inputs run={data} workspace={workspace} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** The run without its results: the page leads to them. */
const readRun = (id: string, signal: AbortSignal): Promise<Api['Analysis']> =>
  take(api.GET('/analysis/analyses/{id}', { params: { path: { id }, query: { include: 'none' } }, signal }));

function Actions({ run }: { readonly run: Api['Analysis'] }) {
  const say = useWords();
  const client = useQueryClient();
  const words = useFailureWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const act = useMutation({
    mutationFn: (what: 'cancel' | 'retry') =>
      take(
        what === 'cancel'
          ? api.POST('/analysis/analyses/{id}/cancel', { params: { path: { id: run.id } } })
          : api.POST('/analysis/analyses/{id}/retry', { params: { path: { id: run.id } } }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['runs', workspace] }),
    onError: (error) => toast(words(error)),
  });
  if (!may('analyses.start')) return null;
  if (!isOver(run.status)) {
    return (
      <Button disabled={act.isPending} onClick={() => act.mutate('cancel')}>
        {say('cancel_run')}
      </Button>
    );
  }
  return run.status === 'completed' ? null : (
    <Button disabled={act.isPending} onClick={() => act.mutate('retry')}>
      {say('retry')}
    </Button>
  );
}

function Result({ run, workspace }: { readonly run: Api['Analysis']; readonly workspace: string }) {
  const say = useWords();
  const common = useCommonWords();
  const summary = run.summary as {
    readonly severities?: Readonly<Record<string, number>>;
    readonly changes?: Readonly<Record<string, number>>;
    readonly written?: {
      readonly language: string;
      readonly model: string;
      readonly sentences: readonly { readonly text: string }[];
    };
  } | null;
  const gaps = gapsOf(run) ?? 0;
  const { changes = {} } = summary ?? {};
  const checklist = (run.options as { readonly checklist?: { readonly id: string } }).checklist;
  return (
    <section className="stack" aria-label={say('gaps')}>
      <p className="row">
        {run.score !== null && <strong>{percent(run.score, say.language)}</strong>}
        <span>{say.count('found', gaps)}</span>
        {SEVERITIES.filter((severity) => summary?.severities?.[severity]).map((severity) => (
          <span key={severity} className="state-label">
            <StateGlyph of={severity} label={common(`severity_${severity}`)} />
            {summary?.severities?.[severity]}
          </span>
        ))}
      </p>
      {run.previous_analysis_id && (
        <p className="quiet">
          {say('changes', {
            new: changes.new ?? 0,
            updated: changes.updated ?? 0,
            absent: changes.absent ?? 0,
          })}
        </p>
      )}
      {summary?.written && (
        <div>
          <p lang={summary.written.language}>
            <bdi>{summary.written.sentences.map(({ text }) => text).join(' ')}</bdi>
          </p>
          <p className="small">{say('written_by_model', { model: summary.written.model })}</p>
        </div>
      )}
      {run.score_is_partial && <p className="small">{say('partial')}</p>}
      <p className="row">
        <Link className="button" data-kind="primary" href={`/w/${workspace}/gaps?analysis_id=${run.id}`}>
          {say('see_gaps')}
        </Link>
        {run.standard_id && (
          <Link className="button" href={`/w/${workspace}/standards/${run.standard_id}?run=${run.id}`}>
            {say('see_standard')}
          </Link>
        )}
        {checklist && (
          <Link className="button" href={`/w/${workspace}/checklists/${checklist.id}`}>
            {say('see_checklist')}
          </Link>
        )}
        {run.type === 'traceability' && (
          <Link className="button" href={`/w/${workspace}/trace`}>
            {say('see_trace')}
          </Link>
        )}
        {run.previous_analysis_id && (
          <Link
            className="button"
            href={`/w/${workspace}/runs/compare?base=${run.previous_analysis_id}&head=${run.id}`}
          >
            {say('compare_before')}
          </Link>
        )}
        <Link className="button" href={`/w/${workspace}/reports?new=${run.id}`}>
          {say('report')}
        </Link>
      </p>
    </section>
  );
}

function Inputs({ run, workspace }: { readonly run: Api['Analysis']; readonly workspace: string }) {
  const say = useWords();
  return (
    <Panel
      title={say('inputs')}
      aside={<span className="small">{say('engine', { version: run.engine_version })}</span>}
    >
      <div className="list-scroll">
        <table className="list">
          <thead>
            <tr>
              <th scope="col">{say('document')}</th>
              <th scope="col" className="number">
                {say('version')}
              </th>
              <th scope="col">{say('hash')}</th>
            </tr>
          </thead>
          <tbody>
            {run.work_products.map((one) => (
              <tr key={one.work_product_id}>
                <td>
                  <Link
                    href={`/w/${workspace}/documents/${one.work_product_id}?v=${one.version}&run=${run.id}`}
                  >
                    <bdi>{one.name}</bdi>
                  </Link>
                </td>
                <td className="number" data-label={say('version')}>
                  {one.version}
                </td>
                <td className="mono" data-label={say('hash')} title={one.sha256}>
                  {one.sha256.slice(0, 12)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {run.unread_work_products.length > 0 && (
        <p className="small">
          {say('unread', { names: run.unread_work_products.map(({ name }) => name).join(', ') })}
        </p>
      )}
      <p className="small">{dateAndTime(run.created_at, say.language)}</p>
    </Panel>
  );
}
