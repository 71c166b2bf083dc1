import { COLUMNS_AT_ONCE, INTEGERS_AT_ONCE, kernels, LARGEST_ACTIVATION, ROWS_AT_ONCE } from './kernels.js';
import type { Tensors } from './safe-tensors.js';
import { instantiate, type WasmMemory, wasmMemory } from './wasm-module.js';

/** Numbers of all-MiniLM-L6-v2. */
const LAYERS = 6;
const WIDTH = 384;
const INNER = 1536;
const HEADS = 12;
const HEAD = WIDTH / HEADS;
const FLOAT = 4;
/** What a score gets that no piece of the text stands behind. */
const NOTHING = -1e30;

/** A matrix in the memory of the module: integers in panels, scales and bias of its columns. */
interface Matrix {
  readonly integers: number;
  readonly scales: number;
  readonly columns: number;
}

interface Layer {
  readonly attention: Matrix;
  readonly attended: Matrix;
  readonly afterAttention: readonly [weights: number, bias: number];
  readonly widened: Matrix;
  readonly narrowed: Matrix;
  readonly afterWidening: readonly [weights: number, bias: number];
}

/**
 * Opens the encoder: what it gives back turns the pieces of a text, at most `most`, into a vector of unit length. Weights and activations
 * are multiplied as integers of 16 bits, everything else is done in floats of 32 bits in one order, so that a vector has the same
 * bits on every machine.
 */
export function openSentenceEncoder(
  tensors: Tensors,
  most: number,
): (pieces: readonly number[]) => Float32Array {
  const memory = wasmMemory();
  let used = 1024;
  const room = (bytes: number): number => {
    const at = used;
    used = Math.ceil((used + bytes) / 64) * 64;
    const missing = Math.ceil((used - memory.buffer.byteLength) / 65_536);
    if (missing > 0) memory.grow(missing + 64);
    return at;
  };
  const floats = (values: Float32Array): number => {
    const at = room(values.length * FLOAT);
    new Float32Array(memory.buffer, at, values.length).set(values);
    return at;
  };
  const matrix = (names: readonly string[], inputs: number): Matrix =>
    packed(tensors, names, { inputs, room, memory });
  const two = (name: string) =>
    [floats(tensors.floats(`${name}.weight`)), floats(tensors.floats(`${name}.bias`))] as const;

  const layers = Array.from({ length: LAYERS }, (_, index): Layer => {
    const layer = `encoder.layer.${index}`;
    const self = `${layer}.attention.self`;
    return {
      attention: matrix([`${self}.query`, `${self}.key`, `${self}.value`], WIDTH),
      attended: matrix([`${layer}.attention.output.dense`], WIDTH),
      afterAttention: two(`${layer}.attention.output.LayerNorm`),
      widened: matrix([`${layer}.intermediate.dense`], WIDTH),
      narrowed: matrix([`${layer}.output.dense`], INNER),
      afterWidening: two(`${layer}.output.LayerNorm`),
    };
  });
  const first = two('embeddings.LayerNorm');
  const rows = Math.ceil(most / ROWS_AT_ONCE) * ROWS_AT_ONCE;
  const columns = Math.ceil(most / COLUMNS_AT_ONCE) * COLUMNS_AT_ONCE;
  const state = room(rows * WIDTH * FLOAT);
  const added = room(rows * WIDTH * FLOAT);
  const attention = room(rows * 3 * WIDTH * FLOAT);
  const keys = room(HEAD * columns * FLOAT);
  const scores = room(rows * columns * FLOAT);
  const context = room(rows * WIDTH * FLOAT);
  const inner = room(rows * INNER * FLOAT);
  const integers = room(rows * INNER * 2);
  const scales = room(((rows * INNER) / INTEGERS_AT_ONCE) * FLOAT);
  const mask = room(columns * FLOAT);
  const factor = floats(Float32Array.of(1 / Math.sqrt(HEAD)));

  const kernel = instantiate(kernels(), memory);
  const all = new Float32Array(memory.buffer);
  const wordOf = tensors.rows('embeddings.word_embeddings.weight', WIDTH);
  const placeOf = tensors.rows('embeddings.position_embeddings.weight', WIDTH);
  const kind = tensors.rows('embeddings.token_type_embeddings.weight', WIDTH)(0);

  /** Rows times a matrix. */
  const multiply = (
    from: number,
    count: number,
    { width, by, to }: { width: number; by: Matrix; to: number },
  ) => {
    kernel.quantise!(from, count, width, integers, scales);
    kernel.multiplyIntegers!(
      integers,
      scales,
      count,
      width,
      by.integers,
      by.scales,
      by.columns,
      to,
      by.columns * FLOAT,
    );
  };

  return (pieces) => {
    const count = pieces.length;
    const padded = Math.ceil(count / ROWS_AT_ONCE) * ROWS_AT_ONCE;
    const across = Math.ceil(count / COLUMNS_AT_ONCE) * COLUMNS_AT_ONCE;
    all.fill(0, state / FLOAT, state / FLOAT + padded * WIDTH);
    all.fill(0, added / FLOAT, added / FLOAT + padded * WIDTH);
    pieces.forEach((piece, at) => {
      const [word, place] = [wordOf(piece), placeOf(at)];
      const target = state / FLOAT + at * WIDTH;
      for (let index = 0; index < WIDTH; index++)
        all[target + index] = word[index]! + place[index]! + kind[index]!;
    });
    all.fill(0, mask / FLOAT, mask / FLOAT + count);
    all.fill(NOTHING, mask / FLOAT + count, mask / FLOAT + across);
    kernel.addAndNormalise!(state, added, padded, WIDTH, ...first);
    for (const layer of layers) {
      multiply(state, padded, { width: WIDTH, by: layer.attention, to: attention });
      const stride = 3 * WIDTH * FLOAT;
      for (let head = 0; head < HEADS; head++) {
        const [query, value] = [
          attention + head * HEAD * FLOAT,
          attention + (2 * WIDTH + head * HEAD) * FLOAT,
        ];
        turnKeys(attention + (WIDTH + head * HEAD) * FLOAT, count, across);
        kernel.multiplyFloats!(
          query,
          stride,
          padded,
          HEAD,
          keys,
          across * FLOAT,
          across,
          scores,
          across * FLOAT,
        );
        kernel.softMax!(scores, padded, across, across * FLOAT, mask, factor);
        kernel.multiplyFloats!(
          scores,
          across * FLOAT,
          padded,
          count,
          value,
          stride,
          HEAD,
          context + head * HEAD * FLOAT,
          WIDTH * FLOAT,
        );
      }
      multiply(context, padded, { width: WIDTH, by: layer.attended, to: added });
      kernel.addAndNormalise!(state, added, padded, WIDTH, ...layer.afterAttention);
      multiply(state, padded, { width: WIDTH, by: layer.widened, to: inner });
      kernel.gelu!(inner, padded * INNER);
      multiply(inner, padded, { width: INNER, by: layer.narrowed, to: added });
      kernel.addAndNormalise!(state, added, padded, WIDTH, ...layer.afterWidening);
    }
    return meanOfUnitLength(all.subarray(state / FLOAT, state / FLOAT + count * WIDTH));
  };

  /** Keys of a head, one below the other in their row, become columns. */
  function turnKeys(from: number, count: number, across: number): void {
    for (let at = 0; at < across; at++) {
      const row = from / FLOAT + at * 3 * WIDTH;
      for (let index = 0; index < HEAD; index++)
        all[keys / FLOAT + index * across + at] = at < count ? all[row + index]! : 0;
    }
  }
}

