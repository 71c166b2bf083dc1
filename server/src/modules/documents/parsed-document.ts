import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Document, packStatements, type ReadStatements, unpackStatements } from '@normtrace/engine';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Raised when documents read by an older version have to be read again. */
const VERSION = 1;
/** Before the length of the document and its bytes; without it the object is the document alone, as it was once. */
const MARK = 0x3244544e;
/** As it was when statements were JSON: they are read from the document again. */
const FORMER_MARK = 0x3144544e;
const HEAD_BYTES = 8;

/** What decided what a document says about ids: with another engine or type it says something else. */
export interface Kept {
  readonly engine: string;
  readonly documentType: string | null;
}

/** What a document says about ids, with what else decided it. */
export interface KeptStatements extends Kept {
  readonly statements: ReadStatements;
}

/**
 * A parsed document as one object: the document, compressed, then what it says about ids, compressed, so that each is
 * read without the other. Called in processes of the engine: large documents take a while.
 */
export async function packDocument(
  document: Document,
  { statements, ...kept }: KeptStatements,
): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await pack(JSON.stringify({ version: VERSION, document }), { level: 4 });
  const about = Buffer.from(JSON.stringify(kept satisfies Kept));
  const stated = await pack(Buffer.concat([lengthOf(about), about, packStatements(statements)]), {
    level: 1,
  });
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(MARK);
  return new Uint8Array(Buffer.concat([mark, lengthOf(packed), packed, stated]));
}

function lengthOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return length;
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

/** What the document says about ids, for `readKept`; undefined where nothing was packed with it. */
export async function unpackKept(object: Uint8Array): Promise<Uint8Array | undefined> {
  const { stated } = partsOf(object);
  return stated.length === 0 ? undefined : unpack(stated);
}

/** What the document of this id says about ids, if this is how it was kept; else undefined. */
export function readKept(
  kept: Uint8Array,
  id: string,
  { engine, documentType }: Kept,
): ReadStatements | undefined {
  const start = 4 + new DataView(kept.buffer, kept.byteOffset).getUint32(0, true);
  const about = JSON.parse(textOf(kept.subarray(4, start))) as Kept;
  if (about.engine !== engine || about.documentType !== documentType) return undefined;
  return unpackStatements(kept.subarray(start), id);
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString();

/** The bytes of the document alone: the same for the same reading. */
export const documentPart = (object: Uint8Array): Uint8Array => partsOf(object).document;

function partsOf(object: Uint8Array): { readonly document: Uint8Array; readonly stated: Uint8Array } {
  const head = new DataView(object.buffer, object.byteOffset, object.byteLength);
  const mark = object.length < HEAD_BYTES ? 0 : head.getUint32(0, true);
  if (mark !== MARK && mark !== FORMER_MARK) return { document: object, stated: new Uint8Array() };
  const end = HEAD_BYTES + head.getUint32(4, true);
  return {
    document: object.subarray(HEAD_BYTES, end),
    stated: mark === MARK ? object.subarray(end) : new Uint8Array(),
  };
}
