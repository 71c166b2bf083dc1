import type { CriterionVerdict, Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { isOnlyNear } from '../../judgement/judge-text.js';
import { say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Standard } from '../../standards/criterion.js';

/** Kind of the one finding about all clauses of an uploaded standard that only a person can judge. */
export const FOR_A_PERSON = 'clauses_for_a_person';

/** Clauses that the words of the finding name; all stand in `affected`. */
const MOST_NAMED = 5;

/**
 * Clauses known by their text only, where nothing but nearness or a part of their words speaks: one finding for all
 * of them, never more than low, which no score and no `--fail-on` counts. Each verdict keeps what was found.
 */
export function clausesForAPerson(
  verdicts: readonly CriterionVerdict[],
  standard: Standard,
): readonly Finding[] {
  const open = verdicts.filter(isClauseForAPerson);
  const [first] = open;
  if (!first) return [];
  const titles = new Map(standard.criteria.map(({ id, title }) => [id, title]));
  const count = (verdict: CriterionVerdict['verdict']) =>
    open.filter((one) => one.verdict === verdict).length;
  return [
    {
      fingerprint: fingerprint(FOR_A_PERSON, standard.id, ''),
      kind: FOR_A_PERSON,
      criterionId: first.criterionId,
      standardRef: standard.designation,
      severity: 'low',
      confidence: 'low',
      effortHint: 'days',
      affectedItems: open.map(({ criterionId }) => criterionId),
      affected: open.map(({ criterionId, verdict }) => ({
        id: criterionId,
        kind: verdict,
        severity: 'low',
        ...worded({ title: written(titles.get(criterionId) ?? '') }),
      })),
      evidence: [],
      ...worded({
        title: say('findings.clauses-for-a-person', { count: open.length }),
        severityReasons: [say('findings.only-nearness-speaks')],
        expected: say('findings.a-person-has-judged-each-clause'),
        observed: say('findings.clauses-by-what-was-found', {
          names: open.slice(0, MOST_NAMED).map(({ criterionId }) => titles.get(criterionId) ?? ''),
          missing: count('missing'),
          near: count('needs_review'),
          part: count('partial'),
        }),
        whyItMatters: say('findings.words-alone-decide-no-clause'),
        recommendation: say('findings.judge-these-clauses', { count: open.length }),
      }),
    },
  ];
}

/** Whether a clause belongs to that finding instead of having one of its own. */
export const isClauseForAPerson = (verdict: CriterionVerdict): boolean =>
  isOnlyNear(verdict) || (verdict.verdict === 'partial' && verdict.rules[0] === 'text-carries-the-demand');

/** Whether a finding is the line about such clauses. */
export const isForAPerson = ({ kind }: Pick<Finding, 'kind'>): boolean => kind === FOR_A_PERSON;
