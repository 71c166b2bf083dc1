import { useQuery } from '@tanstack/react-query';
import { type Api, api, take } from '../../api/client.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ArtifactLink } from './artifact-link.tsx';
import { useDecideLinks } from './decide-links.ts';
import { useWords } from './use-words.ts';

/** Links that nothing states, with why they are taken to be meant, to be confirmed one by one or all at once. Nothing where there is none. */
export function AssumedLinks() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace)('trace-links.write');
  const { data } = useQuery({
    queryKey: ['trace', workspace, 'assumed'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/links', {
          params: { query: { workspace_id: workspace, assumed: true, refs: true, limit: 100 } },
          signal,
        }),
      ),
  });
  const { decide, confirmMany, isBusy } = useDecideLinks(workspace);
  if (!data || data.total === 0) return null;
  return (
    <Panel title={say('assumed')}>
      <p className="row">
        <span className="quiet">{say.count('assumed_count', data.total)}</span>
        {may && (
          <Button disabled={isBusy} onClick={() => confirmMany({ assumed: true })}>
            {say('confirm_assumed')}
          </Button>
        )}
      </p>
      <ul className="cards">
        {data.items.map((link) => (
          <li key={link.id} className="card">
            <p>
              {say('link_said', {
                source: link.source_id,
                type: say.named('link', link.link_type),
                target: link.target_id,
              })}{' '}
              {link.assumed && <span className="tag">{say(`assumed_${link.assumed}`)}</span>}
            </p>
            <Ends of={link} names={data.refs?.artifacts ?? {}} workspace={workspace} />
            {link.quote && (
              <p className="quote">
                <bdi>{link.quote}</bdi>
              </p>
            )}
            {may && (
              <p className="card-foot">
                <Button disabled={isBusy} onClick={() => decide({ id: link.id, isRight: true })}>
                  {say('is_right')}
                </Button>
                <Button disabled={isBusy} onClick={() => decide({ id: link.id, isRight: false })}>
                  {say('not_right')}
                </Button>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What the artifacts at both ends say: nobody can tell by ids alone whether a link is meant. */
function Ends({
  of,
  names,
  workspace,
}: {
  readonly of: Api['TraceLink'];
  readonly names: NonNullable<Api['TraceLinkList']['refs']>['artifacts'];
  readonly workspace: string;
}) {
  return (
    <ul className="link-ends">
      {[of.source_id, of.target_id].map((id) => (
        <li key={id}>
          <ArtifactLink workspace={workspace} id={names[id]?.id ?? null} artifactId={id} />{' '}
          <bdi>{names[id]?.name}</bdi>
        </li>
      ))}
    </ul>
  );
}
