/** Similarities of queries (rows) and texts (columns), row by row. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

export function emptyMatrix(rows: number, columns: number): Matrix {
  return { rows, columns, values: new Float64Array(rows * columns) };
}

/** View of one row; writing to it writes to the matrix. */
export function rowOf(matrix: Matrix, row: number): Float64Array {
  return matrix.values.subarray(row * matrix.columns, (row + 1) * matrix.columns);
}

/**
 * Values as distances from their mean in standard deviations (z-scores), so that similarities of different kinds
 * can be added. Only the members that `counts` names are used and set, others become 0; without spread all are 0.
 */
export function standardise(values: ArrayLike<number>, counts?: (index: number) => boolean): Float64Array {
  return counts ? standardiseSome(values, counts) : standardiseAll(values);
}

function standardiseAll(values: ArrayLike<number>): Float64Array {
  const result = new Float64Array(values.length);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  const mean = sum / values.length;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i]! - mean) ** 2;
  const deviation = Math.sqrt(squares / values.length);
  if (!(deviation > 1e-12)) return result;
  for (let i = 0; i < values.length; i++) result[i] = (values[i]! - mean) / deviation;
  return result;
}

function standardiseSome(values: ArrayLike<number>, counts: (index: number) => boolean): Float64Array {
  const result = new Float64Array(values.length);
  let sum = 0;
  let members = 0;
  for (let i = 0; i < values.length; i++) {
    if (!counts(i)) continue;
    sum += values[i]!;
    members++;
  }
  const mean = sum / members;
  let squares = 0;
  for (let i = 0; i < values.length; i++) if (counts(i)) squares += (values[i]! - mean) ** 2;
  const deviation = Math.sqrt(squares / members);
  if (!(deviation > 1e-12)) return result;
  for (let i = 0; i < values.length; i++) {
    if (counts(i)) result[i] = (values[i]! - mean) / deviation;
  }
  return result;
}

/** Other queries that a query competes with for a text. */
const RIVALS = 5;
/** Columns that are looked at together. */
const TILE = 32;
/** The spread of few rivals says little; their spread with the nearest query counts as this many more. */
const PRIOR_RIVALS = 2;

/**
 * How much more a text is near to one query than to that query's rivals: the distance to the mean of the five
 * other queries that are nearest to the text, in standard deviations, compressed by asinh. A text that is near
 * to everything (a hub) is exclusive to nothing. Rivals are few and the nearest, so that the value does not depend on
 * how many queries there are, nor on how far away the rest is. All 0 for fewer than three queries.
 */
export function exclusivity(similarities: Matrix): Matrix {
  const { rows, columns } = similarities;
  const result = emptyMatrix(rows, columns);
  if (rows < 3) return result;
  const rivals = rivalsOf(rows);
  // Rows of a few neighbouring columns at a time: one column alone would read a cache line for each of its values.
  const tile = new Float64Array(rows * TILE);
  for (let first = 0; first < columns; first += TILE) {
    const width = Math.min(TILE, columns - first);
    for (let row = 0; row < rows; row++) {
      const from = row * columns + first;
      for (let i = 0; i < width; i++) tile[i * rows + row] = similarities.values[from + i]!;
    }
    for (let i = 0; i < width; i++) rivals.compare(tile.subarray(i * rows, (i + 1) * rows));
    for (let row = 0; row < rows; row++) {
      const to = row * columns + first;
      for (let i = 0; i < width; i++) result.values[to + i] = tile[i * rows + row]!;
    }
  }
  return result;
}

/** The same for single members of the matrix; a column is worked out when it is first asked for. */
export function exclusivityAt(similarities: Matrix): (row: number, column: number) => number {
  const { rows, columns, values } = similarities;
  if (rows < 3) return () => 0;
  const rivals = rivalsOf(rows);
  const known = new Map<number, Float64Array>();
  return (row, column) => {
    let compared = known.get(column);
    if (!compared) {
      compared = Float64Array.from({ length: rows }, (_, at) => values[at * columns + column]!);
      rivals.compare(compared);
      known.set(column, compared);
    }
    return compared[row]!;
  };
}

/** Turns the similarities of one text to all queries into its exclusivity to each of them, in place. */
function rivalsOf(rows: number): { compare(column: Float64Array): void } {
  const nearest = new Float64Array(Math.min(RIVALS + 1, rows));
  return {
    compare(column) {
      fillLargest(nearest, column);
      const variance = varianceOf(nearest);
      if (!(variance > 1e-24)) {
        column.fill(0);
        return;
      }
      const last = nearest.length - 1;
      const least = nearest[last]!;
      // Nearly all queries are none of the nearest: they have the same rivals.
      const others = spreadWithout(last, nearest, variance);
      for (let row = 0; row < column.length; row++) {
        const value = column[row]!;
        const place = value > least ? nearest.indexOf(value) : last;
        const { mean, deviation } =
          place >= 0 && place < last ? spreadWithout(place, nearest, variance) : others;
        column[row] = Math.asinh((value - mean) / deviation);
      }
    },
  };
}

function varianceOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return squares / values.length;
}

/** `nearest` holds the largest values of all queries, descending, with their variance; the one at `own` is left out. */
function spreadWithout(
  own: number,
  nearest: Float64Array,
  variance: number,
): { readonly mean: number; readonly deviation: number } {
  const rivals = nearest.length - 1;
  let sum = 0;
  for (let i = 0; i <= rivals; i++) if (i !== own) sum += nearest[i]!;
  const mean = sum / rivals;
  let squares = 0;
  for (let i = 0; i <= rivals; i++) if (i !== own) squares += (nearest[i]! - mean) ** 2;
  return { mean, deviation: Math.sqrt((squares + PRIOR_RIVALS * variance) / (rivals + PRIOR_RIVALS)) };
}

/** Fills `target` with the largest values, descending (insertion: the target is short). */
function fillLargest(target: Float64Array, values: Float64Array): void {
  target.fill(-Infinity);
  const last = target.length - 1;
  for (const value of values) {
    if (value <= target[last]!) continue;
    let at = last;
    while (at > 0 && target[at - 1]! < value) {
      target[at] = target[at - 1]!;
      at--;
    }
    target[at] = value;
  }
}
