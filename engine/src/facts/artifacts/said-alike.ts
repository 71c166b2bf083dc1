import { termsOf } from '../../text/terms.js';

/** What a statement says: its words, and stems without stop words. */
export interface Said {
  readonly words: readonly string[];
  readonly stems: ReadonlySet<string>;
}

export function saidIn(text: string): Said {
  return { words: text.match(/\p{L}+/gu) ?? [], stems: new Set(termsOf(text)) };
}

/** Fewer stems say too little to be told apart. */
const FEWEST = 4;
const NEARLY_ALL = 0.8;
const ABBREVIATION = /^\p{Lu}{2,6}$/u;

/** Whether two texts have nearly the same words: the same statement in another order, with a word more, or abbreviated. */
export function isSaidAlike(a: Said, b: Said): boolean {
  const [mine, theirs] = [spelledOut(a, b), spelledOut(b, a)];
  const common = commonStems(mine, theirs);
  return common >= FEWEST && common >= NEARLY_ALL * (mine.size + theirs.size - common);
}

/** Share of the stems of `part` that stand in `whole` as well; 0 for a part that is too short. */
export function shareOf(part: Said, whole: Said): number {
  return part.stems.size < FEWEST ? 0 : commonStems(part.stems, whole.stems) / part.stems.size;
}

/** Stems of a text with its abbreviations as the other text spells them out ("LDW" beside "Lane Departure Warning"). */
function spelledOut({ words, stems }: Said, other: Said): ReadonlySet<string> {
  const short = words.filter((word) => ABBREVIATION.test(word) && !other.words.includes(word));
  if (short.length === 0) return stems;
  const spelled = new Set(stems);
  for (const word of short) {
    const letters = [...word.toLowerCase()];
    const at = other.words.findIndex((_, start) =>
      letters.every((letter, n) => other.words[start + n]?.toLowerCase().startsWith(letter)),
    );
    if (at < 0) continue;
    for (const stem of termsOf(word)) spelled.delete(stem);
    for (const stem of termsOf(other.words.slice(at, at + letters.length).join(' '))) spelled.add(stem);
  }
  return spelled;
}

function commonStems(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const stem of a) if (b.has(stem)) common++;
  return common;
}
