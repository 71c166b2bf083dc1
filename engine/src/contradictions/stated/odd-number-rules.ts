import { quantitiesIn } from '../../facts/quantities.js';
import { byPassage, meets, type NumberPlace, numberPlaces, rarity } from './number-places.js';
import { placeShown, subjectOf } from './number-shown.js';
import { isEqualQuantity } from './numbers-told.js';
import {
  firstOfEach,
  higherLevel,
  isGoal,
  levelOf,
  type StatedContext,
  type StatedContradiction,
} from './stated-rule.js';

/** Places that share an id, or words, beyond which an id or a word tells nothing about what is meant. */
const MOST_OF_KEY = 60;
/** Shares and weights of common words, for places that share an id and for all others. Fitted on the own projects. */
const LINKED = { share: 0.5, weight: 3 };
const ALONE = { share: 0.6, weight: 9 };
/** Of what supports the expected number the next one may have so much. */
const RIVAL = 0.5;

interface Near {
  readonly place: NumberPlace;
  readonly share: number;
  readonly isLinked: boolean;
}

/**
 * Documents repeat their numbers: a requirement, what refines it, its test, assumptions, agreements. One place gives a number that nobody else
 * gives, where at least two others that speak of the same with the same words agree on another one. Times are compared where both speak of
 * one thing only, since parts of a chain rightly have less.
 */
export function oddNumber(context: StatedContext): readonly StatedContradiction[] {
  const places = numberPlaces(context);
  const passages = byPassage(places);
  const weightOf = rarity(places);
  const weights = new Map(places.map((place) => [place, sumOf(place.stems)]));
  const [byKey, byStem] = [new Map<string, NumberPlace[]>(), new Map<string, NumberPlace[]>()];
  for (const place of places) {
    for (const key of place.keys) push(byKey, `${place.quantity.kind} ${key}`, place);
    for (const stem of place.stems) push(byStem, `${place.quantity.kind} ${stem}`, place);
  }
  return firstOfEach(places.flatMap(told));

  function sumOf(stems: ReadonlySet<string>): number {
    return [...stems].reduce((sum, stem) => sum + weightOf(stem), 0);
  }

  function likeness(a: NumberPlace, b: NumberPlace) {
    const weight = sumOf(new Set([...a.stems].filter((stem) => b.stems.has(stem))));
    return { weight, share: weight / Math.max(1e-9, Math.min(weights.get(a)!, weights.get(b)!)) };
  }

  /** Places that may speak of the same. */
  function candidates(place: NumberPlace): ReadonlySet<NumberPlace> {
    const all = new Set<NumberPlace>();
    const { kind } = place.quantity;
    for (const [index, words] of [
      [byKey, place.keys],
      [byStem, place.stems],
    ] as const) {
      for (const word of words) {
        const same = index.get(`${kind} ${word}`) ?? [];
        if (same.length <= MOST_OF_KEY) for (const one of same) all.add(one);
      }
    }
    return all;
  }

  function holds(place: NumberPlace, { quantity }: NumberPlace): boolean {
    return passages.get(place.passage.id)!.some((one) => isEqualQuantity(one.quantity, quantity));
  }

  function told(place: NumberPlace): readonly StatedContradiction[] {
    const { quantity, passage } = place;
    if (passage.role !== 'body' || place.isFound || place.stems.size === 0 || quantity.value === 0) return [];
    const all = [...candidates(place)].filter((one) => one.passage !== passage);
    const near = all.flatMap((one): Near[] => {
      if (one.passage.role !== 'body' || one.isFound || one.quantity.value === 0) return [];
      // What this passage says itself, and passages that say both.
      if (holds(place, one) || holds(one, place)) return [];
      if (isCounterpart(place, one)) return [];
      const isLinked = speakOfOne(place, one);
      const { share, weight } = likeness(place, one);
      const least = isLinked ? LINKED : ALONE;
      if (share < least.share || weight < least.weight) return [];
      if (!isLinked && (one.document === place.document || areSiblings(place, one))) return [];
      return [{ place: one, share, isLinked }];
    });
    const [first, second] = groupsOf(near);
    if (!first || (second && second.score > first.score * RIVAL)) return [];
    const [expected] = first.ones;
    if (!expected) return [];
    const supported = all.some(
      (one) =>
        isEqualQuantity(one.quantity, quantity) &&
        !holds(one, expected.place) &&
        (meets(place.keys, one.keys) || isAlike(likeness(place, one))),
    );
    // A passage with both tells of a change, which another rule looks at.
    const isReplaced = all.some(
      (one) => isEqualQuantity(one.quantity, quantity) && holds(one, expected.place),
    );
    if (supported || isReplaced || first.passages.size < 2 || isAround(place, expected.place)) return [];
    const [one, other] = [...new Map(first.ones.map((near) => [near.place.passage.id, near.place])).values()];
    const subject = subjectOf(place);
    return [
      {
        rule: 'odd-number',
        item: `${[...place.own][0] ?? place.document.id} ${quantity.kind} ${[...place.stems].sort().slice(0, 3).join(' ')}`,
        asil: higherLevel(place.item && levelOf(place.item), one!.item && levelOf(one!.item)),
        confidence: first.ones.some(({ isLinked }) => isLinked) ? 'medium' : 'low',
        words: {
          item: subject,
          own: quantity.written,
          expected: expected.place.quantity.written,
          others: [...new Set([one, other].flatMap((near) => (near ? [subjectOf(near)] : [])))].join(', '),
        },
        affected: [...new Set([...place.own, ...one!.own])],
        evidence: [place, one!, ...(other ? [other] : [])].map((near) => placeShown(near, subjectOf(near))),
      },
    ];
  }
}

