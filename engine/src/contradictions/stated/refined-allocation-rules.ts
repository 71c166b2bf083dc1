import { parseAsil } from '../../asil/asil.js';
import { isDecomposedPart } from '../../asil/decomposition.js';
import { elementNames } from '../../facts/stated/allocations-by-names.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { compactTitle } from '../../words/column-titles.js';
import { anyOf } from '../../words/read-words.js';
import {
  firstOfEach,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  textOf,
} from './stated-rule.js';

/** So many other requirements show where the parts of an element are allocated, before one that does not fit is told. Our own. */
const FEWEST = 2;

interface Parent {
  readonly item: StatedItem;
  readonly value: StatedValue;
}

interface Refined {
  readonly item: StatedItem;
  readonly own: StatedValue;
  readonly elements: readonly string[];
  readonly parents: readonly Parent[];
  readonly above: readonly string[];
}

/** Requirements that are allocated, with what they refine, where that is allocated as well. */
function refinedItems({ facts }: StatedContext): readonly Refined[] {
  const isOthers = anyOf([stateWords().boundary.others]);
  return facts.items.flatMap((item): Refined[] => {
    const own = item.values.get('allocation');
    if (!own || !item.hasId || !item.values.has('text') || isOthers.test(own.text)) return [];
    const parents = facts.parentsOf(item).flatMap((key) =>
      (facts.byKey.get(key) ?? []).flatMap((parent): Parent[] => {
        const value = parent.values.get('allocation');
        return value && parent.key !== item.key ? [{ item: parent, value }] : [];
      }),
    );
    const elements = elementNames(own.text);
    const above = [...new Set(parents.flatMap(({ value }) => elementNames(value.text)))];
    return elements.length > 0 && above.length > 0 ? [{ item, own, elements, parents, above }] : [];
  });
}

/** Which elements carry what another one is allocated, by the requirements of the documents. */
function belonging(refined: readonly Refined[]) {
  const shownBy = new Map<string, Map<string, Set<string>>>();
  const partsOf = new Map<string, Set<string>>();
  const wholesOf = new Map<string, Set<string>>();
  const put = <Key>(map: Map<Key, Set<string>>, key: Key, value: string) =>
    map.set(key, (map.get(key) ?? new Set()).add(value));
  const words = new Map<string, readonly string[]>();
  const wordsOf = (name: string) => {
    const known = words.get(name) ?? name.match(/[\p{L}\p{N}]+/gu) ?? [];
    words.set(name, known);
    return known;
  };
  /** One name is within the other, by its letters or its words. */
  const isAlike = (one: string, other: string) => {
    const [short, long] = one.length < other.length ? [one, other] : [other, one];
    return (
      compactTitle(long).includes(compactTitle(short)) ||
      wordsOf(short).every((word) => wordsOf(long).includes(word))
    );
  };
  const show = ({ item, parents }: Refined, whole: string, part: string) => {
    put(partsOf, whole, part);
    put(wholesOf, part, whole);
    const pair = `${whole}\n${part}`;
    const by = shownBy.get(pair) ?? new Map<string, Set<string>>();
    shownBy.set(pair, by);
    for (const parent of parents) put(by, parent.item.key, item.key);
  };
  // What comes from one element shows whose a part is; of several it is the one that is named alike, or shown so.
  const [single, several] = [true, false].map((isSingle) =>
    refined.filter(({ above }) => (above.length === 1) === isSingle),
  );
  for (const one of single!) for (const part of one.elements) show(one, one.above[0]!, part);
  for (const one of several!)
    for (const part of one.elements) {
      const named = one.above.filter((whole) => isAlike(whole, part));
      const told = named.length > 0 ? named : one.above.filter((whole) => shownBy.has(`${whole}\n${part}`));
      for (const whole of told.length > 0 ? told : one.above) show(one, whole, part);
    }
  /** Requirements that allocate to the part what the whole carries, without those of some parents. */
  const uses = (whole: string, part: string, without: ReadonlySet<string>) =>
    new Set(
      [...(shownBy.get(`${whole}\n${part}`) ?? [])].flatMap(([parent, items]) =>
        without.has(parent) ? [] : [...items],
      ),
    ).size;
  return { isAlike, uses, partsOf, wholesOf };
}

/**
 * A requirement is allocated to an element that carries what another element is allocated, and nothing else of the element that it refines:
 * the documents themselves show which parts belong to which element. Allocation follows the architecture: ISO 26262-3:2018, 7.4.2.8 and
 * ISO 26262-4:2018, 6.4.5.
 */
export function allocatedOffParent(context: StatedContext): readonly StatedContradiction[] {
  const refined = refinedItems(context);
  const { isAlike, uses, partsOf, wholesOf } = belonging(refined);
  const keysAbove = ({ parents }: Refined) => new Set(parents.map(({ item }) => item.key));
  const unfit = refined.filter((one) => {
    const own = keysAbove(one);
    if (one.parents.some((parent) => isSplit(parent.item, one.item))) return false;
    return !one.above.some((whole) =>
      one.elements.some((part) => isAlike(whole, part) || uses(whole, part, own) > 0),
    );
  });
  // An element that does something for several others (a start-up test) has a place of its own.
  const unfitBelow = new Map<string, Set<string>>();
  for (const one of unfit)
    for (const key of keysAbove(one))
      unfitBelow.set(one.own.text, (unfitBelow.get(one.own.text) ?? new Set()).add(key));
  const odd = unfit.filter((one) => {
    const own = keysAbove(one);
    const isShown = (whole: string, part: string) =>
      uses(whole, part, own) >= (isAlike(whole, part) ? 1 : FEWEST);
    if (unfitBelow.get(one.own.text)!.size > 1) return false;
    // Each of its elements has a place elsewhere, so that it is known and not a further part of this one.
    const isElsewhere = (part: string) =>
      [...(wholesOf.get(part) ?? [])].some((whole) => !one.above.includes(whole) && isShown(whole, part));
    // … and what it refines is known by its own part; where several have names of their own, this may be one more.
    const partsAbove = one.above.map((whole) =>
      [...(partsOf.get(whole) ?? [])]
        .filter((part) => uses(whole, part, own) > 0)
        .map((part) => ({
          isNamed: isAlike(whole, part),
          isShown: isShown(whole, part),
        })),
    );
    if (partsAbove.some((parts) => parts.filter(({ isNamed }) => !isNamed).length > 1)) return false;
    return one.elements.every(isElsewhere) && partsAbove.some((parts) => parts.some((part) => part.isShown));
  });
  return firstOfEach(
    odd.map(({ item, own, parents }): StatedContradiction => {
      const { item: parent, value } = parents.at(-1)!;
      return {
        rule: 'allocated-off-parent',
        item: parent.key,
        asil: levelOf(item) ?? levelOf(parent),
        confidence: 'medium',
        words: { item: item.id, element: own.text, parent: parent.id, other: value.text },
        affected: [item.id, parent.id],
        evidence: [
          ...shown(item, own, `${item.id}: ${own.title}`),
          ...shown(parent, value, `${parent.id}: ${value.title}`),
        ],
      };
    }),
  );
}

/** A part of a decomposition and the requirement before it: its element is a part of the other's. */
function isSplit(parent: StatedItem, part: StatedItem): boolean {
  const [above, own] = [parseAsil(textOf(parent, 'asil')), parseAsil(textOf(part, 'asil'))];
  return (
    above !== undefined && own !== undefined && above.original === undefined && isDecomposedPart(above, own)
  );
}
