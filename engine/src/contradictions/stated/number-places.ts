import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import { usableDocuments } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import { idsIn, type StatedItem } from '../../facts/stated/stated-item.js';
import { type StatedContext, stemsOf } from './stated-rule.js';

/** A number with its unit where a document writes it, in whatever form, with what stands around it. */
export interface NumberPlace {
  readonly quantity: Quantity;
  readonly document: CorpusDocument;
  readonly passage: Passage;
  /** The sentence or cell, without the number itself. */
  readonly clause: string;
  /** Its words; of a cell that holds little more than the number, with those of its column. */
  readonly stems: ReadonlySet<string>;
  /** What the passage states something about: ids of its row, card or heading. */
  readonly own: ReadonlySet<string>;
  /** These, the ids in its words, and what these items come from or verify. */
  readonly keys: ReadonlySet<string>;
  readonly item?: StatedItem;
  /** What a test run or a review found, and classes of hazards with their reasons: not what is demanded. */
  readonly isFound: boolean;
}

const known = new WeakMap<Corpus, readonly NumberPlace[]>();

/** Every number with a unit in usable documents; read once a corpus. Linear. */
export function numberPlaces(context: StatedContext): readonly NumberPlace[] {
  const { corpus } = context;
  const before = known.get(corpus);
  if (before) return before;
  const subjects = subjectsOf(context);
  const places = usableDocuments(corpus).flatMap((document) => {
    const tellsResults = document.parts.some(({ typeId, whole }) => whole && /report|record/.test(typeId));
    return document.read.passages.flatMap((passage): readonly NumberPlace[] => {
      if (passage.header || !ROLES.has(passage.role) || !/\d/.test(passage.text)) return [];
      const quantities = quantitiesIn(passage.text);
      if (quantities.length === 0 || quantities.length > MOST_IN_PASSAGE) return [];
      const subject = subjects.get(passage.id);
      const own = subject?.own ?? NONE;
      const keys = new Set([
        ...idsIn(passage.text).map(({ key }) => key),
        ...own,
        ...(subject?.linked ?? NONE),
      ]);
      return quantities.map((quantity): NumberPlace => {
        const { clause, title } = around(passage, quantity);
        const words = stemsOf(clause);
        return {
          ...{ quantity, document, passage, clause, own, keys },
          stems: words.size < FEW ? stemsOf(`${clause} ${title}`) : words,
          isFound: tellsResults || subject?.isFound === true,
          ...(subject ? { item: subject.item } : {}),
        };
      });
    });
  });
  known.set(corpus, places);
  return places;
}

const NONE: ReadonlySet<string> = new Set();
const ROLES: ReadonlySet<string> = new Set(['body', 'scope', 'history', 'references']);
/** A list of measured values is no statement. */
const MOST_IN_PASSAGE = 24;
/** Fewer words than these tell nothing without the title of their column. */
const FEW = 2;

interface Subject {
  readonly item: StatedItem;
  readonly own: Set<string>;
  readonly linked: Set<string>;
  isFound: boolean;
}

/** By passage: the items whose values stand there. */
function subjectsOf({ facts }: StatedContext): ReadonlyMap<string, Subject> {
  const subjects = new Map<string, Subject>();
  for (const item of facts.items) {
    const { values } = item;
    const isFound = ['measured', 'result', 'severity', 'exposure'].some((kind) => values.has(kind as never));
    if (!item.hasId && !isFound) continue;
    const linked = item.hasId ? [...facts.parentsOf(item), ...facts.verifiedBy(item.key)] : [];
    for (const id of new Set([item.passage.id, ...[...values.values()].map(({ passage }) => passage.id)])) {
      const subject = subjects.get(id) ?? { item, own: new Set(), linked: new Set(), isFound: false };
      subjects.set(id, subject);
      if (item.hasId) subject.own.add(item.key);
      for (const key of linked) subject.linked.add(key);
      subject.isFound ||= isFound;
    }
  }
  return subjects;
}

const ENDS = /[\t\n]|[.;]\s/gu;

function around({ text, columns }: Passage, { start, end }: Quantity) {
  let from = 0;
  let to = text.length;
  for (const { index, 0: sign } of text.matchAll(ENDS)) {
    if (index + sign.length <= start) from = index + sign.length;
    else if (index >= end) {
      to = index;
      break;
    }
  }
  const cell = text.slice(0, start).split('\t').length - 1;
  return { clause: `${text.slice(from, start)}…${text.slice(end, to)}`, title: columns?.[cell] ?? '' };
}

/** How rare words are among the clauses of all numbers. */
export function rarity(places: readonly NumberPlace[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const { stems } of places) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => Math.log(1 + places.length / (counts.get(stem) ?? 1));
}

/** Every number of a passage, by its id. */
export function byPassage(places: readonly NumberPlace[]): ReadonlyMap<string, readonly NumberPlace[]> {
  const all = new Map<string, NumberPlace[]>();
  for (const place of places) {
    const same = all.get(place.passage.id);
    if (same) same.push(place);
    else all.set(place.passage.id, [place]);
  }
  return all;
}

export const meets = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size <= b.size ? [...a].some((one) => b.has(one)) : [...b].some((one) => a.has(one));
