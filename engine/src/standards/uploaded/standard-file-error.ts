/** One thing wrong with an uploaded standard, and where. */
export interface StandardFileProblem {
  readonly message: string;
  /** Sheet of a workbook. */
  readonly sheet?: string;
  /** 1-based line (YAML, text) or row (table). */
  readonly line?: number;
  readonly row?: number;
  /** Column title or letter of a table. */
  readonly column?: string;
  /** Path in a JSON or YAML document: `catalog.groups.0.id`. */
  readonly path?: string;
}

/** Uploaded standards name at most this many problems; the first ones are the ones to correct. */
const MOST_PROBLEMS = 20;

/**
 * A file from which no criteria can be taken. The message is for the person who uploaded it: what is wrong,
 * where, and what to do. It repeats ids and column titles, never the text of the standard.
 */
export class StandardFileError extends Error {
  override readonly name = 'StandardFileError';
  readonly problems: readonly StandardFileProblem[];
  readonly hint: string;

  constructor(problems: readonly StandardFileProblem[], hint: string) {
    super(problems.slice(0, MOST_PROBLEMS).map(printFileProblem).join(' '));
    this.problems = problems.slice(0, MOST_PROBLEMS);
    this.hint = hint;
  }
}

/** One sentence with its place in front. */
export function printFileProblem({ message, sheet, line, row, column, path }: StandardFileProblem): string {
  const place = [
    sheet === undefined ? '' : `sheet "${sheet}"`,
    line === undefined ? '' : `line ${line}`,
    row === undefined ? '' : `row ${row}`,
    column === undefined ? '' : `column "${column}"`,
    path === undefined ? '' : path,
  ].filter(Boolean);
  return place.length > 0 ? `${place.join(', ')}: ${message}` : message;
}
