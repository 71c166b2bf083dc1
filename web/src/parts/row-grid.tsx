import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import './row-grid.css';

const HEAD_PIXELS = 30;

/** The rows in sight of a list of any length, as a grid that is walked by keys: one stop of the tab key, arrows within. */
export function RowGrid<Item>({
  label,
  total,
  at,
  order,
  rowPixels,
  head,
  row,
  onLook,
  onOpen,
  keys,
  cursor: given,
  onCursor,
  onSide,
}: {
  readonly label: string;
  readonly total: number;
  readonly at: (place: number) => Item | undefined;
  /** Which list it is: another one begins at its top. */
  readonly order: string;
  readonly rowPixels: number;
  /** Cells of the head, with the role of a column header; none for a list of one column. */
  readonly head?: ReactNode;
  /** Cells of a row, with the role of a grid cell. */
  readonly row: (item: Item, place: number) => ReactNode;
  readonly onLook: (first: number, last: number) => void;
  readonly onOpen?: (item: Item, place: number) => void;
  /** What else a key does with the row where the keys are. */
  readonly keys?: Readonly<Record<string, (item: Item) => void>>;
  /** Place of the row where the keys are; -1 where they are nowhere. Its own, unless it is given. */
  readonly cursor?: number;
  readonly onCursor?: (place: number, item: Item | undefined) => void;
  /** Left (-1) and right (1). */
  readonly onSide?: (side: -1 | 1) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [own, setOwn] = useState(-1);
  const cursor = given ?? own;
  const list = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: 8,
    scrollPaddingStart: head ? HEAD_PIXELS : 0,
  });
  const rows = list.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => onLook(first, last), [first, last, onLook]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height of the rows
  useEffect(() => list.measure(), [rowPixels]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for another list, not when it is scrolled
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 });
    setOwn(-1);
  }, [order]);
  const go = (place: number): void => {
    const next = Math.max(0, Math.min(total - 1, place));
    setOwn(next);
    onCursor?.(next, at(next));
    list.scrollToIndex(next, { align: 'auto' });
  };
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowPixels) - 1);
  const steps: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(cursor + 1),
    ArrowUp: () => go(cursor - 1),
    j: () => go(cursor + 1),
    k: () => go(cursor - 1),
    PageDown: () => go(cursor + page),
    PageUp: () => go(cursor - page),
    Home: () => go(0),
    End: () => go(total - 1),
    ...(onSide && { ArrowLeft: () => onSide(-1), ArrowRight: () => onSide(1) }),
    Enter: () => {
      const item = at(cursor);
      if (item !== undefined) onOpen?.(item, cursor);
    },
  };
  const idOf = (place: number): string => `${label}-${place}`.replace(/\s+/g, '-');
  return (
    <div
      ref={scroller}
      className="row-grid"
      role="grid"
      aria-label={label}
      aria-rowcount={total + (head ? 1 : 0)}
      aria-activedescendant={cursor >= first && cursor <= last && total > 0 ? idOf(cursor) : undefined}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
        const item = at(cursor);
        const also = keys?.[event.key];
        const step = steps[event.key] ?? (also && item !== undefined ? () => also(item) : undefined);
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        step();
      }}
    >
      {head && (
        <div role="rowgroup" className="row-grid-head">
          <div role="row" aria-rowindex={1} className="row-grid-cells">
            {head}
          </div>
        </div>
      )}
      <div role="rowgroup" style={{ height: list.getTotalSize(), position: 'relative' }}>
        {rows.map(({ index, start, size }) => {
          const item = at(index);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the grid
            <div
              key={index}
              id={idOf(index)}
              role="row"
              className="row-grid-row row-grid-cells"
              aria-rowindex={index + (head ? 2 : 1)}
              aria-busy={item === undefined || undefined}
              data-here={index === cursor || undefined}
              style={{ transform: `translateY(${start}px)`, height: size }}
              onClick={() => go(index)}
            >
              {item === undefined ? <span role="gridcell">{'…'}</span> : row(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
