import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import { stateWords, tellsTheDriver } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  overlap,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';
import { type Limit, limitsIn } from './text-limits.js';
import { isOutsideInterval, timeOf } from './time-rules.js';

/** Times of a sentence that demands something within them, in milliseconds. */
export function timesWithin(value: StatedValue | undefined): readonly Limit[] {
  return value
    ? limitsIn(value.text).filter(({ side, quantity }) => side === 'within' && quantity.kind === 'time')
    : [];
}

/**
 * How long a requirement takes by its words, in ms: its limit, and before it the time that its fault has to last ("within 1 s after it has
 * detected a current during 20 s"); what waits alone counts where it finds a fault.
 */
function timeTaken(text: string, limit: Limit | undefined): { value: number; written: string } | undefined {
  const { conditions, lasting, detects } = stateWords();
  const isLasting = patternOf(`(?<!\\p{L})(?:${lasting.join('|')})\\s+(?:the\\s+)?$`);
  const isCondition = anyOf([...conditions, 'after', 'nachdem']);
  const waits = quantitiesIn(text).filter(({ kind, start }) => {
    const before = text.slice(0, start);
    return kind === 'time' && isLasting.test(before) && isCondition.test(before);
  });
  const [wait] = waits;
  const finds = anyOf([...detects, 'detected', 'erkannt']).test(text);
  if (!wait || waits.length > 1 || wait.start === limit?.quantity.start || !(limit || finds))
    return limit?.quantity;
  if (!limit) return wait;
  const value = wait.value + limit.quantity.value;
  return { value, written: `${wait.written} + ${limit.quantity.written}` };
}

/** The words of a requirement allow more time than the interval of what it comes from. */
export function textTimeLonger(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((child) => {
      const text = child.values.get('text');
      const limit = timesWithin(text)[0];
      if (limit && isOfOther(child, text!.text, limit.quantity)) return [];
      const taken = text && timeTaken(text.text, limit);
      if (!taken || isOutsideInterval(child) || (limit && tellsDriver(text!.text, limit.quantity))) return [];
      return parentItems(context, child).flatMap((parent): StatedContradiction[] => {
        const allowed = timeOf(parent, 'interval');
        if (!allowed || taken.value <= allowed.value) return [];
        // Its column says the same, which is told.
        if ((timeOf(child, 'interval')?.value ?? 0) > allowed.value) return [];
        return [
          {
            rule: 'child-time-longer',
            item: `${child.key} text ${parent.key}`,
            asil: higherLevel(levelOf(child), levelOf(parent)),
            confidence: 'medium',
            words: {
              child: child.id,
              parent: parent.id,
              name: text!.title || child.id,
              own: taken.written,
              allowed: allowed.written,
            },
            affected: [child.id, parent.id],
            evidence: [
              ...shown(child, text, child.id),
              ...shown(parent, parent.values.get('interval'), parent.id),
            ],
          },
        ];
      });
    }),
  );
}

/**
 * A time that is none of a reaction to a fault: it belongs to a condition or to a count ("only if nobody arrives within 5 s", "for three
 * openings within 15 min"), after it something is permitted ("may end after 5 s of valid data"), or it counts from something that is no fault, and the requirement states its interval beside it ("2.0 s after standstill", 1000 ms).
 */
function isOfOther(child: StatedItem, text: string, { start, end, value }: Quantity): boolean {
  const { delays, faults, modal, permits, timesOfOthers } = stateWords();
  const sentence = text.slice(0, start).split(SENTENCE_END).at(-1)!;
  if (timesOfOthers.some((one) => patternOf(`(?<!\\p{L})${one}$`).test(sentence))) return true;
  const waits = patternOf(`(?<!\\p{L})(?:${delays.join('|')})\\s+$`).test(sentence);
  const modals = [
    ...sentence.matchAll(patternOf(`(?<!\\p{L})(?:${modal}|${permits.join('|')})(?!\\p{L})`, 'giu')),
  ];
  const [last] = modals.at(-1) ?? [];
  if (waits && last && permits.includes(last.toLowerCase())) return true;
  const own = timeOf(child, 'interval');
  const since = patternOf(`^\\s+(?:${delays.join('|')})\\s+(.{0,60})`).exec(text.slice(end));
  return own !== undefined && own.value < value && since !== null && !anyOf(faults).test(since[1]!);
}
const SENTENCE_END = /[.;]\s/u;

/** "… and warn the driver within 2 s": the part of a sentence with the time is about telling the driver. */
export function tellsDriver(text: string, { start, end }: Quantity): boolean {
  const before = text.slice(0, start).split(CLAUSE_END).at(-1)!;
  const behind = text.slice(end).split(CLAUSE_END)[0]!;
  return tellsTheDriver(`${before}…${behind}`);
}
const CLAUSE_END = /[.;:)]\s|(?<!\p{L})(?:and|und)(?!\p{L})/u;

/** One requirement detects, another one reacts after the detection, and both together take longer than their goal tolerates. */
export function timesOfChildren(context: StatedContext): readonly StatedContradiction[] {
  const { detects, detected, afterDetection } = stateWords();
  const [detecting, after] = [anyOf([...detects, ...detected]), anyOf(afterDetection)];
  const children = new Map<StatedItem, StatedItem[]>();
  for (const child of context.facts.items) {
    if (timesWithin(child.values.get('text')).length !== 1) continue;
    for (const parent of parentItems(context, child)) {
      if (timeOf(parent, 'interval')) children.set(parent, [...(children.get(parent) ?? []), child]);
    }
  }
  return firstOfEach(
    [...children].flatMap(([goal, all]) => {
      const interval = timeOf(goal, 'interval')!;
      const reacting = all.filter((child) => after.test(textOf(child, 'text')));
      const detectors = all.filter(
        (child) => !reacting.includes(child) && detecting.test(textOf(child, 'text')),
      );
      return reacting.flatMap((reaction) =>
        inSameElement(reaction, detectors).flatMap((detection): StatedContradiction[] => {
          const [first, second] = [detection, reaction].map(
            (one) => timesWithin(one.values.get('text'))[0]!.quantity,
          );
          const sum = first!.value + second!.value;
          const related =
            overlap(stemsOf(textOf(detection, 'text')), stemsOf(textOf(reaction, 'text'))) >= SAME_FAULT;
          if (sum <= interval.value || !related) return [];
          return [
            {
              rule: 'times-of-children',
              item: goal.key,
              asil: levelOf(goal),
              confidence: 'medium',
              words: {
                goal: goal.id,
                detecting: detection.id,
                reacting: reaction.id,
                detection: first!.written,
                reaction: second!.written,
                sum: `${Number(sum.toFixed(3))} ms`,
                interval: interval.written,
              },
              affected: [goal.id, detection.id, reaction.id],
              evidence: [
                ...shown(detection, detection.values.get('text'), detection.id),
                ...shown(reaction, reaction.values.get('text'), reaction.id),
                ...shown(goal, goal.values.get('interval'), goal.id),
              ],
            },
          ];
        }),
      );
    }),
  );
}

/** Of several paths each has its own detection: where one of them is allocated as the reaction is, the others are of another path. */
function inSameElement(reaction: StatedItem, detectors: readonly StatedItem[]): readonly StatedItem[] {
  const own = textOf(reaction, 'allocation').toLowerCase();
  const same = detectors.filter((one) => own !== '' && textOf(one, 'allocation').toLowerCase() === own);
  return same.length > 0 ? same : detectors;
}

/** Share of the words of two requirements that speak about one fault. Our own; lower shares joined different faults of one goal. */
const SAME_FAULT = 0.3;
