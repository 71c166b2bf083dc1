import { z } from 'zod';
import { type AsilLevel, asilRank } from '../asil/asil.js';
import type { DocumentStatus } from '../corpus/corpus.js';
import { readTable } from '../words/read-words.js';
import type { Severity } from './finding.js';

const severitySchema = z.enum(['critical', 'high', 'medium', 'low']);
const byAsilSchema = z.strictObject({
  QM: severitySchema,
  A: severitySchema,
  B: severitySchema,
  C: severitySchema,
  D: severitySchema,
});
const adjustmentSchema = z.strictObject({ step: z.union([z.literal(1), z.literal(-1)]), reason: z.string() });
const capSchema = z.strictObject({ at: severitySchema, reason: z.string() });
const placeholderSchema = z.strictObject({
  draft: severitySchema,
  unknown: severitySchema,
  reviewed: severitySchema,
  released: severitySchema,
  releasedHighAsil: severitySchema,
});
const rubricSchema = z.strictObject({
  missing_work_product: z.strictObject({ reason: z.string(), byAsil: byAsilSchema }),
  missing_content: z.strictObject({ reason: z.string(), byAsil: byAsilSchema }),
  partial_content: z.strictObject({ reason: z.string(), step: z.literal(-1) }),
  adjustments: z.strictObject({
    released: adjustmentSchema,
    systematic: adjustmentSchema,
    draft: adjustmentSchema,
    compensating: adjustmentSchema,
    tracked: adjustmentSchema,
  }),
  caps: z.strictObject({ recommended: capSchema, qm: capSchema }),
  placeholders: z.strictObject({
    normative: placeholderSchema,
    metadata: placeholderSchema,
    other: placeholderSchema,
    optional: placeholderSchema,
    untouched: placeholderSchema,
  }),
  consistency: z.strictObject({
    asil_too_low: byAsilSchema,
    asil_too_high: byAsilSchema,
    goal_without_requirement: byAsilSchema,
    independence: byAsilSchema,
    contradiction: byAsilSchema,
    version_mismatch: byAsilSchema,
    risk_value: byAsilSchema,
    untreated_risk: byAsilSchema,
    rating_without_parameters: byAsilSchema,
    note: byAsilSchema,
  }),
});

export type Adjustment = keyof z.output<typeof rubricSchema>['adjustments'];
export type ConsistencyKind = keyof z.output<typeof rubricSchema>['consistency'];
export type PlaceholderPlace = keyof z.output<typeof rubricSchema>['placeholders'];

/** A severity with the questions and adjustments that led to it. */
export interface GradedSeverity {
  readonly severity: Severity;
  readonly reasons: readonly string[];
}

const theRubric = () => readTable('severity', rubricSchema);

const ORDER: readonly Severity[] = ['low', 'medium', 'high', 'critical'];
const rank = (severity: Severity) => ORDER.indexOf(severity);
/** An unknown level is graded as B (domain E.3). */
const UNKNOWN_ASIL: AsilLevel = 'B';

/** Grades the absence of a criterion by the rubric (domain H.1). The same facts give the same severity. */
export function gradeGap(gap: {
  readonly kind: 'missing_work_product' | 'missing_content' | 'partial_content';
  /** Severity that the criterion itself carries. */
  readonly base: Severity;
  readonly asil: AsilLevel | undefined;
  readonly obligation: 'shall' | 'should';
  readonly adjustments: readonly Adjustment[];
}): GradedSeverity {
  const rules = theRubric();
  const reasons = [`The criterion carries ${gap.base}.`];
  let severity = gap.base;
  if (gap.kind === 'partial_content') {
    severity = moved(severity, -1);
    reasons.push(`${rules.partial_content.reason} One step down: ${severity}.`);
  } else {
    const { byAsil, reason } = rules[gap.kind];
    const floor = byAsil[gap.asil ?? UNKNOWN_ASIL];
    if (gap.kind === 'missing_work_product') {
      reasons.push(reason);
      // Without any level stated nothing speaks for less than the criterion itself.
      if (gap.asil !== undefined && rank(floor) < rank(severity)) {
        severity = floor;
        reasons.push(`${levelName(gap.asil)} gives ${floor}.`);
      }
    } else if (gap.asil !== undefined && rank(floor) > rank(severity) && severity !== 'low') {
      severity = floor;
      reasons.push(`${reason} ${levelName(gap.asil)} gives at least ${floor}.`);
    }
  }
  return capped(adjusted({ severity, reasons }, gap.adjustments), gap);
}

/** Grades a contradiction or inconsistency by the ASIL that is demanded (domain E.5). */
export function gradeConsistency(kind: ConsistencyKind, asil: AsilLevel | undefined): GradedSeverity {
  const severity = theRubric().consistency[kind][asil ?? UNKNOWN_ASIL];
  return { severity, reasons: [`${kind.replaceAll('_', ' ')}: ${levelName(asil)} gives ${severity}.`] };
}

/** Grades open content by what it leaves open and how far the document is (domain D.5.4). */
export function gradePlaceholder(place: {
  readonly place: PlaceholderPlace;
  readonly status: DocumentStatus;
  readonly asil: AsilLevel | undefined;
  readonly adjustments: readonly Adjustment[];
}): GradedSeverity {
  const row = theRubric().placeholders[place.place];
  const isHigh = place.asil !== undefined && asilRank(place.asil) >= asilRank('C');
  const state = place.status === 'obsolete' ? 'unknown' : place.status;
  const severity = state === 'released' && isHigh ? row.releasedHighAsil : row[state];
  const what = place.place === 'untouched' ? 'Untouched template text' : `Open ${place.place} content`;
  const reasons = [`${what} in a document whose status is ${state}: ${severity}.`];
  return adjusted({ severity, reasons }, place.adjustments);
}

/** At most one step in sum, never below low. */
function adjusted(graded: GradedSeverity, adjustments: readonly Adjustment[]): GradedSeverity {
  const rules = theRubric().adjustments;
  const sum = adjustments.reduce((total, name) => total + rules[name].step, 0);
  const step = Math.sign(sum);
  const severity = moved(graded.severity, step);
  const reasons = adjustments.map((name) => `${rules[name].reason} (${rules[name].step > 0 ? '+1' : '−1'})`);
  if (severity !== graded.severity) reasons.push(`Adjusted by one step: ${severity}.`);
  return { severity, reasons: [...graded.reasons, ...reasons] };
}

function capped(
  graded: GradedSeverity,
  gap: { readonly obligation: 'shall' | 'should'; readonly asil: AsilLevel | undefined },
): GradedSeverity {
  const { caps } = theRubric();
  let { severity } = graded;
  const reasons = [...graded.reasons];
  const hold = (cap: { at: Severity; reason: string }) => {
    if (rank(severity) <= rank(cap.at)) return;
    severity = cap.at;
    reasons.push(`${cap.reason} Held at ${cap.at}.`);
  };
  if (gap.obligation === 'should') hold(caps.recommended);
  if (gap.asil === 'QM') hold(caps.qm);
  return { severity, reasons };
}

function moved(severity: Severity, step: number): Severity {
  return ORDER[Math.min(3, Math.max(0, rank(severity) + step))]!;
}

function levelName(asil: AsilLevel | undefined): string {
  if (asil === undefined) return 'An unknown integrity level, taken as ASIL B,';
  return asil === 'QM' ? 'QM' : `ASIL ${asil}`;
}
