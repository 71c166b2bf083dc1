/** Weights of a model from a file in the form of safetensors, kept as floats of 16 bits. */
export interface Tensors {
  readonly floats: (name: string) => Float32Array;
  /** Reads one row of a matrix of this width. */
  readonly rows: (name: string, width: number) => (row: number) => Float32Array;
}

interface Entry {
  readonly dtype: string;
  readonly data_offsets: readonly [from: number, to: number];
}

/** The file begins with the length of its list, 64 bits, and the list as JSON; the values follow. */
export function readTensors(bytes: Buffer): Tensors {
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const list = JSON.parse(bytes.subarray(8, start).toString()) as Readonly<Record<string, Entry>>;
  const halves = (name: string): Uint16Array => {
    const entry = list[name];
    if (entry?.dtype !== 'F16') throw new Error(`The weights have no ${name} of 16 bits.`);
    const [from, to] = entry.data_offsets;
    // A copy: the place in the file need not be even, and the file need not stay.
    return new Uint16Array(Uint8Array.from(bytes.subarray(start + from, start + to)).buffer);
  };
  return {
    floats: (name) => floatsOf(halves(name)),
    rows: (name, width) => {
      const values = halves(name);
      return (row) => floatsOf(values.subarray(row * width, (row + 1) * width));
    },
  };
}

/** Floats of 32 bits that have the same values. */
function floatsOf(halves: Uint16Array): Float32Array {
  const bits = new Uint32Array(halves.length);
  for (let at = 0; at < halves.length; at++) {
    const half = halves[at]!;
    const exponent = (half >> 10) & 0x1f;
    // 112 is the difference of what both forms add to an exponent.
    bits[at] = exponent === 0 ? 0 : ((exponent + 112) << 23) | ((half & 0x3ff) << 13);
    bits[at]! |= (half & 0x8000) << 16;
  }
  const floats = new Float32Array(bits.buffer);
  for (let at = 0; at < halves.length; at++) {
    const half = halves[at]!;
    // Too small for an exponent.
    if ((half & 0x7c00) === 0) floats[at] = (half & 0x3ff) * 2 ** -24 * (half & 0x8000 ? -1 : 1);
  }
  return floats;
}
