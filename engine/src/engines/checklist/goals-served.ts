import type { ItemContext } from './context.js';

/** Ids of the goals that an artifact serves, else of what its links upwards end at; none where it is linked to nothing. */
export function goalsServed(id: string, { trace: { up } }: ItemContext): readonly string[] {
  const seen = new Set([id]);
  const goals: string[] = [];
  const left = [id];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const parents = up.get(one) ?? [];
    if (parents.length === 0 && one !== id) goals.push(one);
    for (const parent of parents) {
      if (seen.has(parent.id)) continue;
      seen.add(parent.id);
      if (parent.type === 'safety_goal') goals.push(parent.id);
      else left.push(parent.id);
    }
  }
  return goals;
}
