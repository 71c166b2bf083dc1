import { type DocumentError, fileTooComplex } from '../../document-error.js';

/** Where the lines stand: how deep in containers, and in how many lists. */
export interface Nesting {
  readonly depth: number;
  readonly lists: number;
}

export function nestedTooDeep(maxDepth: number, line: number): DocumentError {
  return fileTooComplex(
    `Lists or quotes are nested more than ${maxDepth} deep.`,
    'Flatten the nesting and upload the file again.',
    { line },
  );
}
