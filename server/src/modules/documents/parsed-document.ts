import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Document, ReadStatements } from '@normtrace/engine';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Raised when documents read by an older version have to be read again. */
const VERSION = 1;
/** Before the length of the document and its bytes; without it the object is the document alone, as it was once. */
const MARK = 0x3144544e;
const HEAD_BYTES = 8;

/** What a document says about ids, and what else decided it: with another engine or type it says something else. */
export interface KeptStatements {
  readonly engine: string;
  readonly documentType: string | null;
  readonly statements: ReadStatements;
}

/**
 * A parsed document as one object: the document, compressed, then what it says about ids, compressed, so that each is
 * read without the other. Called in processes of the engine: large documents take a while.
 */
export async function packDocument(
  document: Document,
  kept: KeptStatements,
): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await pack(JSON.stringify({ version: VERSION, document }), { level: 4 });
  const stated = await pack(JSON.stringify(kept), { level: 1 });
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(MARK, 0);
  head.writeUInt32LE(packed.length, 4);
  return new Uint8Array(Buffer.concat([head, packed, stated]));
}

/** The document as it was packed. Throws when it was packed by a version that this one does not know. */
export const unpackDocument = async (object: Uint8Array): Promise<Document> =>
  readDocumentText(await unpackText(object));

/** The document as text, for `readDocumentText`: unpacked by another thread. */
export const unpackText = (object: Uint8Array): Promise<Uint8Array> => unpack(documentPart(object));

export function readDocumentText(text: Uint8Array): Document {
  const { version, document } = JSON.parse(textOf(text)) as { version: number; document: Document };
  if (version !== VERSION) throw new Error(`A parsed document of version ${version} cannot be used.`);
  return document;
}

/** What the document says about ids, as text (see `readKeptStatements`); undefined where nothing was packed with it. */
export async function unpackStatements(object: Uint8Array): Promise<Uint8Array | undefined> {
  const { document, stated } = partsOf(object);
  return document.length === object.length ? undefined : unpack(stated);
}

export const readKeptStatements = (text: Uint8Array): KeptStatements =>
  JSON.parse(textOf(text)) as KeptStatements;

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString();

/** The bytes of the document alone: the same for the same reading. */
export const documentPart = (object: Uint8Array): Uint8Array => partsOf(object).document;

function partsOf(object: Uint8Array): { readonly document: Uint8Array; readonly stated: Uint8Array } {
  const head = new DataView(object.buffer, object.byteOffset, object.byteLength);
  if (object.length < HEAD_BYTES || head.getUint32(0, true) !== MARK)
    return { document: object, stated: new Uint8Array() };
  const end = HEAD_BYTES + head.getUint32(4, true);
  return { document: object.subarray(HEAD_BYTES, end), stated: object.subarray(end) };
}
