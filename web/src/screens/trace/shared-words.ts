/** Shorter ones say little: articles, units, conjunctions. */
const WORD = /[\p{L}\p{N}]{4,}/gu;
/** Of fewer texts nobody can tell which words stand in all. */
const LEAST_TEXTS = 6;

const keyOf = (word: string): string => word.toLocaleLowerCase();
const wordsOf = (text: string): ReadonlySet<string> => new Set((text.match(WORD) ?? []).map(keyOf));

/** Words that more than half of these texts have, such as "shall": they bring no two of them together. */
export function usualWords(texts: readonly string[]): ReadonlySet<string> {
  if (texts.length < LEAST_TEXTS) return new Set();
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Set([...counts].flatMap(([word, count]) => (count > texts.length / 2 ? word : [])));
}

/** Where words of a text stand that another one has as well, without the usual ones. */
export function sharedWords(
  text: string,
  other: string,
  usual: ReadonlySet<string>,
): readonly { readonly start: number; readonly end: number }[] {
  const there = wordsOf(other);
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const key = keyOf(word);
    return there.has(key) && !usual.has(key) ? { start: index, end: index + word.length } : [];
  });
}
