/** What a block is compared by. */
interface Compared {
  readonly kind: string;
  readonly text: string;
}

/** A run of blocks that are the same, or one that came, went or changed. Positions among the blocks of each version. */
export type BlockChange =
  | { readonly op: 'same'; readonly base: number; readonly head: number; readonly count: number }
  | { readonly op: 'insert'; readonly head: number }
  | { readonly op: 'delete'; readonly base: number }
  | { readonly op: 'change'; readonly base: number; readonly head: number };

/** Cells of a table that finds the longest common sequence; where more would be needed, the next same block near by is taken. */
const MOST_CELLS = 4_000_000;
/**
 * Looks at a block, cells of tables and words held beside each other, in one comparison: some seconds. Once they are spent the rest
 * is compared in one pass, less well; time would give another answer on another day.
 */
const MOST_LOOKS = 300_000_000;
/** How far that is looked for, on both sides together. */
const MOST_STEPS = 100;
/** Part of the words that two blocks have in common when one became the other. */
const ALIKE = 0.4;
/** Blocks on either side among which that is looked for. */
const MOST_PAIRED = 200;
/** Words of a block that are held beside those of another. */
const MOST_WORDS_ALIKE = 500;

/** What is left to be spent on a comparison. */
export interface Looks {
  left: number;
}
export const looksOf = (left = MOST_LOOKS): Looks => ({ left });

/** Whether so much is left; it is spent then. */
function spend(looks: Looks, wanted: number): boolean {
  if (looks.left < wanted) return false;
  looks.left -= wanted;
  return true;
}

/** Which blocks of a version came, went or changed in another one, in their order. Spaces do not count. */
export function compareBlocks(
  base: readonly Compared[],
  head: readonly Compared[],
  looks = looksOf(),
): readonly BlockChange[] {
  const keyOf = ({ kind, text }: Compared): string => `${kind} ${text.replace(/\s+/g, ' ').trim()}`;
  const [old, fresh] = [base.map(keyOf), head.map(keyOf)];
  const pairs: [number, number][] = [];
  match({ old, fresh, pairs, looks }, [0, old.length], [0, fresh.length]);
  pairs.push([old.length, fresh.length]);
  const changes: BlockChange[] = [];
  let [b, h] = [0, 0];
  for (const [nextBase, nextHead] of pairs) {
    for (const change of between({ base, head, looks }, [b, nextBase], [h, nextHead])) changes.push(change);
    if (nextBase === old.length && nextHead === fresh.length) break;
    const last = changes.at(-1);
    if (last?.op === 'same' && last.base + last.count === nextBase && last.head + last.count === nextHead) {
      changes[changes.length - 1] = { ...last, count: last.count + 1 };
    } else changes.push({ op: 'same', base: nextBase, head: nextHead, count: 1 });
    [b, h] = [nextBase + 1, nextHead + 1];
  }
  return changes;
}

interface Matching {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  /** Pairs that are the same, in their order. */
  readonly pairs: [number, number][];
  readonly looks: Looks;
}
type Range = readonly [from: number, to: number];

/** Equal ends first, then what stands once on both sides in its order, then the longest common sequence of what lies between. */
function match(of: Matching, [b0, b1]: Range, [h0, h1]: Range): void {
  const { old, fresh, pairs } = of;
  let [b, h, bEnd, hEnd] = [b0, h0, b1, h1];
  while (b < bEnd && h < hEnd && old[b] === fresh[h]) pairs.push([b++, h++]);
  while (bEnd > b && hEnd > h && old[bEnd - 1] === fresh[hEnd - 1]) {
    bEnd--;
    hEnd--;
  }
  if (b < bEnd && h < hEnd) {
    const anchors = spend(of.looks, bEnd - b + (hEnd - h)) ? uniqueInOrder(of, [b, bEnd], [h, hEnd]) : [];
    const cells = (bEnd - b) * (hEnd - h);
    if (anchors.length > 0) {
      for (const [atBase, atHead] of anchors) {
        match(of, [b, atBase], [h, atHead]);
        pairs.push([atBase, atHead]);
        [b, h] = [atBase + 1, atHead + 1];
      }
      match(of, [b, bEnd], [h, hEnd]);
    } else if (cells <= MOST_CELLS && spend(of.looks, cells)) {
      for (const [x, y] of longestCommon(old.slice(b, bEnd), fresh.slice(h, hEnd)))
        pairs.push([b + x, h + y]);
    } else nearestSame(of, [b, bEnd], [h, hEnd]);
  }
  for (let at = 0; bEnd + at < b1; at++) pairs.push([bEnd + at, hEnd + at]);
}

/** Takes what is the same with the fewest blocks between, again and again. */
function nearestSame({ old, fresh, pairs }: Matching, [b0, b1]: Range, [h0, h1]: Range): void {
  let [b, h] = [b0, h0];
  const next = (): readonly [number, number] | undefined => {
    for (let steps = 0; steps <= MOST_STEPS; steps++) {
      for (let down = 0; down <= steps; down++) {
        const [x, y] = [b + down, h + steps - down];
        if (x < b1 && y < h1 && old[x] === fresh[y]) return [x, y];
      }
    }
    return undefined;
  };
  while (b < b1 && h < h1) {
    const found = next();
    if (found) pairs.push([...found]);
    [b, h] = found ? [found[0] + 1, found[1] + 1] : [b + 1, h + 1];
  }
}

