import { createHash } from 'node:crypto';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import { typeOfWhole } from '../corpus/detect-document-types.js';
import { takeApart } from '../corpus/passages/passages-of.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import type { ReadingNote } from '../documents/block.js';
import type { DocumentReader } from '../documents/document-reader.js';
import { type ReadStatements, readDocumentStatements } from '../facts/artifacts/extract-artifacts.js';
import type { SourceDocument } from '../facts/artifacts/statement.js';
import { type Found, type NotAssessed, readFound } from './read-files.js';

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

/** Reads one file and what it says about ids. Throws `DocumentError`. */
export async function traceFile(file: FileToTrace, reader: DocumentReader): Promise<TracedFile> {
  const { name } = file;
  const { bytes, document } = await readFound(file, reader);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const source = await typed({ id: name, name, version: '1', sha256, document }, file.documentType);
  const { text, notes } = document;
  const { documentType } = source;
  return {
    ...{ id: name, name, version: '1', sha256, text, notes },
    ...(documentType === undefined ? {} : { documentType }),
    statements: readDocumentStatements(source),
  };
}

/** A document with its type: as given, else detected. */
export async function typed(
  { id, name, document }: AnalysedDocument,
  given: string | undefined,
): Promise<SourceDocument> {
  const read = takeApart(id, document);
  const types = [...(await loadDocumentTypes()).values()];
  const documentType = given ?? typeOfWhole({ fileName: name, read }, types);
  return { id, document, read, ...(documentType === undefined ? {} : { documentType }) };
}

/** What a thread answers; statements packed: objects would be copied one by one. */
export type ThreadAnswer =
  | { readonly file: Omit<TracedFile, 'statements'>; readonly statements: Uint8Array }
  | NotAssessed;
