import type { LinkRole } from '../../words/column-titles.js';
import type { ArtifactType } from './artifact.js';
import { LINK_TYPES, type LinkType } from './trace-link.js';

/** How a link is written down: whose id comes first. */
export interface StatedLink {
  readonly type: LinkType;
  /** The holder of the reference is the source. */
  readonly ownIsSource: boolean;
}

type Kind = 'hazard' | 'demand' | 'design' | 'test' | 'evidence' | 'unknown';

const KIND: Readonly<Record<ArtifactType, Kind>> = {
  hazardous_event: 'hazard',
  safety_goal: 'demand',
  functional_safety_requirement: 'demand',
  technical_safety_requirement: 'demand',
  hardware_requirement: 'demand',
  software_requirement: 'demand',
  cybersecurity_goal: 'demand',
  cybersecurity_requirement: 'demand',
  design: 'design',
  test: 'test',
  evidence: 'evidence',
  unknown: 'unknown',
};
const RANK: Readonly<Partial<Record<ArtifactType, number>>> = {
  hazardous_event: 0,
  safety_goal: 1,
  cybersecurity_goal: 1,
  functional_safety_requirement: 2,
  cybersecurity_requirement: 3,
  technical_safety_requirement: 3,
  hardware_requirement: 4,
  software_requirement: 4,
};

const bothWays = (type: LinkType) => ({
  own: { type, ownIsSource: true },
  other: { type, ownIsSource: false },
});
const STATED = Object.fromEntries(LINK_TYPES.map((type) => [type, bothWays(type)])) as Record<
  LinkType,
  ReturnType<typeof bothWays>
>;
const own = (type: LinkType): StatedLink => STATED[type].own;
const other = (type: LinkType): StatedLink => STATED[type].other;

/**
 * The link that a reference states (domain E.2, E.8). Words that only say "comes from" or "is realised by" mean what
 * the types of the two ends allow; words that name a relation mean it. Undefined for references that are no trace.
 */
export function statedLink(
  role: LinkRole,
  holder: ArtifactType,
  listed: ArtifactType,
): StatedLink | undefined {
  const from = KIND[holder];
  const to = KIND[listed];
  switch (role) {
    case 'weak':
      return undefined;
    case 'up':
      if (from === 'evidence') return other('evidenced_by');
      if (from === 'test') return other('verified_by');
      // "Goal" in a row of events: the goal comes from the event, whichever of them names the other.
      if (from === 'hazard' && to === 'demand') return byEnds(holder, listed);
      if (from === 'design' && (to === 'demand' || to === 'unknown')) return own('satisfies');
      if (from === 'design' && to === 'design') return other('implemented_by');
      return from === 'demand' && to !== 'demand' && to !== 'hazard' && to !== 'unknown'
        ? byEnds(holder, listed)
        : own('derives_from');
    case 'down':
      if (to === 'evidence') return own('evidenced_by');
      if (to === 'test') return own('verified_by');
      if (to === 'design') return own('allocated_to');
      return other('derives_from');
    case 'decomposition':
      return own('decomposes_to');
    case 'allocation':
      // Requirements listed for an element.
      if (from === 'design' && to === 'demand') return other('allocated_to');
      // A requirement is no element: crosses below the ids of goals.
      if (from === 'demand' && to === 'demand')
        return RANK[holder] === RANK[listed] ? undefined : byEnds(holder, listed);
      return own('allocated_to');
    case 'implementation':
      return to === 'demand' ? other('derives_from') : own('implemented_by');
    case 'verification':
      if (to === 'evidence') return own('evidenced_by');
      // "Covered by SG-2" in an event, "covered by FSR-1" in a goal: no test, so what comes from it.
      if (to === 'demand' && (from === 'hazard' || (from === 'demand' && RANK[holder] !== RANK[listed])))
        return byEnds(holder, listed);
      return from === 'test' && to === 'demand' ? other('verified_by') : own('verified_by');
    case 'verifies':
      return from === 'evidence' ? other('evidenced_by') : other('verified_by');
    case 'evidence':
      return own('evidenced_by');
    case 'evidence_for':
      return other('evidenced_by');
    case 'any':
      return byEnds(holder, listed);
  }
}

/** The link by which a specification item covers another one, whatever the two are: from the lower to the higher. */
export function coveringLink(covering: ArtifactType, covered: ArtifactType): StatedLink {
  switch (KIND[covering]) {
    case 'test':
      return other('verified_by');
    case 'evidence':
      return other('evidenced_by');
    case 'design':
      return KIND[covered] === 'design' ? other('implemented_by') : own('satisfies');
    default:
      return own('derives_from');
  }
}

/** Lower rank against higher rank tells. */
function byEnds(holder: ArtifactType, listed: ArtifactType): StatedLink {
  const from = KIND[holder];
  const to = KIND[listed];
  if (to === 'evidence') return own('evidenced_by');
  if (from === 'evidence') return other('evidenced_by');
  if (to === 'test') return own('verified_by');
  if (from === 'test') return other('verified_by');
  if (to === 'design') return own(from === 'design' ? 'implemented_by' : 'allocated_to');
  if (from === 'design') return other('allocated_to');
  return (RANK[holder] ?? 9) < (RANK[listed] ?? -1) ? other('derives_from') : own('derives_from');
}
