import type { Corpus, CorpusDocument } from '../corpus/corpus.js';
import { type DateOrder, dateOrderOf, parseDate } from './parse-date.js';

const known = new WeakMap<
  Corpus,
  { readonly all: DateOrder; readonly own: ReadonlyMap<string, DateOrder> }
>();

/**
 * The first real date in words of a document, for comparing it with another: in dates of numbers whose order the word alone does
 * not show, as the other dates of the document are written, else as those of all documents. Undefined where nothing shows it.
 */
export function dayOf(text: string, document: CorpusDocument, corpus: Corpus): string | undefined {
  const { all, own } = ordersOf(corpus);
  const order = own.get(document.id) ?? 'unknown';
  return parseDate(text, order === 'unknown' ? all : order);
}

function ordersOf(corpus: Corpus) {
  const kept = known.get(corpus);
  if (kept) return kept;
  const own = new Map(
    corpus.documents.map(({ id, read }) => [id, dateOrderOf(read.document.blocks.map(({ text }) => text))]),
  );
  const shown = new Set([...own.values()].filter((order) => order !== 'unknown'));
  const [only] = shown;
  const orders = { all: shown.size === 1 && only ? only : 'unknown', own } as const;
  known.set(corpus, orders);
  return orders;
}
