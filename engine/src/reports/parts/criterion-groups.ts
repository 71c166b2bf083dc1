import type { Criterion } from '../../standards/criterion.js';
import type { ReportGroup } from '../report.js';

/** Group of criteria that have none of their own. */
const REST: ReportGroup = { key: '', title: '' };

/** The clause groups of a standard: its outermost criteria, or those one below where there is but one. */
export function criterionGroups(criteria: readonly Criterion[]): {
  readonly groups: readonly ReportGroup[];
  /** Key of the group that a criterion belongs to. */
  groupOf(criterionId: string): string;
} {
  const byId = new Map(criteria.map((one) => [one.id, one]));
  const pathOf = (id: string): Criterion[] => {
    const path: Criterion[] = [];
    const seen = new Set<string>();
    for (let at = byId.get(id); at !== undefined && !seen.has(at.id); at = byId.get(at.parentId ?? '')) {
      seen.add(at.id);
      path.unshift(at);
    }
    return path;
  };
  const outermost = criteria.filter(({ parentId }) => parentId === undefined || !byId.has(parentId));
  const depth = outermost.length === 1 && criteria.length > 1 ? 1 : 0;
  const keyOf = (id: string): string => {
    const path = pathOf(id);
    const group = path[Math.min(depth, path.length - 1)];
    return group?.kind === 'group' || (group !== undefined && depth === 0) ? group.id : REST.key;
  };
  const used = new Set(criteria.map(({ id }) => keyOf(id)));
  const groups = criteria
    .filter(({ id }) => used.has(id))
    .map(({ id, clause, title }) => ({ key: id, title: titleOf(clause, title) }));
  return { groups: [...groups, REST], groupOf: (id) => (byId.has(id) ? keyOf(id) : REST.key) };
}

function titleOf(clause: string, title: string): string {
  return title === '' || title === clause ? clause : `${clause} ${title}`;
}
