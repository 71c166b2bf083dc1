import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Api } from '../../api/client.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { placeInWords } from '../../parts/place.ts';
import { useCommonWords } from '../../parts/use-words.ts';
import { calendarDate } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

export type Summary = Api['GapSummaryList']['items'][number];
export type Refs = Api['GapSummaryList']['refs'];

const ROW_PIXELS = 44;
const NARROW_ROW_PIXELS = 62;
/** The next page is asked for when so many rows are left below. */
const AHEAD = 40;

/** The rows in sight of a list of any length. */
export function GapRows({
  items,
  refs,
  total,
  cursor,
  selected,
  onMore,
  onCursor,
  onSelect,
}: {
  readonly items: readonly Summary[];
  readonly refs: Refs;
  readonly total: number;
  /** Where the keys are. */
  readonly cursor: string | undefined;
  readonly selected: ReadonlySet<string>;
  readonly onMore: () => void;
  readonly onCursor: (id: string) => void;
  readonly onSelect: (id: string) => void;
}) {
  const say = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = globalThis.matchMedia('(max-width: 899px)').matches;
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? NARROW_ROW_PIXELS : ROW_PIXELS),
    overscan: 10,
    getItemKey: (at) => items[at]!.id,
  });
  const rows = list.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (items.length < total && last > items.length - AHEAD) onMore();
  }, [last, items.length, total, onMore]);
  const at = items.findIndex(({ id }) => id === cursor);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the cursor moves, not when rows come
  useEffect(() => {
    if (at !== -1) list.scrollToIndex(at, { align: 'auto' });
  }, [at]);
  return (
    <div
      ref={scroller}
      className="gap-rows"
      role="grid"
      aria-label={say('list')}
      aria-rowcount={total}
      aria-multiselectable="true"
      aria-activedescendant={cursor && rows.some(({ key }) => key === cursor) ? `gap-${cursor}` : undefined}
      tabIndex={0}
    >
      <div role="rowgroup" style={{ height: list.getTotalSize(), position: 'relative' }}>
        {rows.map(({ index, start, size }) => {
          const gap = items[index]!;
          return (
            <Row
              key={gap.id}
              gap={gap}
              refs={refs}
              index={index}
              style={{ transform: `translateY(${start}px)`, height: size }}
              isHere={gap.id === cursor}
              isSelected={selected.has(gap.id)}
              onCursor={onCursor}
              onSelect={onSelect}
            />
          );
        })}
      </div>
    </div>
  );
}

function Row({
  gap,
  refs,
  index,
  style,
  isHere,
  isSelected,
  onCursor,
  onSelect,
}: {
  readonly gap: Summary;
  readonly refs: Refs;
  readonly index: number;
  readonly style: React.CSSProperties;
  readonly isHere: boolean;
  readonly isSelected: boolean;
  readonly onCursor: (id: string) => void;
  readonly onSelect: (id: string) => void;
}) {
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
      style={style}
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
