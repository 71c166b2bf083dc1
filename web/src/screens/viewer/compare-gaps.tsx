import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Panel } from '../../parts/panel.tsx';
import { placeInWords } from '../../parts/place.ts';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { useWords } from './use-words.ts';

type Found = Api['VersionGaps'];
const KINDS = ['new', 'gone', 'moved'] as const;

/** What became of the findings about a document between two versions of it. */
export function ComparedGaps({
  place,
  id,
  base,
  head,
}: {
  readonly place: string;
  readonly id: string;
  readonly base: number;
  readonly head: number;
}) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const found = useQuery({
    queryKey: ['gaps', workspace, 'versions', id, base, head],
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/{id}/diff/gaps', { params: { path: { id }, query: { base, head } }, signal }),
      ),
  });
  return (
    <Panel title={say('gaps_between')}>
      <Loaded query={found} lines={3}>
        {(told) =>
          told.runs.length === 0 ? (
            <p className="quiet">{say('gaps_no_runs')}</p>
          ) : (
            <div className="diff-gaps">
              {KINDS.map((kind) => (
                <Kind key={kind} kind={kind} told={told} place={place} />
              ))}
              <p className="small">
                {say.count('gaps_same', told.same)}
                {told.not_compared > 0 && ` ${say.count('gaps_not_compared', told.not_compared)}`}
              </p>
              <Runs runs={told.runs} />
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Kind({
  kind,
  told,
  place,
}: {
  readonly kind: (typeof KINDS)[number];
  readonly told: Found;
  readonly place: string;
}) {
  const say = useWords();
  const { total, items } = told[kind];
  const name = say.count(`gaps_${kind}`, total);
  if (total === 0) return <p className="quiet">{name}</p>;
  return (
    <details open={kind !== 'moved'}>
      <summary>{name}</summary>
      <ul className="stack" aria-label={name}>
        {items.map((gap) => (
          <Gap key={gap.gap_id} gap={gap} place={place} versions={told} />
        ))}
      </ul>
      {total > items.length && <p className="small">{say.count('gaps_more', total - items.length)}</p>}
    </details>
  );
}

function Gap({
  gap,
  place,
  versions,
}: {
  readonly gap: Found['new']['items'][number];
  readonly place: string;
  readonly versions: Pick<Found, 'base' | 'head'>;
}) {
  const say = useWords();
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  return (
    <li className="row">
      <StateGlyph of={gap.severity} label={common(`severity_${gap.severity}`)} />
      <Link href={`/w/${workspace}/gaps/${gap.gap_id}`}>
        <bdi>{gap.title}</bdi>
      </Link>
      <span className="tag">{common.named('status', gap.status)}</span>
      {gap.clause && <bdi className="mono small">{gap.clause}</bdi>}
      {(['base', 'head'] as const).map((side) => {
        const at = gap[side];
        return (
          at && (
            <Link
              key={side}
              className="diff-place"
              href={`${place}?v=${versions[side]}&at=${at.range.start}-${at.range.end}`}
            >
              {say('place_in_version', {
                version: versions[side],
                place: placeInWords(at.location, common) || say('to_place'),
              })}
            </Link>
          )
        );
      })}
    </li>
  );
}

/** Which runs were compared, and whether something else can have changed what they found. */
function Runs({ runs }: { readonly runs: Found['runs'] }) {
  const say = useWords();
  const common = useCommonWords();
  const workspace = useWorkspaceId();
  return (
    <ul className="stack small" aria-label={say('gaps_runs')}>
      {runs.map(({ analysis_type, base, head, others_changed }) => (
        <li key={head}>
          <Link href={`/w/${workspace}/runs/compare?base=${base}&head=${head}`}>
            {say('gaps_run', { name: common.named('analysis', analysis_type) })}
          </Link>
          {others_changed > 0 && ` ${say.count('gaps_others', others_changed)}`}
        </li>
      ))}
    </ul>
  );
}
