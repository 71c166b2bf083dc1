import { z } from 'zod';
import { type AsilLevel, asilRank } from '../asil/asil.js';
import type { DocumentStatus } from '../documents/document-status.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { readTable } from '../words/read-words.js';
import type { Severity } from './finding.js';
import { isAtLeast, lessSevere } from './severities.js';
import { severitySchema } from './severity-schema.js';

const byAsilSchema = z.strictObject({
  QM: severitySchema,
  A: severitySchema,
  B: severitySchema,
  C: severitySchema,
  D: severitySchema,
});
const adjustmentSchema = z.strictObject({ step: z.union([z.literal(1), z.literal(-1)]) });
const capSchema = z.strictObject({ at: severitySchema });
const placeholderSchema = z.strictObject({
  draft: severitySchema,
  unknown: severitySchema,
  reviewed: severitySchema,
  released: severitySchema,
  releasedHighAsil: severitySchema,
});
const rubricSchema = z.strictObject({
  missing_work_product: z.strictObject({ byAsil: byAsilSchema }),
  missing_content: z.strictObject({ byAsil: byAsilSchema }),
  partial_content: z.strictObject({ step: z.literal(-1) }),
  adjustments: z.strictObject({
    released: adjustmentSchema,
    systematic: adjustmentSchema,
    draft: adjustmentSchema,
    compensating: adjustmentSchema,
    tracked: adjustmentSchema,
  }),
  caps: z.strictObject({ recommended: capSchema, qm: capSchema, not_shown: capSchema }),
  placeholders: z.strictObject({
    normative: placeholderSchema,
    metadata: placeholderSchema,
    other: placeholderSchema,
    optional: placeholderSchema,
    untouched: placeholderSchema,
  }),
  checklist_item: z.strictObject({ byAsil: byAsilSchema }),
  consistency: z.strictObject({
    asil_too_low: byAsilSchema,
    asil_too_high: byAsilSchema,
    goal_without_requirement: byAsilSchema,
    independence: byAsilSchema,
    contradiction: byAsilSchema,
    content: byAsilSchema,
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
  readonly reasons: readonly Sentence[];
}

const theRubric = () => readTable('severity', rubricSchema);

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
  /** Nothing but silence tells it: no statement, no row speaks against it. */
  readonly isSilence?: boolean;
}): GradedSeverity {
  const rules = theRubric();
  const reasons = [say('severity.criterion', { severity: severityWord(gap.base) })];
  let severity = gap.base;
  if (gap.kind === 'partial_content') {
    severity = moved(severity, rules.partial_content.step);
    reasons.push(say('severity.partial_content', { severity: severityWord(severity) }));
  } else {
    const floor = rules[gap.kind].byAsil[gap.asil ?? UNKNOWN_ASIL];
    const given = { level: levelName(gap.asil), severity: severityWord(floor) };
    if (gap.kind === 'missing_work_product') {
      reasons.push(say('severity.missing_work_product'));
      // Without any level stated nothing speaks for less than the criterion itself.
      if (gap.asil !== undefined && !isAtLeast(floor, severity)) {
        severity = floor;
        reasons.push(say('severity.gives', given));
      }
    } else if (gap.asil !== undefined && !isAtLeast(severity, floor) && severity !== 'low') {
      severity = floor;
      reasons.push(say('severity.missing_content', given));
    }
  }
  return capped(adjusted({ severity, reasons }, gap.adjustments), gap);
}

/** The severity of an item of a checklist, held at what the level of what it concerns deserves; a level that nobody states holds nothing. */
export function severityOfItem(base: Severity, asil: AsilLevel | undefined): Severity {
  if (asil === undefined) return base;
  const most = theRubric().checklist_item.byAsil[asil];
  return isAtLeast(most, base) ? base : most;
}

/** Kinds of contradictions, and the severities of one by level. */
export const CONSISTENCY_KINDS = Object.keys(rubricSchema.shape.consistency.shape) as ConsistencyKind[];
export const consistencySeverities = (kind: ConsistencyKind) => theRubric().consistency[kind];

/** Grades a contradiction or inconsistency by the ASIL that is demanded (domain E.5). */
export function gradeConsistency(kind: ConsistencyKind, asil: AsilLevel | undefined): GradedSeverity {
  const severity = theRubric().consistency[kind][asil ?? UNKNOWN_ASIL];
  const reason = say('severity.consistency', {
    kind: say(`severity.kind.${kind}`),
    level: levelName(asil),
    severity: severityWord(severity),
  });
  return { severity, reasons: [reason] };
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
  const reason = say(`severity.placeholder.${place.place}`, {
    status: say(`severity.status.${state}`),
    severity: severityWord(severity),
  });
  return adjusted({ severity, reasons: [reason] }, place.adjustments);
}

/** At most one step in sum, never below low. */
function adjusted(graded: GradedSeverity, adjustments: readonly Adjustment[]): GradedSeverity {
  const rules = theRubric().adjustments;
  const sum = adjustments.reduce((total, name) => total + rules[name].step, 0);
  const step = Math.sign(sum);
  const severity = moved(graded.severity, step);
  const reasons = adjustments.map((name) =>
    say(`severity.adjustment.${name}`, { step: rules[name].step > 0 ? '+1' : '−1' }),
  );
  if (severity !== graded.severity) {
    reasons.push(say('severity.adjusted', { severity: severityWord(severity) }));
  }
  return { severity, reasons: [...graded.reasons, ...reasons] };
}

function capped(
  graded: GradedSeverity,
  gap: {
    readonly kind: string;
    readonly obligation: 'shall' | 'should';
    readonly asil: AsilLevel | undefined;
    readonly isSilence?: boolean;
  },
): GradedSeverity {
  const { caps } = theRubric();
  let { severity } = graded;
  const reasons = [...graded.reasons];
  const hold = (cap: keyof typeof caps) => {
    if (isAtLeast(caps[cap].at, severity)) return;
    severity = caps[cap].at;
    reasons.push(say(`severity.cap.${cap}`, { severity: severityWord(severity) }));
  };
  if (gap.obligation === 'should') hold('recommended');
  if (gap.asil === 'QM') hold('qm');
  if (gap.isSilence && gap.kind !== 'missing_work_product') hold('not_shown');
  return { severity, reasons };
}

/** Up by one, down by minus one, as far as there is a step. */
const moved = (severity: Severity, step: number): Severity => lessSevere(severity, -step);

/** A level in a sentence. */
export function levelName(asil: AsilLevel | undefined): Sentence {
  if (asil === undefined) return say('severity.level.unknown');
  return asil === 'QM' ? say('severity.level.qm') : say('severity.level.asil', { level: asil });
}

/** A severity as a word in a sentence. */
export const severityWord = (severity: Severity): Sentence => say(`severity.word.${severity}`);
