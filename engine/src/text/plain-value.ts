import { normaliseText } from './normalise.js';

/** The spelling in which values of cells are compared. */
export function plainValue(text: string): string {
  return normaliseText(text)
    .replace(/\s*[.!:]$/, '')
    .trim();
}
