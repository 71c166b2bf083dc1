import type { Socket } from 'node:net';
import pg from 'pg';
import { type BoundValue, boundValues } from './read-messages.js';

/** With fewer bytes the driver's own message is as good. */
const LARGE_BYTES = 64 * 1024;

/** What the driver's connection does inside; its types show the outside only. Held to by the tests of large values. */
interface DriverConnection {
  readonly stream: Socket;
  bind(bound: { readonly statement?: string; readonly values?: readonly unknown[] }): void;
}

/** What the driver's query does inside. */
const DriverQuery = pg.Query as unknown as new (
  config: pg.QueryConfig,
  values: undefined,
  callback: (error: unknown, result: pg.QueryResult) => void,
) => pg.Submittable & { prepare(connection: DriverConnection): void };

/** Whether the bytes among the values are so many that copying them is work. */
export const isLarge = (values: readonly unknown[]): boolean =>
  values.reduce<number>((sum, value) => sum + (Buffer.isBuffer(value) ? value.length : 0), 0) >= LARGE_BYTES;

/**
 * Runs a statement whose bytes go to the socket as they are. The driver copies each value into one message, which it makes
 * larger by half, and copied once more, whenever a value does not fit: memory outside the heap, for which V8 collects everything.
 */
export const queryWithLarge = (client: pg.ClientBase, config: pg.QueryConfig): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    client.query(
      new LargeQuery(config, undefined, (error, result) => (error ? reject(error) : resolve(result))),
    );
  });

/** A class, because the driver asks it for each message. */
class LargeQuery extends DriverQuery {
  override prepare(connection: DriverConnection): void {
    const withPieces = Object.create(connection) as DriverConnection;
    // Between those of the driver; it corks the stream meanwhile, so that all are one write.
    withPieces.bind = ({ statement = '', values = [] }) => {
      if (!connection.stream.writable) return;
      for (const piece of bindMessage(statement, boundValues(values))) connection.stream.write(piece);
    };
    super.prepare(withPieces);
  }
}

const [BIND, NULL] = [0x42, -1];

/** The pieces of a Bind message of PostgreSQL's extended protocol (PostgreSQL documentation, 54.7). */
export function bindMessage(statement: string, values: readonly BoundValue[]): readonly Uint8Array[] {
  const bytes = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const about = Buffer.from(`\0${statement}\0`);
  const formats = values.flatMap((value) => [0, typeof value === 'object' && value !== null ? 1 : 0]);
  const count = [values.length >> 8, values.length & 0xff];
  const pieces: Uint8Array[] = [about, Buffer.from([...count, ...formats, ...count])];
  for (const value of bytes) {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? NULL : value.length);
    pieces.push(length);
    if (value !== null) pieces.push(value);
  }
  // All columns as text.
  pieces.push(Buffer.alloc(2));
  const head = Buffer.alloc(5);
  head[0] = BIND;
  head.writeInt32BE(
    pieces.reduce((sum, { length }) => sum + length, 4),
    1,
  );
  return [head, ...pieces];
}
