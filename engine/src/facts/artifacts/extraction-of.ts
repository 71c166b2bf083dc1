import { type Corpus, usableDocuments } from '../../corpus/corpus.js';
import { artifactsOf } from './extract-artifacts.js';
import type { Extraction } from './statement.js';
import { statementsOf } from './statements-of.js';

const known = new WeakMap<Corpus, Extraction>();

/** Artifacts and links of the usable documents of a corpus, joined once. */
export function extractionOf(corpus: Corpus): Extraction {
  let extraction = known.get(corpus);
  if (!extraction) {
    extraction = artifactsOf(usableDocuments(corpus).map(statementsOf));
    known.set(corpus, extraction);
  }
  return extraction;
}
