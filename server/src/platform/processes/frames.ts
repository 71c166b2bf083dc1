import { Deserializer, Serializer } from 'node:v8';

/**
 * Values between processes, as structured clones: a head with lengths, the value, and then the bytes of its arrays as
 * they are. So bytes are neither copied before they are written nor after they were read.
 */
const COUNTS = 8;
const LENGTH = 4;
/** Smaller messages go in one write. */
const SMALL = 64 * 1024;

const VIEWS = [Uint8Array, Int32Array, Uint32Array, Float32Array, Float64Array] as const;
type View = InstanceType<(typeof VIEWS)[number]>;

/** What the class of the library calls for arrays. */
interface HostObjects {
  _setTreatArrayBufferViewsAsHostObjects(all: boolean): void;
  _writeHostObject(view: ArrayBufferView): void;
}

/** The pieces to write, in order. Throws for what cannot be cloned, and for arrays of unusual types. */
export function encodeMessage(value: unknown): readonly Uint8Array[] {
  const views: Uint8Array[] = [];
  const serializer = new Serializer();
  const hooks = serializer as unknown as HostObjects;
  hooks._setTreatArrayBufferViewsAsHostObjects(true);
  hooks._writeHostObject = (view) => {
    const type = VIEWS.findIndex((one) => view instanceof one);
    if (type < 0) throw new TypeError(`Arrays of type ${view.constructor.name} are not sent to processes.`);
    serializer.writeUint32(type);
    serializer.writeUint32(views.length);
    views.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  };
  serializer.writeHeader();
  serializer.writeValue(value);
  const pieces = [serializer.releaseBuffer(), ...views];
  const head = Buffer.alloc(COUNTS + LENGTH * views.length);
  head.writeUInt32LE(views.length, 0);
  pieces.forEach((piece, at) => {
    head.writeUInt32LE(piece.length, LENGTH + LENGTH * at);
  });
  const total = pieces.reduce((sum, { length }) => sum + length, head.length);
  return total <= SMALL ? [Buffer.concat([head, ...pieces], total)] : [head, ...pieces];
}

/** Collects chunks as they arrive and calls back with each whole value. */
export function createMessageDecoder(onMessage: (message: unknown) => void): (chunk: Uint8Array) => void {
  let target = allocate(COUNTS);
  let filled = 0;
  let whenFull = readHead;

  function want(length: number, then: (full: Uint8Array) => void): void {
    target = allocate(length);
    filled = 0;
    whenFull = then;
  }
  function readHead(head: Uint8Array): void {
    const count = uint32(head, 0);
    const first = uint32(head, LENGTH);
    want(count * LENGTH, (rest) => {
      const lengths = Array.from({ length: count }, (_, at) => uint32(rest, LENGTH * at));
      readPieces([first, ...lengths], []);
    });
  }
  function readPieces(lengths: readonly number[], pieces: Uint8Array[]): void {
    const length = lengths[pieces.length];
    if (length === undefined) {
      const [value, ...views] = pieces as [Uint8Array, ...Uint8Array[]];
      want(COUNTS, readHead);
      onMessage(decode(value, views));
    } else {
      want(length, (piece) => {
        pieces.push(piece);
        readPieces(lengths, pieces);
      });
    }
  }

  return (chunk) => {
    for (let offset = 0; offset < chunk.length || filled === target.length; ) {
      const taken = Math.min(target.length - filled, chunk.length - offset);
      target.set(chunk.subarray(offset, offset + taken), filled);
      offset += taken;
      filled += taken;
      if (filled < target.length) return;
      whenFull(target);
    }
  };
}

function decode(value: Uint8Array, views: readonly Uint8Array[]): unknown {
  const deserializer = new Deserializer(value);
  (deserializer as unknown as { _readHostObject(): View })._readHostObject = () => {
    const Type = VIEWS[deserializer.readUint32()]!;
    const { buffer, byteLength } = views[deserializer.readUint32()]!;
    return new Type(buffer as ArrayBuffer, 0, byteLength / Type.BYTES_PER_ELEMENT);
  };
  deserializer.readHeader();
  return deserializer.readValue();
}

/** Of its own buffer, so that numbers in it are aligned and it holds nothing else in memory. */
const allocate = (length: number): Uint8Array => new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);

const uint32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
