import { idsIn, isIdsOnly, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
} from './stated-rule.js';

/** So many pairs that both sides name, and the least share of them, before a pair that they do not is told. Our own. */
const FEWEST = 5;
const SHARE = 0.8;

interface Named {
  readonly item: StatedItem;
  readonly value: StatedValue;
}

/** By key, what a cell of the other side names with it. */
type Sides = ReadonlyMap<string, readonly (Named & { readonly keys: readonly string[] })[]>;

/** Cells of ids and nothing else, by the key of their row, with the ids that are of the other kind. */
function cellsNaming(
  items: readonly StatedItem[],
  isOther: (key: string) => boolean,
  isCell: (item: StatedItem, value: StatedValue) => boolean,
): Sides {
  const sides = new Map<string, (Named & { readonly keys: readonly string[] })[]>();
  for (const item of items)
    for (const value of item.cells) {
      if (value === item.values.get('id') || !isIdsOnly(value.text) || !isCell(item, value)) continue;
      const keys = idsIn(value.text).map(({ key }) => key);
      if (keys.length === 0 || !keys.every(isOther)) continue;
      sides.set(item.key, [...(sides.get(item.key) ?? []), { item, value, keys }]);
    }
  return sides;
}

/**
 * Requirements name their tests, and tests their requirements; all pairs agree but one: a test says that it verifies another requirement than
 * the one that counts on it, which is then verified by nothing. ISO 26262-8:2018, 6.4.3.2 (links in both directions agree).
 */
export function testOfOther({ facts }: StatedContext): readonly StatedContradiction[] {
  const rows = facts.items.filter(({ hasId, how }) => hasId && how === 'table');
  const tests = new Set(
    rows.filter(({ values }) => values.has('expected') || values.has('stimulus')).map(({ key }) => key),
  );
  if (tests.size === 0) return [];
  const isDemand = ({ key, values }: StatedItem) =>
    !tests.has(key) && (values.has('text') || values.has('asil'));
  const demands = new Set(rows.filter(isDemand).map(({ key }) => key));
  const ofTests = rows.filter(
    ({ key, values }) => tests.has(key) && !values.has('measured') && !values.has('result'),
  );
  const isLink = (item: StatedItem, value: StatedValue) =>
    value.start === (item.values.get('verifies') ?? item.values.get('parent'))?.start;
  const verified = cellsNaming(ofTests, (key) => demands.has(key), isLink);
  const counted = cellsNaming(
    rows.filter(isDemand),
    (key) => tests.has(key),
    () => true,
  );
  const says = (sides: Sides, one: string, other: string) =>
    sides.get(one)?.some(({ keys }) => keys.includes(other)) ?? false;
  const pairs = [...verified].flatMap(([test, named]) =>
    named.flatMap(({ keys }) =>
      keys.filter((key) => counted.has(key)).map((requirement) => ({ test, requirement })),
    ),
  );
  const mirrored = pairs.filter(({ test, requirement }) => says(counted, requirement, test)).length;
  if (mirrored < FEWEST || mirrored < pairs.length * SHARE) return [];
  return firstOfEach(
    [...counted].flatMap(([requirement, named]) =>
      named.flatMap(({ item, value, keys }) =>
        keys.flatMap((test): StatedContradiction[] => {
          const [told] = verified.get(test) ?? [];
          if (!told || says(verified, test, requirement)) return [];
          const others = told.keys.filter((key) => counted.has(key) && !says(counted, key, test));
          const [other] = others;
          const instead = other === undefined ? undefined : facts.byKey.get(other)?.[0];
          if (!instead) return [];
          return [
            {
              rule: 'test-of-other',
              item: test,
              asil: higherLevel(levelOf(item), levelOf(instead)),
              confidence: 'medium',
              words: { test: told.item.id, own: instead.id, other: item.id, count: mirrored },
              affected: [told.item.id, instead.id, item.id],
              evidence: [
                ...shown(told.item, told.value, `${told.item.id}: ${told.value.title}`),
                ...shown(item, value, `${item.id}: ${value.title}`),
              ],
            },
          ];
        }),
      ),
    ),
  );
}
