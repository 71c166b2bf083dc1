import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useWorkspaceId } from '../../app/workspace.ts';
import { useRowPixels } from '../../parts/row-pixels.ts';
import { Empty, Failure, Skeleton } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { number } from '../../words/moments.ts';
import { ArtifactLink } from './artifact-link.tsx';
import { Choice } from './choice.tsx';
import { TraceTabs } from './tabs.tsx';
import { type ArtifactType, isType, TYPES } from './types.ts';
import { useWords } from './use-words.ts';

const ROW_PIXELS = { comfortable: 32, compact: 26 };
const COLUMN_PIXELS = 44;
const HEAD_PIXELS = 132;
/** Rows and columns of a request. */
const WINDOW = 60;

type Grid = Api['TraceGrid'];
type Cell = Grid['cells'][number];
type Only = 'linked' | 'gaps';

/** Two types against each other: which of one are linked with which of the other. Any number of rows and columns. */
export default function GridPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [query, set] = useAddress();
  const side = (name: string, otherwise: ArtifactType): ArtifactType => {
    const asked = query.get(name);
    return isType(asked) ? asked : otherwise;
  };
  const rows = side('rows', 'functional_safety_requirement');
  const columns = side('columns', 'test');
  const only = (['linked', 'gaps'] as const).find((one) => one === query.get('only')) ?? '';
  return (
    <div className="page trace-page" data-wide>
      <div className="page-head">
        <h1>{say('grid')}</h1>
      </div>
      <TraceTabs />
      <div className="row trace-filters">
        <Choice
          label={say('grid_rows')}
          value={rows}
          values={TYPES}
          word={(one) => say('grid_rows_are', { type: say(`type_${one}`) })}
          onChoose={(value) => set({ rows: value })}
        />
        <Choice
          label={say('grid_columns')}
          value={columns}
          values={TYPES}
          word={(one) => say('grid_columns_are', { type: say(`type_${one}`) })}
          onChoose={(value) => set({ columns: value })}
        />
        <Choice
          label={say('grid_only')}
          all={say('grid_all')}
          value={only}
          values={['linked', 'gaps'] as const}
          word={(one) => say(`grid_${one}`)}
          onChoose={(value) => set({ only: value })}
        />
      </div>
      <TypeGrid key={`${rows} ${columns} ${only}`} workspace={workspace} asked={{ rows, columns, only }} />
    </div>
  );
}

