import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, take } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { ago, percent } from '../../words/moments.ts';
import { Analyse } from './analyse.tsx';
import { StandardActions } from './standard-actions.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';

/** The standards of a workspace, each with where it stands. */
export default function StandardsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const standards = useQuery({
    queryKey: ['standards', workspace],
    queryFn: ({ signal }) =>
      take(
        api.GET('/standards', {
          params: { query: { workspace_id: workspace, limit: 100, sort: 'name' } },
          signal,
        }),
      ),
  });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('standards')}</h1>
        {may('standards.write') && (
          <Link className="button" data-kind="primary" href={`/w/${workspace}/standards/library`}>
            <Icon name="add" /> {say('add')}
          </Link>
        )}
      </div>
      <Loaded query={standards}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={say('none')}>
              <p>{say('none_text')}</p>
            </Empty>
          ) : (
            <ul className="cards">
              {items.map((standard) => (
                <li key={standard.id} className="card">
                  <h2>
                    <Link href={`/w/${workspace}/standards/${standard.id}`}>
                      <bdi>{standard.name}</bdi>
                    </Link>
                  </h2>
                  <Standing workspace={workspace} standard={standard.id} />
                  <p className="small">
                    {say.count('criteria', standard.criteria_count)} ·{' '}
                    {say.named('status', standard.processing_status)}
                  </p>
                  {standard.processing_error && <p className="small">{standard.processing_error}</p>}
                  <div className="card-foot">
                    {may('analyses.start') && standard.processing_status === 'completed' && (
                      <Analyse workspace={workspace} standard={standard.id} />
                    )}
                    <StandardActions of={standard} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p className="small">{say('indicative')}</p>
    </div>
  );
}

function Standing({ workspace, standard }: { readonly workspace: string; readonly standard: string }) {
  const say = useWords();
  const overview = useQuery({
    queryKey: ['overview', workspace],
    queryFn: ({ signal }) =>
      take(api.GET('/analysis/overview', { params: { query: { workspace_id: workspace } }, signal })),
  });
  const one = overview.data?.standards.find(({ standard_id }) => standard_id === standard);
  if (!one?.finished_at) return <p className="quiet">{say('never')}</p>;
  return (
    <>
      <span className="bar" aria-hidden="true">
        <span style={{ width: `${one.assessed ? one.score : 0}%` }} />
      </span>
      <p className="quiet">
        {one.assessed ? say('score', { percent: percent(one.score, say.language) }) : say('never')} ·{' '}
        {ago(one.finished_at, say.language)}
      </p>
    </>
  );
}
