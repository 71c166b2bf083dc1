/**
 * Texts to keep while a large file goes by. A text cut out of the file keeps the whole piece of the file in memory, so
 * long ones are copied; names that repeat are kept once.
 */
export interface KeptText {
  copy(text: string): string;
  name(text: string): string;
}

/** Shorter texts are copied when they are cut out. */
const CUT_FROM = 13;

export function createKeptText(): KeptText {
  const names = new Map<string, string>();
  const copy = (text: string) =>
    text.length < CUT_FROM ? text : Buffer.from(text, 'utf16le').toString('utf16le');
  return {
    copy,
    name(text) {
      const known = names.get(text);
      if (known !== undefined) return known;
      const own = copy(text);
      names.set(own, own);
      return own;
    },
  };
}
