import { ASIL_LEVELS } from '../../asil/asil.js';
import type { Severity } from '../../findings/finding.js';
import type { Sentence } from '../../sentences/sentence.js';
import { FLAG, type Nodes } from './nodes.js';
import type { GapKind, RemarkKind } from './rules.js';

/** A gap before it is put into words; nodes are numbers. */
export interface FoundGap {
  readonly kind: GapKind;
  readonly node: number;
  readonly severity: Severity;
  readonly severityIfReleased?: Severity;
  readonly details: GapDetails;
}

export interface GapDetails {
  readonly related?: ArrayLike<number>;
  readonly affected?: readonly number[];
  /** Position of the link that is wrong. */
  readonly link?: number;
  readonly missing?: string;
  /** Level that is demanded. */
  readonly required?: number;
  readonly levels?: readonly number[];
  /** Index into the stages of a path. */
  readonly stage?: number;
  note?: Sentence;
}

export interface FoundRemark {
  readonly node: number;
  readonly related: readonly number[];
  readonly missing?: string;
}

/** What the rules found so far. */
export interface Findings {
  readonly nodes: Nodes;
  readonly gaps: FoundGap[];
  readonly remarks: Map<RemarkKind, { count: number; listed: FoundRemark[] }>;
}

export const LISTED_REMARKS = 100;
const NOTHING: GapDetails = {};

/**
 * Records a gap with the severity of its kind at a level (0 to 4). Drafts are held at high (domain E.5); a kind that
 * is a mere remark at this level becomes one, a kind that does not exist at it is left out.
 */
export function addGap(
  findings: Findings,
  kind: GapKind,
  { node, level, ...details }: { node: number; level: number } & GapDetails,
): void {
  const { nodes, gaps } = findings;
  const grade = nodes.rules.kinds[kind].severity[ASIL_LEVELS[level]!];
  if (grade === 'none') return;
  if (grade === 'info') {
    if (kind === 'AI-09') addRemark(findings, 'AI-09', { node, related: Array.from(details.related ?? []) });
    return;
  }
  const held = grade === 'critical' && (nodes.flags[node]! & FLAG.draft) !== 0;
  gaps.push({
    kind,
    node,
    severity: held ? 'high' : grade,
    ...(held ? { severityIfReleased: grade } : {}),
    details: Object.keys(details).length > 0 ? details : NOTHING,
  });
}

export function addRemark(
  findings: Findings,
  kind: RemarkKind,
  { node, related = [], missing }: { node: number; related?: readonly number[]; missing?: string },
): void {
  let group = findings.remarks.get(kind);
  if (!group) {
    group = { count: 0, listed: [] };
    findings.remarks.set(kind, group);
  }
  group.count++;
  if (group.listed.length < LISTED_REMARKS) {
    group.listed.push({ node, related, ...(missing !== undefined ? { missing } : {}) });
  }
}

/** Counts remarks of a kind that has been listed before; none when `count` is not positive. */
export function countRemarks(findings: Findings, kind: RemarkKind, count: number): void {
  const group = findings.remarks.get(kind);
  if (group && count > 0) group.count += count;
}
