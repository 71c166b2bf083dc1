import { type Corpus, usableDocuments } from '../../corpus/corpus.js';
import { typeInCorpus } from '../artifacts/id-types.js';
import { withClassReasons } from './class-reasons.js';
import { statedLists } from './read-lists.js';
import { statedProse } from './read-prose.js';
import { statedReviews } from './read-reviews.js';
import { statedRoles } from './read-roles.js';
import { statedRows } from './read-rows.js';
import { statedSections } from './read-sections.js';
import type { StatedItem } from './stated-item.js';
import { idsIn } from './stated-item.js';

/** What all documents state, by subject. */
export interface StatedFacts {
  readonly items: readonly StatedItem[];
  /** Items of an id, in reading order. */
  readonly byKey: ReadonlyMap<string, readonly StatedItem[]>;
  /** Of an item: ids that it comes from. */
  readonly parentsOf: (item: StatedItem) => readonly string[];
}

const known = new WeakMap<Corpus, StatedFacts>();

/** What the usable documents state; read once for a corpus. */
export function statedFacts(corpus: Corpus): StatedFacts {
  const before = known.get(corpus);
  if (before) return before;
  const read = withClassReasons(
    usableDocuments(corpus).flatMap((document) => [
      ...statedRows(corpus, document),
      ...statedProse(corpus, document),
      ...statedLists(corpus, document),
      ...statedSections(corpus, document),
      ...statedReviews(corpus, document),
      ...statedRoles(corpus, document),
    ]),
  );
  const items = read.map((item): StatedItem => {
    const type = item.hasId ? typeInCorpus(corpus, item.id) : undefined;
    return type === undefined ? item : { ...item, type };
  });
  const byKey = new Map<string, StatedItem[]>();
  for (const item of items) {
    if (!item.hasId) continue;
    const same = byKey.get(item.key);
    if (same) same.push(item);
    else byKey.set(item.key, [item]);
  }
  const parentsOf = (item: StatedItem) => {
    const stated = item.values.get('parent');
    return stated
      ? idsIn(stated.text)
          .map(({ key }) => key)
          .filter((key) => key !== item.key)
      : [];
  };
  const facts = { items, byKey, parentsOf };
  known.set(corpus, facts);
  return facts;
}
