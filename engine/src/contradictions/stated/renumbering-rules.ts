import { contentWords } from '../../facts/stated/content-words.js';
import { withoutScope } from '../../facts/stated/leads.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import { textsById } from './requirement-texts.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  overlap,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

const NEAR = 0.75;
const FAR = 0.5;
const SAME = 0.6;
const FEWEST_WORDS = 4;

/** One document gives an id to what another document gives another id: a row was renumbered, and links lead to something else. */
export function idMeansOther(context: StatedContext): readonly StatedContradiction[] {
  const texts = textsById(context);
  const all = [...texts].flatMap(([name, items]) =>
    items
      .filter((item) => item.values.has('asil'))
      .map((item) => ({ name, item, stems: stemsOf(textOf(item, 'text')) })),
  );
  const told = new Map<
    string,
    {
      readonly here: (typeof all)[number];
      readonly there: (typeof all)[number];
      readonly meant: (typeof all)[number];
    }[]
  >();
  for (const here of all) {
    if (here.stems.size < FEWEST_WORDS) continue;
    const own = all.filter(({ name, item }) => name === here.name && item.document !== here.item.document);
    const document = own[0]?.item.document;
    const same = own.filter(({ item }) => item.document === document);
    if (!document || same.some(({ stems }) => overlap(stems, here.stems) >= FAR)) continue;
    const meant = all.find(
      ({ name, item, stems }) =>
        item.document === document &&
        name !== here.name &&
        familyOf(name) === familyOf(here.name) &&
        stems.size >= FEWEST_WORDS &&
        common(stems, here.stems) >= NEAR,
    );
    if (!meant) continue;
    const pair = [here.item.document.id, document.id].sort().join('\n');
    const known = told.get(pair) ?? [];
    if (known.every((one) => one.here.name !== here.name))
      told.set(pair, [...known, { here, there: same[0]!, meant }]);
  }
  return [...told].map(([pair, found]): StatedContradiction => {
    const { here, there, meant } = found[0]!;
    const ids = found.map((one) => withoutScope(one.here.item.id));
    return {
      rule: 'id-means-other',
      item: pair.replace('\n', ' '),
      asil: found.map((one) => levelOf(one.here.item)).reduce(higherLevel, undefined),
      confidence: 'medium',
      words: {
        items: ids,
        item: withoutScope(here.item.id),
        meant: withoutScope(meant.item.id),
        document: here.item.document.name,
        document2: there.item.document.name,
      },
      affected: ids,
      evidence: [
        ...shown(here.item, here.item.values.get('text'), `${here.item.id} in "${here.item.document.name}"`),
        ...shown(
          there.item,
          there.item.values.get('text'),
          `${there.item.id} in "${there.item.document.name}"`,
        ),
        ...shown(
          meant.item,
          meant.item.values.get('text'),
          `${meant.item.id} in "${meant.item.document.name}"`,
        ),
      ],
    };
  });
}

const familyOf = (name: string) => name.replace(/[-\d.]+$/u, '');
const common = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  [...a].filter((one) => b.has(one)).length / new Set([...a, ...b]).size;

/** Ids that a document numbers anew for each table are different things. */
function isNumberedAnew(items: readonly StatedItem[]): boolean {
  const defining = items.filter((item) => item.values.has('asil')).map(({ document }) => document);
  return new Set(defining).size < defining.length;
}

/** One document gives an id to different requirements in different tables: one entry for all of them. */
export function idReused(context: StatedContext): readonly StatedContradiction[] {
  const pairs = [...textsById(context).values()].flatMap((items): (readonly [StatedItem, StatedItem])[] => {
    const said = items
      .filter((item) => item.values.has('asil'))
      .map((item) => ({ item, stems: stemsOf(textOf(item, 'text')) }))
      .filter(({ stems }) => stems.size >= FEWEST_WORDS);
    for (const [at, { item, stems }] of said.entries()) {
      const other = said
        .slice(at + 1)
        .find(
          (one) =>
            one.item.document === item.document &&
            one.item.table !== item.table &&
            common(one.stems, stems) < SAME,
        );
      if (other) return [[item, other.item]];
    }
    return [];
  });
  const [first] = pairs;
  if (!first) return [];
  const ids = pairs.map(([{ id }]) => withoutScope(id));
  return [
    {
      rule: 'id-reused',
      item: 'ids',
      asil: pairs.flatMap((pair) => pair.map(levelOf)).reduce(higherLevel, undefined),
      confidence: 'high',
      words: { items: ids, document: first[0].document.name },
      affected: ids,
      evidence: pairs
        .slice(0, 2)
        .flatMap((pair) => pair.flatMap((item) => shown(item, item.values.get('text'), item.id))),
    },
  ];
}

