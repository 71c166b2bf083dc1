import { idsIn, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import { statesDefined } from './state-rules.js';
import {
  firstOfEach,
  isGoal,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  tested,
  valuesOf,
} from './stated-rule.js';

/** Longer first cells are sentences and no names of states. */
const LONGEST_NAME = 24;
/** So many others name the state that one does not. Our own. */
const FEWEST = 2;

interface Place {
  readonly item: StatedItem;
  /** By the name of the state: the cell that names it. */
  readonly states: ReadonlyMap<string, StatedValue>;
}

/** Names of the states that the documents define: ids ("ZS-R") and words in capitals ("LIMP-30"). */
function stateNames(context: StatedContext): RegExp | undefined {
  const names = new Set(
    statesDefined(context).flatMap(({ item }) => {
      const [id] = idsIn(item.id);
      const name = id && item.id.startsWith(id.id) ? id.id : item.id.trim();
      const isName =
        name.length > 1 && name.length <= LONGEST_NAME && /^[\p{Lu}][\p{Lu}\d_-]*\p{L}?$/u.test(name);
      return isName && !isGoal(item) && !item.values.has('asil') ? [name] : [];
    }),
  );
  if (names.size < 2) return undefined;
  const written = [...names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${written.join('|')})(?![\\p{L}\\p{N}_-])`, 'gu');
}

function put(map: Map<string, Place[]>, key: string, found: readonly Place[]): void {
  const known = map.get(key);
  if (known) known.push(...found);
  else map.set(key, [...found]);
}

function placeOf(item: StatedItem, names: RegExp): Place {
  const states = new Map<string, StatedValue>();
  for (const value of valuesOf(item))
    for (const [name] of value.text.matchAll(names)) if (!states.has(name)) states.set(name, value);
  return { item, states };
}

/**
 * Goals, requirements and tests name the states that they lead to. One place of a goal names another one than all others of it and what comes
 * from it alone; one requirement names another one than what it comes from and what tests it.
 */
export function stateNamedOtherwise(context: StatedContext): readonly StatedContradiction[] {
  const { facts } = context;
  const names = stateNames(context);
  if (!names) return [];
  const places = new Map<string, Place[]>();
  for (const item of facts.items) {
    if (!item.hasId || item.how === 'sentence' || item.values.has('measured')) continue;
    const place = placeOf(item, names);
    if (place.states.size > 0 && !place.states.has(item.id)) put(places, item.key, [place]);
  }
  const children = new Map<string, Place[]>();
  const tests = new Map<string, Place[]>();
  for (const own of places.values()) {
    const parents = new Set(own.flatMap(({ item }) => facts.parentsOf(item)));
    if (parents.size === 1) for (const parent of parents) put(children, parent, own);
    for (const requirement of new Set(own.flatMap(({ item }) => tested(context, item).map((one) => one.key))))
      put(tests, requirement, own);
  }
  return firstOfEach(
    [...places].flatMap(([key, own]): readonly StatedContradiction[] => {
      const [first] = own;
      if (isGoal(first!.item))
        return own
          .filter(onlyNames)
          .flatMap((place) =>
            told(place, [...own.filter((one) => one !== place), ...(children.get(key) ?? [])]),
          );
      const parents = [...new Set(own.flatMap(({ item }) => facts.parentsOf(item)))];
      const above = parents.flatMap((parent) => places.get(parent) ?? []);
      const beside = tests.get(key) ?? [];
      if (above.length === 0 || beside.length === 0) return [];
      return own.flatMap((place) => told(place, [...above, ...beside], [above, beside]));
    }),
  );

  /** What a place says of the state of a goal is its name and no sentence around it ("200 FIT (entry into HOLD)"). */
  function onlyNames({ states }: Place): boolean {
    return [...states].every(([, { text }]) => !/\d/u.test(text.replaceAll(names!, ' ')));
  }

  /** All others name a state that this one does not, and none of them what it names; each of the sides names it. */
  function told(
    place: Place,
    others: readonly Place[],
    sides: readonly (readonly Place[])[] = [],
  ): readonly StatedContradiction[] {
    const own = [...place.states.keys()];
    if (others.some(({ states }) => own.some((name) => states.has(name)))) return [];
    const [usual] = [...new Set(others.flatMap(({ states }) => [...states.keys()]))].filter((name) =>
      others.every(({ states }) => states.has(name)),
    );
    if (usual === undefined || others.length < FEWEST) return [];
    if (sides.some((side) => !side.some(({ states }) => states.has(usual)))) return [];
    const other = others[0]!;
    return [
      {
        rule: 'state-named-otherwise',
        item: `${place.item.key} ${place.item.document.id}`,
        asil: levelOf(place.item) ?? levelOf(other.item),
        confidence: 'medium',
        words: {
          item: place.item.id,
          own: own.join(', '),
          usual,
          others: [...new Set(others.map(({ item }) => item.id))].slice(0, 4).join(', '),
        },
        affected: [place.item.id],
        evidence: [
          ...shown(place.item, place.states.get(own[0]!), place.item.id),
          ...others.slice(0, 2).flatMap(({ item, states }) => shown(item, states.get(usual), item.id)),
        ],
      },
    ];
  }
}
