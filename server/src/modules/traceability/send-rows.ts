import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type PackedRows, readRows } from './packed-rows.js';

/** As one piece, which tells its length; longer answers as a stream, at the pace of who reads them. */
const MOST_AT_ONCE = 1000;

/** Answers rows that are JSON already, in place of the empty list of that name in the answer. */
export async function sendRows(
  reply: FastifyReply,
  answered: {
    readonly schema: z.ZodType;
    readonly answer: object;
    readonly list: string;
    readonly rows: PackedRows;
    readonly offset: number;
    readonly limit: number;
  },
): Promise<FastifyReply> {
  const { schema, answer, list, rows, offset, limit } = answered;
  const text = JSON.stringify(schema.parse(answer));
  // In a text its quotation marks would be escaped.
  const at = text.indexOf(`"${list}":[]`) + list.length + 4;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text.slice(0, at));
    yield* readRows(rows, { offset, limit });
    yield Buffer.from(text.slice(at));
  }
  reply.type('application/json; charset=utf-8');
  if (Math.min(limit, rows.total) > MOST_AT_ONCE) {
    return reply.send(Readable.from(pieces(), { objectMode: false }));
  }
  const all: Uint8Array[] = [];
  for await (const piece of pieces()) all.push(piece);
  return reply.send(Buffer.concat(all));
}
