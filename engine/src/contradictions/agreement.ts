import { z } from 'zod';
import type { Corpus } from '../corpus/corpus.js';
import type { PhraseIndex } from '../corpus/mentions.js';
import { statedFacts } from '../facts/stated/stated-facts.js';
import type { Finding, Severity } from '../findings/finding.js';
import { gradeConsistency } from '../findings/severity.js';
import { readTable } from '../words/read-words.js';
import { inconsistencies } from './consistency.js';
import { statedContradictions, statedRulePlaces } from './stated/stated-findings.js';

const schema = z.strictObject({
  weights: z.strictObject({ critical: z.number(), high: z.number(), medium: z.number(), low: z.number() }),
  halves: z.number().positive(),
  fewestStatements: z.int().positive(),
});

/** How far the documents of a run agree with themselves and can carry what they claim; the same for every engine. */
export interface Agreement {
  /** 0 to 100, the share of a score that is left; 100 where nothing is told. */
  readonly value: number;
  /** Contradictions and content that does not carry its claim, told about the documents. */
  readonly defects: number;
  /** Their weights by severity, added up. */
  readonly weight: number;
  /** Statements that were there to judge: rows and records that state something about a subject. */
  readonly statements: number;
}

/**
 * Weighs what is told about the content of all documents by its severity, over the statements that were there to judge
 * (`data/agreement.yaml`, decision 295). Linear in the facts.
 * @param index Of the phrases that rules look for (`consistencyPhrases`), among others.
 * @param further Findings of other rules that tell defects of content, such as open content.
 */
export function agreementOf(
  corpus: Corpus,
  index: PhraseIndex,
  further: readonly Pick<Finding, 'severity'>[],
): Agreement {
  const { weights, halves, fewestStatements } = readTable('agreement', schema);
  const told = [
    ...statedContradictions(corpus).map(({ rule, asil }) => ({ kind: statedRulePlaces()[rule]!.kind, asil })),
    ...inconsistencies(corpus, index),
  ];
  const severities: readonly Severity[] = [
    ...told.map(({ kind, asil }) => gradeConsistency(kind, asil).severity),
    ...further.map(({ severity }) => severity),
  ];
  const weight = severities.reduce((sum, severity) => sum + weights[severity], 0);
  const statements = statedFacts(corpus).items.filter(
    ({ values, how, passage }) => how !== 'sentence' && passage.role !== 'history' && values.size > 1,
  ).length;
  const judged = Math.max(statements, fewestStatements);
  const value = 100 / (1 + (weight * halves) / judged);
  return { value: Math.round(value * 10) / 10, defects: severities.length, weight, statements };
}
