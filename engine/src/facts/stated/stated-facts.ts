import { type Corpus, type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { typeInCorpus } from '../artifacts/id-types.js';
import { withClassReasons } from './class-reasons.js';
import { SCOPE, withLeads } from './leads.js';
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
  const items = withLeads(
    read.map((item): StatedItem => {
      const type = item.hasId ? typeInCorpus(corpus, item.id) : undefined;
      return type === undefined ? item : { ...item, type };
    }),
  );
  const byKey = new Map<string, StatedItem[]>();
  for (const item of items) {
    if (!item.hasId) continue;
    const same = byKey.get(item.key);
    if (same) same.push(item);
    else byKey.set(item.key, [item]);
  }
  const scoped = scopedKeys(byKey);
  const parentsOf = (item: StatedItem) => {
    const stated = item.values.get('parent');
    return stated
      ? idsIn(stated.text)
          .flatMap(({ key }) => {
            const isStated = byKey.get(key)?.some(({ values }) => values.has('text'));
            const counted = isStated ? undefined : scoped.get(key);
            return counted ? onlyScope(counted, item.document) : [key];
          })
          .filter((key) => key !== item.key)
      : [];
  };
  const facts = { items, byKey, parentsOf };
  known.set(corpus, facts);
  return facts;
}

/** By an id that counts anew under several others (`withLeads`): the keys that tell these apart. */
function scopedKeys(byKey: StatedFacts['byKey']): ReadonlyMap<string, readonly string[]> {
  const scoped = new Map<string, string[]>();
  for (const key of byKey.keys()) {
    const [, plain] = key.split(SCOPE);
    if (plain !== undefined) scoped.set(plain, [...(scoped.get(plain) ?? []), key]);
  }
  return scoped;
}

/** Of these keys the one whose scope the document names, where it names no other. */
function onlyScope(keys: readonly string[], { read }: CorpusDocument): readonly string[] {
  if (keys.length < 2) return keys;
  const named = keys.filter((key) => {
    const scope = key.split(SCOPE)[0];
    return read.passages.some(({ text }) => idsIn(text).some((one) => one.key === scope));
  });
  return named.length === 1 ? named : [];
}
