import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useWorkspaceId } from '../../app/workspace.ts';
import { Icon, StateGlyph, type Verdict } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { VerdictLabel } from '../../parts/severity.tsx';
import { Loaded } from '../../parts/states.tsx';
import { usePrinting } from '../../parts/use-printing.ts';
import { useCommonWords } from '../../parts/use-words.ts';
import { percent } from '../../words/moments.ts';
import { type Clause, type ClauseRow, useClauses } from './use-clauses.ts';
import { useWords } from './use-words.ts';

interface Shown {
  readonly standard: string;
  readonly run: string | undefined;
  /** How many criteria it has. */
  readonly size: number;
  readonly at: string | null;
  readonly onOpen: (criterion: string) => void;
}

/** The clauses of a standard: what counts, by whom, and the gaps of each. */
export function ClauseTree(shown: Shown) {
  const say = useWords();
  const [onlyOpen, setOnlyOpen] = useState(false);
  return (
    <div className="stack">
      <label className="check">
        <input type="checkbox" checked={onlyOpen} onChange={(event) => setOnlyOpen(event.target.checked)} />
        {say('only_gaps')}
      </label>
      <Tree key={`${shown.run} ${onlyOpen}`} onlyOpen={onlyOpen} {...shown} />
    </div>
  );
}

/** Walked by the arrows: one stop of the tab key for the rows, and what is in a row behind it. */
function Tree({ standard, run, size, onlyOpen, at, onOpen }: Shown & { readonly onlyOpen: boolean }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const clauses = useClauses({ workspace, standard, run, size, onlyOpen, at });
  const isPrinting = usePrinting();
  const grid = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<string>();
  const { all, rows, parentOf, turn, openBelow, openAll, query } = clauses;
  const shown = isPrinting && all ? all : rows;
  const here = Math.max(
    0,
    shown.findIndex(({ node }) => node.criterion_id === (cursor ?? at)),
  );
  const isKnown = at !== null && shown.some(({ node }) => node.criterion_id === at);
  useEffect(() => {
    if (isKnown) grid.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    if (at !== null && isKnown) setCursor(at);
  }, [at, isKnown]);
  const go = (place: number): void => {
    const row = shown[Math.max(0, Math.min(shown.length - 1, place))];
    if (!row) return;
    setCursor(row.node.criterion_id);
    grid.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(row.node.criterion_id)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, { node, isOpen }: ClauseRow): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const id = node.criterion_id;
    const hasMore = node.child_count > 0;
    const parent = parentOf(id);
    const steps: Readonly<Record<string, (() => void) | false>> = {
      ArrowDown: () => go(here + 1),
      ArrowUp: () => go(here - 1),
      Home: () => go(0),
      End: () => go(shown.length - 1),
      ArrowRight: hasMore && (() => (isOpen ? go(here + 1) : turn(id, true))),
      ArrowLeft: () => {
        if (isOpen && hasMore) turn(id, false);
        else if (parent) go(shown.findIndex((row) => row.node.criterion_id === parent));
      },
      '*': hasMore && (() => openBelow(id)),
      Enter: isJudged(node) && (() => onOpen(id)),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };
  return (
    <Loaded query={query}>
      {() => (
        <>
          {!all && (
            <p className="row">
              <Button onClick={openAll}>{say('open_all')}</Button>
              <span className="clauses-partly">{say('partly_printed')}</span>
            </p>
          )}
          {onlyOpen && shown.length === 0 && <p className="quiet">{say('nothing_open')}</p>}
          <div
            ref={grid}
            className="clauses"
            role="treegrid"
            aria-label={say('tree')}
            aria-busy={query.isFetching}
          >
            {shown.map((row, place) => (
              <Row
                key={row.node.criterion_id}
                row={row}
                workspace={workspace}
                isHere={row.node.criterion_id === at}
                isStop={place === here}
                onFocus={() => setCursor(row.node.criterion_id)}
                onKeyDown={onKeyDown}
                onTurn={turn}
                onOpen={onOpen}
              />
            ))}
          </div>
        </>
      )}
    </Loaded>
  );
}

const isJudged = ({ verdict, kind }: Clause): boolean => verdict !== null || kind !== 'group';

function Row({
  row,
  workspace,
  isHere,
  isStop,
  onFocus,
  onKeyDown,
  onTurn,
  onOpen,
}: {
  readonly row: ClauseRow;
  readonly workspace: string;
  /** Its panel is open. */
  readonly isHere: boolean;
  /** The keys are in it. */
  readonly isStop: boolean;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent, row: ClauseRow) => void;
  readonly onTurn: (id: string, isOpen: boolean) => void;
  readonly onOpen: (criterion: string) => void;
}) {
  const say = useWords();
  const { node, level, place, siblings, isOpen } = row;
  const name = node.title ?? node.clause;
  const tabIndex = isStop ? 0 : -1;
  return (
    <div
      className="clause"
      role="row"
      data-id={node.criterion_id}
      data-level={level}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={node.child_count > 0 ? isOpen : undefined}
      aria-selected={isHere}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onKeyDown={(event) => onKeyDown(event, row)}
    >
      <span role="gridcell" className="clause-words" style={{ paddingLeft: `${(level - 1) * 20}px` }}>
        {node.child_count > 0 ? (
          <Button
            kind="quiet"
            iconOnly
            tabIndex={-1}
            aria-label={say(isOpen ? 'collapse' : 'expand', { title: name })}
            onClick={() => onTurn(node.criterion_id, !isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'wide'} />
          </Button>
        ) : (
          <span className="clause-space" />
        )}
        {isJudged(node) ? (
          <Button
            kind="quiet"
            className="criterion-button"
            tabIndex={tabIndex}
            onClick={() => onOpen(node.criterion_id)}
          >
            <span className="mono">{node.clause}</span> <bdi>{name}</bdi>
          </Button>
        ) : (
          <strong className="clause-name">
            <span className="mono">{node.clause}</span> <bdi>{name}</bdi>
          </strong>
        )}
      </span>
      <span role="gridcell" className="clause-state">
        {node.effective_verdict ? (
          <>
            <VerdictLabel of={node.effective_verdict} />{' '}
            {node.review_status !== 'not_needed' && (
              <span className="small">{say.named('review', node.review_status)}</span>
            )}
          </>
        ) : (
          <Counts node={node} />
        )}
      </span>
      <span role="gridcell" className="clause-gaps">
        {node.gaps.map((gap) => (
          <Link key={gap.id} href={`/w/${workspace}/gaps/${gap.id}`} title={gap.title} tabIndex={tabIndex}>
            <StateGlyph of={gap.severity} label={gap.title} />
          </Link>
        ))}
      </span>
    </div>
  );
}

const VERDICTS: readonly Verdict[] = ['covered', 'partial', 'missing', 'needs_review', 'not_applicable'];

/** Of a group: how much counts as shown, and what it is made of. */
function Counts({ node: { effective_score, effective_verdicts } }: { readonly node: Clause }) {
  const say = useWords();
  const common = useCommonWords();
  return (
    <span className="row">
      {effective_score !== null && <strong>{percent(effective_score, say.language)}</strong>}
      {VERDICTS.filter((verdict) => effective_verdicts[verdict]).map((verdict) => (
        <span key={verdict} className="state-label">
          <StateGlyph of={verdict} label={common.named('verdict', verdict)} /> {effective_verdicts[verdict]}
        </span>
      ))}
    </span>
  );
}
