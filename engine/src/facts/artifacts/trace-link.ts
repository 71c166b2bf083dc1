import type { Location } from '../../documents/location.js';

/** Types of link; what each means is in `data/traceability.yaml` (domain E.2). */
export const LINK_TYPES = [
  'derives_from',
  'satisfies',
  'allocated_to',
  'decomposes_to',
  'implemented_by',
  'verified_by',
  'evidenced_by',
] as const;
export type LinkType = (typeof LINK_TYPES)[number];

/** A link as somebody stated it: read "source, type, target". */
export interface TraceLink {
  readonly sourceId: string;
  readonly targetId: string;
  readonly type: LinkType;
  readonly workspaceId?: string;
  /** Whose place it was stated at: a "Derived from" column at the source, a "Children" column at the parent. Default source. */
  readonly statedAt?: 'source' | 'target' | 'both';
  readonly documentId?: string;
  readonly location?: Location;
  /** Content hashes of both ends when a person confirmed the link. */
  readonly confirmed?: { readonly sourceHash: string; readonly targetHash: string };
}

/** Which artifacts the ends of links are: positions in a list of artifacts, -1 where none has the id. */
export interface LinkEnds {
  /** By link. */
  readonly sources: Int32Array;
  readonly targets: Int32Array;
}

/** A confirmed link whose ends no longer say what they said. */
export interface SuspectLink {
  /** Position in the links given. */
  readonly link: number;
  readonly changed: 'source' | 'target' | 'both';
}

/**
 * Confirmed links of which an end changed since. A link that nobody confirmed is not suspect; an end that is gone is
 * no change of content (the traceability analysis reports it). Linear.
 * @param hashOf Content hash of the current version of an artifact; undefined where there is none.
 */
export function suspectLinks(
  links: readonly TraceLink[],
  hashOf: (artifactId: string) => string | undefined,
): readonly SuspectLink[] {
  return links.flatMap(({ sourceId, targetId, confirmed }, link): SuspectLink[] => {
    if (!confirmed) return [];
    const source = changed(hashOf(sourceId), confirmed.sourceHash);
    const target = changed(hashOf(targetId), confirmed.targetHash);
    if (!source && !target) return [];
    return [{ link, changed: source && target ? 'both' : source ? 'source' : 'target' }];
  });
}

function changed(now: string | undefined, then: string): boolean {
  return now !== undefined && now !== then;
}
