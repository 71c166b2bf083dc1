import { type Asil, type AsilLevel, asilRank, severityAsil } from '../asil/asil.js';

// When integrity levels contradict each other (domain E.3, E.6), each rule once: the trace asks it about artifacts that are
// linked, the gap analysis about records that name each other, checklists about what stands in one row.

/** AI-13: how a stated level differs from the one that the ratings of the event give. */
export function againstRatings({ own }: Asil, computed: AsilLevel): 'too_low' | 'too_high' | undefined {
  if (own === computed) return undefined;
  return asilRank(own) < asilRank(computed) ? 'too_low' : 'too_high';
}

/** AI-14: a goal claims less, also before its decomposition, than a hazardous event that it answers. */
export const isBelowEvent = (goal: Asil, event: AsilLevel): boolean =>
  Math.max(asilRank(goal.own), asilRank(severityAsil(goal))) < asilRank(event);

/** AI-02: less than what it comes from, also before its decomposition. */
export const isBelowSource = (own: Asil, source: Asil): boolean =>
  asilRank(own.original ?? own.own) < asilRank(source.own);
