import { normaliseText } from '../../text/normalise.js';
import { stem } from '../../text/stem.js';
import { stopWords } from '../../text/stop-words.js';

const NUMBERING =
  /^\s*(?:(?:chapter|section|annex|appendix|anhang|kapitel|abschnitt|anlage)\s+)?(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[IVX]+(?=[.)]))[.):]?\s+/iu;

/** What follows in a longer one is no title, and patterns on it would cost more than it is worth. */
const LONGEST_HEADING = 300;

/** A heading without numbering, leaders, page numbers and closing punctuation. */
export function bareHeading(heading: string): string {
  return heading
    .slice(0, LONGEST_HEADING)
    .replace(/\s*\.{3,}\s*\d+\s*$/, '')
    .replace(NUMBERING, '')
    .replace(/[\s:.–-]+$/, '')
    .trim();
}

/**
 * Stems of the words of a heading that mean something, each once, in order (domain D.3 step 3).
 * English and German endings are folded, so that `Safety goals` and `Safety Goal` are the same.
 */
export function headingTokens(heading: string): readonly string[] {
  const { en, de } = stopWords();
  const words = normaliseText(bareHeading(heading))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !en.has(word) && !de.has(word));
  return [...new Set((telling.length > 0 ? telling : words).map((word) => stem(stem(word, 'en'), 'de')))];
}

/** How well a heading names what a phrase names: 1 the same words, 0.9 all of them contained, else the overlap. */
export function headingScore(heading: readonly string[], phrase: readonly string[]): number {
  if (heading.length === 0 || phrase.length === 0) return 0;
  let common = 0;
  for (const token of phrase) if (heading.includes(token)) common++;
  if (common === 0) return 0;
  if (common === phrase.length && common === heading.length) return 1;
  if (common === phrase.length) {
    // One word inside a long heading says little: "item" in "Items of the delivery list".
    return phrase.length === 1 && heading.length > 3 ? 0.5 : 0.9;
  }
  return common / (heading.length + phrase.length - common);
}
