import { quantitiesIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { readResult } from '../../facts/test-result.js';
import { isTimeAllowed } from './allowed-time.js';
import { tellsDriver, timesWithin } from './limit-rules.js';
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
  tested,
} from './stated-rule.js';
import { type Limit, limitsIn, placeOf } from './text-limits.js';
import { isOutsideInterval, timeOf } from './time-rules.js';

/** Share of the words of an expected result that its requirement has, too; below, they may speak about different moments. Our own. */
export const SAME_BEHAVIOUR = 0.5;

let limiting: ReadonlySet<string> | undefined;

/** What a text says but for the words of its limits ("at most"). */
export function behaviourIn(text: string): ReadonlySet<string> {
  limiting ??= stemsOf(Object.values(stateWords().limits).flat().join(' '));
  return new Set([...stemsOf(text)].filter((stem) => !limiting!.has(stem)));
}

/** Limits that a requirement demands: of its criterion, else of its words. */
function demanded(
  requirement: StatedItem,
): { readonly value: StatedValue; readonly limits: readonly Limit[] } | undefined {
  for (const kind of ['criterion', 'text'] as const) {
    const value = requirement.values.get(kind);
    const limits = value ? limitsIn(value.text) : [];
    if (value && limits.length > 0) return { value, limits };
  }
  return undefined;
}

/** A test accepts more than the words of its requirement allow: "within 60 ms" for "within 40 ms". */
export function testAcceptsMore(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((test) => {
      const expected = test.values.get('expected');
      if (!expected) return [];
      return tested(context, test).flatMap((requirement): StatedContradiction[] => {
        const demand = demanded(requirement);
        const isJudgedElsewhere = (context.facts.byKey.get(requirement.key) ?? []).some((one) =>
          one.values.has('criterion'),
        );
        const isAlike =
          demand && overlap(behaviourIn(expected.text), behaviourIn(demand.value.text)) >= SAME_BEHAVIOUR;
        if (!demand || isJudgedElsewhere || !isAlike) return [];
        const found = limitsIn(expected.text).flatMap((own) => {
          const same = demand.limits.filter(
            ({ side, quantity }) => side === own.side && quantity.kind === own.quantity.kind,
          );
          const isLooser =
            same.length === 1 &&
            isBeyond(own.side, own.quantity.value, same[0]!.quantity.value) &&
            !(own.quantity.kind === 'time' && isTimeAllowed(context, test, own.quantity.value));
          return isLooser ? [{ own, wanted: same[0]! }] : [];
        });
        const [one] = found;
        if (!one) return [];
        return [
          {
            rule: 'test-other-value',
            item: `${test.key} ${requirement.key}`,
            asil: levelOf(requirement),
            confidence: 'medium',
            words: {
              test: test.id,
              requirement: requirement.id,
              own: one.own.quantity.written,
              wanted: one.wanted.quantity.written,
            },
            affected: [test.id, requirement.id],
            evidence: [
              ...shown(test, expected, test.id),
              ...shown(requirement, demand.value, requirement.id),
            ],
          },
        ];
      });
    }),
  );
}

/** A test accepts a reaction later than the interval in which a fault of all that it verifies is tolerated. */
export function testBeyondInterval(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((test): StatedContradiction[] => {
      const expected = test.values.get('expected');
      const [accepted, another] = timesWithin(expected);
      if (!expected || !accepted || another || tellsDriver(expected.text, accepted.quantity)) return [];
      const verified = tested(context, test);
      const holders = verified.map((item) => intervalHolder(context, item));
      const { value, written } = accepted.quantity;
      const exceeded = holders.every((one) => one && value > timeOf(one, 'interval')!.value * (1 + 1e-9));
      const [requirement] = verified;
      const [holder] = holders;
      if (!requirement || !holder || !exceeded || verified.some(isOutsideInterval)) return [];
      if (isTimeAllowed(context, test, value)) return [];
      return [
        {
          rule: 'test-other-value',
          item: `${test.key} ${requirement.key}`,
          asil: higherLevel(levelOf(requirement), levelOf(holder)),
          confidence: 'medium',
          words: {
            test: test.id,
            requirement: requirement.id,
            own: written,
            wanted: timeOf(holder, 'interval')!.written,
          },
          affected: [...new Set([test.id, requirement.id, holder.id])],
          evidence: [
            ...shown(test, placeOf(expected, accepted.quantity), test.id),
            ...shown(holder, holder.values.get('interval'), holder.id),
          ],
        },
      ];
    }),
  );
}

