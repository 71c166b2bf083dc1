import { usableDocuments } from '../../corpus/corpus.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import { compactTitle } from '../../words/column-titles.js';
import { tablesOfItems } from './set-rules.js';
import {
  firstOfEach,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  textOf,
} from './stated-rule.js';

export const elementsOf = (text: string) =>
  text
    .split(/[,;\n/]|\s(?:and|und)\s/u)
    .map((one) => one.trim())
    .filter((one) => one !== '');

const namesIn = (text: string) => elementsOf(text).map(compactTitle);

/** A table of crosses gives a requirement to another element than the column of the requirement does. */
export function allocationTablesDiffer({ facts }: StatedContext): readonly StatedContradiction[] {
  const { marks } = stateWords();
  const isSet = (text: string) => marks.set.includes(text.trim());
  const isMark = (text: string) => isSet(text) || marks.unset.includes(text.trim());
  return tablesOfItems(facts.items).flatMap((rows) => {
    const marked = rows.filter(
      (row) => row.hasId && row.cells.length > 1 && row.cells.slice(1).every(({ text }) => isMark(text)),
    );
    if (marked.length < 2 || marked.length < rows.length - 1) return [];
    const { document, table } = marked[0]!;
    // "Sensor A and sensor B" over one column of crosses.
    const elements = new Set(
      document.read.tables[table!]!.columns.slice(1).flatMap((title) => namesIn(title ?? '')),
    );
    return marked.flatMap((row): StatedContradiction[] => {
      const crosses = row.cells.slice(1).filter(({ text }) => isSet(text));
      const crossed = new Set(crosses.flatMap(({ title }) => namesIn(title)));
      const stated = (facts.byKey.get(row.key) ?? []).find((item) => item.values.has('allocation'));
      if (!stated || crosses.length === 0) return [];
      const named = namesIn(textOf(stated, 'allocation')).filter((one) => elements.has(one));
      const differs =
        named.length > 0 &&
        (named.some((one) => !crossed.has(one)) ||
          // A table of parts or of a split names the one that it is about, a requirement all of them.
          (stated.values.has('text') && [...crossed].some((one) => !named.includes(one))));
      if (!differs) return [];
      return [
        {
          rule: 'allocation-differs',
          item: row.key,
          asil: levelOf(stated),
          confidence: 'high',
          words: {
            item: row.id,
            one: crosses.map(({ title }) => title).join(', '),
            other: textOf(stated, 'allocation'),
          },
          affected: [row.id],
          evidence: [
            ...crosses.flatMap((cross) => shown(row, cross, `${row.id}: ${cross.title}`)),
            ...shown(
              stated,
              stated.values.get('allocation'),
              `${row.id}: ${stated.values.get('allocation')!.title}`,
            ),
          ],
        },
      ];
    });
  });
}

/** A requirement demands something of one element and is allocated to another. */
export function allocationAgainstText(context: StatedContext): readonly StatedContradiction[] {
  const { facts } = context;
  const names = [...new Set(facts.items.flatMap((item) => elementsOf(textOf(item, 'allocation'))))].filter(
    (name) => name.length > 2,
  );
  if (names.length === 0) return [];
  const alternatives = names
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  // Of the passive voice nobody is the subject: "a memory test shall be conducted".
  const subjectOf = new RegExp(
    `(?<![\\p{L}\\p{N}_])(${alternatives.join('|')})(?:\\s+(?:block|component|module|unit|function|Block|Komponente|Modul))?\\s+${stateWords().modal}(?!\\p{L})(?!\\s+(?:not\\s+)?be\\s)(?!.*\\swerden\\.?$)`,
    'iu',
  );
  const { modal, negations } = stateWords();
  const forbids = new RegExp(
    `(?<!\\p{L})${modal}\\s+(?:\\p{L}+\\s+){0,2}(?:${negations.join('|')}|keine[nrsm]?)(?!\\p{L})`,
    'iu',
  );
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const own = elementsOf(textOf(item, 'allocation'));
      const subject = own.length === 0 ? undefined : subjectOf.exec(textOf(item, 'text'))?.[1];
      if (subject === undefined) return [];
      const wanted = compactTitle(subject);
      const fits = own.some(
        (one) => compactTitle(one).includes(wanted) || wanted.includes(compactTitle(one)),
      );
      if (fits || own.some((one) => isPartOf(context, subject, one))) return [];
      if (own.some((one) => isShortened(subject, one)) || carriedBy(context, item, subject)) return [];
      // "The main core shall have no access to the monitor": whoever is protected sees to it.
      const isProtected =
        forbids.test(textOf(item, 'text')) && own.some((one) => textOf(item, 'text').includes(one));
      if (isProtected) return [];
      return [
        {
          rule: 'allocation-against-text',
          item: item.key,
          asil: levelOf(item),
          confidence: 'medium',
          words: { item: item.id, subject, allocated: textOf(item, 'allocation') },
          affected: [item.id],
          evidence: [
            ...shown(
              item,
              item.values.get('allocation'),
              `${item.id}: ${item.values.get('allocation')!.title}`,
            ),
            ...shown(item, item.values.get('text'), item.id),
          ],
        },
      ];
    }),
  );
}

