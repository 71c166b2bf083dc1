import {
  type Code,
  f32,
  f32x4,
  grow,
  i16x8,
  i32,
  i32x4,
  type Local,
  type NewLocal,
  until,
  v128,
  type WasmFunction,
  wasmFunction,
} from './wasm-module.js';

/** Rows are worked on in so many at once: give buffers room for a multiple. */
export const ROWS_AT_ONCE = 3;
/** Columns of a matrix that are worked on at once. */
export const COLUMNS_AT_ONCE = 8;
/** Products of so many neighbours are added up as integers. */
export const INTEGERS_AT_ONCE = 32;
/** Activations become integers up to this. */
export const LARGEST_ACTIVATION = 16_383;

/** Pairs of rows of a matrix between two looks at the end. */
const PAIRS_A_STEP = 2;

const FLOAT = 4;
const INTEGER = 2;
const VECTOR = 16;

/** All functions of the module. Lengths are multiples of 4 floats; addresses and strides are bytes. */
export function kernels(): readonly WasmFunction[] {
  return [quantise(), multiplyIntegers(), multiplyFloats(), softMax(), gelu(), addAndNormalise()];
}

/**
 * `quantise(from, rows, width, to, scales)`: rows as integers of 16 bits and, for each row and as many neighbours as are added up at once,
 * what they are to be multiplied by: a few values of a row are much larger than all others.
 */
function quantise(): WasmFunction {
  return wasmFunction('quantise', ['from', 'rows', 'width', 'to', 'scales'], (parameters, local) => {
    const { from, rows, width, to, scales } = parameters;
    const [at, end, largest, scale] = [local('i32'), local('i32'), local('f32'), local('v128')];
    const offsets = Array.from({ length: INTEGERS_AT_ONCE / 4 }, (_, index) => index * VECTOR);
    const sizes = offsets.map((offset) => f32x4.abs(v128.load(from.get, offset)));
    const most = local('v128');
    return [
      at.set(i32.constant(0)),
      end.set(i32.multiply(rows.get, width.get)),
      until(at, end.get, [
        most.set(f32x4.constant(1e-20)),
        sizes.map((size) => most.set(f32x4.max(most.get, size))),
        largest.set(
          f32.max(
            f32.max(f32x4.lane(most.get, 0), f32x4.lane(most.get, 1)),
            f32.max(f32x4.lane(most.get, 2), f32x4.lane(most.get, 3)),
          ),
        ),
        f32.store(scales.get, f32.divide(largest.get, f32.constant(LARGEST_ACTIVATION))),
        scale.set(f32x4.splat(f32.divide(f32.constant(LARGEST_ACTIVATION), largest.get))),
        offsets
          .filter((_, index) => index % 2 === 0)
          .map((offset) =>
            v128.store(
              to.get,
              i16x8.narrow(rounded(from, scale, offset), rounded(from, scale, offset + VECTOR)),
              offset / 2,
            ),
          ),
        grow(from, i32.constant(INTEGERS_AT_ONCE * FLOAT)),
        grow(to, i32.constant(INTEGERS_AT_ONCE * INTEGER)),
        grow(scales, i32.constant(FLOAT)),
        grow(at, i32.constant(INTEGERS_AT_ONCE)),
      ]),
    ];
  });
}

const rounded = (from: Local, scale: Local, offset: number): Code =>
  i32x4.ofFloats(f32x4.nearest(f32x4.multiply(v128.load(from.get, offset), scale.get)));

/**
 * `multiplyIntegers(rows16, scales, rows, width, matrix16, columnScales, columns, to, stride)`: rows times a matrix, plus its bias. The
 * matrix has its columns in panels of eight, each neighbours of two rows beside each other; `columnScales` has for each panel
 * eight scales, then eight values of the bias. Integers are added up exactly, so that their order has no effect.
 */
