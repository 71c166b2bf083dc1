import pg from 'pg';

/** What the driver makes of a value before it is sent; its types do not show it. Held to by the tests of reads. */
const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }
).utils;

/** A parameter as it goes to the server: as text, or bytes for `bytea`. */
export type BoundValue = string | Buffer | null;

export const boundValues = (values: readonly unknown[]): readonly BoundValue[] =>
  values.map((value) => (typeof value === 'string' ? value : prepareValue(value)));

/**
 * Messages of PostgreSQL's extended protocol (PostgreSQL documentation, 54.7), one behind the other in one piece of memory,
 * so that they are one write to the socket. The driver has a piece for each.
 */
export interface MessageWriter {
  parse(name: string, text: string): void;
  bind(name: string, values: readonly BoundValue[]): void;
  /** Asks for the columns of what was bound last. */
  describe(): void;
  execute(): void;
  sync(): void;
  /** Everything since the last time. */
  take(): Buffer;
}

const DESCRIBE = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const [PARSE, BIND] = [0x50, 0x42];
const FIRST_BYTES = 16 * 1024;
/** After a longer message the memory is given back. */
const MOST_KEPT_BYTES = 1024 * 1024;

export function createMessageWriter(): MessageWriter {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES);
  let end = 0;
  const makeRoom = (size: number): void => {
    if (end + size <= bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (end + size));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  };
  const add = (piece: Buffer): void => {
    makeRoom(piece.length);
    end += piece.copy(bytes, end);
  };
  const addInt16 = (value: number): void => {
    makeRoom(2);
    end = bytes.writeInt16BE(value, end);
  };
  const addInt32 = (value: number): void => {
    makeRoom(4);
    end = bytes.writeInt32BE(value, end);
  };
  /** Of a character UTF-8 has at most three bytes for each unit of UTF-16. */
  const addText = (text: string): void => {
    makeRoom(3 * text.length);
    end += bytes.write(text, end);
  };
  const addEnded = (text: string): void => {
    addText(text);
    makeRoom(1);
    bytes[end++] = 0;
  };
  /** A message with its length before it. */
  const message = (code: number, write: () => void): void => {
    makeRoom(5);
    bytes[end] = code;
    const start = end + 1;
    end += 5;
    write();
    bytes.writeInt32BE(end - start, start);
  };
  const addValue = (value: BoundValue): void => {
    if (value === null) addInt32(-1);
    else if (typeof value === 'string') {
      const start = end;
      addInt32(0);
      addText(value);
      bytes.writeInt32BE(end - start - 4, start);
    } else {
      addInt32(value.length);
      add(value);
    }
  };
  return {
    parse: (name, text) =>
      message(PARSE, () => {
        addEnded(name);
        addEnded(text);
        addInt16(0);
      }),
    bind: (name, values) =>
      message(BIND, () => {
        addEnded('');
        addEnded(name);
        addInt16(values.length);
        for (const value of values) addInt16(typeof value === 'object' && value !== null ? 1 : 0);
        addInt16(values.length);
        for (const value of values) addValue(value);
        // All columns as text.
        addInt16(0);
      }),
    describe: () => add(DESCRIBE),
    execute: () => add(EXECUTE),
    sync: () => add(SYNC),
    take: () => {
      const taken = Buffer.from(bytes.subarray(0, end));
      end = 0;
      if (bytes.length > MOST_KEPT_BYTES) bytes = Buffer.allocUnsafe(FIRST_BYTES);
      return taken;
    },
  };
}
