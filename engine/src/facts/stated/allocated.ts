import { stateWords } from './state-words.js';
import { kindsOfTitle } from './stated-columns.js';
import type { StatedFacts } from './stated-facts.js';
import { idsIn, isIdsOnly, type StatedItem } from './stated-item.js';

const known = new WeakMap<StatedFacts, ReadonlySet<string>>();

/**
 * Keys of requirements that documents give to an element, in whatever form: a value under a title of allocations, a cross in a row whose other
 * cells are crosses or empty, an id in the list beside an element ("Limiter | FSR-2, FSR-5").
 */
export function allocatedKeys(facts: StatedFacts): ReadonlySet<string> {
  const before = known.get(facts);
  if (before) return before;
  const { marks } = stateWords();
  const isSet = ({ text }: { text: string }) => marks.set.includes(text.trim());
  const isMark = (cell: { text: string }) => isSet(cell) || marks.unset.includes(cell.text.trim());
  const isCrossed = ({ hasId, cells: [, ...others] }: StatedItem) =>
    hasId &&
    others.length > 0 &&
    others.every(isMark) &&
    // Crosses below ids of goals, requirements or tests are links.
    others.some((cell) => isSet(cell) && !isOfArtifacts(facts, cell.title));
  const keys = new Set(
    facts.items.flatMap((item) => {
      const [first, ...others] = item.cells;
      const allocation = item.values.get('allocation');
      const isStated = allocation && /\p{L}/u.test(allocation.text) && allocation !== first;
      if (item.hasId) return isStated || (item.how === 'table' && isCrossed(item)) ? [item.key] : [];
      // Rows of elements.
      const isElement =
        first && kindsOfTitle(first.title).some((kind) => kind === 'allocation' || kind === 'element');
      const listed = isElement ? others.filter(({ text }) => isIdsOnly(text)) : [];
      return listed.flatMap(({ text }) => idsIn(text).map(({ key }) => key));
    }),
  );
  known.set(facts, keys);
  return keys;
}

const isOfArtifacts = ({ byKey }: StatedFacts, title: string): boolean =>
  idsIn(title).some(({ key }) =>
    (byKey.get(key) ?? []).some(({ type }) => type !== undefined && type !== 'design'),
  );
