import { LINK_TYPES, type TraceLink } from '../../facts/artifacts/trace-link.js';
import { addRemark, countRemarks, type Findings, LISTED_REMARKS } from './findings.js';
import { buildRelations, type Relation as Edges } from './graph.js';
import type { LinkDefect } from './link-defect.js';
import { FLAG, type Nodes, ROLE } from './nodes.js';
import { MISSING, type ResolvedLinks, statedAtOfKind, typeOfKind, UNSEEN } from './resolve.js';
import { RELATIONS, type Relation } from './rules.js';
import { itemRelation, type SpecificationItems, specificationItems } from './specification-items.js';

/** Marks of an edge, as bits. */
export const MARK = { statedAtFrom: 1, statedAtTo: 2, decomposition: 4, levelSkip: 8 } as const;

/** Canonical edges (domain E.2): from the child, the realised, the verified, the proved to the other end. */
export type Relations = Readonly<Record<Relation, Edges>>;

const REFINES = RELATIONS.indexOf('refines');
const REALISED_BY = RELATIONS.indexOf('realised_by');
const VERIFIED_BY = RELATIONS.indexOf('verified_by');
const NO_EDGE = 255;

/**
 * Turns links into canonical edges in the order of domain E.2; what cannot be one is a defect. Linear. Uses up the ends and kinds
 * in `resolved`: they hold the other direction and the relations of the edges afterwards.
 */
