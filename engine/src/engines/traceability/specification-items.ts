import { readSpecificationId } from '../../facts/artifacts/specification-id.js';
import type { TraceLink } from '../../facts/artifacts/trace-link.js';
import { componentsOf } from './cycles.js';
import { buildRelation, neighbours, type Relation } from './graph.js';
import type { LinkDefect } from './link-defect.js';
import { type Nodes, ROLE } from './nodes.js';

/**
 * Specification items of OpenFastTrace among the artifacts, and how they cover each other by its rules: an item says which
 * types of item it needs to be covered by, and which items it covers, with their revisions (decision 285).
 */
export interface SpecificationItems {
  /** Whether a node is one. */
  is(node: number): boolean;
  /** Types that the item needs and no item covers it with, in the order in which it names them. */
  uncovered(node: number): readonly string[];
  /** Whether the item says that it covers anything, and whether a link of it counts. */
  covers(node: number): 'nothing' | 'badly' | 'something';
  /** Links between items that are none: dead, of another revision, not asked for, ambiguous. */
  readonly defects: readonly LinkDefect[];
  /** From an item to what covers it, in whatever way. */
  readonly incoming: Relation;
  /** By position: the links that count, except those inside a loop. */
  readonly counting: readonly {
    readonly link: number;
    readonly covering: number;
    readonly covered: number;
  }[];
  /** Items that cover each other in a loop, by loop. */
  readonly loops: readonly (readonly number[])[];
}

/** Nodes of both ends of the links, or a negative number where there is none. */
interface LinkedNodes {
  readonly sources: Int32Array;
  readonly targets: Int32Array;
}

/** The items with their coverage; undefined where there are none. Linear. */
export function specificationItems(
  nodes: Nodes,
  links: readonly TraceLink[],
  { sources, targets }: LinkedNodes,
): SpecificationItems | undefined {
  const needs = nodes.artifacts.map((artifact) => artifact?.needs);
  if (!needs.some((types) => types !== undefined)) return undefined;
  const types = needs.map((one, node) => (one ? readSpecificationId(nodes.ids[node]!)?.type : undefined));
  const uncovered: (readonly string[] | undefined)[] = [...needs];
  const covers = new Uint8Array(nodes.ids.length);
  const defects: LinkDefect[] = [];
  const counting: { link: number; covering: number; covered: number }[] = [];
  const incoming: { from: number[]; to: number[] } = { from: [], to: [] };
  let revisions: ReadonlyMap<string, readonly number[]> | undefined;

  for (let link = 0; link < links.length; link++) {
    const { type, sourceId, targetId } = links[link]!;
    const up = type === 'derives_from' || type === 'satisfies';
    const covering = up ? sources[link]! : targets[link]!;
    const covered = up ? targets[link]! : sources[link]!;
    if (covering < 0 || needs[covering] === undefined) continue;
    if (covered < 0) {
      const missing = up ? targetId : sourceId;
      const asked = readSpecificationId(missing);
      if (!asked) continue;
      covers[covering]! |= STATED;
      revisions ??= revisionsOf(nodes, needs);
      const others = revisions.get(stemOf(asked)) ?? [];
      if (others.length === 0) defects.push({ kind: 'dangling_target', node: covering, missing, link });
      for (const other of others) {
        const isOutdated = asked.revision < readSpecificationId(nodes.ids[other]!)!.revision;
        const kind = isOutdated ? 'outdated_link' : 'predated_link';
        defects.push({ kind, node: covering, other, missing, link });
        incoming.from.push(other);
        incoming.to.push(covering);
      }
      continue;
    }
    if (needs[covered] === undefined) continue;
    covers[covering]! |= STATED;
    const isWanted = needs[covered].includes(types[covering] ?? '');
    if (isWanted && nodes.restated.has(covered)) {
      defects.push({ kind: 'ambiguous_link', node: covering, other: covered, link });
      continue;
    }
    incoming.from.push(covered);
    incoming.to.push(covering);
    if (!isWanted) {
      defects.push({ kind: 'unwanted_link', node: covering, other: covered, link });
      continue;
    }
    covers[covering]! |= GOOD;
    uncovered[covered] = uncovered[covered]!.filter((one) => one !== types[covering]);
    counting.push({ link, covering, covered });
  }

  const size = incoming.from.length;
  const relation = buildRelation(nodes.ids.length, {
    from: Int32Array.from(incoming.from),
    to: Int32Array.from(incoming.to),
    marks: new Uint8Array(size),
    size,
  });
  const { of, sizes } = componentsOf(nodes.ids.length, [relation.forward]);
  const isLoop = (covered: number, covering: number) => of[covered] === of[covering];
  return {
    is: (node) => needs[node] !== undefined,
    uncovered: (node) => uncovered[node] ?? [],
    covers: (node) => (covers[node]! & GOOD ? 'something' : covers[node]! & STATED ? 'badly' : 'nothing'),
    defects,
    incoming: relation,
    counting: counting.filter(({ covering, covered }) => !isLoop(covered, covering)),
    loops: loopsOf(relation, of, sizes),
  };
}

const STATED = 1;
const GOOD = 2;

const stemOf = ({ type, name }: { readonly type: string; readonly name: string }) => `${type}~${name}`;

/** Items by type and name, whatever their revision. */
function revisionsOf(
  { ids }: Nodes,
  needs: readonly (readonly string[] | undefined)[],
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [node, id] of ids.entries()) {
    const parts = needs[node] && readSpecificationId(id);
    if (!parts) continue;
    const stem = stemOf(parts);
    const known = found.get(stem);
    if (known) known.push(node);
    else found.set(stem, [node]);
  }
  return found;
}

/** Members of each loop in their order; an item that covers itself is a loop of one. */
function loopsOf({ forward }: Relation, of: Int32Array, sizes: Int32Array): readonly (readonly number[])[] {
  const loops = new Map<number, number[]>();
  for (let node = 0; node < of.length; node++) {
    if (sizes[of[node]!]! < 2 && !neighbours(forward, node).includes(node)) continue;
    const known = loops.get(of[node]!);
    if (known) known.push(node);
    else loops.set(of[node]!, [node]);
  }
  return [...loops.values()];
}

/** What a link between items means in the V-model, by the role of the lower one; undefined where it has no place there. */
export function itemRelation(
  covering: number,
  covered: number,
): 'refines' | 'realised_by' | 'verified_by' | 'evidenced_by' | undefined {
  const demands = covered <= ROLE.requirement;
  if (covering <= ROLE.requirement) return demands ? 'refines' : undefined;
  if (covering === ROLE.evidence) return covered < ROLE.evidence ? 'evidenced_by' : undefined;
  if (covered > ROLE.design || covered === ROLE.hazard) return undefined;
  return covering === ROLE.test ? 'verified_by' : 'realised_by';
}
