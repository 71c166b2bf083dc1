import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { api, take } from '../../api/client.ts';
import { useDocumentNames } from '../../app/documents.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { Comments } from '../../comments/comments.tsx';
import { placeInWords } from '../../parts/place.ts';
import { placeAddress, Quote } from '../../parts/quote.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { GapsOf } from './gaps-of.tsx';
import { Neighbourhood } from './neighbourhood.tsx';
import { TraceTabs } from './tabs.tsx';
import { levelInWords } from './types.ts';
import { useWords } from './use-words.ts';
import '../../parts/records.css';

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
                <bdi className="mono">{one.artifact_id}</bdi>
              </h1>
              <span className="tag">{say.named('type', one.type)}</span>
              {one.asil && <span className="tag">{levelInWords(one.asil)}</span>}
              {one.cal !== null && <span className="tag">CAL {one.cal}</span>}
              {one.result && <span className="tag">{say.named('result', one.result)}</span>}
            </div>
            <TraceTabs />
            {one.name && one.name !== one.text && (
              <h2>
                <bdi>{one.name}</bdi>
              </h2>
            )}
            {one.text !== one.quote && (
              <p>
                <bdi>{one.text}</bdi>
              </p>
            )}
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
            <GapsOf workspace={workspace} id={one.artifact_id} />
            <Neighbourhood of={one} workspace={workspace} />
            <Comments workspace={workspace} subject={{ about: 'artifact', artifact_id: one.artifact_id }} />
          </>
        )}
      </Loaded>
    </div>
  );
}
