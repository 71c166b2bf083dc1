import { type BlockChange, compareBlocks, compareWords, looksOf, type WordChange } from './compare-blocks.js';

const OPS = ['same', 'insert', 'delete', 'change'] as const;
/** Numbers of a change: what it is, the block of either version at which it stands, blocks of a run, where its words begin. */
const WIDTH = 5;
const WORD_OPS = ['same', 'delete', 'insert'] as const;

/** How two versions differ, in columns: a comparison may have a change for each line of a large file. */
export interface Comparison {
  /** `WIDTH` numbers for a change, in the order of the document. */
  readonly changes: Int32Array;
  /** What happened and its letters, for a change after the other. */
  readonly words: Int32Array;
}

interface Text {
  readonly kind: string;
  readonly text: string;
}

/** Compares blocks, and the words of those that changed. */
export function compareVersions(base: readonly Text[], head: readonly Text[]): Comparison {
  const looks = looksOf();
  const found = compareBlocks(base, head, looks);
  const changes = new Int32Array(found.length * WIDTH);
  const words: number[] = [];
  let [b, h] = [0, 0];
  for (const [index, change] of found.entries()) {
    const count = change.op === 'same' ? change.count : 1;
    changes.set([OPS.indexOf(change.op), b, h, count, words.length], index * WIDTH);
    if (change.op === 'change') {
      for (const [op, letters] of compareWords(base[b]!.text, head[h]!.text, looks))
        words.push(WORD_OPS.indexOf(op), letters);
    }
    if ('base' in change) b += count;
    if ('head' in change) h += count;
  }
  return { changes, words: Int32Array.from(words) };
}

export const changesOf = ({ changes }: Comparison): number => changes.length / WIDTH;

/** A change by its number. */
export function changeAt({ changes }: Comparison, index: number): BlockChange {
  const from = index * WIDTH;
  const op = OPS[changes[from]!]!;
  const [base, head, count] = [changes[from + 1]!, changes[from + 2]!, changes[from + 3]!];
  if (op === 'insert') return { op, head };
  if (op === 'delete') return { op, base };
  return op === 'change' ? { op, base, head } : { op, base, head, count };
}

/** The words of a block that changed. */
export function wordsAt({ changes, words }: Comparison, index: number): readonly WordChange[] {
  const end = changes[(index + 1) * WIDTH + WIDTH - 1] ?? words.length;
  const found: WordChange[] = [];
  for (let at = changes[index * WIDTH + WIDTH - 1]!; at < end; at += 2)
    found.push([WORD_OPS[words[at]!]!, words[at + 1]!]);
  return found;
}

/** The change that a block of the older version is in: the last one that stands at it or before it. */
export function changeOfBase(comparison: Comparison, block: number): BlockChange {
  let [low, high] = [0, changesOf(comparison) - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (comparison.changes[middle * WIDTH + 1]! <= block) low = middle;
    else high = middle - 1;
  }
  return changeAt(comparison, low);
}
