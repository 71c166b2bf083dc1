import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';

/** A document that is of an own template is nothing else. */
export function withOwnTemplatesFirst(corpus: Corpus, own: ReadonlySet<string>): Corpus {
  if (own.size === 0) return corpus;
  const documents = corpus.documents.map((document): CorpusDocument => {
    const parts = document.parts.filter((part) => own.has(part.typeId));
    return parts.some((part) => part.whole) ? { ...document, parts } : document;
  });
  return { ...corpus, documents };
}
