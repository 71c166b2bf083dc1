import { printFileProblem, type StandardFileProblem } from '../../standards/uploaded/standard-file-error.js';

/** One thing wrong with a checklist that somebody brought along, and where. */
export type ChecklistFileProblem = StandardFileProblem;

/** A file names at most this many problems; the first ones are the ones to correct. */
const MOST_PROBLEMS = 20;

/** A file from which no checklist can be taken. The message says what is wrong and where, the hint what to do. */
export class ChecklistFileError extends Error {
  override readonly name = 'ChecklistFileError';
  readonly problems: readonly ChecklistFileProblem[];
  readonly hint: string;

  constructor(problems: readonly ChecklistFileProblem[], hint: string) {
    const named = problems.slice(0, MOST_PROBLEMS);
    super(named.map(printFileProblem).join(' '));
    this.problems = named;
    this.hint = hint;
  }
}
