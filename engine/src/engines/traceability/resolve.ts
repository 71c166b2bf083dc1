import { idKey, idSketch } from '../../facts/artifacts/id-spelling.js';
import { readSpecificationId } from '../../facts/artifacts/specification-id.js';
import { LINK_TYPES, type LinkType, type TraceLink } from '../../facts/artifacts/trace-link.js';
import { type Nodes, withStubs } from './nodes.js';
import type { TraceabilityInput } from './traceability.js';

/** An end of a link that is not defined in the workspace: what a table of ids answers for ids that it has not. */
export const MISSING = -1;
/** The end of a link of another workspace. */
export const UNSEEN = -2;

export interface ResolvedLinks {
  readonly nodes: Nodes;
  /** By link: its ends as nodes, `MISSING` or `UNSEEN`. */
  readonly sources: Int32Array;
  readonly targets: Int32Array;
  /** By link: its type and where it is stated, see `linkKind`. */
  readonly kinds: Uint8Array;
  /** Ids that were taken for an id with another spelling. */
  readonly respelled: readonly { readonly written: string; readonly node: number; readonly other: number }[];
  /** Number of links of this workspace. */
  readonly seen: number;
}

const STATED_AT: readonly NonNullable<TraceLink['statedAt']>[] = ['source', 'target', 'both'];

/** A link's type and where it is stated as one number, so that links are looked at once: many of them are far apart in memory. */
export const linkKind = (type: number, statedAt: TraceLink['statedAt']): number =>
  type * 4 + (statedAt === undefined ? 0 : STATED_AT.indexOf(statedAt));

/** Position of its type in `LINK_TYPES`. */
export const typeOfKind = (kind: number): number => kind >> 2;

export const statedAtOfKind = (kind: number): NonNullable<TraceLink['statedAt']> => STATED_AT[kind & 3]!;

/**
 * Finds the artifact that each end of each link names: as written; else the only one whose id differs in spelling
 * only; else something outside, where the id begins with a registered prefix (domain E.7). Linear.
 */
export function resolveLinks(
  nodes: Nodes,
  { artifacts, links, ends, workspaceId, options = {} }: TraceabilityInput,
): ResolvedLinks {
  const { byId } = nodes;
  const known = (position: number | undefined, id: string) => {
    const node = position === undefined || position < 0 ? undefined : nodes.ofArtifact[position];
    return node !== undefined && node >= 0 && artifacts[position!]!.id === id ? node : undefined;
  };
  const sources = new Int32Array(links.length);
  const targets = new Int32Array(links.length);
  const kinds = new Uint8Array(links.length);
  const missed = new Map<string, number>();
  let seen = 0;
  // Links come in runs of one source or one target.
  let lastSource = '';
  let lastTarget = '';
  let lastType: LinkType | undefined;
  let type = 0;
  let source = byId.find('');
  let target = source;
  for (let i = 0; i < links.length; i++) {
    const link = links[i]!;
    if (link.workspaceId !== workspaceId) {
      sources[i] = targets[i] = UNSEEN;
      continue;
    }
    seen++;
    if (link.type !== lastType) {
      lastType = link.type;
      type = LINK_TYPES.indexOf(lastType);
    }
    kinds[i] = linkKind(type, link.statedAt);
    if (link.sourceId !== lastSource) {
      lastSource = link.sourceId;
      source = known(ends?.sources[i], lastSource) ?? byId.find(lastSource);
    }
    if (link.targetId !== lastTarget) {
      lastTarget = link.targetId;
      target = known(ends?.targets[i], lastTarget) ?? byId.find(lastTarget);
    }
    sources[i] = source;
    targets[i] = target;
    if (source === MISSING) missed.set(lastSource, MISSING);
    if (target === MISSING) missed.set(lastTarget, MISSING);
  }
  if (missed.size === 0) return { nodes, sources, targets, kinds, respelled: [], seen };

  findOtherSpellings(nodes, missed);
  const prefixes = (options.externalPrefixes ?? []).map((prefix) => prefix.toLowerCase());
  const outside: string[] = [];
  for (const [id, node] of missed) {
    if (node !== MISSING) continue;
    const plain = id.toLowerCase();
    if (!prefixes.some((prefix) => prefix !== '' && plain.startsWith(prefix))) continue;
    missed.set(id, nodes.defined + outside.length);
    outside.push(id);
  }
  return {
    nodes: withStubs(nodes, outside),
    sources,
    targets,
    kinds,
    respelled: fillIn(links, { sources, targets, missed, defined: nodes.defined }),
    seen,
  };
}

function fillIn(
  links: readonly TraceLink[],
  found: {
    sources: Int32Array;
    targets: Int32Array;
    missed: ReadonlyMap<string, number>;
    defined: number;
  },
): ResolvedLinks['respelled'] {
  const { sources, targets, missed, defined } = found;
  const respelled: { written: string; node: number; other: number }[] = [];
  const told = new Set<string>();
  const tell = (written: string, node: number, other: number) => {
    if (node < 0 || node >= defined || told.has(written)) return;
    told.add(written);
    respelled.push({ written, node, other: other >= 0 ? other : node });
  };
  for (let i = 0; i < links.length; i++) {
    const sourceMissed = sources[i] === MISSING;
    const targetMissed = targets[i] === MISSING;
    if (sourceMissed) sources[i] = missed.get(links[i]!.sourceId)!;
    if (targetMissed) targets[i] = missed.get(links[i]!.targetId)!;
    if (sourceMissed) tell(links[i]!.sourceId, sources[i]!, targets[i]!);
    if (targetMissed) tell(links[i]!.targetId, targets[i]!, sources[i]!);
  }
  return respelled;
}

/** Fills in the ids of `missed` that differ from exactly one defined id in spelling only. */
function findOtherSpellings({ ids, defined }: Nodes, missed: Map<string, number>): void {
  const sketches = new Set([...missed.keys()].map(idSketch));
  const anySketch = sketches.has(-1);
  const byKey = new Map<string, number>();
  for (let node = 0; node < defined; node++) {
    const sketch = idSketch(ids[node]!);
    if (sketch !== -1 && !anySketch && !sketches.has(sketch)) continue;
    const key = idKey(ids[node]!);
    byKey.set(key, byKey.has(key) ? MISSING : node);
  }
  if (byKey.size === 0) return;
  for (const id of missed.keys()) {
    // Of specification items the revision counts.
    const key = readSpecificationId(id) ? '' : idKey(id);
    if (key !== '') missed.set(id, byKey.get(key) ?? MISSING);
  }
}
