import { type Quantity, quantitiesIn, timeIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import { idsIn, type StatedItem } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';
import { parametersOf } from './parameter-rules.js';
import { overlap, parentItems, type StatedContext, stemsOf, tested, textOf } from './stated-rule.js';
import { timeOf } from './time-rules.js';

/** Times of a text that are no periods: "every 10 ms", "in the next cycle (10 ms)" say how often something is done. */
export function timesOfText(text: string): readonly Quantity[] {
  const isPeriod = patternOf(
    `(?<!\\p{L})(?:${stateWords().periods.join('|')})\\s+(?:\\(|(?:of|von|zu)\\s+)?$`,
  );
  return quantitiesIn(text).filter(
    ({ kind, start }) => kind === 'time' && !isPeriod.test(text.slice(Math.max(0, start - 30), start)),
  );
}

/** "After 3 (N_MSG) wrong messages": a time that is counted in something else. */
const COUNTED = /(?<![\p{L}\p{N}.,])\d+\s(?:\([^()]{1,30}\)\s)?(?!degrees?(?!\p{L})|Grad(?!\p{L}))\p{L}{4,}/u;

/**
 * Whether a test may accept a time in ms: it is not above the sum of the times of what it verifies, or a table states it for one of these;
 * where these give no time, what they come from counts. True as well where a part of the time is counted in something else than a unit.
 */
export function isTimeAllowed(context: StatedContext, test: StatedItem, time: number): boolean {
  const verified = tested(context, test);
  const own = [...verified, ...namedIn(context, verified)];
  const above = verified.flatMap((item) => parentItems(context, item));
  if (verified.some((item) => isCountedTime(textOf(item, 'text')))) return true;
  const sum = sumOf(context, own);
  // "After 0.2 s": when it begins, and not how long it may take.
  if (verified.some((item) => time <= handlingOf(context, item))) return true;
  const isOpen = sum === 0 || own.every((item) => onlyWaits(textOf(item, 'text')));
  if (time <= sum || (isOpen && above.some((parent) => time <= sumOf(context, [parent])))) return true;
  if (reachesStateOf(context, above, test, time)) return true;
  // The whole time that a budget has for their goal.
  const goals = new Set(above.map(({ key }) => key));
  if (
    context.facts.items.some(
      (item) => goals.has(item.key) && timeIn(textOf(item, 'handling'))?.value === time,
    )
  )
    return true;
  const keys = new Set([...own, ...(isOpen ? above : [])].map(({ key }) => key));
  return context.facts.items.some(
    (item) =>
      (item.table ?? -1) >= 0 &&
      !item.values.has('expected') &&
      !item.values.has('measured') &&
      item.cells.some(({ text }) =>
        quantitiesIn(text).some((one) => one.kind === 'time' && one.value === time),
      ) &&
      item.cells.some(({ text }) => idsIn(text).some(({ key }) => keys.has(key))),
  );
}

/** Times of detection and reaction of a requirement by its columns, together, in ms; 0 without both. */
function handlingOf({ facts }: StatedContext, { key }: StatedItem): number {
  const sums = (facts.byKey.get(key) ?? []).map((one) => {
    const [detection, reaction] = [timeOf(one, 'detection'), timeOf(one, 'reaction')];
    return detection && reaction ? (detection.value + reaction.value) * (1 + 1e-9) : 0;
  });
  return Math.max(0, ...sums);
}

/** A test waits for the safe state of the goal: its time is the one of detection and reaction together, whatever part of it is verified. */
function reachesStateOf(
  { facts }: StatedContext,
  goals: readonly StatedItem[],
  test: StatedItem,
  time: number,
): boolean {
  const expected = (facts.byKey.get(test.key) ?? [test]).map((one) => textOf(one, 'expected')).join(' ');
  return goals
    .flatMap(({ key }) => facts.byKey.get(key) ?? [])
    .some((goal) => {
      const [detection, reaction] = [timeOf(goal, 'detection'), timeOf(goal, 'reaction')];
      const state = textOf(goal, 'safe_state');
      const isReached =
        idsIn(state).some(({ id }) => expected.includes(id)) ||
        (stemsOf(state).size > 1 && overlap(stemsOf(state), stemsOf(expected)) >= SAME_STATE);
      return isReached && detection && reaction && time <= (detection.value + reaction.value) * (1 + 1e-9);
    });
}
/** Share of the words of a safe state that what a test expects has as well. Our own. */
const SAME_STATE = 0.5;

export const isCountedTime = (text: string) =>
  [...text.matchAll(new RegExp(COUNTED, 'gu'))].some(
    ({ 0: found, index }) => quantitiesIn(text.slice(index, index + found.length)).length === 0,
  );

function onlyWaits(text: string): boolean {
  const isDelay = patternOf(`(?<!\\p{L})(?:${stateWords().delays.join('|')})\\s+$`);
  return timesOfText(text).every(({ start }) => isDelay.test(text.slice(Math.max(0, start - 30), start)));
}

/** Requirements that others name in their words. */
function namedIn({ facts }: StatedContext, items: readonly StatedItem[]): readonly StatedItem[] {
  return items.flatMap((item) =>
    idsIn(textOf(item, 'text')).flatMap(({ key }) =>
      (facts.byKey.get(key) ?? []).filter((one) => one.values.has('text') && !items.includes(one)),
    ),
  );
}

/** Sum of all times that requirements state, each once; names of parameters count with their values. */
function sumOf(context: StatedContext, items: readonly StatedItem[]): number {
  const texts = [...new Set(items.map((item) => textOf(item, 'text')))];
  const parameters = parametersOf(context);
  const named = new Set(
    texts.flatMap((text) => text.match(new RegExp(stateWords().parameterName, 'gu')) ?? []),
  );
  const times = [
    ...texts.flatMap(timesOfText),
    ...[...named].flatMap((name) => parameters.get(name)?.[0]?.quantity ?? []),
  ].filter(({ kind }) => kind === 'time');
  return times.reduce((sum, { value }) => sum + value, 0) * (1 + 1e-9);
}
