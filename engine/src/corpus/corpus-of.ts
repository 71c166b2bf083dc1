import { loadDocumentMetadata } from '../document-types/document-metadata.js';
import type { DocumentType } from '../document-types/document-type.js';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import type { Document } from '../documents/document.js';
import type { AnalysedDocument } from './analysed-document.js';
import type { AnalysisScope, Corpus, CorpusDocument } from './corpus.js';
import { type DocumentPart, detectDocumentTypes } from './detect-document-types.js';
import { parseStatus, supersededVersions } from './document-status.js';
import { type EmptyTalk, findEmptyTalk, withoutEmptyTalk } from './empty-talk.js';
import { fieldOf } from './metadata-fields.js';
import { otherItemPassages } from './other-item.js';
import { type ReadDocument, takeApart } from './passages/passages-of.js';

/**
 * Takes the documents apart, finds their types and status, and sets aside what is no evidence. The types are those
 * of the data unless others are given.
 */
export async function corpusOf(
  {
    documents,
    scope = {},
    documentTypes: given,
  }: {
    readonly documents: readonly AnalysedDocument[];
    readonly scope?: AnalysisScope;
    readonly documentTypes?: ReadonlyMap<string, DocumentType>;
  },
  pause: () => Promise<void>,
): Promise<Corpus> {
  const [documentTypes, metadataFields] = await Promise.all([
    given ?? loadDocumentTypes(),
    loadDocumentMetadata(),
  ]);
  const types = [...documentTypes.values()];
  const superseded = supersededVersions(documents);
  const taken: CorpusDocument[] = [];
  for (const [position, one] of documents.entries()) {
    await pause();
    const { read, parts } = knownOf(one, types);
    taken.push({
      id: one.id,
      position,
      name: one.name,
      version: one.version,
      read,
      // What is known of a part belongs to one corpus: another one may be about another item.
      parts: parts.map((part) => ({ ...part })),
      status: 'unknown',
    });
  }
  const draft: Corpus = {
    documents: taken,
    documentTypes,
    metadataFields,
    scope,
    otherItem: new Map(),
    passageCount: 0,
  };
  const settled = taken.map((document, at) => withStatus(document, documents[at]!, draft, superseded));
  const usable = settled.filter((document) => document.setAside === undefined);
  const otherItem = otherItemPassages(
    usable.map((document) => document.read),
    scope,
  );
  const emptyTalk = findEmptyTalk(usable.map(({ read }) => read));
  return {
    ...draft,
    documents: settled.map((document) =>
      withOtherItem(sayingSomething(document, emptyTalk.get(document.id)), otherItem),
    ),
    otherItem,
    passageCount: usable.reduce((total, document) => total + document.read.passages.length, 0),
  };
}

/** A document taken apart, with what it was taken apart as. */
interface TakenApart {
  readonly id: string;
  readonly name: string;
  readonly documentType: string | undefined;
  readonly types: readonly DocumentType[];
  readonly read: ReadDocument;
  readonly parts: readonly DocumentPart[];
}

const known = new WeakMap<Document, TakenApart>();

/** Does ahead what `corpusOf` does first with a document of built-in types, for whoever waits for further documents. */
export async function takeApartAhead(document: AnalysedDocument): Promise<void> {
  knownOf(document, [...(await loadDocumentTypes()).values()]);
}

/** Several analyses of the same documents take them apart once: finding the types costs as much as judging. */
function knownOf(
  { id, name, document, documentType }: AnalysedDocument,
  types: readonly DocumentType[],
): TakenApart {
  const before = known.get(document);
  const isSame =
    before?.id === id &&
    before.name === name &&
    before.documentType === documentType &&
    before.types.length === types.length &&
    before.types.every((type, at) => type === types[at]);
  if (before && isSame) return before;
  const read = takeApart(id, document);
  const given = documentType === undefined ? {} : { documentType };
  const parts = detectDocumentTypes({ fileName: name, read, ...given }, types);
  const taken = { id, name, documentType, types, read, parts };
  known.set(document, taken);
  return taken;
}

/** What says nothing is no content: it is read as if it were not there, and told. */
function sayingSomething(
  document: CorpusDocument,
  emptyTalk: readonly EmptyTalk[] | undefined,
): CorpusDocument {
  if (!emptyTalk) return document;
  const read = takeApart(document.id, withoutEmptyTalk(document.read.document, emptyTalk));
  return { ...document, read, emptyTalk: { places: emptyTalk, original: document.read.document } };
}

/** Passages about another item lose their role as evidence. */
function withOtherItem(document: CorpusDocument, otherItem: ReadonlyMap<string, string>): CorpusDocument {
  const passages = document.read.passages.map((passage) =>
    passage.role === 'body' && otherItem.has(passage.id)
      ? { ...passage, role: 'other_item' as const }
      : passage,
  );
  return { ...document, read: { ...document.read, passages } };
}

/** Status given by a person, else read from the document; obsolete and superseded ones are set aside (T6). */
function withStatus(
  document: CorpusDocument,
  given: AnalysedDocument,
  corpus: Corpus,
  superseded: ReadonlyMap<string, string>,
): CorpusDocument {
  const status = parseStatus(given.status ?? fieldOf(corpus, 'status', document.id).value);
  const newer = superseded.get(document.id);
  const setAside =
    newer !== undefined
      ? `Version ${newer} of it is among the documents.`
      : status === 'obsolete'
        ? 'It says that it is obsolete or superseded.'
        : undefined;
  return { ...document, status, ...(setAside === undefined ? {} : { setAside }) };
}
