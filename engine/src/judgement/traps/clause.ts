import type { Mention } from './trap.js';

/** Commas inside numbers and brackets do not end a clause. */
const BOUNDARY = /[;:](?!\d)|,(?!\d)\s|\s[–—]\s|\s-\s/g;

/** The clause of the sentence in which the mention stands. */
export function clauseAround({ sentence, start, end }: Pick<Mention, 'sentence' | 'start' | 'end'>): {
  readonly before: string;
  readonly words: string;
  readonly after: string;
} {
  let from = 0;
  let to = sentence.length;
  for (const match of sentence.matchAll(BOUNDARY)) {
    if (match.index + match[0].length <= start) from = match.index + match[0].length;
    else if (match.index >= end) {
      to = match.index;
      break;
    }
  }
  return {
    before: sentence.slice(from, start),
    words: sentence.slice(start, end),
    after: sentence.slice(end, to),
  };
}

/** Words of a text, lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
}
