/** A run of `*`, `_` or `~` that may begin or end emphasis. */
export interface DelimiterRun {
  /** Index of its piece of text. */
  readonly piece: number;
  readonly character: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  readonly length: number;
  /** Characters that are still text. */
  left: number;
}

const SPACE = /^$|\s/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Says whether a run can open or close emphasis by the characters beside it (CommonMark, "left-flanking"). */
export function flanking(character: string, before: string, after: string) {
  const left =
    !SPACE.test(after) && (!PUNCTUATION.test(after) || SPACE.test(before) || PUNCTUATION.test(before));
  const right =
    !SPACE.test(before) && (!PUNCTUATION.test(before) || SPACE.test(after) || PUNCTUATION.test(after));
  if (character !== '_') return { canOpen: left, canClose: right };
  return {
    canOpen: left && (!right || PUNCTUATION.test(before)),
    canClose: right && (!left || PUNCTUATION.test(after)),
  };
}

/**
 * Pairs runs and takes the paired characters out of `left`. A failed search for an opener is remembered, so that the
 * work stays linear whatever the text.
 */
export function resolveEmphasis(runs: readonly DelimiterRun[]): void {
  const open: DelimiterRun[] = [];
  const bottoms = new Map<string, number>();
  for (const closer of runs) {
    while (closer.canClose && closer.left > 0) {
      const key = `${closer.character}${closer.canOpen}${closer.length % 3}${closer.character === '~' ? closer.left : ''}`;
      const bottom = Math.min(bottoms.get(key) ?? 0, open.length);
      let index = open.length - 1;
      while (index >= bottom && !pairs(open[index]!, closer)) index--;
      if (index < bottom) {
        bottoms.set(key, open.length);
        break;
      }
      const opener = open[index]!;
      const used = closer.character === '~' ? closer.left : opener.left >= 2 && closer.left >= 2 ? 2 : 1;
      opener.left -= used;
      closer.left -= used;
      open.length = opener.left > 0 ? index + 1 : index;
      // What was found absent below is still absent; what lay above is gone.
      for (const [name, position] of bottoms) if (position > open.length) bottoms.set(name, open.length);
    }
    if (closer.canOpen && closer.left > 0) open.push(closer);
  }
}

function pairs(opener: DelimiterRun, closer: DelimiterRun): boolean {
  if (opener.character !== closer.character) return false;
  if (opener.character === '~') return opener.left === closer.left && closer.left <= 2;
  const bothWays = opener.canClose || closer.canOpen;
  const multiple = (opener.length + closer.length) % 3 === 0;
  return !(bothWays && multiple && (opener.length % 3 !== 0 || closer.length % 3 !== 0));
}
