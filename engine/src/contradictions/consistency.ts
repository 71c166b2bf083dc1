import type { Corpus } from '../corpus/corpus.js';
import type { PhraseIndex } from '../corpus/mentions.js';
import { fieldWords, recordsOf } from '../facts/artifacts/records.js';
import type { Finding } from '../findings/finding.js';
import type { Standard } from '../standards/criterion.js';
import { consistencyFinding } from './consistency-finding.js';
import type { ConsistencyContext } from './contradiction.js';
import { CONSISTENCY_RULES, type Inconsistency, RULES } from './registry.js';
import { statedFindings } from './stated/stated-findings.js';

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
  return [
    ...inconsistencies(corpus, index).flatMap((found) => consistencyFinding(found, standard) ?? []),
    ...statedFindings(corpus, standard),
  ];
}

/** The same as the rules found it, whatever standard asks for it. */
export function inconsistencies(corpus: Corpus, index: PhraseIndex): readonly Inconsistency[] {
  const context: ConsistencyContext = { corpus, index, records: recordsOf(corpus) };
  return CONSISTENCY_RULES.flatMap((rule) => RULES[rule](context).map((found) => ({ rule, ...found })));
}
