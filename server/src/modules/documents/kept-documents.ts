import { buffer } from 'node:stream/consumers';
import type { Document } from '@normtrace/engine';
import type { Objects } from '../../platform/storage/storage.js';
import { keepValues } from './keep-values.js';
import { unpackDocument } from './parsed-document.js';

/** Letters of text of all documents that one process keeps: some hundred megabytes with their blocks. */
const MOST_LETTERS = 20_000_000;

const documents = keepValues<Document>({ most: MOST_LETTERS, weightOf: ({ text }) => text.length });

/** A parsed document, for one request after the other about it: who turns pages asks for the same one again. */
export const readKept = (objects: Objects, parsedKey: string): Promise<Document> =>
  documents(parsedKey, async () =>
    unpackDocument(new Uint8Array(await buffer(await objects.read(parsedKey)))),
  );
