import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../api/client.ts';
import { BlockView } from '../document/block-view.tsx';
import { columnsOf, usePassage } from '../document/use-document.ts';
import { placeInWords } from '../parts/place.ts';
import { Quote } from '../parts/quote.tsx';
import { Loaded } from '../parts/states.tsx';
import { useCommonWords } from '../parts/use-words.ts';
import { useGapWords } from './use-words.ts';

type Evidence = Api['Gap']['evidence'][number];
const idOf = ({ start, end }: NonNullable<Evidence['range']>): string => `${start}-${end}`;
const BLOCKS_AROUND = 9;

/** Every quote of a gap in its document, one at a time; where there is none, what was searched. */
export function EvidencePlaces({ workspace, gap }: { readonly workspace: string; readonly gap: Api['Gap'] }) {
  const say = useGapWords();
  const common = useCommonWords();
  const [shown, show] = useState(0);
  const names = useDocumentNames(workspace, gap);
  const one = gap.evidence[Math.min(shown, gap.evidence.length - 1)];
  if (!one) return <NotFound gap={gap} />;
  return (
    <section className="places" aria-label={say('places')}>
      {gap.evidence.length > 1 && (
        <div className="places-tabs">
          {gap.evidence.map((evidence, at) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: the quotes of a gap keep their order
              key={at}
              type="button"
              aria-pressed={evidence === one}
              data-role={evidence.role}
              title={say(`role_${evidence.role}`)}
              onClick={() => show(at)}
            >
              <bdi>{placeInWords(evidence.location, common) || String(at + 1)}</bdi>
            </button>
          ))}
        </div>
      )}
      <Place workspace={workspace} evidence={one} name={names.get(one.work_product_id)} gap={gap} />
      {gap.evidence.length > 1 && (
        <div className="printed-quotes" aria-hidden="true">
          {gap.evidence.map((of, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the quotes of a gap keep their order
            <Quote key={at} of={of} workspace={workspace} name={names.get(of.work_product_id) ?? '…'} />
          ))}
        </div>
      )}
    </section>
  );
}

function Place({
  workspace,
  evidence,
  name,
  gap,
}: {
  readonly workspace: string;
  readonly evidence: Evidence;
  readonly name: string | undefined;
  readonly gap: Api['Gap'];
}) {
  const say = useGapWords();
  const common = useCommonWords();
  const { range, work_product_id: product, version, role } = evidence;
  const place = placeInWords(evidence.location, common);
  const href = range
    ? `/w/${workspace}/documents/${product}?v=${version}&at=${range.start}-${range.end}&gap=${gap.id}&show=all_gaps`
    : `/w/${workspace}/documents/${product}?v=${version}`;
  return (
    <div className="place">
      <div className="place-head">
        <span>
          <bdi>{name ?? '…'}</bdi> {`v${version}`}
          {place && ` · ${place}`} · {say(`role_${role}`)}
        </span>
        <Link href={href}>{say('open_place')}</Link>
      </div>
      {range ? (
        <Passage evidence={evidence} range={range} all={gap.evidence} />
      ) : (
        // Where it stands is not known any more: the quote alone, and no guess.
        <blockquote className="place-quote">{evidence.quote}</blockquote>
      )}
      {evidence.note && <p className="field-hint place-note">{evidence.note}</p>}
    </div>
  );
}

function Passage({
  evidence,
  range,
  all,
}: {
  readonly evidence: Evidence;
  readonly range: NonNullable<Evidence['range']>;
  /** Other quotes of the same gap are shown where they stand beside it. */
  readonly all: readonly Evidence[];
}) {
  const { work_product_id: product, version } = evidence;
  const passage = usePassage(product, version, { around: range.start, blocks: BLOCKS_AROUND });
  const box = useRef<HTMLDivElement>(null);
  const columns = useMemo(() => columnsOf(passage.data?.blocks ?? []), [passage.data]);
  const marks = useMemo(
    () =>
      all.flatMap((one) =>
        one.range && one.work_product_id === product && one.version === version
          ? [{ ...one.range, id: idOf(one.range), role: one.role }]
          : [],
      ),
    [all, product, version],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each quote, as soon as it is there
  useEffect(() => {
    const mark = box.current?.querySelector('mark[data-chosen]');
    if (!mark || !box.current) return;
    const [outer, inner] = [box.current.getBoundingClientRect(), mark.getBoundingClientRect()];
    box.current.scrollTop += inner.top - outer.top - outer.height / 2 + inner.height / 2;
    box.current.scrollLeft += inner.left - outer.left - outer.width / 2 + inner.width / 2;
  }, [passage.data, range.start]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys
    <div ref={box} className="place-text document-text" tabIndex={0}>
      <Loaded query={passage} lines={4}>
        {({ blocks, language }) => (
          <div lang={language}>
            {blocks.map((block) => (
              <BlockView
                key={block.index}
                block={block}
                marks={marks}
                chosen={idOf(range)}
                columns={block.table && columns.get(block.table.id)}
              />
            ))}
          </div>
        )}
      </Loaded>
    </div>
  );
}

/** Absence has evidence as well: what was searched, with which words. */
function NotFound({ gap }: { readonly gap: Api['Gap'] }) {
  const say = useGapWords();
  const { statement, terms = [] } = (gap.search ?? {}) as {
    readonly statement?: string;
    readonly terms?: readonly string[];
  };
  return (
    <section className="places" aria-label={say('places')}>
      <p>{say('no_places')}</p>
      {statement && <p>{statement}</p>}
      {terms.length > 0 && <p className="field-hint">{say('searched', { terms: terms.join(', ') })}</p>}
    </section>
  );
}

/** Names of the documents that a gap quotes. */
function useDocumentNames(workspace: string, gap: Api['Gap']): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['documents', workspace, 'names'],
    staleTime: 60_000,
    enabled: gap.evidence.length > 0,
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products', {
          params: { query: { workspace_id: workspace, limit: 100 } },
          signal,
        }),
      ),
  });
  return useMemo(() => new Map(data?.items.map(({ id, name }) => [id, name])), [data]);
}
