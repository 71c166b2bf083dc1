import { type Asil, asilRank } from './asil.js';

/** What can be wrong with a decomposition as such (domain E.6). */
export type DecompositionDefect =
  /** The parts do not add up to the parent. */
  | 'AI-03'
  /** A bracket that is not the parent's original level. */
  | 'AI-04'
  /** One part only. */
  | 'AI-05'
  /** A part lower than the parent without a bracket. */
  | 'AI-11';

/**
 * Holds a decomposition to the schemes of ISO 26262-9:2018, clause 5: every permitted one keeps the sum of the levels
 * (A 1, B 2, C 3, D 4), every bracket keeps the level before the first decomposition. A higher sum is fine.
 */
export function checkDecomposition(parent: Asil, parts: readonly Asil[]): readonly DecompositionDefect[] {
  const defects: DecompositionDefect[] = [];
  const level = asilRank(parent.own);
  const original = parent.original ?? parent.own;
  if (parts.length < 2) defects.push('AI-05');
  if (parts.some((part) => !part.original && asilRank(part.own) < level)) defects.push('AI-11');
  if (parts.some((part) => part.original && part.original !== original)) defects.push('AI-04');
  const sum = parts.reduce((total, part) => total + asilRank(part.own), 0);
  if (parts.length >= 2 && sum < level) defects.push('AI-03');
  return defects;
}

/** Whether a child with a bracket and less than its parent's level is a part of a decomposition by its notation. */
export function isDecomposedPart(parent: Asil, child: Asil): boolean {
  return child.original !== undefined && asilRank(child.own) < asilRank(parent.own);
}
