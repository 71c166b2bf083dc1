import { type Criterion, inLanguage, SEVERITY_WEIGHT, VERDICT_VALUE, type Verdict } from '@normtrace/engine';
import type { z } from 'zod';
import type { Language } from '../../platform/http/language.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import type { CriterionAnswerRow } from '../gap-analysis/criterion-answers.repository.js';
import { byCriterion, reviewCriterion } from '../gap-analysis/criterion-review.js';
import type { DrilldownGapRow } from '../gap-analysis/standard-runs.repository.js';
import { toEvidence } from '../gaps/gaps.service.js';
import type { VerdictRow } from '../runs/analyses.repository.js';
import { wordsOfCriterion } from '../standards/standards.service.js';
import type * as repository from './overview.repository.js';
import type { ClauseNode, DrilldownQuery, EvidenceMap, Overview } from './overview.schemas.js';

export function toOverview(workspaceId: string, row: repository.OverviewRow): Overview {
  const present = row.gaps.filter((gap) => gap.change !== 'absent');
  return {
    workspace_id: workspaceId,
    work_products: { total: sum(Object.values(row.work_products)), by_status: { ...row.work_products } },
    analyses: { total: sum(Object.values(row.analyses)), by_status: { ...row.analyses } },
    gaps: {
      total: sum(present.map((gap) => gap.count)),
      by_severity: countBy(present, 'severity'),
      by_status: countBy(present, 'status'),
      by_change: countBy(row.gaps, 'change'),
      by_analysis_type: countBy(present, 'analysis_type'),
      overdue: sum(present.filter((gap) => gap.overdue).map((gap) => gap.count)),
      proposed: sum(present.filter((gap) => gap.proposed).map((gap) => gap.count)),
    },
    standards: row.standards.map((standard) => {
      return {
        standard_id: standard.id,
        name: standard.name,
        category: standard.category,
        analysis_id: standard.analysis_id,
        ...toScore(standard.score),
        finished_at: timestampOrNull(standard.finished_at),
        ...totals(present.filter((gap) => gap.standard_id === standard.id)),
      };
    }),
    others: row.others.map((run) => ({
      ...run,
      ...toScore(run.score),
      finished_at: timestamp(run.finished_at),
      ...totals(present.filter((gap) => gap.series === run.series)),
    })),
    trend: row.trend.map((run) => ({
      ...run,
      ...toScore(run.score),
      finished_at: timestamp(run.finished_at),
    })),
  };
}

/** A figure that is always a number, and whether it says anything. */
const toScore = (score: number | null) => ({ score: score ?? 0, assessed: score !== null });

/** What is below a criterion (undefined: everything), some steps down. Undefined where there is no such criterion. */
export function partOfTree(
  nodes: readonly ClauseNode[],
  {
    parent,
    depth,
    at,
    only,
    include,
  }: Pick<z.output<typeof DrilldownQuery>, 'parent' | 'depth' | 'at' | 'only' | 'include'>,
): ClauseNode[] | undefined {
  const from = parent === undefined ? nodes : nodeOf(nodes, parent)?.children;
  const onTheWay = at === undefined ? new Set<string>() : wayTo(nodes, at);
  const cut = (node: ClauseNode, steps: number): ClauseNode => {
    const children = kept(node.children ?? []);
    const isCut = steps <= 1 && !onTheWay.has(node.criterion_id);
    return {
      ...node,
      ...(include === 'none' && { evidence: [] }),
      child_count: children.length,
      children: isCut ? [] : children.map((child) => cut(child, steps - 1)),
    };
  };
  const kept = (list: readonly ClauseNode[]): readonly ClauseNode[] =>
    only === 'open' ? list.filter(isOpen) : list;
  return from && kept(from).map((node) => cut(node, depth ?? Number.POSITIVE_INFINITY));
}

const isOpen = (node: ClauseNode): boolean =>
  node.gaps.length > 0 || node.review_status === 'to_be_reviewed' || (node.children ?? []).some(isOpen);

/** The criteria that a criterion lies below; none where there is no such criterion. */
function wayTo(nodes: readonly ClauseNode[], id: string): Set<string> {
  for (const node of nodes) {
    if (node.criterion_id === id) return new Set();
    const children = node.children ?? [];
    if (children.length > 0 && nodeOf(children, id)) {
      return wayTo(children, id).add(node.criterion_id);
    }
  }
  return new Set();
}

function nodeOf(nodes: readonly ClauseNode[], id: string): ClauseNode | undefined {
  for (const node of nodes) {
    const found = node.criterion_id === id ? node : nodeOf(node.children ?? [], id);
    if (found) return found;
  }
  return undefined;
}

