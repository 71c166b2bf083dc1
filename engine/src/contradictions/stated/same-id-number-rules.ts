import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import type { StatedKind } from '../../facts/stated/stated-columns.js';
import { idsIn, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import { timesOfText } from './allowed-time.js';
import { isEqualQuantity } from './numbers-told.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  valuesOf,
} from './stated-rule.js';
import { placeOf } from './text-limits.js';

/** So many common words, and such a share of the shorter statement, make two statements of one id the same one. Our own. */
const FEWEST_WORDS = 3;
const SHARE = 0.5;
/** An id with more statements is one that everything refers to. */
const MOST_STATEMENTS = 8;

/** What tests and reviews find, and what rates a hazard. */
const OTHER: readonly StatedKind[] = [
  ...(['measured', 'result', 'expected', 'stimulus', 'verifies'] as const),
  ...(['severity', 'exposure', 'controllability', 'date'] as const),
];

interface Statement {
  readonly item: StatedItem;
  readonly id: string;
  readonly stems: ReadonlySet<string>;
  readonly numbers: readonly { readonly quantity: Quantity; readonly value: StatedValue }[];
}

/** By key: what rows and paragraphs say of it that begin with it ("AN-1", "Z1 contactors open within 0.5 s"). */
function statementsOf({ facts }: StatedContext): ReadonlyMap<string, readonly Statement[]> {
  const byKey = new Map<string, Statement[]>();
  for (const item of facts.items) {
    if (item.how === 'sentence' || OTHER.some((kind) => item.values.has(kind))) continue;
    const [first] = item.hasId ? [{ id: item.id, key: item.key }] : idsIn(item.id);
    if (!first || !item.id.startsWith(first.id)) continue;
    const all = valuesOf(item);
    const numbers = all.flatMap((value) => {
      const times = new Set(timesOfText(value.text).map(({ start }) => start));
      return quantitiesIn(value.text)
        .filter(({ kind, start }) => kind !== 'time' || times.has(start))
        .map((quantity) => ({ quantity, value }));
    });
    if (numbers.length === 0) continue;
    const stems = stemsOf(all.map(({ text }) => text).join(' '));
    byKey.set(first.key, [...(byKey.get(first.key) ?? []), { item, id: first.id, stems, numbers }]);
  }
  return byKey;
}

/**
 * Two documents state the same of one id, an assumption and its confirmation, a requirement and its copy in an agreement, and one number of a
 * kind differs. Linear in the ids.
 */
export function sameIdOtherNumber(context: StatedContext): readonly StatedContradiction[] {
  const found: StatedContradiction[] = [];
  for (const [key, statements] of statementsOf(context)) {
    if (statements.length < 2 || statements.length > MOST_STATEMENTS) continue;
    for (const [at, one] of statements.entries())
      for (const other of statements.slice(at + 1)) {
        if (one.item.document === other.item.document && one.item.table === other.item.table) continue;
        const difference = differenceOf(one, other);
        if (!difference) continue;
        const [mine, theirs] = difference;
        found.push({
          rule: 'text-differs',
          item: `${key} number`,
          asil: higherLevel(levelOf(one.item), levelOf(other.item)),
          confidence: 'medium',
          words: {
            item: one.id,
            one: mine.quantity.written,
            other: theirs.quantity.written,
            document: one.item.document.name,
            document2: other.item.document.name,
          },
          affected: [one.id],
          evidence: [
            ...shown(one.item, placeOf(mine.value, mine.quantity), `in "${one.item.document.name}"`),
            ...shown(other.item, placeOf(theirs.value, theirs.quantity), `in "${other.item.document.name}"`),
          ],
        });
      }
  }
  return firstOfEach(found);
}

/** Words of the sentence or list item with a number; of a cell with little more than it, with the title of its column. */
function wordsAround({ quantity: { start, end }, value }: Statement['numbers'][number]): ReadonlySet<string> {
  const [before, behind] = [
    value.text.slice(0, start).split(BREAKS).at(-1)!,
    value.text.slice(end).split(BREAKS)[0]!,
  ];
  const words = `${before} ${behind}`;
  return stemsOf(value.text.length < SHORT ? `${words} ${value.title}` : words);
}
const BREAKS = /[\n;]|\.\s/u;
const SHORT = 30;

/** The one number of its kind that each of two statements has alone. */
function differenceOf(one: Statement, other: Statement) {
  const common = [...one.stems].filter((stem) => other.stems.has(stem)).length;
  if (common < FEWEST_WORDS || common < SHARE * Math.min(one.stems.size, other.stems.size)) return undefined;
  const alone = (from: Statement, to: Statement) =>
    from.numbers.filter(
      ({ quantity }) => !to.numbers.some((each) => isEqualQuantity(each.quantity, quantity)),
    );
  const [mine, theirs] = [alone(one, other), alone(other, one)];
  const kinds = [...new Set(mine.map(({ quantity }) => quantity.kind))].filter((kind) => {
    const values = [mine, theirs].map(
      (side) =>
        new Set(side.filter(({ quantity }) => quantity.kind === kind).map(({ quantity }) => quantity.value)),
    );
    return values.every(({ size }) => size === 1);
  });
  if (kinds.length !== 1) return undefined;
  const [a, b] = [mine, theirs].map((side) => side.find(({ quantity }) => quantity.kind === kinds[0])!);
  const [around, there] = [a!, b!].map(wordsAround);
  const shared = [...around!].filter((stem) => there!.has(stem)).length;
  return shared > 0 && shared >= SHARE * Math.min(around!.size, there!.size)
    ? ([a!, b!] as const)
    : undefined;
}
