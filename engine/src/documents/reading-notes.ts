import { type Sentence, written } from '../sentences/sentence.js';
import type { DraftNote, ReadingNote } from './block.js';

export const noteOf = (
  code: ReadingNote['code'],
  message: Sentence,
  location?: ReadingNote['location'],
): DraftNote => ({ code, message, ...(location ? { location } : {}) });

/** What notes say, with where they stand in the words of a result; documents that an earlier version read have words only. */
export const saidBy = (notes: readonly ReadingNote[]): readonly Sentence[] =>
  notes.map(({ said, message }) => said?.message ?? written(message));

/** Page numbers for people: `2, 5–7`. */
export function pageRanges(numbers: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
