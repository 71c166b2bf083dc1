import { z } from 'zod';
import { factOf } from '../../../contradictions/consistency-finding.js';
import { say } from '../../../sentences/sentence.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { consistencyRules } from '../parameters.js';

/** Rules of `consistency.yaml` find nothing. Alone it shows nothing: combine it with what shows the content. */
const parameters = {
  rules: consistencyRules,
  /** What an inconsistency means: the content is wrong, or something that it needs is not there. */
  as: z.enum(['fail', 'missing']).default('fail'),
};
type Check = CheckParameters<typeof parameters>;

export const consistency = defineCheck('consistency', parameters, checkConsistency);

function checkConsistency({ rules, as }: Check, context: ItemContext): Outcome {
  const found = context.inconsistencies().filter((one) => rules.includes(one.rule));
  const [first] = found;
  if (!first) {
    return outcome('neutral', 'medium', {
      rules: ['consistent'],
      reason: say('checks.no-contradiction-of-the-kind-was'),
    });
  }
  const sure = found.some((one) => one.confidence === 'high') ? 'high' : first.confidence;
  return outcome(as, sure, {
    rules: [...new Set(found.map((one) => one.rule))],
    reason: say('checks.observed-and-more', { observed: first.observed, more: found.length - 1 }),
    evidence: found
      .flatMap((one) => one.evidence)
      .map((one) => (one.role === 'support' ? { ...one, role: 'counter' as const } : one)),
    affected: [...new Set(found.flatMap((one) => one.affectedItems))],
    tells: found.map(factOf),
  });
}