function multiplyIntegers(): WasmFunction {
  return wasmFunction(
    'multiplyIntegers',
    ['from', 'scales', 'rows', 'width', 'matrix', 'columnScales', 'columns', 'to', 'stride'],
    (parameters, local) => {
      const { from, scales, rows, width, matrix, columnScales, columns, to, stride } = parameters;
      const [column, row, at, end] = [local('i32'), local('i32'), local('i32'), local('i32')];
      const [panel, out, scaleStride] = [local('i32'), local('i32'), local('i32')];
      const places = Array.from({ length: ROWS_AT_ONCE }, () => local('i32'));
      const sums = places.map(() => [local('v128'), local('v128')] as const);
      const totals = places.map(() => [local('v128'), local('v128')] as const);
      const scalePlaces = places.map(() => local('i32'));
      const [left, right, pair] = [local('v128'), local('v128'), local('v128')];
      const step: Code = [
        Array.from({ length: PAIRS_A_STEP }, (_, pairAt) => [
          left.set(v128.load(panel.get, 2 * pairAt * VECTOR)),
          right.set(v128.load(panel.get, (2 * pairAt + 1) * VECTOR)),
          places.map((place, index) => [
            pair.set(v128.loadSplat32(place.get, pairAt * 2 * INTEGER)),
            sums[index]![0].set(i32x4.add(sums[index]![0].get, i32x4.dotOfI16x8(pair.get, left.get))),
            sums[index]![1].set(i32x4.add(sums[index]![1].get, i32x4.dotOfI16x8(pair.get, right.get))),
          ]),
        ]),
        places.map((place) => grow(place, i32.constant(PAIRS_A_STEP * 2 * INTEGER))),
        grow(panel, i32.constant(PAIRS_A_STEP * 2 * VECTOR)),
        grow(at, i32.constant(PAIRS_A_STEP * 2)),
      ];
      return [
        scaleStride.set(
          i32.multiply(i32.divide(width.get, i32.constant(INTEGERS_AT_ONCE)), i32.constant(FLOAT)),
        ),
        column.set(i32.constant(0)),
        until(column, columns.get, [
          row.set(i32.constant(0)),
          out.set(to.get),
          scalePlaces[0]!.set(scales.get),
          places[0]!.set(from.get),
          until(row, rows.get, [
            panel.set(matrix.get),
            places
              .slice(1)
              .map((place, index) =>
                place.set(i32.add(places[index]!.get, i32.multiply(width.get, i32.constant(INTEGER)))),
              ),
            scalePlaces
              .slice(1)
              .map((place, index) => place.set(i32.add(scalePlaces[index]!.get, scaleStride.get))),
            totals.map((two) => two.map((total) => total.set(v128.zero))),
            at.set(i32.constant(0)),
            until(at, width.get, [
              sums.map((two) => two.map((sum) => sum.set(v128.zero))),
              end.set(i32.add(at.get, i32.constant(INTEGERS_AT_ONCE))),
              until(at, end.get, step),
              totals.map((two, index) => [
                pair.set(v128.loadSplat32(scalePlaces[index]!.get)),
                two.map((total, half) =>
                  total.set(
                    f32x4.add(total.get, f32x4.multiply(f32x4.ofIntegers(sums[index]![half]!.get), pair.get)),
                  ),
                ),
                grow(scalePlaces[index]!, i32.constant(FLOAT)),
              ]),
            ]),
            totals.map((two) => [
              two.map((total, half) =>
                v128.store(
                  out.get,
                  f32x4.add(
                    f32x4.multiply(total.get, v128.load(columnScales.get, half * VECTOR)),
                    v128.load(columnScales.get, (2 + half) * VECTOR),
                  ),
                  half * VECTOR,
                ),
              ),
              grow(out, stride.get),
            ]),
            scalePlaces[0]!.set(scalePlaces.at(-1)!.get),
            // The last row has been read to its end, where the next one begins.
            places[0]!.set(places.at(-1)!.get),
            grow(row, i32.constant(ROWS_AT_ONCE)),
          ]),
          matrix.set(panel.get),
          grow(columnScales, i32.constant(4 * VECTOR)),
          grow(to, i32.constant(COLUMNS_AT_ONCE * FLOAT)),
          grow(column, i32.constant(COLUMNS_AT_ONCE)),
        ]),
      ];
    },
  );
}