/** Texts that stand once on either side, as long as they keep their order. */
function uniqueInOrder({ old, fresh }: Matching, [b0, b1]: Range, [h0, h1]: Range): [number, number][] {
  const onceIn = (texts: readonly string[], from: number, to: number): Map<string, number> => {
    const places = new Map<string, number>();
    for (let at = from; at < to; at++) places.set(texts[at]!, places.has(texts[at]!) ? -1 : at);
    return places;
  };
  const onceInHead = onceIn(fresh, h0, h1);
  const found: [number, number][] = [];
  for (const [text, atBase] of onceIn(old, b0, b1)) {
    const atHead = onceInHead.get(text) ?? -1;
    if (atBase >= 0 && atHead >= 0) found.push([atBase, atHead]);
  }
  return longestRising(found.sort((x, y) => x[0] - y[0]));
}

/** The longest part of the pairs whose second positions rise. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, head]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![1] < head) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = index;
  }
  const found: [number, number][] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) found.push(pairs[at]!);
  return found.reverse();
}

function longestCommon(old: readonly string[], fresh: readonly string[]): [number, number][] {
  const width = fresh.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let x = old.length - 1; x >= 0; x--) {
    for (let y = fresh.length - 1; y >= 0; y--) {
      lengths[x * width + y] =
        old[x] === fresh[y]
          ? lengths[(x + 1) * width + y + 1]! + 1
          : Math.max(lengths[(x + 1) * width + y]!, lengths[x * width + y + 1]!);
    }
  }
  const found: [number, number][] = [];
  for (let x = 0, y = 0; x < old.length && y < fresh.length; ) {
    if (old[x] === fresh[y]) found.push([x++, y++]);
    else if (lengths[(x + 1) * width + y]! >= lengths[x * width + y + 1]!) x++;
    else y++;
  }
  return found;
}

/** Blocks between two that are the same: those that say much the same are one that changed. */
function between(
  {
    base,
    head,
    looks,
  }: { readonly base: readonly Compared[]; readonly head: readonly Compared[]; readonly looks: Looks },
  [b0, b1]: Range,
  [h0, h1]: Range,
): BlockChange[] {
  const changes: BlockChange[] = [];
  let b = b0;
  const isWide = b1 - b0 > MOST_PAIRED || h1 - h0 > MOST_PAIRED;
  const words = isWide || h1 === h0 ? [] : base.slice(b0, b1).map(({ text }) => wordsOf(text));
  /** The first block that is alike enough; -1 where none is. */
  const nearest = ({ kind, text }: Compared): number => {
    const own = wordsOf(text);
    for (let at = b; at < b1; at++) {
      const others = words[at - b0]!;
      if (base[at]!.kind !== kind) continue;
      if (!spend(looks, others.size + 1)) return -1;
      if (alike(others, own) >= ALIKE) return at;
    }
    return -1;
  };
  for (let h = h0; h < h1; h++) {
    const found = isWide ? -1 : nearest(head[h]!);
    if (found === -1) {
      changes.push({ op: 'insert', head: h });
      continue;
    }
    for (; b < found; b++) changes.push({ op: 'delete', base: b });
    changes.push({ op: 'change', base: b++, head: h });
  }
  for (; b < b1; b++) changes.push({ op: 'delete', base: b });
  return changes;
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(word);
    if (words.size === MOST_WORDS_ALIKE) break;
  }
  return words;
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  return both / Math.max(1, a.size + b.size - both);
}

/** A piece of a text that changed, in letters: of both versions, of the older or of the newer one alone. */
export type WordChange = readonly [op: 'same' | 'delete' | 'insert', letters: number];

const MOST_WORDS = 1_500;

/** What changed in a text, word by word; spaces and marks are words of their own. Of very long texts all but their ends is one change. */
export function compareWords(base: string, head: string, looks = looksOf()): readonly WordChange[] {
  const [old, fresh] = [piecesOf(base), piecesOf(head)];
  const changes: [WordChange[0], number][] = [];
  const add = (op: WordChange[0], pieces: readonly string[]): void => {
    const letters = pieces.reduce((sum, { length }) => sum + length, 0);
    const last = changes.at(-1);
    if (last?.[0] === op) last[1] += letters;
    else if (letters > 0) changes.push([op, letters]);
  };
  let from = 0;
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (from < Math.min(oldEnd, freshEnd) && old[from] === fresh[from]) from++;
  while (Math.min(oldEnd, freshEnd) > from && old[oldEnd - 1] === fresh[freshEnd - 1]) {
    oldEnd--;
    freshEnd--;
  }
  const [before, after] = [old.slice(from, oldEnd), fresh.slice(from, freshEnd)];
  const isShort = Math.max(before.length, after.length) <= MOST_WORDS;
  const common = isShort && spend(looks, before.length * after.length) ? longestCommon(before, after) : [];
  add('same', old.slice(0, from));
  let [b, h] = [0, 0];
  for (const [nextBase, nextHead] of [...common, [before.length, after.length] as const]) {
    add('delete', before.slice(b, nextBase));
    add('insert', after.slice(h, nextHead));
    add('same', before.slice(nextBase, nextBase + 1));
    [b, h] = [nextBase + 1, nextHead + 1];
  }
  add('same', old.slice(oldEnd));
  return changes;
}

const piecesOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