export function canonicalEdges(
  links: readonly TraceLink[],
  { nodes, sources, targets, kinds }: ResolvedLinks,
  findings: Findings,
): {
  readonly relations: Relations;
  readonly defects: readonly LinkDefect[];
  readonly items: SpecificationItems | undefined;
} {
  const meaning = linkMeanings(nodes);
  const { role, flags } = nodes;
  // The ends and the kind of a link are read once: its edge takes their place.
  const relation = kinds;
  const from = sources;
  const to = targets;
  const marks = new Uint8Array(links.length);
  const counts = [0, 0, 0, 0];
  const defects = defectCollector(nodes.ids.length);
  const items = specificationItems(nodes, links, { sources, targets });
  const between = items && linksBetween(items, links, { sources, targets });

  for (let link = 0; link < links.length; link++) {
    const source = sources[link]!;
    const target = targets[link]!;
    const kind = kinds[link]!;
    relation[link] = NO_EDGE;
    if (source === UNSEEN || between?.[link]) continue;
    const sourceRole = source < 0 ? ROLE.stub : role[source]!;
    const targetRole = target < 0 ? ROLE.stub : role[target]!;
    const read = meaning(typeOfKind(kind), sourceRole, targetRole);
    if (source === MISSING || target === MISSING) {
      const node = source === MISSING ? target : source;
      const { sourceId, targetId } = links[link]!;
      if (node < 0 || role[node] === ROLE.stub) {
        const missing = node < 0 ? `${sourceId}, ${targetId}` : node === target ? sourceId : targetId;
        addRemark(findings, 'unresolved_link', { node, missing });
      } else if (role[node] === ROLE.unknown) {
        const missing = source === MISSING ? sourceId : targetId;
        addRemark(findings, 'unresolved_link', { node, missing });
      } else {
        const isFrom = read.fromSource === (node === source);
        const upward = read.relation === REFINES ? isFrom : !isFrom;
        const missing = source === MISSING ? sourceId : targetId;
        defects.add({ kind: 'dangling_target', node, missing, link, upward });
      }
      continue;
    }
    if (source === target) {
      if (sourceRole < ROLE.unknown) defects.add({ kind: 'self_link', node: source, link });
      continue;
    }
    const sourceInactive = (flags[source]! & FLAG.inactive) !== 0;
    if (sourceInactive || (flags[target]! & FLAG.inactive) !== 0) {
      if (sourceInactive && (flags[target]! & FLAG.inactive) !== 0) continue;
      const node = sourceInactive ? target : source;
      const other = sourceInactive ? source : target;
      if (role[node]! < ROLE.unknown) defects.add({ kind: 'obsolete_target', node, other, link });
      continue;
    }
    if (sourceRole === ROLE.unknown || targetRole === ROLE.unknown) {
      addRemark(findings, 'untyped_link', { node: source, related: [target] });
      continue;
    }
    if (sourceRole === ROLE.stub && targetRole === ROLE.stub) continue;

    let x = read.fromSource ? source : target;
    let y = read.fromSource ? target : source;
    let statedAtFrom = read.fromSource;
    let legal = true;
    let skip = false;
    if (read.relation === REFINES && isReversed(nodes, x, y)) {
      [x, y] = [y, x];
      statedAtFrom = !statedAtFrom;
      addRemark(findings, 'direction_corrected', { node: x, related: [y] });
    }
    switch (read.relation) {
      case REFINES:
        legal = refinable(role[x]!) && refinable(role[y]!);
        skip = legal && skipsLevel(nodes, x, y);
        break;
      case REALISED_BY:
        skip = role[x] === ROLE.goal;
        legal =
          (skip || role[x] === ROLE.requirement || role[x] === ROLE.design || role[x] === ROLE.stub) &&
          (role[y] === ROLE.design || role[y] === ROLE.stub);
        break;
      case VERIFIED_BY:
        legal =
          (role[x] === ROLE.goal ||
            role[x] === ROLE.requirement ||
            role[x] === ROLE.design ||
            role[x] === ROLE.stub) &&
          (role[y] === ROLE.test || role[y] === ROLE.stub);
        break;
      default:
        legal = role[x] !== ROLE.evidence && (role[y] === ROLE.evidence || role[y] === ROLE.stub);
    }
    if (!legal) {
      if (sourceRole !== ROLE.stub) defects.add({ kind: 'illegal_pair', node: source, other: target, link });
      else defects.add({ kind: 'illegal_pair', node: target, other: source, link });
      continue;
    }
    relation[link] = read.relation;
    counts[read.relation]!++;
    from[link] = x;
    to[link] = y;
    const at = statedAtOfKind(kind);
    const both = MARK.statedAtFrom | MARK.statedAtTo;
    const oneSide = (at === 'source') === statedAtFrom ? MARK.statedAtFrom : MARK.statedAtTo;
    marks[link] =
      (at === 'both' ? both : oneSide) |
      (read.decomposition ? MARK.decomposition : 0) |
      (skip ? MARK.levelSkip : 0);
  }

  for (const { link, covering, covered } of items?.counting ?? []) {
    const name = itemRelation(role[covering]!, role[covered]!);
    if (name === undefined) continue;
    relation[link] = RELATIONS.indexOf(name);
    counts[relation[link]!]!++;
    from[link] = name === 'refines' ? covering : covered;
    to[link] = name === 'refines' ? covered : covering;
    marks[link] = MARK.statedAtFrom | MARK.statedAtTo;
  }

  const relations = {} as Record<Relation, Edges>;
  const built = buildRelations(nodes.ids.length, { from, to, marks, kinds: relation, counts });
  for (const [code, name] of RELATIONS.entries()) {
    relations[name] = built[code]!;
    examineMarks(relations[name], defects, findings);
  }
  return { relations, defects: [...defects.all, ...(items?.defects ?? [])], items };
}

/** By link: whether it is one between specification items, which have rules of their own. */
function linksBetween(
  items: SpecificationItems,
  links: readonly TraceLink[],
  { sources, targets }: { readonly sources: Int32Array; readonly targets: Int32Array },
): Uint8Array {
  const isDead = new Set(items.defects.map(({ link }) => link));
  return Uint8Array.from(links, (_, link) => {
    const [source, target] = [sources[link]!, targets[link]!];
    return Number(isDead.has(link) || (source >= 0 && target >= 0 && items.is(source) && items.is(target)));
  });
}

/** What a link of a type means, by what its ends are. */
interface Meaning {
  readonly relation: number;
  /** The edge goes from the link's source to its target. */
  readonly fromSource: boolean;
  readonly decomposition: boolean;
}

