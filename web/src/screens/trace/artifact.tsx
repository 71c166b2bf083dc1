import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useDocumentNames } from '../../app/documents.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { Comments } from '../../comments/comments.tsx';
import { Panel } from '../../parts/panel.tsx';
import { placeInWords } from '../../parts/place.ts';
import { placeAddress, Quote } from '../../parts/quote.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { TraceTabs } from './tabs.tsx';
import { useWords } from './use-words.ts';

/** Links from what demands to what answers: their target is nearer to evidence. The others point to their origin. */
const TO_ORIGIN = new Set(['derives_from', 'satisfies']);

/** One artifact: its words at their place, and what it is linked with upward and downward. */
export default function ArtifactPage() {
  const say = useWords();
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  const nameOf = useDocumentNames(workspace);
  const { artifact: id } = useParams<{ artifact: string }>();
  const artifact = useQuery({
    queryKey: ['trace', workspace, 'artifact', id],
    queryFn: ({ signal }) =>
      take(api.GET('/traceability/artifacts/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <div className="page">
      <Loaded query={artifact}>
        {(one) => (
          <>
            <div className="page-head">
              <h1>
                <span className="mono">{one.artifact_id}</span>
              </h1>
              <span className="tag">{say.named('type', one.type)}</span>
              {one.asil && <span className="tag">{one.asil}</span>}
              {one.cal !== null && <span className="tag">CAL {one.cal}</span>}
              {one.result && <span className="tag">{one.result.replaceAll('_', ' ')}</span>}
            </div>
            <TraceTabs />
            {one.name && one.name !== one.text && (
              <h2>
                <bdi>{one.name}</bdi>
              </h2>
            )}
            <p>
              <bdi>{one.text}</bdi>
            </p>
            {one.work_product_id && one.version && one.quote !== null && one.location && (
              <Quote
                isDefinition
                workspace={workspace}
                name={nameOf(one.work_product_id)}
                of={{
                  work_product_id: one.work_product_id,
                  version: one.version,
                  location: one.location,
                  quote: one.quote,
                  ...(one.range && { range: one.range }),
                  role: 'context',
                  note: null,
                }}
              />
            )}
            {one.other_places.length > 0 && (
              <p className="small">
                {say('other_places')}:{' '}
                {one.other_places.map((place) => (
                  <Link
                    key={`${place.work_product_id} ${JSON.stringify(place.location)}`}
                    className="trace-place"
                    href={placeAddress(workspace, place)}
                  >
                    <bdi>{nameOf(place.work_product_id)}</bdi> {placeInWords(place.location, common)}
                  </Link>
                ))}
              </p>
            )}
            <Neighbours of={one} workspace={workspace} />
            <Comments workspace={workspace} subject={{ about: 'artifact', artifact_id: one.artifact_id }} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Neighbours({ of, workspace }: { readonly of: Api['Artifact']; readonly workspace: string }) {
  const say = useWords();
  const links = useQuery({
    queryKey: ['trace', workspace, 'links-of', of.artifact_id],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/links', {
          params: {
            query: { workspace_id: workspace, artifact_id: of.artifact_id, limit: 100, rejected: false },
          },
          signal,
        }),
      ),
  });
  return (
    <Loaded query={links}>
      {({ items }) => {
        const isUp = (link: Api['TraceLink']): boolean =>
          TO_ORIGIN.has(link.link_type) === (link.source_id === of.artifact_id);
        return (
          <div className="trace-sides">
            <Panel title={say('upward')}>
              <Side links={items.filter(isUp)} id={of.artifact_id} workspace={workspace} />
            </Panel>
            <Panel title={say('downward')}>
              <Side links={items.filter((one) => !isUp(one))} id={of.artifact_id} workspace={workspace} />
            </Panel>
          </div>
        );
      }}
    </Loaded>
  );
}

function Side({
  links,
  id,
  workspace,
}: {
  readonly links: readonly Api['TraceLink'][];
  readonly id: string;
  readonly workspace: string;
}) {
  const say = useWords();
  if (links.length === 0) return <p className="quiet">{say('no_links')}</p>;
  return (
    <ul className="stack">
      {links.map((link) => {
        const other = link.source_id === id ? link.target_id : link.source_id;
        return (
          <li key={link.id}>
            <Link
              className="mono"
              href={`/w/${workspace}/trace/artifacts?search=${encodeURIComponent(other)}`}
            >
              {other}
            </Link>{' '}
            <span className="small">
              {say('link_said', {
                source: link.source_id,
                type: say.named('link', link.link_type),
                target: link.target_id,
              })}
            </span>{' '}
            {link.suspect && <span className="tag">{say('suspect')}</span>}
            {link.assumed && <span className="tag">{say(`assumed_${link.assumed}`)}</span>}
            {link.work_product_id && link.version && (
              <>
                {' '}
                <Link
                  className="small"
                  href={placeAddress(workspace, {
                    work_product_id: link.work_product_id,
                    version: link.version,
                    range: link.range,
                  })}
                >
                  {say('at_place')}
                </Link>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
