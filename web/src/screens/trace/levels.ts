/** The order of integrity levels: the gravest first; what has none, or none that is known, behind all that have one. */
export const gravestFirst = (one: string, other: string): number =>
  rankOf(one) - rankOf(other) || other.localeCompare(one);

const LAST = ['QM', 'unknown'];
const rankOf = (level: string): number => LAST.indexOf(level);
