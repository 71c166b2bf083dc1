import { isStating } from '../corpus/corpus.js';
import type { Passage } from '../corpus/passages/passage.js';
import { windowsOf } from './embedding-similarity.js';
import { documentLanguages } from './rank-candidates.js';
import { EVIDENCE_RANKING } from './rank-texts.js';

/**
 * Texts of a document whose vectors a gap analysis may ask for, each once, in their order, so that they can be computed
 * ahead: those of as many passages as an analysis looks at closely at most. None where the model does not know the language.
 * @param passages Of one document.
 */
export function textsToEmbed(passages: readonly Passage[]): readonly string[] {
  const stating = passages.filter(isStating);
  const [language] = documentLanguages(stating, undefined).values();
  if (language !== 'en') return [];
  const texts = stating.slice(0, EVIDENCE_RANKING.shortlistLimit).flatMap(({ text }) => windowsOf(text));
  return [...new Set(texts)];
}
