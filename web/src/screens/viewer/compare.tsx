import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useKeys } from '../../app/keys.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { ChangedWords } from '../../parts/changed-words.tsx';
import { Field } from '../../parts/field.tsx';
import { More } from '../../parts/more.tsx';
import { placeInWords } from '../../parts/place.ts';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { calendarDate } from '../../words/moments.ts';
import { ComparedGaps } from './compare-gaps.tsx';
import { useWords } from './use-words.ts';
import '../../parts/list.css';
import './compare.css';

type Item = Api['VersionDiff']['changes'][number];

/** Two versions of a document beside each other: what came, went and changed; what is the same is folded. */
export default function CompareVersionsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const { document: id } = useParams<{ document: string }>();
  const [search, setSearch] = useSearchParams();
  const product = useQuery({
    queryKey: ['documents', workspace, id],
    queryFn: ({ signal }) => take(api.GET('/work-products/{id}', { params: { path: { id } }, signal })),
  });
  const versions = useQuery({
    queryKey: ['documents', workspace, id, 'versions'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/work-products/{id}/versions', {
          params: { path: { id }, query: { limit: 100, sort: '-version' } },
          signal,
        }),
      ),
  });
  const newest = product.data?.version;
  const head = Number(search.get('head') ?? Number.NaN) || newest;
  const base =
    Number(search.get('base') ?? Number.NaN) || (head === undefined ? undefined : Math.max(1, head - 1));
  const set = (name: string, value: string): void =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.set(name, value);
      return next;
    });
  return (
    <div className="page">
      <div className="page-head">
        <h1>
          {say('compare_title')} <bdi>{product.data?.name}</bdi>
        </h1>
        <Link href={`/w/${workspace}/documents/${id}`}>{say('to_document')}</Link>
      </div>
      <div className="row">
        {(['base', 'head'] as const).map((name) => (
          <Field key={name} label={say(`compare_${name}`)}>
            <select
              className="input"
              value={(name === 'base' ? base : head) ?? ''}
              onChange={({ target }) => set(name, target.value)}
            >
              {(versions.data?.items ?? []).map((one) => (
                <option key={one.version} value={one.version}>
                  {say('version_name', {
                    version: one.version,
                    date: calendarDate(one.uploaded_at, say.language),
                  })}
                </option>
              ))}
            </select>
          </Field>
        ))}
      </div>
      {base !== undefined && head !== undefined && (
        <>
          <ComparedGaps place={`/w/${workspace}/documents/${id}`} id={id} base={base} head={head} />
          <Differences place={`/w/${workspace}/documents/${id}`} id={id} base={base} head={head} />
        </>
      )}
    </div>
  );
}

function Differences({
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
  const found = useInfiniteQuery({
    queryKey: ['diff', id, base, head],
    staleTime: Number.POSITIVE_INFINITY,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      take(
        api.GET('/work-products/{id}/diff', {
          params: { path: { id }, query: { base, head, from: pageParam } },
          signal,
        }),
      ),
    getNextPageParam: (last) => last.next ?? undefined,
  });
  const list = useRef<HTMLOListElement>(null);
  const walk = useCallback((step: 1 | -1) => {
    const changes = [
      ...(list.current?.querySelectorAll<HTMLElement>('[data-op]:not([data-op="same"])') ?? []),
    ];
    const now = changes.indexOf(document.activeElement as HTMLElement);
    changes[now === -1 ? (step === 1 ? 0 : changes.length - 1) : now + step]?.focus();
  }, []);
  useKeys(
    useMemo(() => ({ n: () => walk(1), j: () => walk(1), p: () => walk(-1), k: () => walk(-1) }), [walk]),
  );
  useTellKeys(
    say('compare_title'),
    useMemo(() => [['n p', say('key_change')]], [say]),
  );
  return (
    <Loaded query={found}>
      {({ pages }) => (
        <>
          <p className="diff-counts">
            {(['inserted', 'deleted', 'changed', 'same'] as const).map((one) => (
              <span key={one} className="tag">
                {say.count(`diff_${one}`, pages[0]!.counts[one])}
              </span>
            ))}
          </p>
          <ol className="diff" ref={list}>
            {pages
              .flatMap(({ changes }) => changes)
              .map((item) => (
                <Difference
                  key={`${item.base?.index}-${item.head?.index}`}
                  item={item}
                  before={`${place}?v=${base}`}
                  after={`${place}?v=${head}`}
                />
              ))}
          </ol>
          <More of={found} />
        </>
      )}
    </Loaded>
  );
}

function Difference({
  item: { op, count, base, head, words },
  before,
  after,
}: {
  readonly item: Item;
  readonly before: string;
  readonly after: string;
}) {
  const say = useWords();
  if (op === 'same') {
    return (
      <li className="diff-same" data-op="same">
        {say.count('diff_folded', count)}
      </li>
    );
  }
  return (
    <li className="diff-item" data-op={op} tabIndex={-1} aria-label={say(`diff_${op}`)}>
      <Side block={base} words={words} op="delete" href={before} />
      <Side block={head} words={words} op="insert" href={after} />
    </li>
  );
}

/** One side of a change: its words, those that only it has marked with more than a colour. */
function Side({
  block,
  words,
  op,
  href,
}: {
  readonly block: Item['base'];
  readonly words: Item['words'];
  readonly op: 'delete' | 'insert';
  readonly href: string;
}) {
  const say = useWords();
  const common = useCommonWords();
  if (!block) return <div className="diff-side" data-empty />;
  return (
    <div className="diff-side" data-side={op}>
      <Link className="diff-place" href={`${href}&at=${block.start}-${block.end}`}>
        {placeInWords(block.location, common) || say('to_place')}
      </Link>
      <p className="diff-text">
        <ChangedWords words={words ?? [{ op, text: block.text }]} side={op} />
      </p>
    </div>
  );
}
