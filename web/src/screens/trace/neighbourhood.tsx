import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useKeys } from '../../app/keys.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { placeAddress } from '../../parts/quote.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Lacks } from './lacks.tsx';
import { layOut } from './layout-graph.ts';
import { LinksOf } from './links-of.tsx';
import { STATE_SHAPES } from './matrix.tsx';
import { useWords } from './use-words.ts';

type Around = Api['TraceNeighbourhood'];
type Node = Around['nodes'][number];

const BOX = { width: 190, height: 60 };
const GAP = { x: 74, y: 14 };
/** Artifacts of a picture; more are no picture any more. */
const MOST = 150;
/** And when somebody lets it grow. */
const MOST_GROWN = 500;

/** What is linked around an artifact: a picture from its origin to its evidence, or the same as three lists. */
export function Neighbourhood({
  of,
  workspace,
}: {
  readonly of: Api['Artifact'];
  readonly workspace: string;
}) {
  const say = useWords();
  const [query, set] = useAddress();
  const isNarrow = globalThis.matchMedia('(max-width: 699px)').matches;
  const view = query.get('view') ?? (isNarrow ? 'lists' : 'picture');
  // Of these everything that they are linked with is shown, too. Another artifact begins anew.
  const [{ centre, grown }, setGrown] = useState<{
    readonly centre: string;
    readonly grown: readonly string[];
  }>({
    centre: of.id,
    grown: [],
  });
  const shown = centre === of.id ? grown : [];
  const around = useQuery({
    queryKey: ['trace', workspace, 'neighbourhood', of.id, shown],
    ...(shown.length > 0 && { placeholderData: keepPreviousData }),
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/artifacts/{id}/neighbourhood', {
          params: {
            path: { id: of.id },
            query: shown.length > 0 ? { limit: MOST_GROWN, grown: [...shown] } : { limit: MOST },
          },
          signal,
        }),
      ),
  });
  const grow = (id: string): void => setGrown({ centre: of.id, grown: [...shown, id].slice(-50) });
  const lacks = around.data?.nodes.find(
    ({ depth, artifact_id }) => depth === 0 && artifact_id === of.artifact_id,
  );
  const [linking, setLinking] = useState(false);
  const turn = (): void => set({ view: view === 'lists' ? 'picture' : 'lists' });
  useKeys({ v: turn, l: () => setLinking(true) });
  useTellKeys(
    say('neighbourhood'),
    useMemo(
      () => [
        ['v', say('picture_or_lists')],
        ['l', say('links_of', { id: of.artifact_id })],
      ],
      [say, of.artifact_id],
    ),
  );
  return (
    <Panel
      title={say('neighbourhood')}
      aside={
        <span className="row">
          <Button onClick={() => setLinking(true)} title={'l'}>
            {say('links_of', { id: of.artifact_id })}
          </Button>
          <Button onClick={turn} title={'v'}>
            {say(view === 'lists' ? 'as_picture' : 'as_lists')}
          </Button>
        </span>
      }
    >
      <Loaded query={around}>
        {(data) =>
          data.nodes.length === 0 ? (
            <p className="quiet">{say('not_examined')}</p>
          ) : (
            <div className="stack">
              {lacks && lacks.missing.length > 0 && (
                <Lacks workspace={workspace} id={of.artifact_id} type={of.type} duties={lacks.missing} />
              )}
              {data.truncated && <p className="small">{say('truncated', { most: data.nodes.length })}</p>}
              {view === 'lists' ? (
                <Lists around={data} centre={of.artifact_id} workspace={workspace} onGrow={grow} />
              ) : (
                <Picture around={data} centre={of.artifact_id} workspace={workspace} onGrow={grow} />
              )}
              <Dangling around={data} />
            </div>
          )
        }
      </Loaded>
      {linking && (
        <LinksOf
          workspace={workspace}
          of={{ id: of.artifact_id, type: of.type }}
          onClose={() => setLinking(false)}
        />
      )}
    </Panel>
  );
}

function Picture({
  around,
  centre,
  workspace,
  onGrow,
}: {
  readonly around: Around;
  readonly centre: string;
  readonly workspace: string;
  readonly onGrow: (id: string) => void;
}) {
  const say = useWords();
  const drawn = useMemo(() => {
    const nodes = around.nodes.map((node) => ({ key: node.artifact_id, depth: node.depth }));
    return layOut(
      nodes,
      around.links.map(({ source_id, target_id }) => [source_id, target_id] as const),
    );
  }, [around]);
  const at = (id: string): { readonly x: number; readonly y: number } | undefined => {
    const place = drawn.places.get(id);
    return place && { x: place.column * (BOX.width + GAP.x), y: place.row * (BOX.height + GAP.y) };
  };
  const width = drawn.columns * (BOX.width + GAP.x) - GAP.x;
  const height = drawn.rows * (BOX.height + GAP.y) - GAP.y;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className="graph-scroll" tabIndex={0} aria-label={say('neighbourhood')}>
      <div className="graph" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {around.links.map((link) => {
            const ends = [at(link.source_id), at(link.target_id)];
            if (!ends[0] || !ends[1]) return null;
            const [a, b] = ends[0].x <= ends[1].x ? [ends[0], ends[1]] : [ends[1], ends[0]];
            const isAside = a.x === b.x;
            const [x1, x2] = [a.x + BOX.width, isAside ? b.x + BOX.width : b.x];
            const [y1, y2] = [a.y + BOX.height / 2, b.y + BOX.height / 2];
            const bend = isAside ? GAP.x / 2 : (x2 - x1) / 2;
            return (
              <path
                key={link.id}
                className="graph-link"
                data-suspect={link.suspect || undefined}
                data-assumed={link.assumed || undefined}
                d={`M${x1} ${y1}C${x1 + bend} ${y1} ${isAside ? x2 + bend : x2 - bend} ${y2} ${x2} ${y2}`}
              />
            );
          })}
        </svg>
        <ul>
          {around.nodes.map((node) => {
            const place = at(node.artifact_id);
            return (
              place && (
                <li
                  key={node.artifact_id}
                  className="graph-node"
                  data-here={node.artifact_id === centre || undefined}
                  data-lacks={node.missing.length > 0 || undefined}
                  style={{ transform: `translate(${place.x}px, ${place.y}px)`, ...BOX }}
                >
                  <NodeWords node={node} workspace={workspace} onGrow={onGrow} />
                </li>
              )
            );
          })}
        </ul>
      </div>
      <p className="small">{say('graph_legend')}</p>
    </section>
  );
}

