import { quantitiesIn } from '../../facts/quantities.js';
import { stateWords, tellsTheDriver } from '../../facts/stated/state-words.js';
import { idsIn, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import { isCountedTime, timesOfText } from './allowed-time.js';
import { isEqualQuantity, limitsTold, type Told, unmatched } from './numbers-told.js';
import { tablesOfItems } from './set-rules.js';
import {
  firstOfEach,
  higherLevel,
  isGoal,
  levelOf,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  textOf,
} from './stated-rule.js';
import { intervalHolder } from './test-limit-rules.js';
import { placeOf } from './text-limits.js';
import { isOutsideInterval, timeOf } from './time-rules.js';

const COLUMNS = ['interval', 'detection', 'reaction'] as const;

/** The longest time that a requirement takes for itself, by its columns, else by its words. */
function longestOf(item: StatedItem): Told | undefined {
  const columns = COLUMNS.flatMap((kind): Told[] => {
    const value = item.values.get(kind);
    const quantity = timeOf(item, kind);
    return value && quantity ? [{ quantity, side: 'most', item, value }] : [];
  });
  const text = item.values.get('text');
  const words = limitsTold(item, text).filter(
    ({ quantity, side }) => side === 'most' && quantity.kind === 'time',
  );
  const own = columns.length > 0 ? columns : text && tellsTheDriver(text.text) ? [] : words;
  return own.reduce<Told | undefined>(
    (a, b) => (a && a.quantity.value >= b.quantity.value ? a : b),
    undefined,
  );
}

/** Every time that an item states, in whatever place, each once. */
function timesOf({ facts }: StatedContext, { key }: StatedItem): readonly number[] {
  const texts = (facts.byKey.get(key) ?? []).flatMap((item) => {
    const columns = COLUMNS.flatMap((kind) => timeOf(item, kind)?.value ?? []);
    return [...columns, ...timesOfText(textOf(item, 'text')).map(({ value }) => value)];
  });
  return [...new Set(texts)];
}

/**
 * What refines a requirement takes more time than all times of that requirement together. The times of goals are intervals, which other
 * rules look at.
 */
export function childBeyondText(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((child): StatedContradiction[] => {
      const own = child.values.has('text') && !isGoal(child) ? longestOf(child) : undefined;
      if (!own || isOutsideInterval(child)) return [];
      return parentItems(context, child).flatMap((parent): StatedContradiction[] => {
        const text = parent.values.get('text');
        if (!text || isGoal(parent) || isCountedTime(text.text)) return [];
        const stated = limitsTold(parent, text).filter(
          ({ quantity, side }) => side === 'most' && quantity.kind === 'time',
        );
        const total = timesOf(context, parent).reduce((sum, one) => sum + one, 0);
        const [allowed] = stated;
        if (!allowed || own.quantity.value <= total * (1 + 1e-9)) return [];
        return [
          {
            rule: 'child-time-longer',
            item: `${child.key} text ${parent.key}`,
            asil: higherLevel(levelOf(child), levelOf(parent)),
            confidence: 'medium',
            words: {
              child: child.id,
              parent: parent.id,
              name: own.value.title || child.id,
              own: own.quantity.written,
              allowed: stated.map(({ quantity }) => quantity.written).join(' + '),
            },
            affected: [child.id, parent.id],
            evidence: [...shown(child, own.value, child.id), ...shown(parent, text, parent.id)],
          },
        ];
      });
    }),
  );
}

/** "Detects … within 120 ms and switches off within a further 80 ms": the steps of one sentence, in ms. */
function stepsIn(item: StatedItem, text: StatedValue): readonly Told[] {
  const { detects, detected, later } = stateWords();
  const times = limitsTold(item, text).filter(
    ({ quantity, side }) => side === 'most' && quantity.kind === 'time',
  );
  const [first, second, third] = times;
  if (!first || !second || third) return [];
  const before = text.text.slice(0, first.quantity.start);
  const between = text.text.slice(first.quantity.end, second.quantity.start);
  if (/[.;]\s/u.test(between)) return [];
  const behind = text.text.slice(second.quantity.end, second.quantity.end + 40).split(/[.;,]/u)[0]!;
  const isNext = anyOf(later).test(`${between} ${behind}`);
  const finds = anyOf([...detects, ...detected]);
  // "Detects the loss within 20 ms, and an offset within 50 ms" finds two faults.
  if (
    !isNext &&
    (!finds.test(before) || finds.test(between) || !/(?<!\p{L})(?:and|und)(?!\p{L})/u.test(between))
  )
    return [];
  return [first, second];
}

