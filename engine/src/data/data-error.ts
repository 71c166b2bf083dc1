/** One thing that is wrong in a data file. */
export interface DataProblem {
  /** Keys and positions from the top of the file to the place: `['work_products', 3, 'severity']`. */
  readonly path: readonly (string | number)[];
  /** What is wrong, without a full stop. */
  readonly problem: string;
  /** What to do, one sentence. */
  readonly remedy: string;
}

/** A data file that cannot be used. The message names the file and line of every problem and what to do. */
export class DataError extends Error {
  override readonly name = 'DataError';
  readonly file: string;
  readonly problems: readonly (DataProblem & { readonly line: number })[];

  constructor(file: string, problems: readonly (DataProblem & { readonly line: number })[]) {
    super(
      problems
        .map(({ line, path, problem, remedy }) => {
          const place = path.length > 0 ? ` (${path.join('.')})` : '';
          return `${file}:${line}: ${problem}${place}. ${remedy}`;
        })
        .join('\n'),
    );
    this.file = file;
    this.problems = problems;
  }
}
