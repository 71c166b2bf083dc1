import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { StateGlyph } from '../../look/glyphs.tsx';
import { placeInWords } from '../../parts/place.ts';
import { useRowPixels } from '../../parts/row-pixels.ts';
import { useCommonWords } from '../../parts/use-words.ts';
import { calendarDate } from '../../words/moments.ts';
import { type Column, type Group, tracksOf } from './columns.ts';
import type { GapList, Refs, Summary } from './pages.ts';
import { useWords } from './use-words.ts';

const ROW_PIXELS = { comfortable: 44, compact: 32, narrow: 62 };
/** The head of a group, above its first row. */
const GROUP_PIXELS = 30;

/** The rows in sight of a list of any length. */
export function GapRows({
  list: { at: rowAt, placeOf, refs, total },
  columns,
  group,
  order,
  cursor,
  isAll,
  selected,
  onLook,
  onCursor,
  onSelect,
}: {
  readonly list: GapList;
  readonly columns: readonly Column[];
  /** What those beside each other have in common; undefined: they are one list. */
  readonly group: Group | undefined;
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
  const rowPixels = useRowPixels(ROW_PIXELS);
  const groupName = useGroupNames(refs);
  /** Of the first row of a group what all of it have in common. */
  const headOf = useCallback(
    (index: number): string | undefined => {
      const gap = group && rowAt(index);
      if (!group || !gap) return undefined;
      const before = index === 0 ? undefined : rowAt(index - 1);
      if (index > 0 && (!before || before[group] === gap[group])) return undefined;
      return groupName(group, gap);
    },
    [group, rowAt, groupName],
  );
  const list = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowPixels + (headOf(index) === undefined ? 0 : GROUP_PIXELS),
    overscan: 10,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when rows got other heights
  useEffect(() => list.measure(), [rowPixels, group, rowAt]);
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
    if (at === -1) return;
    const visible = Math.floor((scroller.current?.clientHeight ?? 0) / rowPixels);
    const { startIndex, endIndex } = list.range ?? { startIndex: 0, endIndex: visible };
    // Far off it comes into the middle, under a whole row; walking on moves the list by a row.
    if (at < startIndex - 1 || at > endIndex + 1) {
      list.scrollToIndex(Math.max(0, at - Math.floor(visible / 2)), { align: 'start' });
    } else list.scrollToIndex(at, { align: 'auto' });
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
      style={{ '--gap-columns': tracksOf(columns) } as CSSProperties}
    >
      <div role="rowgroup" style={{ height: list.getTotalSize(), position: 'relative' }}>
        {rows.map(({ index, start, size }) => {
          const gap = rowAt(index);
          if (!gap) return <ComingRow key={index} index={index} start={start} size={size} />;
          const head = headOf(index);
          return (
            <Row
              key={gap.id}
              gap={gap}
              refs={refs}
              columns={columns}
              head={head}
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
  columns,
  head,
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
  readonly columns: readonly Column[];
  readonly head: string | undefined;
  readonly isHere: boolean;
  readonly isSelected: boolean;
  readonly onCursor: (id: string) => void;
  readonly onSelect: (id: string) => void;
} & Placed) {
  const say = useWords();
  const common = useCommonWords();
  const isClosed = gap.status === 'resolved' || gap.status === 'accepted';
  const above = head === undefined ? 0 : GROUP_PIXELS;
  return (
    <>
      {head !== undefined && (
        <div className="gap-group" role="presentation" style={placed(start, GROUP_PIXELS)}>
          <bdi>{head}</bdi>
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the grid */}
      <div
        id={`gap-${gap.id}`}
        role="row"
        className="gap-row"
        style={placed(start + above, size - above)}
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
        {columns.map((column) => (
          <Cell key={column} gap={gap} refs={refs} column={column} hasDue={columns.includes('due_date')} />
        ))}
      </div>
    </>
  );
}

const CLASSES: Readonly<Partial<Record<Column, string>>> = {
  first_place: 'gap-place',
  status: 'gap-status',
};

function Cell({
  gap,
  refs,
  column,
  hasDue,
}: {
  readonly gap: Summary;
  readonly refs: Refs;
  readonly column: Column;
  /** The date stands in a column of its own. */
  readonly hasDue: boolean;
}) {
  const isDated = column === 'due_date' || (column === 'assignee' && !hasDue);
  return (
    <span
      role="gridcell"
      className={`gap-cell ${CLASSES[column] ?? 'gap-more'}`}
      data-status={column === 'status' ? gap.status : undefined}
      data-overdue={(isDated && gap.overdue) || undefined}
    >
      <CellWords gap={gap} refs={refs} column={column} hasDue={hasDue} />
    </span>
  );
}

/** What a column says of a gap; a bare value says what it is a value of. */
function CellWords({
  gap,
  refs,
  column,
  hasDue,
}: {
  readonly gap: Summary;
  readonly refs: Refs;
  readonly column: Column;
  readonly hasDue: boolean;
}): ReactNode {
  const say = useWords();
  const common = useCommonWords();
  const { language } = say;
  const due = gap.due_date && calendarDate(gap.due_date, language);
  switch (column) {
    case 'clause': {
      const standard = gap.standard_id ? refs.standards[gap.standard_id]?.name : undefined;
      if (!standard) return common.named('analysis', gap.analysis_type);
      // The name gives way to the clause, which tells more.
      return (
        <span className="gap-clause" title={`${standard} ${gap.clause}`}>
          <bdi>{standard}</bdi> <bdi>{gap.clause}</bdi>
        </span>
      );
    }
    case 'first_place':
      return (
        gap.first_place && (
          <>
            <bdi>{refs.work_products[gap.first_place.work_product_id]?.name}</bdi>{' '}
            {placeInWords(gap.first_place.location, common)}
          </>
        )
      );
    case 'status':
      return common(`status_${gap.status}`);
    case 'assignee':
      return (
        <>
          <bdi>{gap.assignee ? refs.people[gap.assignee]?.name : ''}</bdi> {!hasDue && due}
        </>
      );
    case 'due_date':
      return due;
    case 'change':
      return common(`change_${gap.change}`);
    case 'severity_original':
      return say('was_severity', { severity: common(`severity_${gap.severity_original}`) });
    case 'confidence':
      return say(`confidence_${gap.confidence}`);
    case 'analysis_type':
      return common.named('analysis', gap.analysis_type);
    case 'type':
      return gap.type.replaceAll('_', ' ');
    case 'asil':
      return gap.asil;
    case 'evidence_count':
      return gap.evidence_count > 0 && say.count('quotes', gap.evidence_count);
    case 'comment_count':
      return gap.comment_count > 0 && say.count('comments', gap.comment_count);
    default:
      return calendarDate(gap[column], language);
  }
}

/** What the rows of a group have in common, in words. */
function useGroupNames(refs: Refs): (group: Group, gap: Summary) => string {
  const say = useWords();
  const common = useCommonWords();
  return useCallback(
    (group, gap) => {
      if (group === 'severity') return common(`severity_${gap.severity}`);
      if (group === 'clause') return gap.clause || say('none');
      if (group === 'assignee') return (gap.assignee && refs.people[gap.assignee]?.name) || say('nobody');
      return (
        (gap.work_product_id && refs.work_products[gap.work_product_id]?.name) || say('several_documents')
      );
    },
    [refs, say, common],
  );
}