const isAlike = ({ share, weight }: { readonly share: number; readonly weight: number }): boolean =>
  share >= 0.5 && weight >= 5;

/** Near places by their number, those with most of the same words first. */
function groupsOf(near: readonly Near[]) {
  const inPassage = new Map<string, number>();
  for (const { place } of near) inPassage.set(place.passage.id, (inPassage.get(place.passage.id) ?? 0) + 1);
  const groups = new Map<number, { ones: Near[]; score: number; passages: Set<string> }>();
  for (const one of near) {
    const { value } = one.place.quantity;
    const group = groups.get(value) ?? { ones: [], score: 0, passages: new Set() };
    groups.set(value, group);
    group.ones.push(one);
    group.score += one.share / inPassage.get(one.place.passage.id)!;
    group.passages.add(one.place.passage.id);
  }
  for (const { ones } of groups.values()) ones.sort((a, b) => b.share - a.share);
  return [...groups.values()].sort((a, b) => b.score - a.score);
}

/** Of two items one names the other; of an item and a sentence, the sentence names it; of two sentences, both name something. */
function speakOfOne(a: NumberPlace, b: NumberPlace): boolean {
  if (a.own.size > 0 && b.own.size > 0)
    return meets(a.own, b.own) || meets(a.own, b.keys) || meets(b.own, a.keys);
  if (a.own.size > 0) return meets(a.own, b.keys);
  return b.own.size > 0 ? meets(b.own, a.keys) : meets(a.keys, b.keys);
}

/** Rows of one table about one thing, the times of two items, and a limit below that of a goal, are rightly different. */
function isCounterpart(a: NumberPlace, b: NumberPlace): boolean {
  const areItems = a.own.size > 0 && b.own.size > 0;
  const isOneThing = meets(a.own, b.own);
  if (a.document === b.document && a.passage.columns && b.passage.columns && !isDemand(a)) return true;
  if (a.quantity.kind === 'time' && areItems && !isOneThing) return true;
  const isBelowGoal = (item: NumberPlace, goal: NumberPlace) =>
    goal.item !== undefined && isGoal(goal.item) && item.quantity.value < goal.quantity.value;
  return areItems && !isOneThing && (isBelowGoal(a, b) || isBelowGoal(b, a));
}

/** More than a number in a cell. */
const isDemand = ({ clause }: NumberPlace): boolean => clause.length > LONGEST_CELL;
const LONGEST_CELL = 30;

const kindOf = (keys: ReadonlySet<string>): string =>
  [...keys].map((key) => key.replace(/-?\d.*$/, '')).join();

/** Two of a kind tell of different things in the same words. */
const areSiblings = (a: NumberPlace, b: NumberPlace): boolean =>
  a.own.size > 0 && b.own.size > 0 && kindOf(a.own) === kindOf(b.own);

/** "At 4 % and at 6 %" around 5 %, as a test tries a limit from both sides. */
function isAround({ clause, quantity, passage }: NumberPlace, { quantity: limit }: NumberPlace): boolean {
  const from = quantity.start - clause.indexOf('…');
  const own = passage.text.slice(from, from + clause.length + quantity.written.length);
  const part = own.split(/[,;]/).find((one) => one.includes(quantity.written)) ?? own;
  const values = quantitiesIn(part)
    .filter(({ kind }) => kind === quantity.kind)
    .map(({ value }) => value);
  return Math.min(...values) < limit.value && Math.max(...values) > limit.value;
}

function push(index: Map<string, NumberPlace[]>, key: string, place: NumberPlace): void {
  const same = index.get(key);
  if (same) same.push(place);
  else index.set(key, [place]);
}