/** The criteria of a standard as a tree, each with its verdict, gaps and evidence, and the score of what is below. */
export function toClauseTree(
  criteria: readonly Criterion[],
  found: {
    readonly verdicts: readonly VerdictRow[];
    readonly gaps: readonly DrilldownGapRow[];
    /** Of people, newest first. */
    readonly answers: readonly CriterionAnswerRow[];
    /** The caller may read titles. */
    readonly readable: boolean;
    /** Of reasons, notes and titles of gaps. */
    readonly language: Language;
  },
): ClauseNode[] {
  const { language } = found;
  const verdicts = new Map(
    inLanguage(found.verdicts, language).map((verdict) => [verdict.criterion_id, verdict]),
  );
  const gaps = groupBy(inLanguage(found.gaps, language), (gap) => gap.criterion_id);
  const answers = byCriterion(found.answers);
  const childrenOf = groupBy(criteria, (criterion) => criterion.parentId);

  const build = (criterion: Criterion): Built => {
    const children = (childrenOf.get(criterion.id) ?? []).map(build);
    const verdict = verdicts.get(criterion.id);
    const review = reviewCriterion(criterion, {
      facts: verdict,
      answers: answers.get(criterion.id) ?? [],
      language,
    });
    const machine = addShares([
      shareOf(criterion, verdict?.verdict),
      ...children.map((child) => child.machine),
    ]);
    const effective = addShares([
      shareOf(criterion, review.effective_verdict ?? undefined),
      ...children.map((child) => child.effective),
    ]);
    const node: ClauseNode = {
      criterion_id: criterion.id,
      kind: criterion.kind,
      clause: criterion.clause,
      title: wordsOfCriterion(criterion, found).title,
      verdict: verdict?.verdict ?? null,
      confidence: verdict?.confidence ?? null,
      score: percentOf(machine),
      verdicts: addCounts([countOf(verdict?.verdict), ...children.map(({ node }) => node.verdicts)]),
      effective_verdicts: addCounts([
        countOf(review.effective_verdict),
        ...children.map(({ node }) => node.effective_verdicts),
      ]),
      ...review,
      effective_score: percentOf(effective),
      reason: verdict?.reason ?? null,
      gaps: (gaps.get(criterion.id) ?? []).map(({ criterion_id: _criterion, said: _said, ...gap }) => gap),
      evidence: (verdict?.evidence ?? []).map(toEvidence),
      child_count: children.length,
      children: children.map((child) => child.node),
    };
    return { node, machine, effective };
  };
  return (childrenOf.get(undefined) ?? []).map((criterion) => build(criterion).node);
}

const countOf = (verdict: Verdict | null | undefined): Record<string, number> =>
  verdict ? { [verdict]: 1 } : {};

function addCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}

interface Built {
  readonly node: ClauseNode;
  readonly machine: Share;
  readonly effective: Share;
}

/** Of the weight of what applies, how much is met. */
interface Share {
  readonly weight: number;
  readonly met: number;
}

function shareOf({ severity }: Criterion, verdict: Verdict | undefined): Share {
  if (verdict === undefined || verdict === 'not_applicable') return { weight: 0, met: 0 };
  const weight = SEVERITY_WEIGHT[severity];
  return { weight, met: weight * VERDICT_VALUE[verdict] };
}

const addShares = (shares: readonly Share[]): Share => ({
  weight: sum(shares.map(({ weight }) => weight)),
  met: sum(shares.map(({ met }) => met)),
});

const percentOf = ({ weight, met }: Share): number | null =>
  weight === 0 ? null : Math.round((met / weight) * 1000) / 10;

/** Groups the same rows both ways: by criterion and by place. */
export function toEvidenceMap(
  rows: readonly repository.EvidenceMapRow[],
  page: Pick<EvidenceMap, 'page' | 'next_cursor'>,
): EvidenceMap {
  const byCriterion = groupBy(rows, (row) => `${row.analysis_id} ${row.criterion_id} ${row.verdict}`);
  const byPlace = groupBy(rows, (row) => `${row.work_product_id} ${row.version} ${row.start} ${row.end}`);
  return {
    analysis_ids: [...new Set(rows.map((row) => row.analysis_id))],
    criteria: [...byCriterion.values()].map((group) => {
      const { analysis_id, analysis_type, standard_id, criterion_id, verdict } = group[0]!;
      return {
        analysis_id,
        analysis_type,
        standard_id,
        criterion_id,
        verdict,
        passages: group.map(toEvidence),
      };
    }),
    passages: [...byPlace.values()].map((group) => {
      const { role: _role, note: _note, ...place } = toEvidence(group[0]!);
      return {
        ...place,
        criteria: group.map(({ analysis_type, standard_id, criterion_id, verdict, role }) => ({
          analysis_type,
          standard_id,
          criterion_id,
          verdict,
          role,
        })),
      };
    }),
    ...page,
  };
}

const totals = (gaps: repository.OverviewRow['gaps']) => ({
  gaps: sum(gaps.map((gap) => gap.count)),
  by_severity: countBy(gaps, 'severity'),
  by_status: countBy(gaps, 'status'),
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function countBy<Key extends 'severity' | 'status' | 'change' | 'analysis_type'>(
  rows: readonly (Readonly<Record<Key, string>> & { readonly count: number })[],
  key: Key,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row[key]] = (counts[row[key]] ?? 0) + row.count;
  return counts;
}

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
