import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef } from 'react';
import { StateGlyph } from '../../look/glyphs.tsx';
import { placeInWords } from '../../parts/place.ts';
import { useCommonWords } from '../../parts/use-words.ts';
import { calendarDate } from '../../words/moments.ts';
import type { GapList, Refs, Summary } from './pages.ts';
import { useWords } from './use-words.ts';

const ROW_PIXELS = 44;
const NARROW_ROW_PIXELS = 62;

/** The rows in sight of a list of any length. */
export function GapRows({
  list: { at: rowAt, placeOf, refs, total },
  order,
  cursor,
  isAll,
  selected,
  onLook,
  onCursor,
  onSelect,
}: {
  readonly list: GapList;
  /** Filter and order: another one begins at its top. */
  readonly order: string;
  /** Where the keys are. */
  readonly cursor: string | undefined;
  readonly isAll: boolean;
  readonly selected: ReadonlySet<string>;
  /** Which places are in sight. */
  readonly onLook: (first: number, last: number) => void;
  readonly onCursor: (id: string) => void;
  readonly onSelect: (id: string) => void;
}) {
  const say = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = globalThis.matchMedia('(max-width: 899px)').matches;
  const list = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? NARROW_ROW_PIXELS : ROW_PIXELS),
    overscan: 10,
  });
  const rows = list.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => onLook(first, last), [first, last, onLook]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for another list, not when it is scrolled
  useEffect(() => {
    // Nothing is returned: in some browsers scrolling is a promise.
    scroller.current?.scrollTo({ top: 0 });
  }, [order]);
  const at = placeOf(cursor);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the cursor moves, not when rows come
  useEffect(() => {
    if (at !== -1) list.scrollToIndex(at, { align: 'auto' });
  }, [cursor]);
  return (
    <div
      ref={scroller}
      className="gap-rows"
      role="grid"
      aria-label={say('list')}
      aria-rowcount={total}
      aria-multiselectable="true"
      aria-activedescendant={cursor && rows.some(({ index }) => index === at) ? `gap-${cursor}` : undefined}
      tabIndex={0}
    >
      <div role="rowgroup" style={{ height: list.getTotalSize(), position: 'relative' }}>
        {rows.map(({ index, start, size }) => {
          const gap = rowAt(index);
          if (!gap) return <ComingRow key={index} index={index} start={start} size={size} />;
          return (
            <Row
              key={gap.id}
              gap={gap}
              refs={refs}
              index={index}
              start={start}
              size={size}
              isHere={gap.id === cursor}
              isSelected={isAll || selected.has(gap.id)}
              onCursor={onCursor}
              onSelect={onSelect}
            />
          );
        })}
      </div>
    </div>
  );
}

interface Placed {
  readonly index: number;
  /** Pixels from the top of the list, and of the row. */
  readonly start: number;
  readonly size: number;
}
const placed = (start: number, size: number): React.CSSProperties => ({
  transform: `translateY(${start}px)`,
  height: size,
});

/** Stands where a row will be. */
function ComingRow({ index, start, size }: Placed) {
  return (
    <div
      role="row"
      className="gap-row"
      style={placed(start, size)}
      aria-rowindex={index + 1}
      aria-busy="true"
    >
      <span role="gridcell" className="gap-title">
        {'…'}
      </span>
    </div>
  );
}

const Row = memo(RowOf);

function RowOf({
  gap,
  refs,
  index,
  start,
  size,
  isHere,
  isSelected,
  onCursor,
  onSelect,
}: {
  readonly gap: Summary;
  readonly refs: Refs;
  readonly isHere: boolean;
  readonly isSelected: boolean;
  readonly onCursor: (id: string) => void;
  readonly onSelect: (id: string) => void;
} & Placed) {
  const say = useWords();
  const common = useCommonWords();
  const place = gap.first_place;
  const standard = gap.standard_id ? refs.standards[gap.standard_id]?.name : undefined;
  const about = standard ? `${standard} ${gap.clause}` : common.named('analysis', gap.analysis_type);
  const isClosed = gap.status === 'resolved' || gap.status === 'accepted';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the grid
    <div
      id={`gap-${gap.id}`}
      role="row"
      className="gap-row"
      style={placed(start, size)}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      data-here={isHere || undefined}
      data-closed={isClosed || undefined}
      onClick={() => onCursor(gap.id)}
    >
      <span role="gridcell" className="gap-check">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`${say('select')}: ${gap.title}`}
          checked={isSelected}
          onClick={(event) => event.stopPropagation()}
          onChange={() => onSelect(gap.id)}
        />
      </span>
      <span role="gridcell" className="gap-severity">
        <StateGlyph of={gap.severity} label={common(`severity_${gap.severity}`)} />
      </span>
      <span role="gridcell" className="gap-title">
        <bdi>{gap.title}</bdi>
        {gap.change === 'new' && <span className="tag">{common('change_new')}</span>}
        {gap.acceptance_pending && <span className="tag">{'1/2'}</span>}
      </span>
      <span role="gridcell" className="gap-about">
        <bdi>{about}</bdi>
      </span>
      <span role="gridcell" className="gap-place">
        {place && (
          <>
            <bdi>{refs.work_products[place.work_product_id]?.name}</bdi>{' '}
            {placeInWords(place.location, common)}
          </>
        )}
      </span>
      <span role="gridcell" className="gap-status" data-status={gap.status}>
        {common(`status_${gap.status}`)}
      </span>
      <span role="gridcell" className="gap-owner" data-overdue={gap.overdue || undefined}>
        <bdi>{gap.assignee ? refs.people[gap.assignee]?.name : ''}</bdi>{' '}
        {gap.due_date && calendarDate(gap.due_date, say.language)}
      </span>
    </div>
  );
}
