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
import type { SourceDocument } from '../facts/artifacts/statement.js';
import { unpackStatements } from '../facts/artifacts/unpack-statements.js';
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

/** What it answers; statements of so many bytes follow, packed with the text, then the text, each character as it is. */
export interface MadeHead extends Omit<TakenApart, 'text' | 'statements'> {
  readonly statements: number;
  /** Whether there are statements of the document with its hidden text. */
  readonly hides: boolean;
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
  if (made && 'head' in made) return { ...about, ...unpacked(made, name) };
  const { document } = made ?? { document: await reader.read(bytes, options) };
  return { ...about, ...(await takenApart({ id: name, document }, documentType)) };
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
  const { statements, hides, encoding, ...rest } = head as MadeHead;
  const letters = Buffer.from(body.buffer, body.byteOffset + statements, body.length - statements);
  const text = letters.toString(encoding);
  // A copy, so that the bytes of the text go.
  const packed = body.slice(0, statements);
  const unpack = () => unpackStatements(packed, id, text)!;
  return { ...rest, text, statements: madeWhenAsked(unpack, hides) };
}

/** Statements that come into being each time somebody asks for them: those of all documents together would take most of the memory. */
function madeWhenAsked(unpack: () => ReadStatements, hides: boolean): ReadStatements {
  const made = {
    get seen() {
      return unpack().seen;
    },
  };
  if (!hides) return made;
  return Object.defineProperty(made, 'whole', { get: () => unpack().whole, enumerable: true });
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