/** What one sentence demands one after the other takes longer than the goal tolerates the fault. */
export function stepsBeyondInterval(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((item): StatedContradiction[] => {
      const text = item.values.get('text');
      const [first, second] = text && !isGoal(item) ? stepsIn(item, text) : [];
      if (!text || !first || !second || isOutsideInterval(item)) return [];
      const holder = intervalHolder(context, item);
      const interval = holder && timeOf(holder, 'interval');
      const sum = first.quantity.value + second.quantity.value;
      if (!interval || sum <= interval.value * (1 + 1e-9)) return [];
      return [
        {
          rule: 'time-budget-exceeded',
          item: `${item.key} ${item.document.id}`,
          asil: higherLevel(levelOf(item), levelOf(holder)),
          confidence: 'medium',
          words: {
            item: item.id,
            holder: holder.id,
            detection: first.quantity.written,
            reaction: second.quantity.written,
            interval: interval.written,
            sum: `${Number(sum.toFixed(3))} ms`,
          },
          affected: [...new Set([item.id, holder.id])],
          evidence: [
            ...shown(item, first.value, item.id),
            ...shown(item, second.value, item.id),
            ...shown(holder, holder.values.get('interval'), holder.id),
          ],
        },
      ];
    }),
  );
}

/** A row that names one requirement beside times of its own states the times of that requirement. */
interface Named {
  readonly id: string;
  readonly key: string;
  readonly times: readonly Told[];
}

function namedIn(row: StatedItem): readonly Named[] {
  // "FSA-03: 60 ms" in a cell of its own.
  const pairs = row.cells.flatMap((value): Named[] => {
    const [time, more] = quantitiesIn(value.text).filter(({ kind }) => kind === 'time');
    const [named, other] = idsIn(value.text);
    if (!time || more || !named || other || named.key === row.key) return [];
    const isPair = patternOf('^\\s*\\S.{0,24}?\\s?[:=(,–-]\\s?$', 'u').test(value.text.slice(0, time.start));
    if (!value.text.startsWith(named.id) || !isPair) return [];
    return [
      { ...named, times: [{ quantity: time, side: undefined, item: row, value: placeOf(value, time) }] },
    ];
  });
  if (pairs.length > 0 || row.values.has('text') || row.values.has('expected') || row.values.has('measured'))
    return pairs;
  const ids = row.cells.flatMap(({ text }) => idsIn(text));
  const [named, ...others] = [
    ...new Map(ids.filter(({ key }) => key !== row.key).map((one) => [one.key, one])).values(),
  ];
  const times = (['detection', 'reaction'] as const).flatMap((kind): Told[] => {
    const value = row.values.get(kind);
    const quantity = timeOf(row, kind);
    return value && quantity ? [{ quantity, side: undefined, item: row, value }] : [];
  });
  return named && others.length === 0 && times.length > 0 ? [{ ...named, times }] : [];
}

/** So many rows of a table repeat the times of what they name before one that does not is told. */
const REPEATED = 2;

/** A table repeats the times of requirements, and one of them is another than the one of the requirement. */
export function timeNamedOtherwise(context: StatedContext): readonly StatedContradiction[] {
  const { facts } = context;
  return firstOfEach(
    tablesOfItems(facts.items).flatMap((rows) => {
      const named = rows.flatMap(namedIn).flatMap((one) => {
        const stated = (facts.byKey.get(one.key) ?? []).filter((item) => item.values.has('text'));
        const own = stated.flatMap((item) => {
          const text = item.values.get('text')!;
          return timesOfText(text.text).map(
            (quantity): Told => ({ quantity, side: undefined, item, value: placeOf(text, quantity) }),
          );
        });
        return own.length > 0 ? [{ ...one, own, wrong: unmatched(one.times, own) }] : [];
      });
      const repeating = named.filter(({ wrong }) => wrong.length === 0);
      if (repeating.length < REPEATED || named.length - repeating.length > 1) return [];
      return named.flatMap(({ id, key, own, wrong, times }): StatedContradiction[] => {
        const [other] = wrong;
        const [mine] = own.filter(
          ({ quantity }) => !times.some((one) => isEqualQuantity(one.quantity, quantity)),
        );
        if (!other || !mine || wrong.length > 1) return [];
        return [
          {
            rule: 'time-differs',
            item: `${key} named`,
            asil: levelOf(mine.item),
            confidence: 'medium',
            words: {
              item: id,
              name: other.value.title || id,
              one: mine.quantity.written,
              other: other.quantity.written,
            },
            affected: [id],
            evidence: [
              ...shown(mine.item, mine.value, mine.item.id),
              ...shown(other.item, other.value, other.item.id),
            ],
          },
        ];
      });
    }),
  );
}
