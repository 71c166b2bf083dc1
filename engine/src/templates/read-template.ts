import type { DocumentType } from '../document-types/document-type.js';
import { parseDocumentType } from '../document-types/load-document-types.js';
import type { Document } from '../documents/document.js';
import { readDocument } from '../documents/read-document.js';
import { learnTemplate } from './learn-template.js';

/**
 * A template from a file: YAML in the form of the files in `document-types/`, or an empty template document in any
 * format that is read. Throws `DataError` with the lines of what is wrong in YAML, `DocumentError` for a document
 * that cannot be read, `TemplateError` for one from which nothing can be learnt.
 */
export async function readTemplate(
  bytes: Uint8Array,
  fileName: string,
  read: (bytes: Uint8Array, fileName: string) => Promise<Document> = (content, name) =>
    readDocument(content, { fileName: name }),
): Promise<DocumentType> {
  if (/\.ya?ml$/i.test(fileName)) return parseDocumentType(new TextDecoder().decode(bytes), fileName);
  return learnTemplate(await read(bytes, fileName), { fileName });
}
