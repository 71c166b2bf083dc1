import { normaliseText } from '../../text/normalise.js';
import { patternOf } from '../../words/read-words.js';
import { findPlaceholders } from './find-placeholders.js';
import { placeholderWords } from './placeholder-words.js';

/**
 * Whether a cell says nothing: empty, a dash, `n/a`, `TBD` … (EM-05). Under a column title where such a word is
 * an answer ("Deviations: none") it is none.
 */
export function isFiller(cell: string, column?: string): boolean {
  const { fillers, answers } = placeholderWords();
  const text = cell.trim().toLowerCase();
  if (!fillers.has(text)) return false;
  const title = column === undefined ? '' : normaliseText(column);
  return !answers.some(
    (entry) =>
      entry.fillers.includes(text) &&
      entry.columns.some(
        (name) => name === '*' || patternOf(`(?<!\\p{L})${normaliseText(name)}(?!\\p{L})`, 'u').test(title),
      ),
  );
}

/** A text past this length says more than that something is open. */
const LONGEST_PLACEHOLDER = 240;

/** Cells are asked again and again: by sections, tables, metadata and rules. The most recent answers are kept. */
const answered = new Map<string, boolean>();
const MOST_ANSWERED = 20_000;

/** Whether a cell or paragraph says nothing but that its content is open. */
export function isOnlyPlaceholder(text: string): boolean {
  if (text.length > LONGEST_PLACEHOLDER) return false;
  const known = answered.get(text);
  if (known !== undefined) return known;
  if (answered.size >= MOST_ANSWERED) answered.clear();
  const answer = isNothingButOpen(text);
  answered.set(text, answer);
  return answer;
}

function isNothingButOpen(text: string): boolean {
  const hits = findPlaceholders(text, { onlyContent: true });
  if (hits.length === 0) return false;
  let rest = '';
  let from = 0;
  for (const hit of hits) {
    rest += text.slice(from, hit.start);
    from = Math.max(from, hit.end);
  }
  rest += text.slice(from);
  return (rest.match(/[\p{L}\p{N}]{2,}/gu) ?? []).length <= 3;
}

/** Whether a cell has a value: neither filler nor placeholder. */
export function isFilled(cell: string, column?: string): boolean {
  return !isFiller(cell, column) && !isOnlyPlaceholder(cell);
}