/** `multiplyFloats(one, oneStride, rows, width, other, otherStride, columns, to, toStride)`: a product of two matrices. */
function multiplyFloats(): WasmFunction {
  return wasmFunction(
    'multiplyFloats',
    ['one', 'oneStride', 'rows', 'width', 'other', 'otherStride', 'columns', 'to', 'toStride'],
    (parameters, local) => {
      const { one, oneStride, rows, width, other, otherStride, columns, to, toStride } = parameters;
      const [column, row, at] = [local('i32'), local('i32'), local('i32')];
      const [below, out, begin] = [local('i32'), local('i32'), local('i32')];
      const places = Array.from({ length: ROWS_AT_ONCE }, () => local('i32'));
      const sums = places.map(() => [local('v128'), local('v128')] as const);
      const [left, right, value] = [local('v128'), local('v128'), local('v128')];
      return [
        column.set(i32.constant(0)),
        until(column, columns.get, [
          row.set(i32.constant(0)),
          out.set(to.get),
          begin.set(one.get),
          until(row, rows.get, [
            places.map((place, index) =>
              place.set(index === 0 ? begin.get : i32.add(places[index - 1]!.get, oneStride.get)),
            ),
            begin.set(i32.add(places.at(-1)!.get, oneStride.get)),
            below.set(other.get),
            sums.map((two) => two.map((sum) => sum.set(v128.zero))),
            at.set(i32.constant(0)),
            until(at, width.get, [
              left.set(v128.load(below.get)),
              right.set(v128.load(below.get, VECTOR)),
              places.map((place, index) => [
                value.set(v128.loadSplat32(place.get)),
                sums[index]![0].set(f32x4.add(sums[index]![0].get, f32x4.multiply(value.get, left.get))),
                sums[index]![1].set(f32x4.add(sums[index]![1].get, f32x4.multiply(value.get, right.get))),
                grow(place, i32.constant(FLOAT)),
              ]),
              grow(below, otherStride.get),
              grow(at, i32.constant(1)),
            ]),
            sums.map((two) => [
              two.map((sum, half) => v128.store(out.get, sum.get, half * VECTOR)),
              grow(out, toStride.get),
            ]),
            grow(row, i32.constant(ROWS_AT_ONCE)),
          ]),
          grow(other, i32.constant(COLUMNS_AT_ONCE * FLOAT)),
          grow(to, i32.constant(COLUMNS_AT_ONCE * FLOAT)),
          grow(column, i32.constant(COLUMNS_AT_ONCE)),
        ]),
      ];
    },
  );
}

/**
 * `softMax(at, rows, columns, stride, mask, factor)`: each row times the factor (the address of one), plus the mask, becomes shares of one.
 */
function softMax(): WasmFunction {
  return wasmFunction(
    'softMax',
    ['start', 'rows', 'columns', 'stride', 'mask', 'factor'],
    (parameters, local) => {
      const { start, rows, columns, stride, mask, factor } = parameters;
      const [row, column, at, masked] = [local('i32'), local('i32'), local('i32'), local('i32')];
      const [most, sum, value, scale] = [local('v128'), local('v128'), local('v128'), local('v128')];
      const exponential = exponentialOf(local);
      const overRow = (body: Code): Code => [
        column.set(i32.constant(0)),
        at.set(start.get),
        masked.set(mask.get),
        until(column, columns.get, [
          body,
          grow(at, i32.constant(VECTOR)),
          grow(masked, i32.constant(VECTOR)),
          grow(column, i32.constant(4)),
        ]),
      ];
      return [
        scale.set(v128.loadSplat32(factor.get)),
        row.set(i32.constant(0)),
        until(row, rows.get, [
          most.set(f32x4.constant(-1e30)),
          overRow([
            value.set(f32x4.add(f32x4.multiply(v128.load(at.get), scale.get), v128.load(masked.get))),
            v128.store(at.get, value.get),
            most.set(f32x4.max(most.get, value.get)),
          ]),
          most.set(
            f32x4.splat(
              f32.max(
                f32.max(f32x4.lane(most.get, 0), f32x4.lane(most.get, 1)),
                f32.max(f32x4.lane(most.get, 2), f32x4.lane(most.get, 3)),
              ),
            ),
          ),
          sum.set(v128.zero),
          overRow([
            value.set(f32x4.subtract(v128.load(at.get), most.get)),
            exponential(value),
            v128.store(at.get, value.get),
            sum.set(f32x4.add(sum.get, value.get)),
          ]),
          sum.set(f32x4.splat(f32.divide(f32.constant(1), sumOfLanes(sum)))),
          overRow(v128.store(at.get, f32x4.multiply(v128.load(at.get), sum.get))),
          grow(start, stride.get),
          grow(row, i32.constant(1)),
        ]),
      ];
    },
  );
}

const sumOfLanes = (vector: Local): Code =>
  f32.add(
    f32.add(f32x4.lane(vector.get, 0), f32x4.lane(vector.get, 1)),
    f32.add(f32x4.lane(vector.get, 2), f32x4.lane(vector.get, 3)),
  );

/** Code that turns four values of at most 0 into powers of e: 2 ^ n by the bits of a float, the rest by its series. */
function exponentialOf(local: NewLocal): (value: Local) => Code {
  const [whole, rest, result] = [local('v128'), local('v128'), local('v128')];
  const series = [1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1];
  return (value) => [
    value.set(f32x4.max(value.get, f32x4.constant(-87))),
    whole.set(f32x4.nearest(f32x4.multiply(value.get, f32x4.constant(Math.LOG2E)))),
    // The logarithm of 2 in two parts, the first of which is exact.
    rest.set(f32x4.subtract(value.get, f32x4.multiply(whole.get, f32x4.constant(0.693359375)))),
    rest.set(f32x4.add(rest.get, f32x4.multiply(whole.get, f32x4.constant(2.1219444e-4)))),
    result.set(f32x4.constant(series[0]!)),
    series
      .slice(1)
      .map((part) => result.set(f32x4.add(f32x4.multiply(result.get, rest.get), f32x4.constant(part)))),
    value.set(
      f32x4.multiply(
        result.get,
        i32x4.shiftLeft(i32x4.add(i32x4.ofFloats(whole.get), i32x4.constant(127)), 23),
      ),
    ),
  ];
}

