/** What is known of one cell when the header of a table is looked for. */
export interface HeaderCandidate {
  readonly text: string;
  /** 0-based grid column. */
  readonly column: number;
  readonly span?: number;
  /** Bold, or on a background that other rows do not have. */
  readonly emphasised?: boolean;
}

const MAX_LABEL_LENGTH = 80;
/** Rows above the header that may hold the table's title or an instruction. */
const MAX_ROWS_ABOVE = 10;
const SENTENCE_END = /[.!;]$/;
/** "The unit shall ...": the cells below go on. */
const GOES_ON = /(?:\.{3}|…)$/;
/** "Lfd. Nr.", "No.", "Fkt." */
const ABBREVIATION = /^(?:\p{L}{1,6}\.\s?){1,3}$|^\p{L}+[\s-]\p{L}{1,3}\.$/u;
/** A cross, a tick. */
const MARK = /^[xX×✓✔☒☑●•]$/u;
const VALUE = /^[\s\d.,:/%€$£+\-–()]*\d[\s\d.,:/%€$£+\-–()]*$|^\d{4}-\d{2}-\d{2}/;

/**
 * Finds the rows that name the columns of a table whose file does not say so.
 * The header is the first row with several short labels above a row with several filled cells; a second row
 * belongs to it when the first one groups columns (cells that span several) or repeats under them.
 * Tables of key and value (two columns, names on the left) have none, nor tables whose first row is a record like the second.
 *
 * @returns first header row and number of header rows; `count` 0 where there is none.
 */
export function findTableHeader(rows: readonly (readonly HeaderCandidate[])[]): {
  first: number;
  count: number;
} {
  const none = { first: 0, count: 0 };
  const width = Math.max(0, ...rows.slice(0, MAX_ROWS_ABOVE + 3).map(lastColumn));
  if (rows.length < 2 || width < 2) return none;
  for (let index = 0; index < Math.min(rows.length - 1, MAX_ROWS_ABOVE); index++) {
    const row = rows[index]!;
    if (filled(row).length < 2) continue;
    const second = rows[index + 1]!;
    if (
      !(isLabelRow(row) || isMatrixHead(row, rows.slice(index + 1))) ||
      isKeyValueTable(rows.slice(index)) ||
      areRecords(row, second)
    )
      return none;
    const grouped = filled(row).some((cell) => (cell.span ?? 1) > 1);
    if (grouped && index + 2 < rows.length && isLabelRow(second) && namesSubcolumns(row, second)) {
      return { first: index, count: 2 };
    }
    return filled(second).length > 0 || rows.length > index + 2 ? { first: index, count: 1 } : none;
  }
  return none;
}

/** "Technical | 4001 | 4002 …" above crosses: numbers that are ids name the columns. */
function isMatrixHead(
  row: readonly HeaderCandidate[],
  below: readonly (readonly HeaderCandidate[])[],
): boolean {
  const [corner, ...others] = filled(row);
  if (others.length < 2 || !/\p{L}{2}/u.test(corner!.text)) return false;
  if (!others.every(({ text }) => /^[1-9]\d{2,5}$/.test(text))) return false;
  if (new Set(others.map(({ text }) => text)).size < others.length) return false;
  const columns = new Set(others.map(({ column }) => column));
  const marks = below.flatMap((cells) => filled(cells).filter(({ column }) => columns.has(column)));
  return marks.length > 0 && marks.every(({ text }) => MARK.test(text));
}

/** "HE-1 | …" above "HE-2 | …": the first row is a record as well. */
function areRecords(first: readonly HeaderCandidate[], second: readonly HeaderCandidate[]): boolean {
  const [one, other] = [first, second].map((row) => filled(row)[0]);
  const family = (cell: HeaderCandidate | undefined) => CODE.exec(cell?.text ?? '')?.groups?.family;
  const own = family(one);
  return (
    own !== undefined && one!.text !== other?.text && one!.column === other?.column && own === family(other)
  );
}

/** A name of one word that ends with a number. */
const CODE = /^(?<family>\p{Lu}[\p{L}\p{N}._-]{0,20}?[-_.]?)\d{1,5}$/u;

function filled(row: readonly HeaderCandidate[]): readonly HeaderCandidate[] {
  return row.filter((cell) => cell.text !== '');
}

function lastColumn(row: readonly HeaderCandidate[]): number {
  return Math.max(0, ...row.map((cell) => cell.column + (cell.span ?? 1)));
}

function isLabelRow(row: readonly HeaderCandidate[]): boolean {
  const cells = filled(row);
  if (cells.length === 0) return false;
  return cells.every(
    (cell) =>
      cell.text.length <= MAX_LABEL_LENGTH &&
      (!SENTENCE_END.test(cell.text) || GOES_ON.test(cell.text) || ABBREVIATION.test(cell.text)) &&
      !VALUE.test(cell.text),
  );
}

/** The second row splits what the first one groups: it has more cells, all of them under the first row's. */
function namesSubcolumns(first: readonly HeaderCandidate[], second: readonly HeaderCandidate[]): boolean {
  const groups = filled(first).filter((cell) => (cell.span ?? 1) > 1);
  return groups.some(
    (group) =>
      filled(second).filter(
        (cell) => cell.column >= group.column && cell.column < group.column + (group.span ?? 1),
      ).length >= 2,
  );
}

/** Two columns, the left one emphasised as a whole, or the first right cell already a value. */
function isKeyValueTable(rows: readonly (readonly HeaderCandidate[])[]): boolean {
  if (Math.max(...rows.slice(0, 50).map(lastColumn)) > 2) return false;
  const left = rows.map((row) => row.find((cell) => cell.column === 0)).filter((cell) => cell?.text);
  const right = rows.map((row) => row.find((cell) => cell.column === 1)).filter((cell) => cell?.text);
  if (left.length === 0 || right.length === 0) return true;
  const emphasised = (cells: typeof left) => cells.filter((cell) => cell?.emphasised).length;
  if (emphasised(left) === left.length && left.length > 1) return emphasised(right) === 0;
  if (rows[0]!.every((cell) => cell.emphasised)) return false;
  return left.every((cell) => /:$/.test(cell!.text));
}
