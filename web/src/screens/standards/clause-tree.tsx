import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { Icon, StateGlyph, type Verdict } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { VerdictLabel } from '../../parts/severity.tsx';
import { Loaded } from '../../parts/states.tsx';
import { usePrinting } from '../../parts/use-printing.ts';
import { useCommonWords } from '../../parts/use-words.ts';
import { percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type Node = Api['ClauseNode'];

interface Shown {
  readonly at: string | null;
  readonly onOpen: (criterion: string) => void;
}

/** The clauses of a standard: what counts, by whom, and the gaps of each. */
export function ClauseTree({
  standard,
  run,
  ...shown
}: Shown & { readonly standard: string; readonly run: string | undefined }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const [onlyGaps, setOnlyGaps] = useState(false);
  const isPrinting = usePrinting();
  const drilldown = useQuery({
    queryKey: ['standards', workspace, standard, 'clauses', run],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/standards/{id}/drilldown', {
          params: { path: { id: standard }, query: { include: 'none', ...(run && { analysis_id: run }) } },
          signal,
        }),
      ),
  });
  return (
    <div className="stack">
      <label className="check">
        <input type="checkbox" checked={onlyGaps} onChange={(event) => setOnlyGaps(event.target.checked)} />
        {say('only_gaps')}
      </label>
      <Loaded query={drilldown}>
        {({ clauses }) => (
          <ul className="clauses">
            {clauses
              .filter((node) => !onlyGaps || needsSomebody(node))
              .map((node) => (
                <Clause
                  key={node.criterion_id}
                  node={node}
                  depth={0}
                  onlyGaps={onlyGaps}
                  isWhole={isPrinting}
                  {...shown}
                />
              ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}

const needsSomebody = (node: Node): boolean =>
  node.gaps.length > 0 ||
  node.review_status === 'to_be_reviewed' ||
  (node.children ?? []).some(needsSomebody);

function Clause({
  node,
  depth,
  onlyGaps,
  isWhole,
  at,
  onOpen,
}: Shown & {
  readonly node: Node;
  readonly depth: number;
  readonly onlyGaps: boolean;
  /** Everything below is shown, whatever is folded. */
  readonly isWhole: boolean;
}) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const children = (node.children ?? []).filter((one) => !onlyGaps || needsSomebody(one));
  const [isOpen, setOpen] = useState(depth < 1);
  const line = useRef<HTMLDivElement>(null);
  const isHere = node.criterion_id === at;
  useEffect(() => {
    if (at !== null && holds(node, at)) setOpen(true);
    if (isHere) line.current?.scrollIntoView({ block: 'nearest' });
  }, [node, at, isHere]);
  const name = node.title ?? node.clause;
  return (
    <li>
      <div className="clause" ref={line} aria-current={isHere || undefined}>
        {children.length > 0 ? (
          <Button
            kind="quiet"
            iconOnly
            aria-expanded={isOpen}
            aria-label={say(isOpen ? 'collapse' : 'expand', { title: name })}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'wide'} />
          </Button>
        ) : (
          <span className="clause-space" />
        )}
        {node.verdict === null && node.kind === 'group' ? (
          <strong className="clause-name">
            <span className="mono">{node.clause}</span> <bdi>{name}</bdi>
          </strong>
        ) : (
          <Button kind="quiet" className="criterion-button" onClick={() => onOpen(node.criterion_id)}>
            <span className="mono">{node.clause}</span> <bdi>{name}</bdi>
          </Button>
        )}
        <span className="clause-state">
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
        <span className="clause-gaps">
          {node.gaps.map((gap) => (
            <Link key={gap.id} href={`/w/${workspace}/gaps/${gap.id}`} title={gap.title}>
              <StateGlyph of={gap.severity} label={gap.title} />
            </Link>
          ))}
        </span>
      </div>
      {(isOpen || isWhole) && children.length > 0 && (
        <ul className="clauses">
          {children.map((child) => (
            <Clause
              key={child.criterion_id}
              node={child}
              depth={depth + 1}
              onlyGaps={onlyGaps}
              isWhole={isWhole}
              at={at}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

const holds = (node: Node, at: string): boolean =>
  node.criterion_id === at || (node.children ?? []).some((child) => holds(child, at));

const VERDICTS: readonly Verdict[] = ['covered', 'partial', 'missing', 'needs_review', 'not_applicable'];

/** Of a group: how much counts as shown, and what it is made of. */
function Counts({ node }: { readonly node: Node }) {
  const say = useWords();
  const common = useCommonWords();
  const counts = countEffective(node);
  return (
    <span className="row">
      {node.effective_score !== null && <strong>{percent(node.effective_score, say.language)}</strong>}
      {VERDICTS.filter((verdict) => counts[verdict]).map((verdict) => (
        <span key={verdict} className="state-label">
          <StateGlyph of={verdict} label={common.named('verdict', verdict)} /> {counts[verdict]}
        </span>
      ))}
    </span>
  );
}

function countEffective(node: Node): Partial<Record<Verdict, number>> {
  const counts: Partial<Record<Verdict, number>> = {};
  const add = (one: Node): void => {
    if (one.effective_verdict) counts[one.effective_verdict] = (counts[one.effective_verdict] ?? 0) + 1;
    for (const child of one.children ?? []) add(child);
  };
  add(node);
  return counts;
}