/** "Secondary path" for the secondary attention path: every word of one is a word of the other, the first one alike. */
function isShortened(one: string, other: string): boolean {
  const [few, many] = [one, other]
    .map((name): readonly string[] => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .sort((a, b) => a.length - b.length);
  return few!.length > 1 && few![0] === many![0] && few!.every((word) => many!.includes(word));
}

/** By what requirements are allocated to, what those above them are, each with the requirements that show it. */
const carriers = new WeakMap<StatedContext['facts'], Carriers>();
type Carriers = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

function carriersOf({ facts }: StatedContext): Carriers {
  const known = carriers.get(facts);
  if (known) return known;
  const found = new Map<string, Map<string, Set<string>>>();
  for (const item of facts.items) {
    const own = textOf(item, 'allocation');
    if (own === '') continue;
    const above = found.get(own) ?? new Map<string, Set<string>>();
    found.set(own, above);
    for (const parent of facts.parentsOf(item).flatMap((key) => facts.byKey.get(key) ?? []))
      for (const name of elementsOf(textOf(parent, 'allocation')))
        above.set(name, (above.get(name) ?? new Set()).add(item.key));
  }
  carriers.set(facts, found);
  return found;
}

/**
 * What is allocated to one element is refined to be done by another one, and other requirements are as well: the second one is where the
 * first one runs ("the release manager" on the safety MCU).
 */
function carriedBy(context: StatedContext, item: StatedItem, subject: string): boolean {
  const above = carriersOf(context).get(textOf(item, 'allocation')) ?? new Map();
  return [...above].some(
    ([name, keys]) =>
      (compactTitle(name) === compactTitle(subject) || isShortened(name, subject)) &&
      keys.has(item.key) &&
      keys.size > 1,
  );
}

/** What tables say about elements: by the name of one, the words of its row that name what it belongs to. */
const partsInTables = new WeakMap<StatedContext['facts'], ReadonlyMap<string, readonly string[]>>();

function wholesOf({ facts }: StatedContext, part: string): readonly string[] {
  let wholes = partsInTables.get(facts);
  if (!wholes) {
    const { titles, says } = stateWords().partOf;
    const isTitle = new Set(titles.map(compactTitle));
    const saying = new RegExp(
      `^(?:\\p{L}+\\s+){0,2}(?:${says})\\s+(?:the\\s+|des\\s+|der\\s+|vom\\s+|von\\s+)?(?<whole>\\p{L}.*)$`,
      'iu',
    );
    const found = new Map<string, string[]>();
    for (const { cells, how } of facts.items) {
      if (how !== 'table') continue;
      const [name, ...others] = cells;
      for (const { title, text } of others) {
        const whole = isTitle.has(compactTitle(title)) ? text : saying.exec(text)?.groups?.whole;
        if (whole === undefined) continue;
        const key = compactTitle(name!.text);
        found.set(key, [...(found.get(key) ?? []), compactTitle(whole)]);
      }
    }
    wholes = found;
    partsInTables.set(facts, wholes);
  }
  return wholes.get(compactTitle(part)) ?? [];
}

/**
 * The documents say that one element lies in the other: by a row of a table ("Part of"), or by a sentence ("All requirements of the
 * monitor are allocated to the control unit").
 */
function isPartOf(context: StatedContext, subject: string, whole: string): boolean {
  if (wholesOf(context, subject).includes(compactTitle(whole))) return true;
  const { corpus } = context;
  const { partOf } = stateWords();
  const [part, other] = [subject, whole].map((name) => {
    const written = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return `(?<![\\p{L}\\p{N}_])${written}(?![\\p{L}\\p{N}_])`;
  });
  const said = new RegExp(
    `${part}[^.;,()]{0,40}(?:${partOf.up})[^.;,()]{0,40}${other}|${other}(?:[^.;,()]{0,40}(?:${partOf.down})|\\s(?:${partOf.with})\\s)[^.;]{0,80}${part}`,
    'iu',
  );
  return usableDocuments(corpus).some(({ read }) =>
    read.passages.some(
      ({ text, role, blockIndex }) =>
        role === 'body' && !read.document.blocks[blockIndex]!.cells && said.test(text),
    ),
  );
}
