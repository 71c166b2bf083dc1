import type { DocumentType } from '../document-types/document-type.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import type { Corpus, CorpusDocument } from './corpus.js';

/** The types that come with the engine by id, and own ones instead of those that they replace. */
export async function documentTypesWith(
  templates: readonly DocumentType[] = [],
): Promise<ReadonlyMap<string, DocumentType>> {
  return new Map([...(await loadDocumentTypes()), ...templates.map((one) => [one.id, one] as const)]);
}

/** A document that is of an own template is nothing else. */
export function withOwnTemplatesFirst(corpus: Corpus, templates: readonly DocumentType[] = []): Corpus {
  if (templates.length === 0) return corpus;
  const own = new Set(templates.map((template) => template.id));
  const documents = corpus.documents.map((document): CorpusDocument => {
    const parts = document.parts.filter((part) => own.has(part.typeId));
    return parts.some((part) => part.whole) ? { ...document, parts } : document;
  });
  return { ...corpus, documents };
}
