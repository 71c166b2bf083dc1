import { normaliseText } from '../../text/normalise.js';
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
        (name) => name === '*' || new RegExp(`(?<!\\p{L})${normaliseText(name)}(?!\\p{L})`, 'u').test(title),
      ),
  );
}

/** A text past this length says more than that something is open. */
const LONGEST_PLACEHOLDER = 240;

/** Whether a cell or paragraph says nothing but that its content is open. */
export function isOnlyPlaceholder(text: string): boolean {
  if (text.length > LONGEST_PLACEHOLDER) return false;
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
