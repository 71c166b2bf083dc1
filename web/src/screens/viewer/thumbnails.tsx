import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Api } from '../../api/client.ts';
import { THUMBNAIL_WIDTH, usePicture } from '../../document/use-pages.ts';
import { type Severity, StateGlyph } from '../../look/glyphs.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import type { ViewedMark } from './marks.ts';
import { useWords } from './use-words.ts';

const WIDTH = 132;
const LABEL = 34;
const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** All pages small, with the worst that is said about each. */
export function Thumbnails({
  about,
  marks,
  page,
  onPage,
}: {
  readonly about: Api['DocumentPages'];
  readonly marks: readonly ViewedMark[];
  /** The one that is looked at; until it is known nothing is asked for. */
  readonly page: number | undefined;
  readonly onPage: (page: number) => void;
}) {
  const say = useWords();
  const scroller = useRef<HTMLElement>(null);
  const list = useVirtualizer({
    count: about.pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(about.pages[index]!) + LABEL,
    overscan: 2,
  });
  const [isThere, setThere] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another page is looked at
  useEffect(() => {
    if (page === undefined) return;
    list.scrollToIndex(page - 1);
    // Before it is told that it scrolls, those at its beginning would be asked for and drawn for nobody.
    const frame = requestAnimationFrame(() => setThere(true));
    return () => cancelAnimationFrame(frame);
  }, [page]);
  const worst = useMemo(() => worstByPage(marks), [marks]);
  return (
    <nav ref={scroller} className="viewer-thumbnails" aria-label={say('thumbnails')}>
      <ol style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ index, key, start }) => (
          <li key={key} className="virtual-row" style={{ transform: `translateY(${start}px)` }}>
            <Thumbnail
              about={about}
              page={index + 1}
              worst={worst.get(index + 1)}
              isShown={index + 1 === page}
              isResting={isThere && !list.isScrolling}
              onPage={onPage}
            />
          </li>
        ))}
      </ol>
    </nav>
  );
}

const heightOf = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  Math.min(Math.round((WIDTH * height) / width), 3 * WIDTH);

function Thumbnail({
  about,
  page,
  worst,
  isShown,
  isResting,
  onPage,
}: {
  readonly about: Api['DocumentPages'];
  readonly page: number;
  readonly worst: Severity | undefined;
  readonly isShown: boolean;
  readonly isResting: boolean;
  readonly onPage: (page: number) => void;
}) {
  const say = useWords();
  const common = useCommonWords();
  const { address } = usePicture(
    { workProduct: about.work_product_id, version: about.version, page },
    { width: THUMBNAIL_WIDTH, enabled: isResting },
  );
  return (
    <button
      type="button"
      className="thumbnail"
      aria-current={isShown ? 'page' : undefined}
      aria-label={say('page_name', { page })}
      onClick={() => onPage(page)}
    >
      <span className="thumbnail-paper" style={{ width: WIDTH, height: heightOf(about.pages[page - 1]!) }}>
        {address && <img src={address} alt="" />}
      </span>
      <span className="thumbnail-label">
        {page} {worst && <StateGlyph of={worst} label={common(`severity_${worst}`)} />}
      </span>
    </button>
  );
}

function worstByPage(marks: readonly ViewedMark[]): ReadonlyMap<number, Severity> {
  const found = new Map<number, Severity>();
  for (const { severity, location } of marks) {
    if (!severity || location.page === undefined) continue;
    const known = found.get(location.page);
    if (!known || SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(known))
      found.set(location.page, severity);
  }
  return found;
}
