import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useWorkspaceId } from '../../app/workspace.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Input } from '../../parts/field.tsx';
import { RowGrid } from '../../parts/row-grid.tsx';
import { useRowPixels } from '../../parts/row-pixels.ts';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { number } from '../../words/moments.ts';
import { Choice } from './choice.tsx';
import { Lacks } from './lacks.tsx';
import { LinksOf } from './links-of.tsx';
import { type Row, STATE_SHAPES, useMatrix } from './matrix.tsx';
import { TraceTabs } from './tabs.tsx';
import { DUTIES, isType, TYPES } from './types.ts';
import { useWords } from './use-words.ts';

const ROW_PIXELS = { comfortable: 76, compact: 64 };
/** From a goal to its result there are six steps; loops end there. */
const MOST_COLUMNS = 8;
/** Rows of a page. */
const LOOKED_AT = 100;

/**
 * From a goal to the evidence of its tests: each column has what is directly below the artifact that is chosen in the one before
 * it, and a red card where something is missing.
 */
export default function ColumnsPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [query, set, setAll] = useAddress();
  const asked = query.get('type');
  const type = isType(asked) ? asked : 'safety_goal';
  const search = query.get('search') ?? '';
  const missing = DUTIES.find((one) => one === query.get('missing')) ?? '';
  const direction = query.get('direction') === 'up' ? 'up' : 'down';
  const chosen = useMemo(() => query.getAll('at').slice(0, MOST_COLUMNS), [query]);
  const first = useMemo(
    () => ({ type: [type], ...(search && { search }), ...(missing && { missing: [missing] }) }),
    [type, search, missing],
  );
  const columns = useRef<HTMLElement>(null);
  const choose = (depth: number, id: string | undefined): void => {
    const next = new URLSearchParams(query);
    next.delete('at');
    for (const one of [...chosen.slice(0, depth), ...(id === undefined ? [] : [id])]) next.append('at', one);
    setAll(next, { replace: true });
  };
  const focusColumn = (depth: number): void => {
    const grid = columns.current?.querySelectorAll<HTMLElement>('.row-grid')[depth];
    grid?.focus();
    grid?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  useEffect(() => {
    const last = columns.current?.lastElementChild;
    if (chosen.length > 0) last?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen.length]);
  return (
    <div className="page trace-page" data-wide>
      <div className="page-head">
        <h1>{say('columns')}</h1>
      </div>
      <TraceTabs />
      <div className="row trace-filters">
        <Choice
          label={say('begin_with')}
          value={type}
          values={TYPES}
          word={(one) => say(`type_${one}`)}
          onChoose={(value) => set({ type: value, at: '' })}
        />
        <Choice
          label={say('direction')}
          value={direction}
          values={['down', 'up'] as const}
          word={(one) => say(one === 'down' ? 'downward' : 'upward')}
          onChoose={(value) => set({ direction: value === 'up' ? 'up' : '', at: '' })}
        />
        <Choice
          label={say('missing')}
          all={say('missing_or_not')}
          value={missing}
          values={DUTIES}
          word={(one) => say(`lacks_${one}`)}
          onChoose={(value) => set({ missing: value, at: '' })}
        />
        <Input
          type="search"
          className="input trace-choice"
          aria-label={say('find_matrix')}
          placeholder={say('find_matrix')}
          value={search}
          onChange={(event) => set({ search: event.target.value, at: '' })}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys */}
      <section className="trace-columns" ref={columns} tabIndex={0} aria-label={say('columns')}>
        <Column
          workspace={workspace}
          filter={first}
          title={say(`type_${type}`)}
          chosen={chosen[0]}
          onChoose={(row) => choose(0, row.requirement_id)}
          onSide={(side) => side === 1 && focusColumn(1)}
        />
        {chosen.map((id, depth) => (
          <NextColumn
            key={chosen.slice(0, depth + 1).join('\n')}
            workspace={workspace}
            of={id}
            before={depth === 0 ? first : beside(direction, chosen[depth - 1]!)}
            direction={direction}
            chosen={chosen[depth + 1]}
            onChoose={(row) => choose(depth + 1, row.requirement_id)}
            onSide={(side) => focusColumn(depth + 1 + side)}
          />
        ))}
      </section>
    </div>
  );
}

const beside = (direction: 'up' | 'down', id: string) =>
  direction === 'down' ? { below: id } : { above: id };

interface ColumnOf {
  readonly workspace: string;
  readonly chosen: string | undefined;
  readonly onChoose: (row: Row) => void;
  readonly onSide: (side: -1 | 1) => void;
}

