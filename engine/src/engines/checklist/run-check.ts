import { type Check, isGroup } from './check.js';
import type { ItemContext } from './context.js';
import { runDefined } from './definition-of.js';
import { allOf, anyOf, type Outcome } from './outcome.js';

/** What the checks of an item say together: all of them have to pass. */
export function runChecks(checks: readonly Check[], context: ItemContext): Outcome {
  return allOf(checks.map((check) => runCheck(check, context)));
}

function runCheck(check: Check, context: ItemContext): Outcome {
  if (isGroup(check)) {
    const outcomes = check.of.map((one) => runCheck(one, context));
    return check.check === 'all' ? allOf(outcomes) : anyOf(outcomes);
  }
  const found = runDefined(check, context);
  const graded = check.severity && found.state === 'fail' ? { ...found, severity: check.severity } : found;
  if (!check.confirm) return graded;
  // A pass that somebody has to confirm is inferred; a defect is there, and somebody decides what it means.
  return graded.state === 'pass' ? { ...graded, confidence: 'low' } : { ...graded, confirm: true };
}
