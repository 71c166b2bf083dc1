import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { typeOfWhole } from '../corpus/detect-document-types.js';
import { takeApart } from '../corpus/passages/passages-of.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import type { ReadingNote } from '../documents/block.js';
import type { Document } from '../documents/document.js';
import type { DocumentReader } from '../documents/document-reader.js';
import { type ReadStatements, readDocumentStatements } from '../facts/artifacts/extract-artifacts.js';
import { unpackStatements } from '../facts/artifacts/packed-statements.js';
import type { SourceDocument } from '../facts/artifacts/statement.js';
import type { Found } from './read-files.js';

/** What the trace takes from a file: not its blocks, which are many times as large. */
export interface TracedFile {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** `Document.text`. */
  readonly text: string;
  readonly notes: readonly ReadingNote[];
  readonly documentType?: string;
  readonly statements: ReadStatements;
}

/** A file, with its type where a person gave it. */
export interface FileToTrace extends Found {
  readonly documentType?: string;
}

/** What the reading process is asked, see `trace-child.ts`. */
export interface MakeRequest {
  readonly id: string;
  readonly documentType?: string;
}

/** What it answers; packed statements of so many bytes follow, then the text, each character as it is. */
export interface MadeHead extends Omit<TakenApart, 'text' | 'statements'> {
  readonly statements: number;
  readonly encoding: 'latin1' | 'utf16le';
}

type TakenApart = Pick<TracedFile, 'text' | 'notes' | 'documentType' | 'statements'>;

/** Reads one file and what it says about ids, by a reader of `trace-child.ts`. Throws `DocumentError`. */
export async function traceFile(
  { path, name, documentType }: FileToTrace,
  reader: DocumentReader,
): Promise<TracedFile> {
  const bytes = await readFile(path);
  const options = { fileName: basename(path) };
  const request: MakeRequest = { id: name, ...(documentType === undefined ? {} : { documentType }) };
  const made = await reader.make(bytes, { ...options, make: request });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const about = { id: name, name, version: '1', sha256 };
  if (made) return { ...about, ...unpacked(made, name) };
  return {
    ...about,
    ...(await takenApart({ id: name, document: await reader.read(bytes, options) }, documentType)),
  };
}

/** What the trace takes from a document. */
export async function takenApart(
  { id, document }: { readonly id: string; readonly document: Document },
  given: string | undefined,
): Promise<TakenApart> {
  const source = await typed({ id, name: id, document }, given);
  const { text, notes } = document;
  const { documentType } = source;
  return {
    text,
    notes,
    ...(documentType === undefined ? {} : { documentType }),
    statements: readDocumentStatements(source),
  };
}

function unpacked(
  { head, body }: { readonly head: unknown; readonly body: Uint8Array },
  id: string,
): TakenApart {
  const { statements, encoding, ...rest } = head as MadeHead;
  const letters = Buffer.from(body.buffer, body.byteOffset + statements, body.length - statements);
  return {
    ...rest,
    text: letters.toString(encoding),
    statements: unpackStatements(body.subarray(0, statements), id)!,
  };
}

/** A document with its type: as given, else detected. */
export async function typed(
  { id, name, document }: Pick<AnalysedDocument, 'id' | 'name' | 'document'>,
  given: string | undefined,
): Promise<SourceDocument> {
  const read = takeApart(id, document);
  const types = [...(await loadDocumentTypes()).values()];
  const documentType = given ?? typeOfWhole({ fileName: name, read }, types);
  return { id, document, read, ...(documentType === undefined ? {} : { documentType }) };
}
