import type { ClauseNode } from './overview.schemas.js';
import type { ColumnRow } from './trend.repository.js';
import type { Heatmap } from './trend.schemas.js';

type Row = Heatmap['rows'][number];
type Evidence = ClauseNode['evidence'];

/** Rows of a heat map in the order of the tree: every criterion, or the groups that hold criteria with what is below each. */
export function toHeatmapRows(
  tree: readonly ClauseNode[],
  columns: readonly ColumnRow[],
  rows: 'clause' | 'process',
): Row[] {
  const rowsOf = (node: ClauseNode, depth: number): Row[] => {
    const isProcess = node.kind === 'group' ? !holdsGroupsOnly(node) : depth === 0;
    const below = (node.children ?? []).flatMap((child) => rowsOf(child, depth + 1));
    if (rows === 'clause') return [toRow(node, node.evidence), ...below];
    return isProcess ? [toRow(node, allEvidence(node)), ...below] : below;

    function toRow(one: ClauseNode, evidence: Evidence): Row {
      const { criterion_id, kind, clause, title, verdict, effective_verdict, review_status } = one;
      return {
        criterion_id,
        kind,
        clause,
        title,
        depth,
        verdict,
        effective_verdict,
        review_status,
        verdicts: one.verdicts,
        score: one.score,
        effective_score: one.effective_score,
        cells: columns.map((column) => cellOf(evidence, column)).join(''),
      };
    }
  };
  return tree.flatMap((node) => rowsOf(node, 0));
}

/** Such as a part of a series: its groups are rows, it is none. */
const holdsGroupsOnly = ({ children = [] }: ClauseNode): boolean =>
  children.every(({ kind }) => kind === 'group');

const allEvidence = ({ evidence, children = [] }: ClauseNode): Evidence => [
  ...evidence,
  ...children.flatMap(allEvidence),
];

function cellOf(evidence: Evidence, { work_product_id }: ColumnRow): string {
  const roles = new Set(
    evidence.filter((one) => one.work_product_id === work_product_id).map(({ role }) => role),
  );
  if (roles.has('support')) return roles.has('counter') ? 'b' : 's';
  if (roles.has('counter')) return 'c';
  return roles.has('context') ? 'x' : '-';
}
