import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import type { StatedKind } from '../../facts/stated/stated-columns.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { isTimeAllowed, timesOfText } from './allowed-time.js';
import { numberPlaces } from './number-places.js';
import { isEqualQuantity } from './numbers-told.js';
import {
  firstOfEach,
  higherLevel,
  isGoal,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  tested,
  valuesOf,
} from './stated-rule.js';
import { placeIn } from './text-limits.js';

/** Share of common words of the two clauses, and fewest of them where it is not all. Fitted on the own projects. */
const SHARE = 0.5;
const FEWEST_WORDS = 2;
/** Of so many words half are enough where only one other place agrees. */
const SHARE_OF_ONE = 0.6;
/** More numbers are a table of values, more neighbours a thing that everything hangs on. */
const MOST_NUMBERS = 12;
const MOST_NEIGHBOURS = 40;
/** Numbers further apart speak of different things. Our own. */
const MOST_TIMES = 3;
/** A cell with little more than a number is told by the title of its column. */
const SHORT = 30;

interface Stated {
  readonly quantity: Quantity;
  readonly item: StatedItem;
  readonly value: StatedValue;
  readonly from: number;
  readonly to: number;
  readonly stems: ReadonlySet<string>;
}

const ENDS = /[\t\n;,]|\.\s|(?<!\p{L})(?:and|und)(?!\p{L})/gu;

/** The part of a sentence or list around a number. */
function clauseAround(text: string, { start, end }: Quantity): readonly [number, number] {
  let from = 0;
  for (const { index, 0: sign } of text.matchAll(ENDS)) {
    if (index >= end) return [from, index];
    if (index + sign.length <= start) from = index + sign.length;
  }
  return [from, text.length];
}

const FOUND: readonly StatedKind[] = ['measured', 'result', 'severity', 'exposure', 'controllability'];

/** What a requirement, a goal or a test states; no results, no ratings, no sentence beside it. */
function numbersOf({ facts }: StatedContext, key: string): readonly Stated[] {
  const items = (facts.byKey.get(key) ?? []).filter(
    ({ how, values }) => how !== 'sentence' && !FOUND.some((kind) => values.has(kind)),
  );
  return items.flatMap((item) => {
    return valuesOf(item).flatMap((value) => {
      const times = new Set(timesOfText(value.text).map(({ start }) => start));
      return quantitiesIn(value.text).flatMap((quantity): Stated[] => {
        // "Every 10 ms" says how often.
        if (quantity.value === 0 || (quantity.kind === 'time' && !times.has(quantity.start))) return [];
        const [from, to] = clauseAround(value.text, quantity);
        const words = `${value.text.slice(from, quantity.start)} ${value.text.slice(quantity.end, to)}`;
        const stems = stemsOf(value.text.length < SHORT ? `${words} ${value.title}` : words);
        return [{ quantity, item, value, from, to, stems }];
      });
    });
  });
}

interface Agreed {
  readonly wanted: Stated;
  /** Others of the chain that state the same. */
  readonly supporters: readonly string[];
  /** Words that both clauses have, and their share of the shorter one. */
  readonly common: number;
  readonly share: number;
}

/** Two clauses speak of the same in words. */
const isClear = ({ share, common, supporters }: Agreed): boolean =>
  common > 0 &&
  (share === 1 ||
    (common >= FEWEST_WORDS && (share >= SHARE_OF_ONE || (share >= SHARE && supporters.length > 1))));

/** Who is linked to whom: what refines and what verifies. */
function neighboursOf(context: StatedContext): ReadonlyMap<string, ReadonlySet<string>> {
  const near = new Map<string, Set<string>>();
  const put = (one: string, other: string) => near.set(one, (near.get(one) ?? new Set()).add(other));
  const join = (one: string, other: string) => {
    if (one === other) return;
    put(one, other);
    put(other, one);
  };
  for (const item of context.facts.items) {
    if (!item.hasId) continue;
    for (const parent of context.facts.parentsOf(item)) join(item.key, parent);
    for (const requirement of tested(context, item)) join(item.key, requirement.key);
  }
  return near;
}

/**
 * Requirement, what refines it and its test repeat their numbers. One of them states a number that nothing else in the documents has, and not
 * the one on which two others of its chain agree in the same words. Linear in the links.
 */
