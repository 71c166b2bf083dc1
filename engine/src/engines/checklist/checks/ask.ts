import { say } from '../../../sentences/sentence.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { documentTypes, groups, sections } from '../parameters.js';
import { checkStatement } from './statement.js';

/** Collects what the documents say about it; a person answers. */
const parameters = {
  terms: groups.default([]),
  in: documentTypes.optional(),
  sections: sections.default([]),
};
type Check = CheckParameters<typeof parameters>;

export const ask = defineCheck('ask', parameters, checkAsk);

function checkAsk({ terms, in: types, sections }: Check, context: ItemContext): Outcome {
  const found = checkStatement({ terms, in: types, sections, columns: [] }, context);
  if (found.state === 'na') return found;
  return outcome('open', 'low', {
    rules: ['person-decides', ...found.rules],
    reason:
      found.evidence.length > 0
        ? say('checks.only-a-person-can-decide-it')
        : say('checks.a-person-has-to-decide-it'),
    evidence: found.evidence,
    ...(found.terms ? { terms: found.terms } : {}),
  });
}