/** Two tables or documents state one requirement with another measure or side ("amplitude", "frequency"), else word for word. */
export function measureSwapped(context: StatedContext): readonly StatedContradiction[] {
  const rivals = contentWords().requirements.rivals.map((list) => list.map((word) => word.toLowerCase()));
  return firstOfEach(
    [...textsById(context)].flatMap(([name, items]): StatedContradiction[] => {
      if (isNumberedAnew(items)) return [];
      for (const [at, one] of items.entries()) {
        for (const other of items.slice(at + 1)) {
          const swapped = swappedWord(textOf(one, 'text'), textOf(other, 'text'), rivals);
          if (!swapped) continue;
          return [
            {
              rule: 'measure-swapped',
              item: name,
              asil: higherLevel(levelOf(one), levelOf(other)),
              confidence: 'medium',
              words: { item: one.id, one: swapped.one, other: swapped.other },
              affected: [one.id],
              evidence: [
                ...shown(one, one.values.get('text'), `${one.id} in "${one.document.name}"`),
                ...shown(other, other.values.get('text'), `${other.id} in "${other.document.name}"`),
              ],
            },
          ];
        }
      }
      return [];
    }),
  );
}

/** The words in which two texts differ besides their subject, when they exclude each other. */
function swappedWord(a: string, b: string, rivals: readonly (readonly string[])[]) {
  const [mine, theirs] = [a, b].map((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  if (common(new Set(mine!), new Set(theirs!)) < FAR) return undefined;
  const count = (list: readonly string[], word: string) => list.filter((one) => one === word).length;
  for (const list of rivals) {
    const more = list.filter((word) => count(mine!, word) > count(theirs!, word));
    const less = list.filter((word) => count(mine!, word) < count(theirs!, word));
    if (more.length === 1 && less.length === 1) return { one: more[0]!, other: less[0]! };
  }
  return undefined;
}

/** Two tables or documents demand the same of different subjects: one entry for each pair of documents. */
export function subjectDiffers(context: StatedContext): readonly StatedContradiction[] {
  const ends = new RegExp(contentWords().requirements.subjectEnds, 'iu');
  const split = (item: StatedItem) => {
    const text = textOf(item, 'text');
    const at = text.search(ends);
    return at < 0 ? undefined : { subject: text.slice(0, at).trim(), rest: wordsOf(text.slice(at)) };
  };
  const told = new Map<string, (readonly [StatedItem, StatedItem, string, string])[]>();
  for (const items of textsById(context).values()) {
    const [first, ...others] = items;
    if (isNumberedAnew(items)) continue;
    const mine = first && split(first);
    if (!mine) continue;
    for (const other of others) {
      const theirs = split(other);
      if (!theirs || mine.rest.size < 3 || common(mine.rest, theirs.rest) < NEAR) continue;
      const [a, b] = [mine.subject, theirs.subject].map(wordsOf) as [Set<string>, Set<string>];
      if (a.size === 0 || b.size === 0 || overlap(a, b) >= FAR || isShortFor(mine.subject, theirs.subject))
        continue;
      const pair = [first.document.id, other.document.id].sort().join('\n');
      told.set(pair, [...(told.get(pair) ?? []), [first, other, mine.subject, theirs.subject]]);
      break;
    }
  }
  return [...told].map(([pair, found]): StatedContradiction => {
    const [one, other, subject, subject2] = found[0]!;
    const ids = found.map(([{ id }]) => id);
    return {
      rule: 'subject-differs',
      item: pair.replace('\n', ' '),
      confidence: 'medium',
      words: { items: ids, subject: subject.slice(0, 80), other: subject2.slice(0, 80) },
      affected: ids,
      evidence: [
        ...shown(one, one.values.get('text'), `${one.id} in "${one.document.name}"`),
        ...shown(other, other.values.get('text'), `${other.id} in "${other.document.name}"`),
      ],
    };
  });
}

const wordsOf = (text: string) =>
  new Set(
    (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !/^(?:the|der|die|das)$/u.test(word)),
  );

/** "EPS ECU" is the short form of "electronic power steering ECU". */
export function isShortFor(a: string, b: string): boolean {
  const initials = (text: string) =>
    (text.match(/\p{L}+/gu) ?? []).map((word) => word[0]!.toLowerCase()).join('');
  const abbreviations = (text: string) =>
    (text.match(/\p{Lu}{2,6}/gu) ?? []).map((word) => word.toLowerCase());
  return (
    abbreviations(a).some((one) => initials(b).includes(one) && !abbreviations(b).includes(one)) ||
    abbreviations(b).some((one) => initials(a).includes(one) && !abbreviations(a).includes(one))
  );
}
