import { crossAgainstText } from './allocation-cross-rules.js';
import { allocationAgainstText, allocationTablesDiffer } from './allocation-rules.js';
import { boundaryDiffers } from './boundary-rules.js';
import { boundaryToldElsewhere } from './boundary-told-rules.js';
import { toldByWhatFailed } from './carrier-rules.js';
import { chainNumber } from './chain-number-rules.js';
import { oldNumberRemains } from './change-rules.js';
import { intervalIsNoTime, limitCommanded } from './commanded-limit-rules.js';
import { namesOtherFunction } from './copy-rules.js';
import {
  criterionOtherLimit,
  criterionUndecided,
  methodCannotShow,
  requirementPrescribesDesign,
  requirementUndecidable,
} from './criterion-rules.js';
import {
  driverTooFast,
  idNowhere,
  limitOfOtherQuantity,
  safeStateOnlyTells,
  valueMeansOpposites,
} from './demand-rules.js';
import { elementNamedOtherwise, subjectAllocatedElsewhere } from './element-habit-rules.js';
import { allocatedOutside, elementNowhere } from './element-rules.js';
import {
  executedBeforeSpecified,
  failedWithoutFollowUp,
  reportBeforeTests,
  testNotSpecified,
} from './execution-rules.js';
import { cellLeftEmpty, plannedTestWithoutResult } from './gap-rules.js';
import { goalNowhere } from './goal-carried-rules.js';
import {
  exposureOfFault,
  goalPrescribesSolution,
  goalUndecidable,
  malfunctionAgainstGuideWord,
  rationaleOfOtherCircumstance,
  rationaleWithoutReason,
  severityWithoutPersons,
} from './hazard-rules.js';
import { intervalToldOtherwise } from './interval-told-rules.js';
import { decompositionNotPermitted, decompositionOneElement, levelLowered } from './level-rules.js';
import { textTimeLonger, timesOfChildren } from './limit-rules.js';
import { testOfOther } from './mirrored-test-rules.js';
import { namesAlmostEqual, parameterWithoutValue } from './name-rules.js';
import { oddNumber } from './odd-number-rules.js';
import {
  limitDiffers,
  parameterTwoValues,
  parameterUndefined,
  parameterWrittenOtherwise,
  testOtherValue,
} from './parameter-rules.js';
import {
  assessorHasOtherRole,
  assessorIsAuthor,
  confirmedByAuthor,
  independencePlannedTooLow,
  roleOfTwoPersons,
} from './person-rules.js';
import { endsBeforeItBegins, independenceAssumed, taskOfEverybody } from './plan-rules.js';
import { independenceBelowPlan, measureWithoutRecord } from './planned-measure-rules.js';
import {
  agreementDenied,
  assessmentMisplaced,
  scopeContradicted,
  sectionPlansNothing,
} from './planned-work-rules.js';
import {
  exposureOfSituation,
  ratingAgainstRationale,
  ratingCreditsItem,
  ratingDiffers,
  rationaleCopied,
  rationaleOfOtherSituation,
  shareAgainstControllability,
} from './rating-rules.js';
import { safeStateIsNone, warningByManual } from './reaction-rules.js';
import { coverOutOfOrder, daysOutOfOrder, reviewerIsAuthor } from './record-order-rules.js';
import { referenceOtherVersion } from './reference-rules.js';
import { allocatedOffParent } from './refined-allocation-rules.js';
import { idMeansOther, idReused, measureSwapped, subjectDiffers } from './renumbering-rules.js';
import { reviewedBeforeItsVersion } from './review-day-rules.js';
import { runOutOfDays } from './run-day-rules.js';
import { sameIdOtherNumber } from './same-id-number-rules.js';
import { warningSentByWhatFailed } from './sender-rules.js';
import { activityDenied, documentNowhere } from './sentence-rules.js';
import {
  functionWithoutEvent,
  goalWithoutDegradation,
  idTwiceInTable,
  malfunctionWithoutEvent,
} from './set-rules.js';
import { reactionNeedsWhatFailed } from './signal-rules.js';
import { sourceChangedLater } from './source-rules.js';
import { splitToldNotPermitted } from './split-told-rules.js';
import { stateNamedOtherwise } from './state-odd-rules.js';
import {
  oppositeOfLinked,
  safeStateDiffers,
  safeStateOfGoalTwice,
  safeStateTwoMeanings,
  safeStateUnchanged,
} from './state-rules.js';
import type { StatedRule } from './stated-rule.js';
import { handlingTimeWrong, notComplied, totalWrong } from './sum-rules.js';
import { tailoredOutButPlanned, tailoredWithoutAny, tailoredWithoutReason } from './tailoring-rules.js';
import { passedOutsideLimit, testAcceptsMore, testBeyondInterval } from './test-limit-rules.js';
import { testNumberOfNobody } from './test-number-rules.js';
import { testBelowLimit } from './test-rules.js';
import { refinementOfOther, textDiffers, textReworded } from './text-rules.js';
import { childTimeLonger, timeBudgetExceeded, timeDiffers } from './time-rules.js';
import { safeStateLeftToPerson, safeStateToldOtherwise } from './told-states-rules.js';
import { childBeyondText, stepsBeyondInterval, timeNamedOtherwise } from './told-times-rules.js';
import { versionNamedOtherwise } from './version-odd-rules.js';
import {
  closedButOpen,
  dateOfVersionDiffers,
  numberOfOther,
  olderVersionNamed,
  orderOfDates,
  reviewOnlyPlanned,
  versionNowhere,
  writtenBeforeSource,
} from './version-rules.js';