export function chainNumber(context: StatedContext): readonly StatedContradiction[] {
  const { facts } = context;
  const near = neighboursOf(context);
  const known = new Map<string, readonly Stated[]>();
  const numbers = (key: string) => {
    const before = known.get(key) ?? numbersOf(context, key);
    known.set(key, before);
    return before;
  };
  const keyOf = ({ kind, value }: Quantity) => `${kind} ${value.toPrecision(9)}`;
  const passages = new Map<string, Set<string>>();
  for (const { quantity, passage, isFound } of numberPlaces(context))
    if (!isFound) {
      const key = keyOf(quantity);
      passages.set(key, (passages.get(key) ?? new Set()).add(passage.id));
    }
  const isAlone = ({ quantity }: Stated, key: string) => {
    const own = new Set(
      (facts.byKey.get(key) ?? []).flatMap((item) => [
        item.passage.id,
        ...[...item.values.values()].map(({ passage }) => passage.id),
      ]),
    );
    return [...(passages.get(keyOf(quantity)) ?? [])].every((id) => own.has(id));
  };
  const has = (key: string, quantity: Quantity) =>
    numbers(key).some((one) => isEqualQuantity(one.quantity, quantity));

  return firstOfEach([...near.keys()].flatMap(told));

  function told(key: string): readonly StatedContradiction[] {
    const own = numbers(key);
    const close = near.get(key)!;
    if (own.length === 0 || own.length > MOST_NUMBERS || close.size > MOST_NEIGHBOURS) return [];
    const all = new Set(close);
    for (const one of close) {
      const others = near.get(one)!;
      if (others.size <= MOST_NEIGHBOURS) for (const other of others) all.add(other);
    }
    all.delete(key);
    return own.flatMap((one): readonly StatedContradiction[] => {
      if ([...all].some((other) => has(other, one.quantity)) || !isAlone(one, key)) return [];
      const agreed = [...close].flatMap((other) =>
        numbers(other).flatMap((wanted): Agreed[] => {
          if (wanted.quantity.kind !== one.quantity.kind || has(key, wanted.quantity)) return [];
          const supporters = [...all].filter((third) => third !== other && has(third, wanted.quantity));
          const common = [...one.stems].filter((stem) => wanted.stems.has(stem)).length;
          const share = common / Math.max(1, Math.min(one.stems.size, wanted.stems.size));
          return supporters.length > 0 ? [{ wanted, supporters, common, share }] : [];
        }),
      );
      const [likest] = agreed.sort((a, b) => b.share - a.share || b.common - a.common);
      const best = likest && isClear(likest) ? likest : between(one, agreed, key);
      if (!best) return [];
      if (isRightlyOther(one, best.wanted, { key, isClear: best.share === 1 && best.common >= FEWEST_WORDS }))
        return [];
      const { wanted, supporters } = best;
      const third = numbers(supporters[0]!).find((other) =>
        isEqualQuantity(other.quantity, wanted.quantity),
      )!;
      return [
        {
          rule: 'odd-number',
          item: `${key} ${one.quantity.kind} in chain`,
          asil: higherLevel(levelOf(one.item), levelOf(wanted.item)),
          confidence: 'medium',
          words: {
            item: one.item.id,
            own: one.quantity.written,
            expected: wanted.quantity.written,
            others: [...new Set([wanted.item.id, third.item.id])].join(', '),
          },
          affected: [...new Set([one.item.id, wanted.item.id, third.item.id])],
          evidence: [one, wanted, third].flatMap(({ item, value, from, to }) =>
            shown(item, placeIn(value, from, to), item.id),
          ),
        },
      ];
    });
  }

  /** Both sides of it, and these alone, agree on one number of its kind, and it has one of its own instead. */
  function between({ quantity, item }: Stated, agreed: readonly Agreed[], key: string): Agreed | undefined {
    // A test goes beyond a limit to see what happens there.
    if (item.values.has('expected') || item.values.has('stimulus')) return undefined;
    const close = near.get(key)!;
    const around = agreed.filter(({ supporters }) => supporters.some((one) => close.has(one)));
    const values = new Set(around.map(({ wanted }) => wanted.quantity.value));
    const [wanted = Number.NaN] = values;
    if (!(Math.max(wanted, quantity.value) <= MOST_TIMES * Math.min(wanted, quantity.value)))
      return undefined;
    const own = numbers(key).filter(
      (one) => one.quantity.kind === quantity.kind && ![...close].some((other) => has(other, one.quantity)),
    );
    const isOne = values.size === 1 && new Set(own.map((one) => one.quantity.value)).size === 1;
    return isOne ? around[0] : undefined;
  }

  /** A time below the one it is a part of, a test on both sides of a limit, a test that waits for several steps. */
  function isRightlyOther(
    one: Stated,
    { quantity: wanted, item: other }: Stated,
    { key, isClear: isSame }: { readonly key: string; readonly isClear: boolean },
  ): boolean {
    const { quantity, item } = one;
    const inItem = numbers(key)
      .filter((each) => each.quantity.kind === wanted.kind)
      .map((each) => each.quantity.value);
    if (Math.min(...inItem) < wanted.value && Math.max(...inItem) > wanted.value) return true;
    const isTest = item.values.has('expected') || item.values.has('stimulus');
    if (quantity.kind !== 'time') return isGoal(item);
    if (quantity.value < wanted.value)
      return !isTest || !item.values.get('stimulus')?.text.includes(quantity.written);
    if (facts.parentsOf(other).includes(key)) return true;
    return isTest && !isSame && isTimeAllowed(context, item, quantity.value);
  }
}
