import { type Quantity, quantitiesIn } from '../../facts/quantities.js';
import { wholeWord } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { isTimeAllowed, timesOfText } from './allowed-time.js';
import { parametersOf } from './parameter-rules.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  overlap,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  tested,
  textOf,
} from './stated-rule.js';
import { behaviourIn, SAME_BEHAVIOUR } from './test-limit-rules.js';
import { limitsIn, placeOf, sideOf } from './text-limits.js';

/** What a test does and what it expects: by its columns, else by the words of its text. */
interface TestParts {
  readonly done: StatedValue;
  readonly expected: StatedValue;
}

function partsOf(test: StatedItem): TestParts | undefined {
  const expected = test.values.get('expected');
  // In a record the words before "Expected: …" say what is done.
  const done = test.values.get('stimulus') ?? (test.how === 'record' ? test.values.get('text') : undefined);
  if (done && expected) return { done, expected };
  const text = test.values.get('text');
  const cut = text && new RegExp(stateWords().expects, 'iu').exec(text.text);
  if (!text || !cut || !test.values.has('verifies')) return undefined;
  const part = (from: number, to: number): StatedValue => {
    const words = text.text.slice(from, to);
    return { ...text, text: words, start: text.start + from, end: text.start + to };
  };
  const behind = cut.index + cut[0].length;
  return { done: part(0, cut.index), expected: part(behind, text.text.length) };
}

interface Demanded {
  readonly quantity: Quantity;
  /** The limit as written: a number, or a parameter with its value. */
  readonly written: string;
  readonly side: string;
  /** It stands in the condition of the requirement. */
  readonly isCondition: boolean;
  readonly item: StatedItem;
  readonly value: StatedValue;
}

/** "when the current exceeds …": a conjunction stands before. */
const isCondition = (before: string): boolean => wholeWord(stateWords().conditions).test(before);

/** Limits of a requirement, parameters with their values among them. */
function limitsOf(context: StatedContext, requirement: StatedItem): readonly Demanded[] {
  const text = requirement.values.get('text');
  if (!text) return [];
  const numbers = limitsIn(text.text).map(({ quantity, side }) => ({
    quantity,
    side,
    isCondition: isCondition(text.text.slice(0, quantity.start)),
    written: quantity.written,
    item: requirement,
    value: placeOf(text, quantity),
  }));
  const parameters = parametersOf(context);
  const names = [...text.text.matchAll(new RegExp(stateWords().parameterName, 'gu'))].flatMap((match) => {
    const [parameter] = parameters.get(match[0]) ?? [];
    const side = sideOf(text.text.slice(0, match.index))?.side;
    const value = parameter?.item.values.get('value');
    return parameter && side && value
      ? [
          {
            quantity: parameter.quantity,
            side,
            isCondition: isCondition(text.text.slice(0, match.index)),
            written: `${match[0]} = ${parameter.quantity.written}`,
            item: parameter.item,
            value,
          },
        ]
      : [];
  });
  return [...numbers, ...names];
}

/** Other rows of steps of the same test. */
function otherSteps({ facts }: StatedContext, test: StatedItem): readonly StatedItem[] {
  if (test.table === undefined) return [];
  const same = facts.byKey.get(test.key) ?? [];
  return same.filter((one) => one !== test && one.table === test.table && one.document === test.document);
}

/** Whether a step applies a quantity of that kind later than another one, or as much as the limit. */
function goesOn(step: StatedItem, other: StatedItem, limit: Quantity): boolean {
  const applied = quantitiesIn(textOf(step, 'stimulus')).filter(({ kind }) => kind === limit.kind);
  return (
    (applied.length > 0 && step.passage.blockIndex > other.passage.blockIndex) ||
    applied.some(({ value }) => value >= limit.value)
  );
}

/**
 * A test expects the reaction to a value that is below what its requirement reacts to, or accepts a time that is longer than the only
 * one of its requirement. Tests that expect that nothing happens are left out.
 */
