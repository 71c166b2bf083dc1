import { quantitiesIn, timeIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import { isTimeAllowed } from './allowed-time.js';
import { isEqualQuantity, limitsTold, type Told, unmatched } from './numbers-told.js';
import { parametersOf } from './parameter-rules.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  tested,
  textOf,
  valuesOf,
} from './stated-rule.js';
import { placeOf } from './text-limits.js';

/** Every number with a unit that an item states, and the parameters that it names with their values. */
function numbersOf(context: StatedContext, item: StatedItem): readonly Told[] {
  const parameters = parametersOf(context);
  return valuesOf(item).flatMap((value) => {
    const limits = limitsTold(item, value);
    const bare = quantitiesIn(value.text)
      .filter((quantity) => !limits.some((one) => one.quantity.start === quantity.start))
      .map((quantity): Told => ({ quantity, side: undefined, item, value: placeOf(value, quantity) }));
    const named = (value.text.match(new RegExp(stateWords().parameterName, 'gu')) ?? []).flatMap(
      (name): Told[] => {
        const [parameter] = parameters.get(name) ?? [];
        const stated = parameter?.item.values.get('value');
        if (!parameter || !stated || parameter.item === item) return [];
        const [limit] = limitsTold(parameter.item, {
          ...stated,
          text: `${stated.text} ${textOf(parameter.item, 'unit')}`,
        });
        return [{ quantity: parameter.quantity, side: limit?.side, item: parameter.item, value: stated }];
      },
    );
    return [...limits, ...bare, ...named];
  });
}

interface Compared {
  readonly test: StatedItem;
  readonly requirement: StatedItem;
  /** What the test accepts and no requirement of it states. */
  readonly own: readonly Told[];
  /** What its requirements state and the test does not. */
  readonly wanted: readonly Told[];
}

function compared(context: StatedContext, test: StatedItem): Compared | undefined {
  const expected = test.values.get('expected');
  const verified = expected ? tested(context, test) : [];
  const [requirement] = verified;
  if (!expected || !requirement || verified.some((item) => item.values.has('criterion'))) return undefined;
  const accepted = limitsTold(test, expected).filter(({ side }) => side !== undefined);
  if (accepted.length === 0) return undefined;
  const keys = new Set(verified.map(({ key }) => key));
  const demanded = [...keys]
    .flatMap((key) => context.facts.byKey.get(key) ?? [])
    .flatMap((item) => numbersOf(context, item));
  const kinds = new Set(demanded.map(({ quantity }) => quantity.kind));
  // Of a kind that its requirements do not speak of, what they come from may give the number.
  const above = verified
    .flatMap((item) => parentItems(context, item))
    .flatMap((item) => numbersOf(context, item))
    .filter(({ quantity }) => !kinds.has(quantity.kind));
  const inTest = numbersOf(context, test);
  return {
    ...{ test, requirement },
    own: unmatched(accepted, [...demanded, ...above]),
    wanted: demanded.filter(({ quantity }) => !inTest.some((one) => isEqualQuantity(one.quantity, quantity))),
  };
}

const isLooser = ({ quantity, side }: Told, wanted: Told): boolean =>
  side === 'least' ? quantity.value < wanted.quantity.value : quantity.value > wanted.quantity.value;

/** Least share of tests that accept what their requirements state, where one that does not is told. Our own. */
const REPEATING = 0.75;
const FEWEST_TESTS = 4;

/**
 * Tests repeat the limits of their requirements; one accepts another number, looser than the only one of its requirement that stands
 * nowhere in the test.
 */
export function testNumberOfNobody(context: StatedContext): readonly StatedContradiction[] {
  const byDocument = new Map<string, Compared[]>();
  for (const item of context.facts.items) {
    const one = item.values.has('expected') ? compared(context, item) : undefined;
    if (one) byDocument.set(item.document.id, [...(byDocument.get(item.document.id) ?? []), one]);
  }
  const handled = new Set(
    context.facts.items.flatMap(({ values }) => timeIn(values.get('handling')?.text ?? '')?.value ?? []),
  );
  return firstOfEach(
    [...byDocument.values()].flatMap((all) => {
      const repeating = all.filter(({ own }) => own.length === 0).length;
      if (all.length < FEWEST_TESTS || repeating < all.length * REPEATING) return [];
      return all.flatMap(({ test, requirement, own, wanted }): StatedContradiction[] => {
        for (const one of own) {
          const { kind, value } = one.quantity;
          const rivals = own.filter(({ quantity }) => quantity.kind === kind);
          const fitting = wanted.filter(({ quantity, side }) => quantity.kind === kind && side === one.side);
          const [demand] = fitting;
          if (rivals.length > 1 || !demand || fitting.length > 1 || !isLooser(one, demand)) continue;
          if (kind === 'time' && one.side === 'most' && isTimeAllowed(context, test, value)) continue;
          // The whole time of fault handling, as a budget has it.
          if (kind === 'time' && handled.has(value)) continue;
          return [
            {
              rule: 'test-other-value',
              item: `${test.key} ${requirement.key}`,
              asil: higherLevel(levelOf(test), levelOf(requirement)),
              confidence: 'medium',
              words: {
                test: test.id,
                requirement: demand.item.id,
                own: one.quantity.written,
                wanted: demand.quantity.written,
              },
              affected: [...new Set([test.id, requirement.id])],
              evidence: [
                ...shown(test, one.value, test.id),
                ...shown(demand.item, demand.value, demand.item.id),
              ],
            },
          ];
        }
        return [];
      });
    }),
  );
}
