import { z } from 'zod';
import type { Finding } from '../findings/finding.js';
import { fingerprint } from '../findings/fingerprint.js';
import { ownerOf } from '../findings/recommendations.js';
import { gradeConsistency } from '../findings/severity.js';
import { traceOf } from '../findings/subject.js';
import { say } from '../sentences/sentence.js';
import { worded } from '../sentences/worded.js';
import type { Criterion, Standard } from '../standards/criterion.js';
import { forEach } from '../words/column-titles.js';
import { listSchema, readTable } from '../words/read-words.js';
import { CONSISTENCY_RULES, type ConsistencyRuleName, type Inconsistency } from './registry.js';

const placeSchema = z.strictObject({
  columns: listSchema,
  documentTypes: listSchema,
  traceRule: z.string().optional(),
  traceGap: z.string().optional(),
});
const schema = z.strictObject({ rules: z.strictObject(forEach(CONSISTENCY_RULES, placeSchema)) });

/** The fact that a contradiction is about, named as the trace names it where it has the same rule. */
export function factOf({ rule, item }: Pick<Inconsistency, 'rule' | 'item'>): string {
  return `${readTable('consistency', schema).rules[rule].traceRule ?? rule} ${item}`;
}

/** The criterion of a standard that a rule belongs to; undefined when the standard does not ask for it. */
export function criterionOfRule(rule: ConsistencyRuleName, standard: Standard): Criterion | undefined {
  const place = readTable('consistency', schema).rules[rule];
  const byColumn = place.columns
    .map((column) => standard.criteria.find((criterion) => criterion.lookFor?.columns?.includes(column)))
    .find((criterion) => criterion !== undefined);
  if (byColumn) return byColumn;
  return place.documentTypes
    .map((type) =>
      standard.criteria.find(
        (criterion) => criterion.kind === 'work_product' && criterion.documentTypes?.includes(type),
      ),
    )
    .find((criterion) => criterion !== undefined);
}

/** A finding for an inconsistency, or undefined when the standard does not ask for it. */
export function consistencyFinding(found: Inconsistency, standard: Standard): Finding | undefined {
  const criterion = criterionOfRule(found.rule, standard);
  if (!criterion) return undefined;
  const { severity, reasons } = gradeConsistency(found.kind, found.asil);
  const { documentTypes: types } = readTable('consistency', schema).rules[found.rule];
  return {
    fingerprint: fingerprint(found.rule, criterion.id, found.item),
    kind: found.rule.replaceAll('-', '_'),
    criterionId: criterion.id,
    standardRef: `${standard.designation}, ${criterion.clause}`,
    severity,
    confidence: found.confidence,
    ...integrityOf(found),
    effortHint: 'hours',
    affectedItems: found.affectedItems,
    evidence: found.evidence,
    ...subjectOfRule(found.rule),
    ...worded({
      title: found.title,
      severityReasons: reasons,
      expected: found.expected,
      observed: found.observed,
      whyItMatters: found.whyItMatters,
      recommendation: say('findings.recommendation', {
        action: found.recommendation,
        owner: ownerOf(types),
        done: found.doneWhen,
      }),
    }),
  };
}

/** What a rule is about where the trace tells the same. */
export function subjectOfRule(rule: ConsistencyRuleName): Pick<Finding, 'subject'> {
  const { traceRule, traceGap } = readTable('consistency', schema).rules[rule];
  if (traceGap !== undefined) return { subject: `trace ${traceGap}` };
  return traceRule === undefined ? {} : { subject: traceOf('asil_inconsistency', traceRule) };
}

/** As gaps of the trace state it: an ASIL, else a risk value. */
function integrityOf({ asil, risk }: Inconsistency): Pick<Finding, 'asil'> {
  if (asil !== undefined) return { asil };
  return risk === undefined ? {} : { asil: `risk ${risk}` };
}
