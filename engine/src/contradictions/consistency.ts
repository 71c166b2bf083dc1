import type { Corpus } from '../corpus/corpus.js';
import type { PhraseIndex } from '../corpus/mentions.js';
import { fieldWords, recordsOf } from '../facts/artifacts/records.js';
import type { Finding } from '../findings/finding.js';
import type { Standard } from '../standards/criterion.js';
import { asilRecomputed, decompositionWithoutDfa, sameIdOtherAsil } from './asil-rules.js';
import { claimsAgainstCounts, otherBuild } from './claim-rules.js';
import { type ConsistencyContext, consistencyFinding, type Inconsistency } from './consistency-finding.js';
import { goalWithoutRequirement, requirementAsil, safetyGoalAsil } from './goal-rules.js';
import { feasibilityWithoutParameters, retainedWithoutClaim, riskNotReproducible } from './risk-rules.js';

const RULES: readonly ((context: ConsistencyContext) => readonly Inconsistency[])[] = [
  asilRecomputed,
  safetyGoalAsil,
  requirementAsil,
  goalWithoutRequirement,
  sameIdOtherAsil,
  decompositionWithoutDfa,
  claimsAgainstCounts,
  otherBuild,
  riskNotReproducible,
  retainedWithoutClaim,
  feasibilityWithoutParameters,
];

/** Phrases that consistency rules look for. */
export function consistencyPhrases(): readonly string[] {
  return fieldWords().dependentFailures;
}

/**
 * What does not fit together in and between the documents, as far as the standard asks for it. Rules read records
 * (rows and paragraphs with an identifier and fields), whatever document they come from.
 */
export function consistencyFindings(
  corpus: Corpus,
  index: PhraseIndex,
  standard: Standard,
): readonly Finding[] {
  return inconsistencies(corpus, index).flatMap((found) => consistencyFinding(found, standard) ?? []);
}

/** The same as the rules found it, whatever standard asks for it. */
export function inconsistencies(corpus: Corpus, index: PhraseIndex): readonly Inconsistency[] {
  const context: ConsistencyContext = { corpus, index, records: recordsOf(corpus) };
  return RULES.flatMap((rule) => rule(context));
}
