import { type Asil, type AsilLevel, asilRank, highestAsil, severityAsil } from '../asil/asil.js';
import { isDecomposedPart } from '../asil/decomposition.js';

// When integrity levels contradict each other (domain E.3, E.6), each rule once: the trace asks it about artifacts that are
// linked, the gap analysis about records that name each other, checklists about what stands in one row.

/** A level as the rules compare it: an ASIL, or a value of another scheme that stands for one. */
export interface ComparedLevel {
  /** Levels of different schemes say nothing about each other. */
  readonly scheme: 'asil' | 'cal' | 'risk';
  /** 0 (QM) to 4 (D), after a decomposition. */
  readonly rank: number;
  /** What a contradiction with this level is graded by. */
  readonly grade: AsilLevel;
  /** With its bracket; other schemes know no decomposition. */
  readonly asil?: Asil;
}

/** Something that a claim comes from. */
export interface ComparedParent {
  readonly level: ComparedLevel;
  /** The link itself says that the claim is a part of a decomposition. */
  readonly decomposition?: boolean;
}

/** What a claim falls short of. */
export interface Shortfall<Parent extends ComparedParent> {
  /** In the order given. */
  readonly parents: readonly Parent[];
  /** The first of those that demand most. */
  readonly demanding: Parent;
  readonly grade: AsilLevel;
}

/** An ASIL as the rules compare it. */
export const comparedAsil = (asil: Asil): ComparedLevel => ({
  scheme: 'asil',
  rank: asilRank(asil.own),
  grade: severityAsil(asil),
  asil,
});

/** Whether a claim is a part of a decomposition of its parent: by its notation, or linked so and lower or bracketed. */
export function isPartOf(own: ComparedLevel, { level, decomposition }: ComparedParent): boolean {
  if (!own.asil || !level.asil) return false;
  if (isDecomposedPart(level.asil, own.asil)) return true;
  return decomposition === true && (own.asil.original !== undefined || own.rank < level.rank);
}

/** AI-02: parents that a claim is below without being a part of them; undefined where there are none. */
export function belowParents<Parent extends ComparedParent>(
  own: ComparedLevel,
  parents: readonly Parent[],
): Shortfall<Parent> | undefined {
  const short = parents.filter(
    (parent) => parent.level.scheme === own.scheme && own.rank < parent.level.rank && !isPartOf(own, parent),
  );
  if (short.length === 0) return undefined;
  return {
    parents: short,
    demanding: short.reduce((most, one) => (one.level.rank > most.level.rank ? one : most)),
    grade: highestAsil(short.map(({ level }) => level.grade))!,
  };
}

/**
 * AI-10: levels stated of one thing that differ, bracket included: each once, in the order given, and what they are graded
 * by; undefined where they agree.
 */
export function differingLevels<Stated extends { readonly print: string; readonly level: ComparedLevel }>(
  statements: readonly Stated[],
): { readonly levels: readonly Stated[]; readonly grade: AsilLevel } | undefined {
  const seen = new Set<string>();
  const levels = statements.filter(({ print }) => !seen.has(print) && seen.add(print));
  if (levels.length < 2) return undefined;
  return { levels, grade: highestAsil(levels.map(({ level }) => level.grade))! };
}

/** AI-13: how a stated level differs from the one that the ratings of the event give. */
export function againstRatings({ own }: Asil, computed: AsilLevel): 'too_low' | 'too_high' | undefined {
  if (own === computed) return undefined;
  return asilRank(own) < asilRank(computed) ? 'too_low' : 'too_high';
}

/** AI-14: a goal claims less, also before its decomposition, than a hazardous event that it answers. */
export const isBelowEvent = (goal: Asil, event: AsilLevel): boolean =>
  Math.max(asilRank(goal.own), asilRank(severityAsil(goal))) < asilRank(event);