/** Weights of matrices with the same input, their columns beside each other. */
function packed(
  tensors: Tensors,
  names: readonly string[],
  {
    inputs,
    room,
    memory,
  }: { readonly inputs: number; readonly room: (bytes: number) => number; readonly memory: WasmMemory },
): Matrix {
  // A row of the file is what one output takes from all inputs.
  const weights = names.flatMap((name) => {
    const values = tensors.floats(`${name}.weight`);
    return Array.from({ length: values.length / inputs }, (_, at) =>
      values.subarray(at * inputs, (at + 1) * inputs),
    );
  });
  const bias = names.flatMap((name) => [...tensors.floats(`${name}.bias`)]);
  const integers = room(weights.length * inputs * 2);
  const scales = room(weights.length * 2 * FLOAT);
  const [packedIntegers, packedScales] = [
    new Int16Array(memory.buffer, integers, weights.length * inputs),
    new Float32Array(memory.buffer, scales, weights.length * 2),
  ];
  weights.forEach((column, at) => {
    const panel = Math.floor(at / COLUMNS_AT_ONCE);
    const place = at % COLUMNS_AT_ONCE;
    const unit = unitOf(column);
    packedScales[panel * 2 * COLUMNS_AT_ONCE + place] = unit;
    packedScales[panel * 2 * COLUMNS_AT_ONCE + COLUMNS_AT_ONCE + place] = bias[at]!;
    const start = panel * COLUMNS_AT_ONCE * inputs + place * 2;
    for (let pair = 0; pair < inputs / 2; pair++) {
      const target = start + pair * COLUMNS_AT_ONCE * 2;
      packedIntegers[target] = Math.round(column[2 * pair]! / unit);
      packedIntegers[target + 1] = Math.round(column[2 * pair + 1]! / unit);
    }
  });
  return { integers, scales, columns: weights.length };
}

/** What one step of the integers of a column is worth: the least with which no sum of them leaves 31 bits. */
function unitOf(column: Float32Array): number {
  let unit = 0;
  for (let from = 0; from < column.length; from += INTEGERS_AT_ONCE) {
    let sum = 0;
    for (let at = from; at < from + INTEGERS_AT_ONCE; at++) {
      const size = Math.abs(column[at]!);
      sum += size;
      unit = Math.max(unit, size / 32_767);
    }
    // Each may be rounded up by a half.
    unit = Math.max(
      unit,
      (sum * LARGEST_ACTIVATION) / (2 ** 31 - 1 - (INTEGERS_AT_ONCE / 2) * LARGEST_ACTIVATION),
    );
  }
  return Math.fround(unit) || 1;
}

function meanOfUnitLength(rows: Float32Array): Float32Array {
  const mean = new Float32Array(WIDTH);
  for (let at = 0; at < rows.length; at++) mean[at % WIDTH]! += rows[at]!;
  let square = 0;
  for (const value of mean) square += value * value;
  const length = Math.sqrt(square);
  return mean.map((value) => value / length);
}