function TypeGrid({
  workspace,
  asked,
}: {
  readonly workspace: string;
  readonly asked: { readonly rows: ArtifactType; readonly columns: ArtifactType; readonly only: Only | '' };
}) {
  const say = useWords();
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const { rows, columns, only } = asked;
  const base = useMemo(
    () => ({ workspace_id: workspace, rows, columns, ...(only && { only }) }),
    [workspace, rows, columns, only],
  );
  const read = (more: Readonly<Record<string, number>>, signal?: AbortSignal): Promise<Grid> =>
    take(
      api.GET('/traceability/grid', {
        params: { query: { ...base, ...more } },
        ...(signal && { signal }),
      }),
    );
  const totals = useQuery({
    queryKey: ['trace', workspace, 'grid', base, 'totals'],
    queryFn: ({ signal }) => read({ row_limit: 1, column_limit: 1 }, signal),
  });
  const rowCount = totals.data?.rows.total ?? 0;
  const columnCount = totals.data?.columns.total ?? 0;
  const rowPixels = useRowPixels(ROW_PIXELS);
  const rowList = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    overscan: 6,
    scrollPaddingStart: HEAD_PIXELS,
  });
  const columnList = useVirtualizer({
    horizontal: true,
    count: columnCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => COLUMN_PIXELS,
    overscan: 4,
    scrollPaddingStart: 180,
  });
  const shownRows = rowList.getVirtualItems();
  const shownColumns = columnList.getVirtualItems();
  const rowPage = Math.floor((shownRows[0]?.index ?? 0) / WINDOW) * WINDOW;
  const columnPage = Math.floor((shownColumns[0]?.index ?? 0) / WINDOW) * WINDOW;
  const piece = useQuery({
    queryKey: ['trace', workspace, 'grid', base, rowPage, columnPage],
    enabled: rowCount > 0 && columnCount > 0,
    placeholderData: keepPreviousData,
    // Twice the window: what is in sight may begin in one and end in the next.
    queryFn: ({ signal }) =>
      read(
        {
          row_offset: rowPage,
          row_limit: 2 * WINDOW,
          column_offset: columnPage,
          column_limit: 2 * WINDOW,
        },
        signal,
      ),
  });
  const data = piece.data;
  const cells = useMemo(
    () => new Map((data?.cells ?? []).map((cell) => [`${cell.row} ${cell.column}`, cell])),
    [data],
  );
  const offsets = useRef({ row: 0, column: 0 });
  if (data && !piece.isPlaceholderData) offsets.current = { row: rowPage, column: columnPage };
  const rowAt = (index: number) => data?.rows.items[index - offsets.current.row];
  const columnAt = (index: number) => data?.columns.items[index - offsets.current.column];
  const go = (row: number, column: number): void => {
    const next = {
      row: Math.max(0, Math.min(rowCount - 1, row)),
      column: Math.max(0, Math.min(columnCount - 1, column)),
    };
    setAt(next);
    rowList.scrollToIndex(next.row, { align: 'auto' });
    columnList.scrollToIndex(next.column, { align: 'auto' });
  };
  const goToNext = async (): Promise<void> => {
    const { next } = await read({
      after_row: at.row,
      after_column: at.column,
      row_limit: 1,
      column_limit: 1,
    });
    if (next) go(next.row, next.column);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(at.row + 1, at.column),
    ArrowUp: () => go(at.row - 1, at.column),
    ArrowRight: () => go(at.row, at.column + 1),
    ArrowLeft: () => go(at.row, at.column - 1),
    PageDown: () => go(at.row + 12, at.column),
    PageUp: () => go(at.row - 12, at.column),
    Home: () => go(at.row, 0),
    End: () => go(at.row, columnCount - 1),
    '.': () => void goToNext(),
  };
  useTellKeys(
    say('grid'),
    useMemo(
      () => [
        ['.', say('next_filled')],
        ['← → ↑ ↓', say('walk_cells')],
      ],
      [say],
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height of the rows
  useEffect(() => {
    rowList.measure();
    columnList.measure();
  }, [rowList, columnList, rowPixels]);
  if (totals.error) return <Failure error={totals.error} onAgain={() => void totals.refetch()} />;
  if (!totals.data) return <Skeleton lines={8} slow={say('examined_once')} />;
  if (rowCount === 0 || columnCount === 0) {
    return (
      <Empty title={say('none_so')}>
        <p>{say('grid_empty', { rows: rowCount, columns: columnCount })}</p>
      </Empty>
    );
  }
  const here = cells.get(`${at.row} ${at.column}`);
  return (
    <>
      <p className="quiet" role="status">
        {say('grid_size', {
          rows: number(rowCount, say.language),
          columns: number(columnCount, say.language),
        })}
        {rowAt(at.row) && columnAt(at.column) && (
          <>
            {' · '}
            <bdi>{rowAt(at.row)?.artifact_id}</bdi> × <bdi>{columnAt(at.column)?.artifact_id}</bdi>:{' '}
            {here ? cellWords(here, say) : say('not_linked')}
          </>
        )}
      </p>
      <div
        ref={scroller}
        className="type-grid"
        role="grid"
        aria-label={say('grid')}
        aria-rowcount={rowCount + 1}
        aria-colcount={columnCount + 1}
        aria-activedescendant={
          shownRows.some(({ index }) => index === at.row) &&
          shownColumns.some(({ index }) => index === at.column)
            ? `cell-${at.row}-${at.column}`
            : undefined
        }
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
          const step = keys[event.key];
          if (!step) return;
          event.preventDefault();
          event.stopPropagation();
          step();
        }}
      >
        <div
          role="presentation"
          className="type-grid-inner"
          style={{
            width: 180 + columnList.getTotalSize(),
            height: HEAD_PIXELS + rowList.getTotalSize(),
          }}
        >
          <div role="row" aria-rowindex={1} className="type-grid-head" style={{ height: HEAD_PIXELS }}>
            <span role="columnheader" className="type-grid-corner" aria-colindex={1}>
              {say(`type_${rows}`)} ↓ · {say(`type_${columns}`)} →
            </span>
            {shownColumns.map(({ index, start }) => {
              const column = columnAt(index);
              return (
                <span
                  key={index}
                  role="columnheader"
                  aria-colindex={index + 2}
                  className="type-grid-column"
                  data-here={index === at.column || undefined}
                  style={{ transform: `translateX(${180 + start}px)`, width: COLUMN_PIXELS }}
                  title={column?.name}
                >
                  {column ? (
                    <span className="type-grid-turned">
                      <ArtifactLink workspace={workspace} id={column.id} artifactId={column.artifact_id} />{' '}
                      <span className="small">{number(column.links, say.language)}</span>
                    </span>
                  ) : (
                    '…'
                  )}
                </span>
              );
            })}
          </div>
          {shownRows.map(({ index, start }) => {
            const row = rowAt(index);
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                aria-busy={row === undefined || undefined}
                className="type-grid-row"
                style={{ transform: `translateY(${HEAD_PIXELS + start}px)`, height: rowPixels }}
              >
                <span
                  role="rowheader"
                  className="type-grid-name"
                  aria-colindex={1}
                  data-here={index === at.row || undefined}
                  title={row?.name}
                >
                  {row ? (
                    <>
                      <ArtifactLink workspace={workspace} id={row.id} artifactId={row.artifact_id} />
                      <span className="small">{number(row.links, say.language)}</span>
                    </>
                  ) : (
                    '…'
                  )}
                </span>
                {shownColumns.map((column) => {
                  const cell = cells.get(`${index} ${column.index}`);
                  return (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the grid
                    <span
                      key={column.index}
                      id={`cell-${index}-${column.index}`}
                      role="gridcell"
                      aria-colindex={column.index + 2}
                      className="type-grid-cell"
                      data-here={(index === at.row && column.index === at.column) || undefined}
                      style={{ transform: `translateX(${180 + column.start}px)`, width: COLUMN_PIXELS }}
                      onClick={() => go(index, column.index)}
                    >
                      {cell && <Mark cell={cell} words={cellWords(cell, say)} />}
                    </span>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}

function cellWords(cell: Cell, say: ReturnType<typeof useWords>): string {
  const word = say.named('link', cell.link_type);
  if (cell.suspect) return `${word}, ${say('is_suspect')}`;
  return cell.assumed ? `${word}, ${say('is_assumed')}` : word;
}

/** A full dot for a link, a ring for one that nothing states, a flag for one to look at again. */
function Mark({ cell, words }: { readonly cell: Cell; readonly words: string }) {
  return (
    <svg className="glyph grid-mark" viewBox="0 0 16 16" role="img" aria-label={words}>
      {cell.suspect ? (
        <path d="M4 1v14M4 2h9l-2.5 3L13 8H4" fill="none" stroke="currentColor" strokeWidth="2" />
      ) : (
        <circle
          cx="8"
          cy="8"
          r="5"
          fill={cell.assumed ? 'none' : 'currentColor'}
          stroke="currentColor"
          strokeWidth="2"
        />
      )}
    </svg>
  );
}
