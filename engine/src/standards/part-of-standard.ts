import type { Criterion, Standard } from './criterion.js';

/** Clauses were named that the standard does not have. */
export class UnknownClauseError extends Error {
  override readonly name = 'UnknownClauseError';
  readonly clauses: readonly string[];

  constructor(clauses: readonly string[], standard: Standard) {
    const known = standard.criteria.filter(({ parentId }) => parentId === undefined);
    const some = [...new Set(known.map(({ clause }) => clause))].slice(0, 8).join(', ');
    super(`${standard.designation} has no ${clauses.join(', ')}. It has, for example: ${some}.`);
    this.clauses = clauses;
  }
}

/**
 * The standard narrowed to an assessment scope: the named clauses, processes or criteria with everything below them,
 * and the groups above them. Without names the standard itself.
 * @param clauses Clauses or ids as the standard has them: `SWE.1`, `6`, `6.5.1`, `26262-3:6.5.1`.
 * @throws UnknownClauseError for a name that the standard does not have.
 */
export function partOfStandard(standard: Standard, clauses: readonly string[] = []): Standard {
  if (clauses.length === 0) return standard;
  const byId = new Map(standard.criteria.map((criterion) => [criterion.id, criterion]));
  const found = new Set<string>();
  const named = (criterion: Criterion): boolean => {
    const number = criterion.id.slice(criterion.id.indexOf(':') + 1);
    const matching = clauses.filter((clause) =>
      [criterion.clause, number, criterion.id].some((one) => one === clause || one.startsWith(`${clause}.`)),
    );
    for (const clause of matching) found.add(clause);
    return matching.length > 0;
  };
  const within = new Set<string>();
  // Parents stand before their children.
  for (const criterion of standard.criteria) {
    if (named(criterion) || within.has(criterion.parentId ?? '')) within.add(criterion.id);
  }
  const unknown = clauses.filter((clause) => !found.has(clause));
  if (unknown.length > 0) throw new UnknownClauseError(unknown, standard);
  const kept = new Set(within);
  for (const id of within) {
    for (let above = byId.get(byId.get(id)?.parentId ?? ''); above; above = byId.get(above.parentId ?? '')) {
      if (above.kind === 'group') kept.add(above.id);
    }
  }
  return { ...standard, criteria: standard.criteria.filter(({ id }) => kept.has(id)) };
}
