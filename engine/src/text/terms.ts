import { detectLanguage, type Language } from './language.js';
import { stem } from './stem.js';
import { stopWords } from './stop-words.js';
import { forEachChunk, splitChunk, type Token } from './tokenise.js';

/**
 * What retrieval compares: stems of the words of a text without stop words, identifiers as parts and whole,
 * in reading order, repeated as often as they occur. The language is found out when it is not given.
 */
export function termsOf(text: string, language: Language = detectLanguage(text)): string[] {
  const terms: string[] = [];
  forEachChunk(text, (start, end) => {
    for (const term of chunkTerms(text.slice(start, Math.min(end, start + 256)), language)) terms.push(term);
  });
  return terms;
}

/** Terms of one chunk (`forEachChunk`). */
export function chunkTerms(chunk: string, language: Language): string[] {
  const terms: string[] = [];
  for (const token of splitChunk(chunk)) {
    const term = tokenTerm(token, language);
    if (term !== undefined) terms.push(term);
  }
  return terms;
}

/** The term of a token, or undefined for a stop word. */
export function tokenTerm(token: Token, language: Language): string | undefined {
  const { en, de } = stopWords();
  const isStopWord = language === 'de' ? de.has(token.word) : en.has(token.word);
  if (isStopWord) return undefined;
  return stem(token.word, language);
}