/** Every rule about stated facts; a new one is a function and its texts in `data/contradictions.yaml`. */
export const STATED_RULES: readonly StatedRule[] = [
  childTimeLonger,
  timeBudgetExceeded,
  timeDiffers,
  textTimeLonger,
  timesOfChildren,
  safeStateDiffers,
  safeStateTwoMeanings,
  safeStateOfGoalTwice,
  oppositeOfLinked,
  allocationTablesDiffer,
  allocationAgainstText,
  boundaryDiffers,
  boundaryToldElsewhere,
  allocatedOutside,
  allocatedOffParent,
  elementNowhere,
  parameterTwoValues,
  parameterWrittenOtherwise,
  parameterUndefined,
  parameterWithoutValue,
  namesAlmostEqual,
  limitDiffers,
  testOtherValue,
  testAcceptsMore,
  testBeyondInterval,
  passedOutsideLimit,
  testBelowLimit,
  levelLowered,
  decompositionNotPermitted,
  decompositionOneElement,
  ratingAgainstRationale,
  ratingDiffers,
  rationaleCopied,
  rationaleOfOtherSituation,
  exposureOfSituation,
  ratingCreditsItem,
  rationaleOfOtherCircumstance,
  rationaleWithoutReason,
  malfunctionAgainstGuideWord,
  exposureOfFault,
  severityWithoutPersons,
  goalPrescribesSolution,
  goalUndecidable,
  goalNowhere,
  idTwiceInTable,
  malfunctionWithoutEvent,
  functionWithoutEvent,
  goalWithoutDegradation,
  olderVersionNamed,
  versionNamedOtherwise,
  versionNowhere,
  numberOfOther,
  dateOfVersionDiffers,
  writtenBeforeSource,
  referenceOtherVersion,
  orderOfDates,
  reviewOnlyPlanned,
  closedButOpen,
  independencePlannedTooLow,
  confirmedByAuthor,
  assessorIsAuthor,
  assessorHasOtherRole,
  tailoredWithoutReason,
  tailoredWithoutAny,
  tailoredOutButPlanned,
  activityDenied,
  documentNowhere,
  textDiffers,
  textReworded,
  refinementOfOther,
  handlingTimeWrong,
  notComplied,
  totalWrong,
  reactionNeedsWhatFailed,
  safeStateIsNone,
  limitCommanded,
  intervalIsNoTime,
  criterionUndecided,
  criterionOtherLimit,
  requirementUndecidable,
  requirementPrescribesDesign,
  warningByManual,
  independenceAssumed,
  taskOfEverybody,
  endsBeforeItBegins,
  namesOtherFunction,
  idMeansOther,
  idReused,
  measureSwapped,
  subjectDiffers,
  sourceChangedLater,
  toldByWhatFailed,
  warningSentByWhatFailed,
  failedWithoutFollowUp,
  executedBeforeSpecified,
  testNotSpecified,
  reportBeforeTests,
  safeStateUnchanged,
  methodCannotShow,
  shareAgainstControllability,
  crossAgainstText,
  roleOfTwoPersons,
  assessmentMisplaced,
  sectionPlansNothing,
  agreementDenied,
  scopeContradicted,
  safeStateOnlyTells,
  driverTooFast,
  limitOfOtherQuantity,
  valueMeansOpposites,
  idNowhere,
  childBeyondText,
  stepsBeyondInterval,
  timeNamedOtherwise,
  testNumberOfNobody,
  daysOutOfOrder,
  reviewerIsAuthor,
  coverOutOfOrder,
  independenceBelowPlan,
  measureWithoutRecord,
  cellLeftEmpty,
  plannedTestWithoutResult,
  subjectAllocatedElsewhere,
  elementNamedOtherwise,
  safeStateToldOtherwise,
  safeStateLeftToPerson,
  intervalToldOtherwise,
  oldNumberRemains,
  sameIdOtherNumber,
  oddNumber,
  chainNumber,
  runOutOfDays,
  reviewedBeforeItsVersion,
  testOfOther,
  stateNamedOtherwise,
  splitToldNotPermitted,
];

/** Rules that find by comparing everything: what another one has told at the same two places is not told again. */
export const AFTER_OTHERS: ReadonlySet<StatedRule> = new Set([
  sameIdOtherNumber,
  chainNumber,
  runOutOfDays,
  reviewedBeforeItsVersion,
  stateNamedOtherwise,
]);
