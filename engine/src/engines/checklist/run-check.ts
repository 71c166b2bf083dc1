import { type Check, isGroup, type LeafCheck } from '../../checklists/check.js';
import { checkAgreement } from './checks/agreement.js';
import { checkAsk } from './checks/ask.js';
import { checkAttribute } from './checks/attribute.js';
import { checkColumn } from './checks/column.js';
import { checkConsistency } from './checks/consistency.js';
import { checkCoverage } from './checks/coverage.js';
import { checkDecompositions } from './checks/decompositions.js';
import { checkDocument } from './checks/document.js';
import { checkEachSays } from './checks/each-says.js';
import { checkEvidenceResolves } from './checks/evidence-resolves.js';
import { checkGoalLevels } from './checks/goal-levels.js';
import { checkHardwareMetrics } from './checks/hardware-metrics.js';
import { checkIdentified } from './checks/identified.js';
import { checkIndependence } from './checks/independence.js';
import { checkInherited } from './checks/inherited.js';
import { checkInspect } from './checks/inspect.js';
import { checkLinked } from './checks/linked.js';
import { checkLinkedValues } from './checks/linked-values.js';
import { checkListsAll } from './checks/lists-all.js';
import { checkMetadataFields } from './checks/metadata.js';
import { checkNamesEach } from './checks/names-each.js';
import { checkNoIntent } from './checks/no-intent.js';
import { checkNoPlaceholder } from './checks/no-placeholder.js';
import { checkNotStated } from './checks/not-stated.js';
import { checkPersonNamed } from './checks/person-named.js';
import { checkProvided } from './checks/provided.js';
import { checkQuality } from './checks/quality.js';
import { checkRecord } from './checks/record.js';
import { checkReference } from './checks/reference.js';
import { checkResults } from './checks/results.js';
import { checkSection } from './checks/section.js';
import { checkStatement } from './checks/statement.js';
import { checkStatus } from './checks/status.js';
import { checkTimeBudget } from './checks/time-budget.js';
import { checkTraceRules } from './checks/trace-rules.js';
import { checkTracked } from './checks/tracked.js';
import { checkWording } from './checks/wording.js';
import type { ItemContext } from './context.js';
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
  const found = runLeaf(check, context);
  const graded = check.severity && found.state === 'fail' ? { ...found, severity: check.severity } : found;
  if (!check.confirm) return graded;
  // A pass that somebody has to confirm is inferred; a defect is there, and somebody decides what it means.
  return graded.state === 'pass' ? { ...graded, confidence: 'low' } : { ...graded, confirm: true };
}

function runLeaf(check: LeafCheck, context: ItemContext): Outcome {
  switch (check.check) {
    case 'agreement':
      return checkAgreement(check, context);
    case 'ask':
      return checkAsk(check, context);
    case 'attribute':
      return checkAttribute(check, context);
    case 'column':
      return checkColumn(check, context);
    case 'consistency':
      return checkConsistency(check, context);
    case 'coverage':
      return checkCoverage(check, context);
    case 'decompositions':
      return checkDecompositions(check, context);
    case 'document':
      return checkDocument(check, context);
    case 'each_says':
      return checkEachSays(check, context);
    case 'evidence_resolves':
      return checkEvidenceResolves(check, context);
    case 'goal_levels':
      return checkGoalLevels(context);
    case 'hardware_metrics':
      return checkHardwareMetrics(check, context);
    case 'identified':
      return checkIdentified(check, context);
    case 'independence':
      return checkIndependence(check, context);
    case 'inherited':
      return checkInherited(check, context);
    case 'inspect':
      return checkInspect(check, context);
    case 'linked':
      return checkLinked(check, context);
    case 'linked_values':
      return checkLinkedValues(check, context);
    case 'lists_all':
      return checkListsAll(check, context);
    case 'metadata':
      return checkMetadataFields(check, context);
    case 'names_each':
      return checkNamesEach(check, context);
    case 'no_intent':
      return checkNoIntent(check, context);
    case 'no_placeholder':
      return checkNoPlaceholder(check, context);
    case 'not_stated':
      return checkNotStated(check, context);
    case 'person_named':
      return checkPersonNamed(check, context);
    case 'provided':
      return checkProvided(check, context);
    case 'quality':
      return checkQuality(check, context);
    case 'record':
      return checkRecord(check, context);
    case 'reference':
      return checkReference(check, context);
    case 'results':
      return checkResults(check, context);
    case 'section':
      return checkSection(check, context);
    case 'statement':
      return checkStatement(check, context);
    case 'status':
      return checkStatus(check, context);
    case 'time_budget':
      return checkTimeBudget(check, context);
    case 'trace_rules':
      return checkTraceRules(check, context);
    case 'tracked':
      return checkTracked(check, context);
    case 'wording':
      return checkWording(check, context);
  }
}