/** What is directly below or above an artifact, and what it lacks there. */
function NextColumn({
  of,
  before,
  direction,
  ...column
}: ColumnOf & {
  readonly of: string;
  /** Of the column that it was chosen in. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly direction: 'up' | 'down';
}) {
  const say = useWords();
  const filter = useMemo(() => beside(direction, of), [of, direction]);
  // The page that is here already; what lacks further down a long list says so itself.
  const key = JSON.stringify(before);
  const known = useMatrix(
    column.workspace,
    useMemo(() => JSON.parse(key) as Readonly<Record<string, unknown>>, [key]),
  ).list;
  const rows = Array.from({ length: Math.min(known?.total ?? 0, LOOKED_AT) }, (_, place) => known?.at(place));
  const above = rows.find((row) => row?.requirement_id === of);
  const lacks = (above?.missing ?? []).filter((duty) => (duty === 'upstream') === (direction === 'up'));
  return (
    <Column
      {...column}
      filter={filter}
      title={say(direction === 'down' ? 'below_of' : 'above_of', { id: of })}
      of={above}
      lacks={
        above &&
        lacks.length > 0 && <Lacks workspace={column.workspace} id={of} type={above.type} duties={lacks} />
      }
      isEnd
    />
  );
}

function Column({
  workspace,
  filter,
  title,
  of,
  chosen,
  lacks,
  isEnd,
  onChoose,
  onSide,
}: ColumnOf & {
  /** The artifact that it is beside. */
  readonly of?: Row | undefined;
  /** What should stand here and does not. */
  readonly lacks?: ReactNode;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly title: string;
  /** Nothing in it is an end of the chain, and no empty list. */
  readonly isEnd?: true;
}) {
  const say = useWords();
  const { list, error, again, look } = useMatrix(workspace, filter);
  const [linking, setLinking] = useState(false);
  const rowPixels = useRowPixels(ROW_PIXELS);
  // Where the keys are belongs to the artifact that is chosen; while another page of it is here, nowhere.
  const place = useMemo(() => {
    if (!list || chosen === undefined) return -1;
    for (let at = 0; at < list.total; at++) {
      const row = list.at(at);
      if (row?.requirement_id === chosen) return at;
      if (!row && at > 2000) return -1;
    }
    return -1;
  }, [list, chosen]);
  let content: ReactNode;
  if (!list)
    content = error ? (
      <Failure error={error} onAgain={again} />
    ) : (
      <Skeleton lines={5} slow={say('examined_once')} />
    );
  else if (list.total === 0) content = <p className="quiet">{say(isEnd ? 'chain_ends' : 'none_so')}</p>;
  else {
    content = (
      <RowGrid
        label={title}
        total={list.total}
        at={list.at}
        order={JSON.stringify(filter)}
        rowPixels={rowPixels}
        onLook={look}
        cursor={place}
        onCursor={(_, row) => row && onChoose(row)}
        onSide={onSide}
        row={(row) => <Card row={row} workspace={workspace} />}
      />
    );
  }
  return (
    <section className="trace-column" aria-label={title}>
      <div className="trace-column-head">
        <h2>
          <bdi>{title}</bdi> {list && <span className="tag">{number(list.total, say.language)}</span>}
        </h2>
        {of && (
          <Button
            kind="quiet"
            aria-label={say('links_of', { id: of.requirement_id })}
            onClick={() => setLinking(true)}
          >
            {say('to_links')}
          </Button>
        )}
      </div>
      {of && linking && (
        <LinksOf
          workspace={workspace}
          of={{ id: of.requirement_id, type: of.type }}
          onClose={() => setLinking(false)}
        />
      )}
      <div className="column-content">
        {lacks}
        {content}
      </div>
    </section>
  );
}

const Card = memo(CardOf);

function CardOf({ row, workspace }: { readonly row: Row; readonly workspace: string }) {
  const say = useWords();
  const count = (side: 'up' | 'down'): number =>
    Object.values(row.linked?.[side] ?? {}).reduce((sum, one) => sum + one, 0);
  return (
    <span role="gridcell" className="column-card" data-lacks={(row.missing?.length ?? 0) > 0 || undefined}>
      <span className="column-head">
        <StateGlyph of={STATE_SHAPES[row.status]} label={say(`state_${row.status}`)} />
        {row.id ? (
          <Link className="mono" tabIndex={-1} href={`/w/${workspace}/trace/artifacts/${row.id}`}>
            <bdi>{row.requirement_id}</bdi>
          </Link>
        ) : (
          <bdi className="mono">{row.requirement_id}</bdi>
        )}
        {row.integrity && <span className="tag">{row.integrity}</span>}
        {row.result && <span className="tag">{say.named('result', row.result)}</span>}
        <span className="small column-counts" title={say('counts_above_below')}>
          {'↑'}
          {number(count('up'), say.language)} {'↓'}
          {number(count('down'), say.language)}
        </span>
      </span>
      <bdi className="column-text">{row.requirement_name || row.requirement_text}</bdi>
      {row.missing && row.missing.length > 0 ? (
        <span className="lacks">
          <StateGlyph of="missing" /> {row.missing.map((one) => say(`lacks_${one}`)).join(', ')}
        </span>
      ) : (
        <span className="small">{say.named('type', row.type)}</span>
      )}
    </span>
  );
}