/** By position of the type in `LINK_TYPES` and roles of the ends. */
function linkMeanings({ rules }: Nodes): (type: number, source: number, target: number) => Meaning {
  const roles = Object.values(ROLE).length;
  const table = LINK_TYPES.flatMap((type) => {
    const { relation, from, by_source_role: byRole, decomposition } = rules.links[type];
    const plain = { relation: RELATIONS.indexOf(relation), fromSource: from === 'source', decomposition };
    const other = (name: Relation) => ({ ...plain, relation: RELATIONS.indexOf(name), fromSource: false });
    const meanings: Meaning[] = [];
    for (let source = 0; source < roles; source++) {
      for (let target = 0; target < roles; target++) {
        // Something outside takes the role that fits the other end.
        const fits = source !== ROLE.stub ? source : roleBelow(target);
        meanings.push(
          !byRole
            ? plain
            : fits === ROLE.design
              ? other(byRole.design)
              : fits === ROLE.test
                ? other(byRole.test)
                : fits === ROLE.evidence
                  ? other(byRole.evidence)
                  : plain,
        );
      }
    }
    return meanings;
  });
  return (type, source, target) => table[(type * roles + source) * roles + target]!;
}

function roleBelow(target: number): number {
  if (target === ROLE.design) return ROLE.design;
  return target === ROLE.test ? ROLE.evidence : ROLE.requirement;
}

function refinable(role: number): boolean {
  return role <= ROLE.requirement || role === ROLE.stub;
}

/** The child stands above the parent. */
function isReversed({ role, lowestRank, highestRank }: Nodes, child: number, parent: number): boolean {
  if (role[child]! > ROLE.requirement || role[parent]! > ROLE.requirement) return false;
  return highestRank[child]! < lowestRank[parent]!;
}

function skipsLevel({ role, lowestRank, highestRank }: Nodes, child: number, parent: number): boolean {
  if (role[child] === ROLE.stub || role[parent] === ROLE.stub) return false;
  return lowestRank[child]! - highestRank[parent]! > 1;
}

function examineMarks(
  { forward, marks, links }: Edges,
  defects: ReturnType<typeof defectCollector>,
  findings: Findings,
): void {
  const both = MARK.statedAtFrom | MARK.statedAtTo;
  let oneSided = 0;
  for (let node = 0; node < forward.offsets.length - 1; node++) {
    for (let e = forward.offsets[node]!; e < forward.offsets[node + 1]!; e++) {
      const mark = marks[e]!;
      if ((mark & both) === both && (mark & MARK.levelSkip) === 0) continue;
      const other = forward.targets[e]!;
      if (mark & MARK.levelSkip) defects.add({ kind: 'level_skip', node, other, link: links[e]! });
      if ((mark & both) === both) continue;
      // Nearly every edge of most workspaces: only those that are listed become objects.
      if (++oneSided <= LISTED_REMARKS) addRemark(findings, 'asymmetric_link', { node, related: [other] });
    }
  }
  countRemarks(findings, 'asymmetric_link', oneSided - LISTED_REMARKS);
}

/** Keeps each defect once, however often its link is stated. */
function defectCollector(nodes: number) {
  const all: LinkDefect[] = [];
  const pairs = new Set<number>();
  const danglings = new Map<number, Map<string, number>>();
  const kinds = ['self_link', 'obsolete_target', 'illegal_pair', 'level_skip'];
  return {
    all: all as readonly LinkDefect[],
    add(defect: LinkDefect): void {
      if (defect.missing !== undefined) {
        const known = danglings.get(defect.node);
        const at = known?.get(defect.missing);
        if (at !== undefined) {
          if (defect.upward) all[at] = { ...all[at]!, upward: true };
          return;
        }
        if (known) known.set(defect.missing, all.length);
        else danglings.set(defect.node, new Map([[defect.missing, all.length]]));
      } else {
        const pair = (kinds.indexOf(defect.kind) * nodes + defect.node) * nodes + (defect.other ?? 0);
        if (pairs.has(pair)) return;
        pairs.add(pair);
      }
      all.push(defect);
    },
  };
}
