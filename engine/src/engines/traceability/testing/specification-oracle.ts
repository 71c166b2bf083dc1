import { idOf, type PlannedItem } from './specification-projects.js';

/** How an item is linked to one that it says it covers, in the words of OpenFastTrace's user guide. */
export type LinkStatus = 'covers' | 'orphaned' | 'outdated' | 'predated' | 'ambiguous' | 'unwanted';

export interface OracleAnswer {
  /** `covering id, status, id of the item at the other end or that is missing`, sorted. */
  readonly links: readonly string[];
  /** `id, types`: what no item covers it with, sorted. */
  readonly uncovered: readonly string[];
  readonly duplicates: readonly string[];
  /** Ids of everything that is defect: by itself, by a link to or from it, or because what covers it is. */
  readonly defect: readonly string[];
}

/**
 * What OpenFastTrace says of items, by the rules that it publishes and as plainly as they are written: an item covers
 * another when that has exactly the revision, asks for the type and is there once. It is defect when it is there twice,
 * when any of its links is bad in either direction, or when it is not covered deeply.
 */
export function askSpecificationOracle(items: readonly PlannedItem[]): OracleAnswer {
  const byId = grouped(items, idOf);
  const byStem = grouped(items, ({ type, name }) => `${type}~${name}`);
  const links = new Set<string>();
  const bad = new Set<string>();
  const incoming = new Map<string, Set<string>>();
  const covered = new Map<string, Set<string>>();
  const note = (from: string, status: LinkStatus, to: string) => links.add(`${from} ${status} ${to}`);
  const arrive = (at: string, from: string) => incoming.set(at, (incoming.get(at) ?? new Set()).add(from));

  for (const item of items) {
    const from = idOf(item);
    for (const id of item.covers) {
      const found = byId.get(id);
      if (!found) {
        bad.add(from);
        const [type, name, revision] = id.split('~') as [string, string, string];
        const others = byStem.get(`${type}~${name}`) ?? [];
        if (others.length === 0) note(from, 'orphaned', id);
        for (const other of others) {
          const to = idOf(other);
          note(from, Number(revision) < other.revision ? 'outdated' : 'predated', to);
          bad.add(to);
          arrive(to, from);
        }
      } else if (!found[0]!.needs.includes(item.type)) {
        note(from, 'unwanted', id);
        bad.add(from).add(id);
        arrive(id, from);
      } else if (found.length > 1) {
        note(from, 'ambiguous', id);
        bad.add(from);
      } else {
        note(from, 'covers', id);
        arrive(id, from);
        covered.set(id, (covered.get(id) ?? new Set()).add(item.type));
      }
    }
  }

  const missingOf = (id: string) => byId.get(id)![0]!.needs.filter((type) => !covered.get(id)?.has(type));
  /** Everything below, itself included only where a loop leads back. */
  const below = (id: string) => {
    const found = new Set(incoming.get(id));
    for (const one of found) for (const next of incoming.get(one) ?? []) found.add(next);
    return found;
  };
  const ids = [...byId.keys()];
  const duplicates = ids.filter((id) => byId.get(id)!.length > 1);
  const defect = ids.filter((id) => {
    const all = below(id);
    const isCovered = !all.has(id) && [id, ...all].every((one) => missingOf(one).length === 0);
    return duplicates.includes(id) || bad.has(id) || !isCovered;
  });
  return {
    links: [...links].sort(),
    uncovered: ids
      .filter((id) => missingOf(id).length > 0)
      .map((id) => `${id} ${missingOf(id).sort().join(' ')}`)
      .sort(),
    duplicates: duplicates.sort(),
    defect: defect.sort(),
  };
}

function grouped(
  items: readonly PlannedItem[],
  keyOf: (item: PlannedItem) => string,
): Map<string, PlannedItem[]> {
  const groups = new Map<string, PlannedItem[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
