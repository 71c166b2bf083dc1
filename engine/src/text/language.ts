import { normaliseWord } from './normalise.js';
import { stopWords } from './stop-words.js';
import { forEachChunk } from './tokenise.js';

export type Language = 'en' | 'de' | 'unknown';

/** Endings that only German words have, for texts without a function word (headings, table cells). */
const GERMAN_WORD = /[äöüß]|.{3}(?:ung|ungen|keit|keiten|heit|heiten|schaft|lich|liche|lichen)$/i;

/**
 * Language of a text by its function words; the first 2 000 words decide. `unknown` where neither language
 * leads, which texts without any function word mostly are.
 */
export function detectLanguage(text: string): Language {
  const { en, de } = stopWords();
  let english = 0;
  let german = 0;
  let words = 0;
  forEachChunk(text.length > 20_000 ? text.slice(0, 20_000) : text, (start, end) => {
    if (words >= 2000 || end - start > 40) return;
    words++;
    const raw = text.slice(start, end);
    const word = normaliseWord(raw);
    const isEnglish = en.has(word);
    const isGerman = de.has(word);
    if (isEnglish && !isGerman) english++;
    else if (isGerman && !isEnglish) german++;
    else if (GERMAN_WORD.test(raw)) german += 0.5;
  });
  if (english === german) return 'unknown';
  return english > german ? 'en' : 'de';
}

/** A text of fewer different words shows no language. */
const FEWEST_WORDS = 30;
/** Of a text in English or German at least every tenth word is a function word, mostly every third. */
const FUNCTION_WORDS = 0.1;

/** Whether a text of some length has many words and hardly any function word of English or German. */
export function isOtherLanguage(text: string): boolean {
  const { en, de } = stopWords();
  const different = new Set<string>();
  let words = 0;
  let known = 0;
  forEachChunk(text, (start, end) => {
    const word = normaliseWord(text.slice(start, end));
    if (!/\p{L}/u.test(word)) return;
    words++;
    different.add(word);
    if (en.has(word) || de.has(word)) known++;
  });
  return different.size >= FEWEST_WORDS && known < FUNCTION_WORDS * words;
}
