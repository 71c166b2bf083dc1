/** One line of the file without its indentation relative to the block that it is in. */
export interface Line {
  readonly text: string;
  /** 1-based line number in the file. */
  readonly number: number;
}

export function indentOf(line: Line): number {
  return line.text.length - line.text.trimStart().length;
}

export function isBlank(line: Line | undefined): boolean {
  return line === undefined || line.text.trim() === '';
}

/** Index after the lines from `start` that are blank or indented by at least `indent`. */
export function endOfIndented(lines: readonly Line[], start: number, indent: number): number {
  let end = start;
  let last = start;
  while (end < lines.length && (isBlank(lines[end]) || indentOf(lines[end]!) >= indent)) {
    if (!isBlank(lines[end])) last = end + 1;
    end++;
  }
  return last;
}

/** The lines with their common indentation removed, blank ones at the ends dropped. */
export function dedent(lines: readonly Line[]): Line[] {
  let start = 0;
  let end = lines.length;
  while (start < end && isBlank(lines[start])) start++;
  while (end > start && isBlank(lines[end - 1])) end--;
  const kept = lines.slice(start, end);
  const filled = kept.filter((line) => !isBlank(line));
  const common = filled.reduce((least, line) => Math.min(least, indentOf(line)), Number.POSITIVE_INFINITY);
  if (common === 0 || filled.length === 0) return kept;
  return kept.map((line) => ({ text: line.text.slice(common), number: line.number }));
}
