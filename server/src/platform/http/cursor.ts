import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { invalid } from './api-error.js';

/** Where a page of a list starts: after the row (`key`, `id`). */
export interface Cursor {
  /** What the last row of the page before is sorted by, as PostgreSQL wrote it (timestamps with microseconds). */
  readonly key: string;
  readonly id: string;
  /** 1-based ordinal of the page that this cursor opens. */
  readonly page: number;
}

/** What a cursor is valid for: one caller's list under one set of filters. */
export interface CursorScope {
  readonly operation: string;
  readonly userId: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Makes and reads opaque, signed cursors. */
export interface CursorCodec {
  encode(cursor: Cursor, scope: CursorScope): Promise<string>;
  /** Throws 422 for a cursor that was tampered with or made for another list, caller or filters. */
  decode(text: string, scope: CursorScope): Promise<Cursor>;
}

const CursorSchema = z.tuple([z.string(), z.guid(), z.int().min(2)]);
const SIGNATURE_BYTES = 16;

/** `secret` is asked for on first use, so that building the service needs no database. */
export function createCursorCodec(secret: () => Promise<Buffer>): CursorCodec {
  const sign = async (payload: Buffer, scope: CursorScope): Promise<Buffer> =>
    createHmac('sha256', await secret())
      .update(fingerprint(scope))
      .update(payload)
      .digest()
      .subarray(0, SIGNATURE_BYTES);

  return {
    async encode(cursor, scope) {
      const payload = Buffer.from(JSON.stringify([cursor.key, cursor.id, cursor.page]));
      return Buffer.concat([await sign(payload, scope), payload]).toString('base64url');
    },
    async decode(text, scope) {
      const bytes = Buffer.from(text, 'base64url');
      const payload = bytes.subarray(SIGNATURE_BYTES);
      const signature = bytes.subarray(0, SIGNATURE_BYTES);
      const expected = await sign(payload, scope);
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) throw refused();
      const [key, id, page] = CursorSchema.parse(JSON.parse(payload.toString()));
      return { key, id, page };
    },
  };
}

const refused = () =>
  invalid(
    'query.cursor',
    'This cursor was not made for this list and these filters. Start again without a cursor.',
    'invalid_cursor',
  );

/** 422 for a cursor whose row is gone from a list that is not in the order of a column. */
export const staleCursor = () =>
  invalid('query.cursor', 'The list has changed. Start again without a cursor.', 'invalid_cursor');

function fingerprint(scope: CursorScope): Buffer {
  const filters = Object.entries(scope.filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([scope.operation, scope.userId, filters]), 'buffer');
}
