import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';
import { limitsIn, placeOf } from './text-limits.js';

/** A number with its unit, as it stands in a value of an item. */
export interface Told {
  readonly quantity: Quantity;
  /** `most`, `least`, or nothing where no words make it a limit. */
  readonly side: 'most' | 'least' | undefined;
  readonly item: StatedItem;
  /** The words of the number alone. */
  readonly value: StatedValue;
}

const SIDES: Readonly<Record<string, Told['side']>> = { within: 'most', below: 'most', least: 'least' };

/** Limits that a value states. */
export function limitsTold(item: StatedItem, value: StatedValue | undefined): readonly Told[] {
  if (!value) return [];
  const limits = limitsIn(value.text);
  const isLeast = patternOf(`(?<!\\p{L})(?:${stateWords().atLeast.join('|')})\\s*$`);
  const least = quantitiesIn(value.text)
    .filter(({ start }) => limits.every(({ quantity }) => quantity.start !== start))
    .filter(({ start }) => isLeast.test(value.text.slice(Math.max(0, start - 20), start)))
    .map((quantity) => ({ quantity, side: 'least' }));
  return [...limits, ...least].map(({ quantity, side }) => ({
    ...{ quantity, side: SIDES[side], item, value: placeOf(value, quantity) },
  }));
}

/** Equal but for rounding. */
export const isEqualQuantity = (a: Quantity, b: Quantity): boolean =>
  a.kind === b.kind && Math.abs(a.value - b.value) <= 1e-9 * Math.max(1, Math.abs(a.value));

/** Those that no number of the other side equals, nor two or all of them together. */
export function unmatched<T extends { readonly quantity: Quantity }>(
  own: readonly T[],
  others: readonly { readonly quantity: Quantity }[],
): readonly T[] {
  return own.filter(({ quantity }) => {
    const same = others.filter((one) => one.quantity.kind === quantity.kind).map((one) => one.quantity.value);
    const sums = same.flatMap((a, at) => [a, ...same.slice(at + 1).map((b) => a + b)]);
    const all = same.reduce((sum, one) => sum + one, 0);
    return ![...sums, all].some((value) => Math.abs(value - quantity.value) <= 1e-9 * Math.max(1, value));
  });
}
