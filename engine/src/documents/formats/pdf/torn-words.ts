import type { PageContent } from './page-content.js';

/** Whether two pieces, at the end of a line and at the beginning of the next, are one word that a narrow cell has torn. */
export type IsTorn = (before: string, after: string) => boolean;

/** More questions than this are not looked up: words are torn in a few narrow columns. */
const MOST_QUESTIONS = 2000;

/**
 * Knows torn words by the document itself: the whole word stands elsewhere, the piece after the break never by
 * itself (`Max_Torque_A` + `mplitude`, but not `data` + `base`).
 */
export function tornWords(pages: readonly PageContent[]): IsTorn {
  let text: string | undefined;
  const known = new Map<string, boolean>();
  return (before, after) => {
    const first = /[\p{L}\p{N}_]+$/u.exec(before)?.[0];
    const second = /^[\p{L}\p{N}_]+/u.exec(after)?.[0];
    if (first === undefined || second === undefined || first.length + second.length < 5) return false;
    const question = `${first} ${second}`;
    const answer = known.get(question);
    if (answer !== undefined || known.size >= MOST_QUESTIONS) return answer ?? false;
    text ??= ` ${pages.flatMap((page) => page.segments.map((segment) => segment.text)).join('\n')} `;
    // Its own line begins with the piece: in front of it stands a line break then, not a space.
    const torn = hasWord(text, first + second) && !hasWord(text, second, ' ');
    known.set(question, torn);
    return torn;
  };
}

/** Whether a text has a word, between characters that are of no word; `before`: behind this character only. */
function hasWord(text: string, word: string, before?: string): boolean {
  for (let at = text.indexOf(word); at > 0; at = text.indexOf(word, at + 1)) {
    const [left, right] = [text[at - 1]!, text[at + word.length]!];
    const begins = before === undefined ? !/[\p{L}\p{N}_]/u.test(left) : left === before;
    if (begins && !/[\p{L}\p{N}_]/u.test(right)) return true;
  }
  return false;
}
