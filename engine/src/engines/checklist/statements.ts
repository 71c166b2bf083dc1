import type { DocumentPart } from '../../corpus/detect-document-types.js';
import { noted } from '../../corpus/evidence.js';
import { judgeExpectation } from '../../judgement/judge-expectation.js';
import type { Judgement } from '../../judgement/judgement.js';
import { say } from '../../sentences/sentence.js';
import { asContext, type ItemContext } from './context.js';
import { type Outcome, outcome } from './outcome.js';

/** The expectation probe of the gap analysis on a demand of a checklist: columns, sections, then statements. */
export function probeStatement(
  demand: {
    readonly groups: readonly (readonly string[])[];
    /** German phrases of each group: what they are called in German. */
    readonly german?: readonly (readonly string[])[];
    readonly home: readonly DocumentPart[];
    readonly sections?: readonly string[];
    readonly columns?: readonly string[];
    readonly plan?: boolean;
  },
  { corpus, index, item }: ItemContext,
): Outcome {
  const judgement = judgeExpectation(
    {
      id: item.id,
      kind: 'expectation',
      clause: '',
      title: item.id,
      text: item.text.en,
      severity: item.severity,
      obligation: 'shall',
      plan: demand.plan ?? false,
      lookFor: {
        terms: demand.groups,
        ...(demand.german ? { german: demand.german } : {}),
        sections: demand.sections ?? [],
        columns: demand.columns ?? [],
      },
    },
    demand.home,
    { corpus, index, coverageOf: () => undefined, nearest: () => [] },
  );
  return { ...outcomeOf(judgement), terms: demand.groups.flat() };
}

const IDENTIFIER = /^[\p{L}\p{N}.-]*_[\p{L}\p{N}._-]*$/u;

/** Verdicts of an expectation as outcomes of a check (domain F.1). */
function outcomeOf({ verdict, confidence, rules, reason, evidence }: Judgement): Outcome {
  const told = { rules, reason, evidence };
  const hasCounter = evidence.some((one) => one.role === 'counter');
  switch (verdict) {
    case 'covered':
      // The words stand in nothing but an identifier: it names something and states nothing.
      return evidence.every((one) => one.role !== 'support' || IDENTIFIER.test(one.quote))
        ? outcome('open', 'low', { ...told, evidence: asContext(evidence) })
        : outcome('pass', confidence, told);
    case 'partial':
      // Empty cells are certain; that no sentence has the words of a part is not.
      return rules.some((rule) => rule.startsWith('EM-')) && confidence === 'high'
        ? outcome('fail', 'high', { ...told, evidence: withCounter(told.evidence) })
        : outcome('open', 'low', told);
    case 'missing':
      // Denied, found missing or left empty: addressed, and wrong. Announced only: not addressed.
      return hasCounter && !rules.includes('T3-intent')
        ? outcome('fail', confidence, told)
        : outcome('missing', confidence, told);
    case 'not_applicable':
      return outcome('na', confidence, told);
    case 'needs_review':
      return outcome('open', 'low', told);
  }
}

/** What is shown in part is the place that is incomplete. */
function withCounter(evidence: Outcome['evidence']): Outcome['evidence'] {
  if (evidence.some((one) => one.role === 'counter')) return evidence;
  return evidence.map((one, at) =>
    at === 0
      ? noted(one, 'counter', say('checks.not-for-all', { note: one.said?.note ?? say('checks.found') }))
      : one,
  );
}
