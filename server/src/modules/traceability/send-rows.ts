import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { type PackedRows, readRows } from './packed-rows.js';

/** As one piece, which tells its length; longer answers as a stream, at the pace of who reads them. */
const MOST_AT_ONCE = 1000;

const JSON_TYPE = 'application/json; charset=utf-8';

/** The answer as JSON before and behind the rows of its list, which is empty. */
function around(schema: z.ZodType, answer: object, list: string): readonly [head: string, tail: string] {
  const text = JSON.stringify(schema.parse(answer));
  // In a text its quotation marks would be escaped.
  const at = text.indexOf(`"${list}":[]`) + list.length + 4;
  return [text.slice(0, at), text.slice(at)];
}

/** Answers a page of rows that are JSON already. */
export function sendWritten(
  reply: FastifyReply,
  {
    schema,
    answer,
    list,
    rows,
  }: {
    readonly schema: z.ZodType;
    readonly answer: object;
    readonly list: string;
    readonly rows: readonly string[];
  },
): FastifyReply {
  const [head, tail] = around(schema, answer, list);
  return reply.type(JSON_TYPE).send(Buffer.from(`${head}${rows.join()}${tail}`));
}

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
  const [head, tail] = around(schema, answer, list);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    yield* readRows(rows, { offset, limit });
    yield Buffer.from(tail);
  }
  reply.type(JSON_TYPE);
  if (Math.min(limit, rows.total) > MOST_AT_ONCE) {
    return reply.send(Readable.from(pieces(), { objectMode: false }));
  }
  const all: Uint8Array[] = [];
  for await (const piece of pieces()) all.push(piece);
  return reply.send(Buffer.concat(all));
}