/**
 * `gelu(at, count)`: x · (1 + erf(x / √2)) / 2 for each, with the error function of Abramowitz and Stegun, 7.1.26, which is 1.5e-7 from the true one at most.
 */
function gelu(): WasmFunction {
  return wasmFunction('gelu', ['at', 'count'], (parameters, local) => {
    const { at, count } = parameters;
    const [done, x, z] = [local('i32'), local('v128'), local('v128')];
    const [t, sum, power] = [local('v128'), local('v128'), local('v128')];
    const exponential = exponentialOf(local);
    const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
    return [
      done.set(i32.constant(0)),
      until(done, count.get, [
        x.set(v128.load(at.get)),
        z.set(f32x4.multiply(f32x4.abs(x.get), f32x4.constant(Math.SQRT1_2))),
        t.set(
          f32x4.divide(
            f32x4.constant(1),
            f32x4.add(f32x4.constant(1), f32x4.multiply(z.get, f32x4.constant(0.3275911))),
          ),
        ),
        sum.set(f32x4.constant(series[0]!)),
        series
          .slice(1)
          .map((part) => sum.set(f32x4.add(f32x4.multiply(sum.get, t.get), f32x4.constant(part)))),
        power.set(f32x4.negate(f32x4.multiply(z.get, z.get))),
        exponential(power),
        z.set(f32x4.subtract(f32x4.constant(1), f32x4.multiply(f32x4.multiply(sum.get, t.get), power.get))),
        // The error function has the sign of x.
        z.set(v128.or(z.get, v128.and(x.get, f32x4.constant(-0)))),
        v128.store(
          at.get,
          f32x4.multiply(f32x4.multiply(x.get, f32x4.constant(0.5)), f32x4.add(f32x4.constant(1), z.get)),
        ),
        grow(at, i32.constant(VECTOR)),
        grow(done, i32.constant(4)),
      ]),
    ];
  });
}

/**
 * `addAndNormalise(at, other, rows, width, weights, bias)`: adds another row to each, takes away its mean and divides by its deviation,
 * then multiplies by the weights and adds the bias.
 */
function addAndNormalise(): WasmFunction {
  return wasmFunction(
    'addAndNormalise',
    ['start', 'other', 'rows', 'width', 'weights', 'bias'],
    (parameters, local) => {
      const { start, other, rows, width, weights, bias } = parameters;
      const [row, offset, bytes] = [local('i32'), local('i32'), local('i32')];
      const [sum, mean, value] = [local('v128'), local('v128'), local('v128')];
      const count = f32x4Count(width);
      const at = (base: Local): Code => i32.add(base.get, offset.get);
      const overRow = (body: Code): Code => [
        offset.set(i32.constant(0)),
        until(offset, bytes.get, [body, grow(offset, i32.constant(VECTOR))]),
      ];
      return [
        bytes.set(i32.multiply(width.get, i32.constant(FLOAT))),
        row.set(i32.constant(0)),
        until(row, rows.get, [
          sum.set(v128.zero),
          overRow([
            value.set(f32x4.add(v128.load(at(start)), v128.load(at(other)))),
            v128.store(at(start), value.get),
            sum.set(f32x4.add(sum.get, value.get)),
          ]),
          mean.set(f32x4.splat(f32.divide(sumOfLanes(sum), count))),
          sum.set(v128.zero),
          overRow([
            value.set(f32x4.subtract(v128.load(at(start)), mean.get)),
            v128.store(at(start), value.get),
            sum.set(f32x4.add(sum.get, f32x4.multiply(value.get, value.get))),
          ]),
          mean.set(
            f32x4.splat(
              f32.divide(
                f32.constant(1),
                f32.squareRoot(f32.add(f32.divide(sumOfLanes(sum), count), f32.constant(1e-12))),
              ),
            ),
          ),
          overRow(
            v128.store(
              at(start),
              f32x4.add(
                f32x4.multiply(f32x4.multiply(v128.load(at(start)), mean.get), v128.load(at(weights))),
                v128.load(at(bias)),
              ),
            ),
          ),
          grow(start, bytes.get),
          grow(other, bytes.get),
          grow(row, i32.constant(1)),
        ]),
      ];
    },
  );
}

/** The count as a float. */
const f32x4Count = (count: Local): Code => [count.get, 0xb3];
