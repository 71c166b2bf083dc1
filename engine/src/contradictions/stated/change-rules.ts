import { stateWords } from '../../facts/stated/state-words.js';
import { patternOf } from '../../words/read-words.js';
import { byPassage, meets, type NumberPlace, numberPlaces } from './number-places.js';
import { placeShown, subjectOf } from './number-shown.js';
import { isEqualQuantity } from './numbers-told.js';
import {
  firstOfEach,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  stemsOf,
} from './stated-rule.js';

interface Change {
  readonly old: NumberPlace;
  readonly now: NumberPlace;
}

/** "From 35 % to 30 %", "58 V instead of 57 V", "35 % → 30 %", one beside the other below "old" and "new". */
function changeOf(a: NumberPlace, b: NumberPlace): Change | undefined {
  const { changes } = stateWords();
  const { text, columns = [] } = a.passage;
  const before = text.slice(Math.max(0, a.quantity.start - 30), a.quantity.start);
  const between = text.slice(a.quantity.end, b.quantity.start);
  const titleOf = ({ quantity }: NumberPlace) =>
    columns[text.slice(0, quantity.start).split('\t').length - 1] ?? '';
  if (patternOf(changes.arrow).test(between)) return { old: a, now: b };
  if (patternOf(changes.to).test(between) && patternOf(changes.from).test(before)) return { old: a, now: b };
  if (patternOf(changes.insteadOf).test(between))
    return patternOf(changes.found).test(a.clause) ? undefined : { old: b, now: a };
  const isBeside = between === '\t';
  return isBeside &&
    patternOf(changes.oldTitle).test(titleOf(a)) &&
    patternOf(changes.newTitle).test(titleOf(b))
    ? { old: a, now: b }
    : undefined;
}

/** Whether a place speaks of what was changed: ids and words that both have. */
function shared(place: NumberPlace, change: NumberPlace, words: ReadonlySet<string>): number {
  const ids = [...place.keys].filter((key) => change.keys.has(key)).length;
  return ids + [...stemsOf(place.passage.text)].filter((stem) => words.has(stem)).length;
}

/**
 * Entries of change lists say which number replaced which; a place of another document that speaks of the same still has the old one. The new
 * one has to stand somewhere else as well: a change that nobody has carried out yet is another question.
 */
export function oldNumberRemains(context: StatedContext): readonly StatedContradiction[] {
  const places = numberPlaces(context);
  const passages = byPassage(places);
  const byValue = new Map<string, NumberPlace[]>();
  const keyOf = ({ quantity }: NumberPlace) => `${quantity.kind} ${Number(quantity.value.toPrecision(9))}`;
  for (const place of places) {
    if (place.passage.role !== 'body') continue;
    const same = byValue.get(keyOf(place));
    if (same) same.push(place);
    else byValue.set(keyOf(place), [place]);
  }
  const found: StatedContradiction[] = [];
  for (const numbers of passages.values()) {
    for (const [at, first] of numbers.entries()) {
      const second = numbers[at + 1];
      if (!second || first.quantity.kind !== second.quantity.kind) continue;
      if (isEqualQuantity(first.quantity, second.quantity)) continue;
      const change = changeOf(first, second);
      if (change) found.push(...remaining(change));
    }
  }
  return firstOfEach(found);

  function remaining({ old, now }: Change): readonly StatedContradiction[] {
    const words = stemsOf(old.passage.text);
    const elsewhere = (place: NumberPlace) => place.document !== old.document && !place.isFound;
    const still = (byValue.get(keyOf(old)) ?? []).filter(elsewhere);
    if (still.length > MOST_STILL) return [];
    const carriedOut = (byValue.get(keyOf(now)) ?? []).filter(
      (place) => elsewhere(place) && shared(place, now, words) > 0,
    );
    return still.flatMap((place): StatedContradiction[] => {
      const numbers = passages.get(place.passage.id) ?? [];
      if (numbers.some(({ quantity }) => isEqualQuantity(quantity, now.quantity))) return [];
      const other = carriedOut.find(({ passage }) => passage !== place.passage);
      const common = shared(place, old, words);
      if (!other || common < (still.length === 1 ? 1 : 2)) return [];
      const subject = subjectOf(place);
      return [
        {
          rule: 'old-number-remains',
          item: `${[...place.own][0] ?? place.document.id} ${old.quantity.written}`,
          asil: place.item && levelOf(place.item),
          confidence: still.length === 1 || common > 2 || meets(place.keys, old.keys) ? 'medium' : 'low',
          words: {
            item: subject,
            old: place.quantity.written,
            now: now.quantity.written,
            change: subjectOf(old),
          },
          affected: [...new Set([...place.own, ...old.own])],
          evidence: [
            placeShown(place, subject),
            placeShown(old, subjectOf(old)),
            placeShown(other, subjectOf(other)),
          ],
        },
      ];
    });
  }
}

/** A number that stands in more places than this is no trace of one change. Our own. */
const MOST_STILL = 12;
