import { buffer } from 'node:stream/consumers';
import type { Document } from '@normtrace/engine';
import type { Objects } from '../../platform/storage/storage.js';
import { unpackDocument } from './parsed-document.js';

/** Letters of text of all documents that one process keeps: some hundred megabytes with their blocks. */
const MOST_LETTERS = 20_000_000;

const kept = new Map<string, { readonly document: Promise<Document>; letters: number }>();

/**
 * A parsed document, for one request after the other about it: who turns pages asks for the same one again. What is read
 * once is kept until others need the room, those that were asked for last the longest. The key is never written to again.
 */
export function readKept(objects: Objects, parsedKey: string): Promise<Document> {
  const known = kept.get(parsedKey);
  kept.delete(parsedKey);
  if (known) {
    kept.set(parsedKey, known);
    return known.document;
  }
  const read = async () => unpackDocument(new Uint8Array(await buffer(await objects.read(parsedKey))));
  const entry = { document: read(), letters: 0 };
  kept.set(parsedKey, entry);
  entry.document.then(
    ({ text }) => {
      entry.letters = text.length;
      makeRoom(parsedKey);
    },
    () => {
      if (kept.get(parsedKey) === entry) kept.delete(parsedKey);
    },
  );
  return entry.document;
}

function makeRoom(newest: string): void {
  let letters = [...kept.values()].reduce((sum, one) => sum + one.letters, 0);
  for (const [key, one] of kept) {
    if (letters <= MOST_LETTERS) return;
    if (key === newest) continue;
    kept.delete(key);
    letters -= one.letters;
  }
}