/** Its id leads to it, its words to where they stand in the document. */
function NodeWords({
  node,
  workspace,
  onGrow,
}: {
  readonly node: Node;
  readonly workspace: string;
  readonly onGrow: (id: string) => void;
}) {
  const say = useWords();
  const { id } = node;
  const more = node.more_up + node.more_down;
  return (
    <>
      <span className="column-head">
        <StateGlyph of={STATE_SHAPES[node.status]} label={say(`state_${node.status}`)} />
        {node.id ? (
          <Link
            className="mono"
            href={`/w/${workspace}/trace/artifacts/${node.id}`}
            title={say.named('type', node.type)}
          >
            <bdi>{node.artifact_id}</bdi>
          </Link>
        ) : (
          <bdi className="mono">{node.artifact_id}</bdi>
        )}
        {node.integrity && <span className="tag">{node.integrity}</span>}
        {node.result && <span className="tag">{say.named('result', node.result)}</span>}
        {more > 0 && id && (
          <button
            type="button"
            className="small column-counts more-around"
            aria-label={say.count('show_more_around', more, { id: node.artifact_id })}
            title={say.count('show_more_around', more, { id: node.artifact_id })}
            onClick={() => onGrow(id)}
          >
            {say('more_around', { count: more })}
          </button>
        )}
      </span>
      <span className="graph-words" title={node.name}>
        {node.work_product_id && node.version ? (
          <Link
            href={placeAddress(workspace, {
              work_product_id: node.work_product_id,
              version: node.version,
              range: node.range,
            })}
          >
            <bdi>{node.name}</bdi>
          </Link>
        ) : (
          <bdi>{node.name}</bdi>
        )}
      </span>
      {node.missing.length > 0 && (
        <span className="lacks graph-lacks">{node.missing.map((one) => say(`lacks_${one}`)).join(', ')}</span>
      )}
    </>
  );
}

/** Upward, this with what grew beside it, downward: the nearest first. */
function Lists({
  around,
  centre,
  workspace,
  onGrow,
}: {
  readonly around: Around;
  readonly centre: string;
  readonly workspace: string;
  readonly onGrow: (id: string) => void;
}) {
  const say = useWords();
  const linkOf = (id: string) =>
    around.links.find(
      ({ source_id, target_id }) =>
        (source_id === centre && target_id === id) || (target_id === centre && source_id === id),
    );
  const side = (title: string, nodes: readonly Node[]) => (
    <section aria-label={title}>
      <h3>
        {title} <span className="tag">{nodes.length}</span>
      </h3>
      {nodes.length === 0 && <p className="quiet">{say('no_links')}</p>}
      <ul className="stack">
        {nodes.map((node) => {
          const link = linkOf(node.artifact_id);
          return (
            <li key={node.artifact_id} className="graph-listed">
              <NodeWords node={node} workspace={workspace} onGrow={onGrow} />
              <span className="small">
                {link ? (
                  <bdi>
                    {say('link_said', {
                      source: link.source_id,
                      type: say.named('link', link.link_type),
                      target: link.target_id,
                    })}
                  </bdi>
                ) : node.depth === 0 ? null : (
                  say('steps_away', { count: Math.abs(node.depth) })
                )}{' '}
                {link?.suspect && <span className="tag">{say('is_suspect')}</span>}
                {link?.assumed && <span className="tag">{say('is_assumed')}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
  const up = around.nodes.filter(({ depth }) => depth < 0);
  const down = around.nodes.filter(({ depth }) => depth > 0);
  const beside = around.nodes.filter(({ depth, artifact_id }) => depth === 0 && artifact_id !== centre);
  return (
    <div className="trace-sides">
      {side(
        say('upward'),
        up.toSorted((a, b) => b.depth - a.depth),
      )}
      {beside.length > 0 && side(say('beside'), beside)}
      {side(say('downward'), down)}
    </div>
  );
}

/** Links of the artifact to what nothing defines. */
function Dangling({ around }: { readonly around: Around }) {
  const say = useWords();
  const dangling = around.links.filter((one) => one.dangling);
  if (dangling.length === 0) return null;
  return (
    <section aria-label={say('dangling_links')}>
      <h3>{say('dangling_links')}</h3>
      <ul>
        {dangling.map((link) => (
          <li key={link.id} className="lacks">
            <bdi>
              {say('link_said', {
                source: link.source_id,
                type: say.named('link', link.link_type),
                target: link.target_id,
              })}
            </bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
