import { endingOf, FORMATS, marksOf } from './formats.js';

const READABLE = new Set(Object.values(FORMATS).flatMap(({ endings }) => endings));
const SOURCE = new Set(
  marksOf('text').flatMap(({ mark, entry }) => (mark.ending === 'source' ? entry.endings : [])),
);

/** Whether a file of a folder is read, by its name; what it really is its content tells. */
export const isReadableFile = (name: string): boolean => READABLE.has(endingOf(name));

/** Whether an entry of an archive is a document, or an archive of them, rather than an attachment. */
export function isDocumentFile(name: string): boolean {
  const ending = endingOf(name);
  return ending === 'zip' || (READABLE.has(ending) && !SOURCE.has(ending));
}
