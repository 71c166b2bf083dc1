/** Bytes of instructions, nested as they were put together. */
export type Code = number | readonly Code[];

/** As far as it is used here; the types of Node.js leave it to browsers. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => { readonly exports: unknown };
};

/** Memory in pages of 65,536 bytes; its buffer is another one after it grew. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export const wasmMemory = (): WasmMemory => new WebAssembly.Memory({ initial: 1 });

type ValueType = 'i32' | 'f32' | 'v128';

const VALUE_TYPES: Readonly<Record<ValueType, number>> = { i32: 0x7f, f32: 0x7d, v128: 0x7b };

/** A local variable or parameter of a function. */
export interface Local {
  readonly get: Code;
  /** The variable becomes the value of the code. */
  readonly set: (value: Code) => Code;
}

export interface WasmFunction {
  readonly name: string;
  /** 32-bit integers: addresses in bytes and counts. */
  readonly parameters: number;
  readonly locals: readonly ValueType[];
  readonly code: Code;
}

/** A further variable of a function that is being written, 0 at first. */
export type NewLocal = (type: ValueType) => Local;

/** A function that gives nothing back: all it does it does in memory. */
export function wasmFunction<Name extends string>(
  name: string,
  parameters: readonly Name[],
  write: (parameters: Readonly<Record<Name, Local>>, local: NewLocal) => Code,
): WasmFunction {
  const locals: ValueType[] = [];
  const at = (index: number): Local => ({
    get: [0x20, unsigned(index)],
    set: (value) => [value, 0x21, unsigned(index)],
  });
  const named = Object.fromEntries(parameters.map((one, index) => [one, at(index)])) as Record<Name, Local>;
  const code = write(named, (type) => at(parameters.length + locals.push(type) - 1));
  return { name, parameters: parameters.length, locals, code };
}

/** The functions over the memory, ready to be called. */
export function instantiate(
  functions: readonly WasmFunction[],
  memory: WasmMemory,
): Readonly<Record<string, (...parameters: number[]) => void>> {
  const module = new WebAssembly.Module(moduleBytes(functions));
  return new WebAssembly.Instance(module, { env: { memory } }).exports as ReturnType<typeof instantiate>;
}

/** A module with these functions; its memory is given to it as `env.memory`. */
function moduleBytes(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [
    0x60,
    vector(Array.from({ length: parameters }, () => VALUE_TYPES.i32)),
    vector([]),
  ]);
  const exports = functions.map(({ name }, index) => [text(name), 0x00, unsigned(index)]);
  const bodies = functions.map(({ locals, code }) => {
    const body = flat([vector(locals.map((type) => [unsigned(1), VALUE_TYPES[type]])), code, 0x0b]);
    return [unsigned(body.length), body];
  });
  return Uint8Array.from(
    flat([
      [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      section(1, vector(types)),
      section(2, vector([[text('env'), text('memory'), 0x02, 0x00, unsigned(1)]])),
      section(3, vector(functions.map((_, index) => unsigned(index)))),
      section(7, vector(exports)),
      section(10, vector(bodies)),
    ]),
  );
}

const section = (id: number, content: Code): Code => {
  const bytes = flat(content);
  return [id, unsigned(bytes.length), bytes];
};
const vector = (items: readonly Code[]): Code => [unsigned(items.length), items];
const text = (value: string): Code => vector([...Buffer.from(value)]);

function flat(code: Code): number[] {
  const bytes: number[] = [];
  const add = (part: Code): void => {
    if (typeof part === 'number') bytes.push(part);
    else part.forEach(add);
  };
  add(code);
  return bytes;
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const isLast = rest >= -64 && rest < 64;
    bytes.push((rest & 0x7f) | (isLast ? 0 : 0x80));
    if (isLast) return bytes;
  }
}

const binary =
  (...operation: readonly number[]) =>
  (one: Code, other: Code): Code => [one, other, operation];
const unary =
  (...operation: readonly number[]) =>
  (value: Code): Code => [value, operation];
const simd = (operation: number): number[] => [0xfd, ...unsigned(operation)];
const read =
  (operation: readonly number[]) =>
  (address: Code, offset = 0): Code => [address, operation, 0, unsigned(offset)];

export const i32 = {
  constant: (value: number): Code => [0x41, signed(value)],
  add: binary(0x6a),
  multiply: binary(0x6c),
  divide: binary(0x6e),
};

export const f32 = {
  load: read([0x2a]),
  constant: (value: number): Code => [0x43, ...Buffer.from(Float32Array.of(value).buffer)],
  add: binary(0x92),
  multiply: binary(0x94),
  divide: binary(0x95),
  squareRoot: unary(0x91),
  max: binary(0x97),
  store: (address: Code, value: Code, offset = 0): Code => [address, value, 0x38, 0, unsigned(offset)],
};

/** Vectors of 128 bits: four floats or integers, or eight integers of 16 bits. */
export const v128 = {
  load: read(simd(0x00)),
  /** Four bytes at the address, four times. */
  loadSplat32: read(simd(0x09)),
  store: (address: Code, value: Code, offset = 0): Code => [address, value, simd(0x0b), 0, unsigned(offset)],
  zero: [simd(0x0c), Array.from({ length: 16 }, () => 0)] as Code,
  and: binary(...simd(0x4e)),
  or: binary(...simd(0x50)),
};

export const f32x4 = {
  splat: unary(...simd(0x13)),
  constant: (value: number): Code => [f32.constant(value), simd(0x13)],
  lane: (value: Code, lane: number): Code => [value, simd(0x1f), lane],
  nearest: unary(...simd(0x6a)),
  abs: unary(...simd(0xe0)),
  negate: unary(...simd(0xe1)),
  add: binary(...simd(0xe4)),
  subtract: binary(...simd(0xe5)),
  multiply: binary(...simd(0xe6)),
  divide: binary(...simd(0xe7)),
  min: binary(...simd(0xe8)),
  max: binary(...simd(0xe9)),
  ofIntegers: unary(...simd(0xfa)),
};

export const i32x4 = {
  constant: (value: number): Code => [i32.constant(value), simd(0x11)],
  add: binary(...simd(0xae)),
  shiftLeft: (value: Code, bits: number): Code => [value, i32.constant(bits), simd(0xab)],
  /** Rounded to zero, bounded. */
  ofFloats: unary(...simd(0xf8)),
  /** Products of eight integers of 16 bits, neighbours added. */
  dotOfI16x8: binary(...simd(0xba)),
};

export const i16x8 = {
  /** Eight integers of 32 bits, bounded. */
  narrow: binary(...simd(0x85)),
};

/** The body again and again while the counter, which it has to change, is below the end; at least once. */
export function until(counter: Local, end: Code, body: Code): Code {
  // loop … local.get end i32.lt_u br_if 0 end
  return [0x03, 0x40, body, counter.get, end, 0x49, 0x0d, 0x00, 0x0b];
}

/** The variable grows by so much. */
export const grow = (variable: Local, by: Code): Code => variable.set(i32.add(variable.get, by));
