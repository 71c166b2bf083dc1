import type { PageContent } from './page-content.js';

/** Whether two pieces, at the end of a line and at the beginning of the next, are one word that a narrow cell has torn. */
export type IsTorn = (before: string, after: string) => boolean;

interface KnownWords {
  /** Every word of the document that is long enough to be torn, pieces of torn ones among them. */
  readonly all: ReadonlySet<string>;
  /** Those that stand behind another one on their line: no piece at the beginning of a line is among them. */
  readonly within: ReadonlySet<string>;
}

/**
 * Knows torn words by the document itself: the whole word stands elsewhere, the piece after the break never by
 * itself (`Max_Torque_A` + `mplitude`, but not `data` + `base`).
 */
export function tornWords(pages: readonly PageContent[]): IsTorn {
  let words: KnownWords | undefined;
  return (before, after) => {
    const first = /[\p{L}\p{N}_]+$/u.exec(before)?.[0];
    const second = /^[\p{L}\p{N}_]+/u.exec(after)?.[0];
    if (first === undefined || second === undefined || first.length + second.length < SHORTEST) return false;
    words ??= wordsOf(pages);
    return words.all.has(first + second) && !words.within.has(second);
  };
}

/** A word of fewer letters is not torn. */
const SHORTEST = 5;

function wordsOf(pages: readonly PageContent[]): KnownWords {
  const all = new Set<string>();
  const within = new Set<string>();
  for (const { segments } of pages) {
    for (const { text } of segments) {
      const parts = text.split(' ');
      for (let at = 0; at < parts.length; at++) {
        const part = parts[at]!;
        if (/^\w+$/.test(part)) {
          if (part.length >= SHORTEST) all.add(part);
          if (at > 0) within.add(part);
          continue;
        }
        for (const word of part.split(/[^\p{L}\p{N}_]+/u)) {
          if (word.length >= SHORTEST) all.add(word);
          if (at > 0) within.add(word);
        }
      }
    }
  }
  return { all, within };
}
