import { type Corpus, type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { extractionOf } from '../artifacts/extraction-of.js';
import { typeInCorpus } from '../artifacts/id-types.js';
import { identifierKey } from '../artifacts/identifiers.js';
import { withAllocationsByNames } from './allocations-by-names.js';
import { withClassesElsewhere, withClassReasons } from './class-reasons.js';
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
  /** Of a test: ids that it verifies by the links of the trace, wherever these stand. */
  readonly verifiedBy: (key: string) => readonly string[];
}

const known = new WeakMap<Corpus, StatedFacts>();

/** What the usable documents state; read once for a corpus. */
export function statedFacts(corpus: Corpus): StatedFacts {
  const before = known.get(corpus);
  if (before) return before;
  const told = withClassReasons(
    usableDocuments(corpus).flatMap((document) => [
      ...statedRows(corpus, document),
      ...statedProse(corpus, document),
      ...statedLists(corpus, document),
      ...statedSections(corpus, document),
      ...statedReviews(corpus, document),
      ...statedRoles(corpus, document),
    ]),
  );
  const read = withAllocationsByNames(withClassesElsewhere(told));
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
  // Columns and words whose title tells nothing are read by the trace: from what they hold.
  const links = linksOf(corpus);
  const parentsOf = (item: StatedItem) => {
    const stated = item.values.get('parent');
    if (!stated && item.hasId) return (links().parents.get(item.key) ?? []).filter((key) => key !== item.key);
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
  const verifiedBy = (key: string) => links().verified.get(key) ?? [];
  const facts = { items, byKey, parentsOf, verifiedBy };
  known.set(corpus, facts);
  return facts;
}

interface Links {
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly verified: ReadonlyMap<string, readonly string[]>;
}

/** Links of the trace that words state, by the key of what was derived and of what tests; read when they are asked for first. */
function linksOf(corpus: Corpus): () => Links {
  let links: Links | undefined;
  return () => {
    if (links) return links;
    const parents = new Map<string, string[]>();
    const verified = new Map<string, string[]>();
    for (const { sourceId, targetId, type, assumed } of extractionOf(corpus).links) {
      // What stands under the heading of a goal comes from it; what numbers or texts suggest is for a person.
      if (assumed !== undefined && assumed !== 'place') continue;
      if (type !== 'derives_from' && type !== 'verified_by') continue;
      const [source, target] = [identifierKey(sourceId), identifierKey(targetId)];
      const [ends, from, to] =
        type === 'verified_by' ? [verified, target, source] : [parents, source, target];
      ends.set(from, [...(ends.get(from) ?? []), to]);
    }
    links = { parents, verified };
    return links;
  };
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
