import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Document } from '@normtrace/engine';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Raised when documents read by an older version have to be read again. */
const VERSION = 1;

/** A parsed document as one compressed object. Called in processes of the engine: large documents take a while. */
export async function packDocument(document: Document): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await pack(JSON.stringify({ version: VERSION, document }), { level: 4 });
  return new Uint8Array(packed);
}

/** The document as it was packed. Throws when it was packed by a version that this one does not know. */
export async function unpackDocument(packed: Uint8Array): Promise<Document> {
  const { version, document } = JSON.parse((await unpack(packed)).toString()) as {
    version: number;
    document: Document;
  };
  if (version !== VERSION) throw new Error(`A parsed document of version ${version} cannot be used.`);
  return document;
}