export function testBelowLimit(context: StatedContext): readonly StatedContradiction[] {
  const nothing = wholeWord(stateWords().nothingHappens);
  return firstOfEach(
    context.facts.items.flatMap((test) => {
      const parts = partsOf(test);
      if (!parts) return [];
      return tested(context, test).flatMap((requirement): StatedContradiction[] => {
        const limits = limitsOf(context, requirement);
        const words = (own: Quantity, limit: Demanded) => ({
          item: `${test.key} ${requirement.key}`,
          asil: higherLevel(levelOf(test), levelOf(requirement)),
          confidence: 'medium' as const,
          affected: [test.id, requirement.id],
          own: own.written,
          limit: limit.written,
        });
        const triggers = limits.filter(
          ({ side, quantity, isCondition }) => side === 'above' && isCondition && quantity.kind !== 'time',
        );
        const own = quantitiesIn(parts.done.text);
        if (!nothing.test(parts.expected.text)) {
          for (const limit of triggers) {
            const rivals = triggers.filter(({ quantity }) => quantity.kind === limit.quantity.kind);
            const same = own.filter(({ kind }) => kind === limit.quantity.kind);
            // Steps go up to the limit before they exceed it.
            if (otherSteps(context, test).some((step) => goesOn(step, test, limit.quantity))) continue;
            const highest = same.reduce<Quantity | undefined>(
              (a, b) => (a && a.value >= b.value ? a : b),
              undefined,
            );
            if (rivals.length > 1 || !highest || highest.value >= limit.quantity.value) continue;
            const { own: ownWords, limit: limitWords, ...rest } = words(highest, limit);
            return [
              {
                ...rest,
                rule: 'test-below-limit',
                words: { test: test.id, requirement: requirement.id, own: ownWords, limit: limitWords },
                evidence: [
                  ...shown(test, placeOf(parts.done, highest), test.id),
                  ...shown(limit.item, limit.value, limit.item.id),
                  ...shown(requirement, requirement.values.get('text'), requirement.id),
                ],
              },
            ];
          }
        }
        const times = timesDemanded(context, requirement, limits);
        const accepted = limitsIn(parts.expected.text).filter(
          ({ side, quantity }) => side === 'within' && quantity.kind === 'time',
        );
        const [time, otherTime] = times;
        const [most] = accepted;
        const isLonger =
          time &&
          most &&
          most.quantity.value >= time.quantity.value * MOST_TIMES &&
          !isTimeAllowed(context, test, most.quantity.value);
        const isJudgedElsewhere = (context.facts.byKey.get(requirement.key) ?? []).some((one) =>
          one.values.has('criterion'),
        );
        const isAlike =
          overlap(behaviourIn(parts.expected.text), behaviourIn(textOf(requirement, 'text'))) >=
          SAME_BEHAVIOUR;
        if (!isLonger || otherTime || accepted.length > 1 || isJudgedElsewhere || !isAlike) return [];
        const { own: ownWords, limit: limitWords, ...rest } = words(most.quantity, time);
        return [
          {
            ...rest,
            rule: 'test-other-value',
            words: { test: test.id, requirement: requirement.id, own: ownWords, wanted: limitWords },
            evidence: [
              ...shown(test, placeOf(parts.expected, most.quantity), test.id),
              ...shown(time.item, time.value, time.item.id),
            ],
          },
        ];
      });
    }),
  );
}

/** The times that a requirement gives for its reaction; where it gives none, those of what it comes from. */
function timesDemanded(
  context: StatedContext,
  requirement: StatedItem,
  limits: readonly Demanded[],
): readonly Demanded[] {
  // "below 1.5 A for longer than 2 s" is what is reacted to.
  const isReaction = ({ quantity, side, isCondition }: Demanded) =>
    quantity.kind === 'time' && !(isCondition && side === 'above');
  const own = limits.filter(isReaction);
  if (own.length > 0) return own;
  const times = limits.filter(({ quantity }) => quantity.kind === 'time');
  // "A difference for 30 ms switches off": a time without a word for a limit.
  const text = requirement.values.get('text');
  const bare = text && times.length === 0 ? timesOfText(text.text) : [];
  if (bare.length === 1)
    return bare.map((quantity) => ({
      ...{ quantity, side: 'within', written: quantity.written, isCondition: false, item: requirement },
      value: placeOf(text!, quantity),
    }));
  const above = parentItems(context, requirement)
    .flatMap((parent) => limitsOf(context, parent))
    .filter((limit) => isReaction(limit) && limit.side === 'within');
  return above.length > 0 ? above : times;
}

/** A test may allow for what it measures with; so many times the demanded time is another demand. Our own. */
const MOST_TIMES = 1.5;
