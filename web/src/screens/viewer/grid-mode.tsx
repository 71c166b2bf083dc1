import { useVirtualizer } from '@tanstack/react-virtual';
import {
  forwardRef,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { MarkedText } from '../../document/block-view.tsx';
import type { Mark } from '../../document/segments.ts';
import { cellName, columnName, type Sheet, type SheetCell, type SheetRow } from '../../document/sheets.ts';
import { Choice } from './choice.tsx';
import type { DrawnMark } from './marks.ts';
import { Ruler } from './ruler.tsx';
import type { ShowsPlaces } from './text-mode.tsx';
import { useWords } from './use-words.ts';
import './grid-mode.css';

const NARROWEST = 72;
const WIDEST = 340;
const PIXELS = 24;
const ROW_NUMBERS = 52;
const ESTIMATED_HEIGHT = 34;

interface Place {
  /** Position among the rows that are shown. */
  readonly row: number;
  readonly column: number;
}

/** A workbook with the names of its rows and columns, one sheet at a time, marks in its cells. */
export const GridMode = forwardRef<
  ShowsPlaces,
  {
    readonly sheets: readonly Sheet[];
    readonly language: string | undefined;
    readonly marks: readonly DrawnMark[];
    readonly wanted: { readonly start: number; readonly end: number } | undefined;
    readonly chosen: string | undefined;
    readonly onChoose: (id: string) => void;
  }
>(function GridMode({ sheets, language, marks, wanted, chosen, onChoose }, handle) {
  const say = useWords();
  const [name, setName] = useState(sheets[0]?.name ?? '');
  const sheet = sheets.find((one) => one.name === name) ?? sheets[0];
  const [active, activate] = useState<Place>({ row: 0, column: 0 });
  const scroller = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const rows = sheet?.rows ?? [];
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: (index) => `${name} ${rows[index]?.number}`,
    overscan: 10,
  });
  const show = useCallback(
    (start: number) => {
      const found = findCell(sheets, start);
      if (!found) return;
      setName(found.sheet.name);
      activate({ row: found.row, column: found.column });
    },
    [sheets],
  );
  useImperativeHandle(handle, () => ({ showPlace: (start) => show(start) }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place, and when the document has become whole
  useEffect(() => {
    if (wanted) show(wanted.start);
  }, [wanted?.start, show]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another cell is looked at
  useEffect(() => {
    list.scrollToIndex(active.row, { align: 'auto' });
    const look = (): void => {
      const cell = scroller.current?.querySelector<HTMLElement>('[data-active]');
      cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      if (wantsFocus.current) cell?.focus({ preventScroll: true });
    };
    // Rows get their heights when they are painted.
    const frame = requestAnimationFrame(look);
    const timer = setTimeout(() => {
      look();
      wantsFocus.current = false;
    }, 80);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [active, name]);

  const shown = useMemo(
    (): readonly Mark[] =>
      wanted && chosen === undefined ? [...marks, { ...wanted, id: 'at', role: 'context' }] : marks,
    [marks, wanted, chosen],
  );
  const widths = useMemo(() => (sheet ? widthsOf(sheet) : []), [sheet]);
  const template = `${ROW_NUMBERS}px ${widths.map((width) => `${width}px`).join(' ')}`;
  const width = ROW_NUMBERS + widths.reduce((sum, one) => sum + one, 0);
  const walk = (event: KeyboardEvent<HTMLElement>): void => {
    const cell = cellIn(rows[active.row], active.column);
    const said = cell && shown.find((mark) => mark.start < cell.end && mark.end > cell.start);
    if (event.key === 'Enter' && said) {
      event.preventDefault();
      onChoose(said.id);
    }
    const next = placeAfter(event, active, { rows, columns: widths.length });
    if (!next) return;
    event.preventDefault();
    wantsFocus.current = true;
    activate(next);
  };
  const items = list.getVirtualItems();
  const head = headAbove(rows, items[0]?.index ?? 0);
  const rowProperties = { marks: shown, chosen: chosen ?? 'at', active, onChoose, activate };
  if (!sheet) return null;
  return (
    <>
      <div className="grid-mode">
        {(sheets.length > 1 || isMarked(sheet.title, shown)) && (
          <div className="grid-sheets">
            <Choice
              name={say('sheets')}
              values={sheets.map((one) => one.name)}
              value={sheet.name}
              labelOf={(one) => {
                const { title } = sheets.find((of) => of.name === one)!;
                return title ? <MarkedText {...title} {...rowProperties} marks={shown} /> : one;
              }}
              onChange={(next) => {
                setName(next);
                activate({ row: 0, column: 0 });
              }}
            />
          </div>
        )}
        <div ref={scroller} className="grid-scroller">
          <div
            role="grid"
            aria-label={say('sheet_name', { sheet: sheet.name })}
            aria-rowcount={(rows.at(-1)?.number ?? 0) + 1}
            aria-colcount={widths.length + 1}
            lang={language}
            style={{ width }}
            onKeyDown={walk}
          >
            <div
              role="row"
              aria-rowindex={1}
              className="grid-letters"
              style={{ gridTemplateColumns: template }}
            >
              <div role="columnheader" tabIndex={-1} className="grid-name">
                <span className="visually-hidden">{say('corner')}</span>
              </div>
              {widths.map((_, column) => (
                <div
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are their positions
                  key={column}
                  role="columnheader"
                  tabIndex={-1}
                  className="grid-name"
                  aria-colindex={column + 2}
                >
                  {columnName(column)}
                </div>
              ))}
            </div>
            {head && (
              <div className="grid-head" aria-hidden="true" style={{ gridTemplateColumns: template }}>
                <div className="grid-name">{head.number}</div>
                {head.cells.map(({ column, span, text }) => (
                  <div key={column} style={{ gridColumn: `${column + 2} / span ${span}` }}>
                    {text}
                  </div>
                ))}
              </div>
            )}
            <div role="rowgroup" style={{ height: list.getTotalSize(), position: 'relative' }}>
              {items.map(({ index, key, start }) => (
                <div
                  key={key}
                  role="row"
                  tabIndex={-1}
                  data-index={index}
                  ref={list.measureElement}
                  className="virtual-row grid-row"
                  data-header={rows[index]!.isHeader || undefined}
                  aria-rowindex={rows[index]!.number + 1}
                  style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
                >
                  <Cells row={rows[index]!} at={index} columns={widths.length} {...rowProperties} />
                </div>
              ))}
            </div>
          </div>
        </div>
      </div>
      <Ruler
        marks={marks.filter(({ location }) => location.sheet === sheet.name)}
        onChoose={onChoose}
        shareOf={({ start }) => (findCell([sheet], start)?.row ?? 0) / Math.max(rows.length, 1)}
      />
    </>
  );
});

function Cells({
  row,
  at,
  columns,
  marks,
  chosen,
  active,
  onChoose,
  activate,
}: {
  readonly row: SheetRow;
  readonly at: number;
  readonly columns: number;
  readonly marks: readonly Mark[];
  readonly chosen: string;
  readonly active: Place;
  readonly onChoose: (id: string) => void;
  readonly activate: (place: Place) => void;
}) {
  const say = useWords();
  const isActive = (column: number, span: number): boolean =>
    active.row === at && active.column >= column && active.column < column + span;
  const common = (column: number, span: number) => ({
    role: 'gridcell',
    'aria-colindex': column + 2,
    tabIndex: isActive(column, span) ? 0 : -1,
    'data-active': isActive(column, span) || undefined,
    style: { gridColumn: `${column + 2} / span ${span}` },
    onClick: () => activate({ row: at, column }),
  });
  const taken = new Set(
    row.cells.flatMap(({ column, span }) => Array.from({ length: span }, (_, n) => column + n)),
  );
  const others = Array.from({ length: columns }, (_, column) => column).filter(
    (column) => !taken.has(column),
  );
  return (
    <>
      <div role="rowheader" tabIndex={-1} className="grid-name">
        {row.number}
      </div>
      {row.cells.map(({ column, span, rows, text, start, end }) => {
        const here = marks.filter((mark) => mark.start < end && mark.end > start);
        return (
          <div
            key={`${column}-${start}`}
            data-text-start={start}
            {...common(column, span)}
            {...(span > 1 ? { 'aria-colspan': span } : {})}
            {...(rows > 1 ? { 'aria-rowspan': rows } : {})}
          >
            <MarkedText text={text} start={start} marks={here} chosen={chosen} onChoose={onChoose} />
            {rows > 1 && (
              <span className="grid-merged">
                {say('reaches', { cell: cellName(column, row.number + rows - 1) })}
              </span>
            )}
          </div>
        );
      })}
      {others.map((column) => {
        const from = row.covered.get(column);
        return (
          <div key={`empty-${column}`} {...common(column, 1)} data-merged={from !== undefined || undefined}>
            {from !== undefined && <span className="visually-hidden">{say('merged', { cell: from })}</span>}
          </div>
        );
      })}
    </>
  );
}

/** The last row of a head above the first row in sight. */
function headAbove(rows: readonly SheetRow[], first: number): SheetRow | undefined {
  for (let at = first; at >= 0; at--) if (rows[at]?.isHeader) return at === first ? undefined : rows[at];
  return undefined;
}

const isMarked = (title: Sheet['title'], marks: readonly Mark[]): boolean =>
  title !== undefined && marks.some(({ start, end }) => start < title.end && end > title.start);

function findCell(
  sheets: readonly Sheet[],
  start: number,
): { readonly sheet: Sheet; readonly row: number; readonly column: number } | undefined {
  for (const sheet of sheets) {
    if (sheet.title && sheet.title.start <= start && start < sheet.title.end)
      return { sheet, row: 0, column: 0 };
    for (const [row, { cells }] of sheet.rows.entries()) {
      const cell = cells.find((one) => one.start <= start && start <= one.end);
      if (cell && (cell.start < cell.end || cell.start === start)) return { sheet, row, column: cell.column };
    }
  }
  return undefined;
}

/** By the longest text of a column that is alone in it. */
function widthsOf({ rows, columns }: Sheet): readonly number[] {
  const longest = Array.from({ length: columns }, () => 0);
  for (const { cells } of rows) {
    for (const { column, span, text } of cells) {
      if (span === 1) longest[column] = Math.max(longest[column]!, text.length);
    }
  }
  return longest.map((length) =>
    Math.round(Math.min(Math.max(PIXELS * Math.sqrt(length), NARROWEST), WIDEST)),
  );
}

const cellIn = (row: SheetRow | undefined, column: number): SheetCell | undefined =>
  row?.cells.find((one) => one.column <= column && column < one.column + one.span);

/** Where a key leads from a cell; undefined for keys that lead nowhere. */
function placeAfter(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: Place,
  { rows, columns }: { readonly rows: readonly SheetRow[]; readonly columns: number },
): Place | undefined {
  const isFar = ctrlKey || metaKey;
  const cell = cellIn(rows[row], column);
  const last = { row: Math.max(rows.length - 1, 0), column: Math.max(columns - 1, 0) };
  const within = (next: Place): Place => ({
    row: Math.min(Math.max(next.row, 0), last.row),
    column: Math.min(Math.max(next.column, 0), last.column),
  });
  switch (key) {
    case 'ArrowDown':
      return within({ row: isFar ? last.row : row + 1, column });
    case 'ArrowUp':
      return within({ row: isFar ? 0 : row - 1, column });
    case 'ArrowRight':
      return within({
        row,
        column: isFar ? last.column : column + (cell ? cell.column + cell.span - column : 1),
      });
    case 'ArrowLeft':
      return within({ row, column: isFar ? 0 : (cell?.column ?? column) - 1 });
    case 'Home':
      return { row: isFar ? 0 : row, column: 0 };
    case 'End':
      return { row: isFar ? last.row : row, column: last.column };
    default:
      return undefined;
  }
}
