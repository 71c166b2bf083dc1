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

/** Why a link is taken to be meant that no words state (decision 451). */
export const ASSUMED_BECAUSE = [
  /** The number of a requirement begins with that of the goal: `FSR 01-02` below goal 01. */
  'number',
  /** It says nearly the same as the text that names the other end. */
  'text',
  /** It stands below the other end: under its heading, or in the table that follows it. */
  'place',
] as const;
export type AssumedBecause = (typeof ASSUMED_BECAUSE)[number];

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
  /** Nothing states it; it counts like a stated one until somebody says otherwise. */
  readonly assumed?: AssumedBecause;
  /** Content hashes of both ends when a person confirmed the link. */
  readonly confirmed?: { readonly sourceHash: string; readonly targetHash: string };
}

/** Links that nothing but the reason given speaks for: no other link of the same kind joins these ends, and nobody confirmed it. In order. */
export function assumedLinks<Link extends TraceLink>(
  links: readonly Link[],
): readonly (Link & { readonly assumed: AssumedBecause })[] {
  const isAssumed = (link: Link): link is Link & { readonly assumed: AssumedBecause } =>
    link.assumed !== undefined && link.confirmed === undefined;
  const assumed = links.filter(isAssumed);
  if (assumed.length === 0) return [];
  const keyOf = ({ sourceId, type, targetId }: TraceLink) => `${sourceId}\n${type}\n${targetId}`;
  const told = new Set(links.filter((link) => !isAssumed(link)).map(keyOf));
  return assumed.filter((link) => {
    const key = keyOf(link);
    return !told.has(key) && told.add(key);
  });
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
