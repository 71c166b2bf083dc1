import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { invalid } from './api-error.js';

/** Zero bytes and halves of surrogate pairs: JSON can say them, PostgreSQL cannot keep them. */
const UNSTORABLE = /[\0\p{Cs}]/u;

export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

/** Answers 422 to such text anywhere in a request, so that no schema has to think of it. */
export function refuseUnstorableText(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body }) => {
    const found = pathOfUnstorable({ path: params, query, body });
    if (found !== undefined) throw invalid(found, 'Zero bytes and halves of characters are not allowed.');
  });
}

/** Without recursion, because nobody has looked at the depth of the body yet. */
function pathOfUnstorable(request: object): string | undefined {
  const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: request }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') {
      if (!isStorable(value)) return path;
    } else if (typeof value === 'object' && value !== null && !isRaw(value)) {
      for (const [key, inner] of Object.entries(value)) {
        if (!isStorable(key)) return path;
        open.push({ path: path === '' ? key : `${path}.${key}`, value: inner });
      }
    }
  }
  return undefined;
}

/** Bytes, which whoever asked for them reads themselves. */
const isRaw = (value: object): boolean => value instanceof Readable || value instanceof Uint8Array;