/** Whoever gives the interval of a requirement: itself in whatever place, else what it comes from, up to the goal. */
export function intervalHolder(context: StatedContext, requirement: StatedItem): StatedItem | undefined {
  let level: readonly StatedItem[] = [requirement];
  for (let height = 0; height < HIGHEST && level.length > 0; height++) {
    const own = level.flatMap((item) => [item, ...(context.facts.byKey.get(item.key) ?? [])]);
    const timed = own.filter((item) => timeOf(item, 'interval'));
    // The longest: two places that differ are told of their own.
    if (timed.length > 0)
      return timed.reduce((a, b) => (timeOf(b, 'interval')!.value > timeOf(a, 'interval')!.value ? b : a));
    level = own.flatMap((item) => parentItems(context, item));
  }
  return undefined;
}
/** Software requirement, technical, functional, goal. */
const HIGHEST = 4;

/** What a test expects: in its own row, else in its specification, where only one of its steps gives a limit of a kind. */
function expectedOf({ facts }: StatedContext, test: StatedItem) {
  const own = test.values.get('expected');
  const same = own || !test.hasId ? [test] : (facts.byKey.get(test.key) ?? []);
  const all = same.flatMap((item) => {
    const value = item.values.get('expected');
    return value ? [{ item, value, limits: limitsIn(value.text) }] : [];
  });
  const kinds = all.flatMap(({ limits }) => [...new Set(limits.map(({ quantity }) => quantity.kind))]);
  return all.map(({ limits, ...one }) => ({
    ...one,
    limits: limits.filter(({ quantity }) => kinds.filter((kind) => kind === quantity.kind).length === 1),
  }));
}

/** A test is called passed, and what was measured lies outside of what is demanded. */
export function passedOutsideLimit(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((test): StatedContradiction[] => {
      const measured = test.values.get('measured');
      const result = test.values.get('result');
      if (!measured || !result || readResult(result.text) !== 'pass') return [];
      const values = quantitiesIn(measured.text);
      const expected = expectedOf(context, test);
      const limited = new Set(expected.flatMap(({ limits }) => limits.map(({ quantity }) => quantity.kind)));
      const sources = [
        ...expected,
        // What the test itself limits is compared with its requirement by other rules.
        ...tested(context, test).flatMap((requirement) => {
          const demand = demanded(requirement);
          const limits = demand?.limits.filter(({ quantity }) => !limited.has(quantity.kind)) ?? [];
          return demand && limits.length > 0 ? [{ item: requirement, ...demand, limits }] : [];
        }),
      ];
      for (const { item, value, limits } of sources) {
        for (const { side, quantity } of limits) {
          const same = values.filter(({ kind }) => kind === quantity.kind);
          const limitsOfKind = limits.filter((one) => one.quantity.kind === quantity.kind);
          // "Found after 240 ms, off after another 385 ms" for two limits: each the one of its place.
          const at =
            same.length === limitsOfKind.length
              ? limitsOfKind.findIndex((one) => one.quantity === quantity)
              : 0;
          const own = same[at];
          if ((same.length !== 1 && same.length !== limitsOfKind.length) || !own) continue;
          if (!isBeyond(side, own.value, quantity.value)) continue;
          // The test's own limit is the one that counts, whatever longer times there are above.
          const isOwn = item.key === test.key;
          const isTime = quantity.kind === 'time' && same.length === 1;
          if (isTime && !isOwn && isTimeAllowed(context, test, own.value)) continue;
          return [
            {
              rule: 'passed-outside-limit',
              item: test.key,
              asil: higherLevel(levelOf(test), levelOf(item)),
              confidence: 'medium',
              words: {
                test: test.id,
                item: item.id,
                measured: own.written,
                limit: quantity.written,
                result: result.text,
              },
              affected: [...new Set([test.id, item.id])],
              evidence: [
                ...shown(test, placeOf(measured, own), `${test.id}: ${measured.title}`),
                ...shown(item, value, item.id),
                ...shown(test, result, `${test.id}: ${result.title}`),
              ],
            },
          ];
        }
      }
      return [];
    }),
  );
}

/** Whether a value breaks a limit of that side. What has to be above is broken from below. */
function isBeyond(side: string, value: number, limit: number): boolean {
  return side === 'within' && value > limit * (1 + 1e-9);
}
