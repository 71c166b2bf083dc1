import { asilRank } from '../asil/asil.js';
import type { Condition } from '../conditions/condition.js';
import { type Corpus, partsOfTypes } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { hitsOf, type PhraseIndex } from '../corpus/mentions.js';
import type { StatedAsils } from '../facts/asil-of-documents.js';
import type { Evidence } from '../findings/finding.js';
import { levelName } from '../findings/severity.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { weigh } from './probe-terms.js';

/** Whether a condition holds, who says so, and where. */
export interface ConditionAnswer {
  readonly holds: boolean | 'unknown';
  readonly source: 'person' | 'documents' | 'default';
  /** For a person. */
  readonly reason: Sentence;
  readonly evidence: readonly Evidence[];
}

/** Phrases that conditions look for. */
export function conditionPhrases(conditions: Iterable<Condition>): readonly string[] {
  return [...conditions].flatMap((condition) => [...condition.assertedBy, ...condition.deniedBy]);
}

/** Answers a condition: a person's word first, then the documents, then the default. */
export function answerCondition(
  condition: Condition,
  known: {
    readonly corpus: Corpus;
    readonly index: PhraseIndex;
    readonly asils: StatedAsils;
    readonly answers: Readonly<Record<string, boolean>>;
  },
): ConditionAnswer {
  const { corpus, index, asils, answers } = known;
  const given = answers[condition.id];
  if (given !== undefined) {
    return {
      holds: given,
      source: 'person',
      reason: say('verdicts.was-answered', { question: condition.question, given }),
      evidence: [],
    };
  }
  const fromDocuments = (
    holds: boolean,
    reason: Sentence,
    evidence: readonly Evidence[],
  ): ConditionAnswer => ({
    holds,
    source: 'documents',
    reason,
    evidence,
  });
  if (condition.asilAtLeast && asils.highest) {
    const holds = asilRank(asils.highest) >= asilRank(condition.asilAtLeast);
    const level = levelName(asils.highest);
    return fromDocuments(holds, say('verdicts.highest-level', { level }), asils.evidence);
  }
  if (condition.asilDecomposed && asils.decomposed) {
    return fromDocuments(true, say('verdicts.decomposed-stated'), [asils.decomposed]);
  }
  const part = partsOfTypes(corpus, condition.assertedByDocumentTypes)[0];
  if (part) {
    const name = corpus.documents.find((document) => document.id === part.documentId)?.name ?? '';
    return fromDocuments(true, say('verdicts.document-of-such-a-kind', { name }), []);
  }
  const denial = firstStatement(corpus, index, condition.deniedBy);
  if (denial) return fromDocuments(false, say('verdicts.documents-say-so'), denial);
  const assertion = firstStatement(corpus, index, condition.assertedBy);
  if (assertion) return fromDocuments(true, say('verdicts.documents-say-so'), assertion);
  const holds = condition.default === 'ask' ? 'unknown' : condition.default === 'assume_true';
  return {
    holds,
    source: 'default',
    reason: say('general.written', { text: condition.reason }),
    evidence: [],
  };
}

/** A statement of one of the phrases, announcements included: what is planned applies. */
function firstStatement(
  corpus: Corpus,
  index: PhraseIndex,
  phrases: readonly string[],
): readonly Evidence[] | undefined {
  for (const hit of hitsOf(index, phrases).slice(0, 100)) {
    const weighed = weigh(corpus, hit, true);
    if (weighed.worth !== 'stated') continue;
    const first = weighed.evidence[0]!;
    const { read } = hit.document;
    return [
      quote(read.document, hit.passage, first, {
        role: 'context',
        note: say('verdicts.shows-that-the-condition-is-met'),
      }),
    ];
  }
  return undefined;
}
