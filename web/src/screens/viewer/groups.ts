import type { ViewedMark } from './marks.ts';

/** What one card of the margin is about. */
export interface Group {
  /** In the order of their places. */
  readonly marks: readonly ViewedMark[];
  /** The same open points as another analysis found them: the first mark of each of its gaps. */
  readonly same: readonly ViewedMark[];
}

/** The marks of one gap, criterion or artifact together, where its first one stands; an open point that two analyses found once. */
export function groupsOf(marks: readonly ViewedMark[]): readonly Group[] {
  const groups = new Map<string, ViewedMark[]>();
  for (const mark of marks) {
    const key = `${mark.about}:${mark.ref.id}`;
    const group = groups.get(key);
    if (group) group.push(mark);
    else groups.set(key, [mark]);
  }
  const openPoints = [...groups.values()]
    .filter(([first]) => first!.about === 'placeholder')
    .sort((a, b) => b.length - a.length);
  const shown: { readonly marks: readonly ViewedMark[]; readonly same: ViewedMark[] }[] = [];
  const told = new Set<readonly ViewedMark[]>();
  for (const group of openPoints) {
    const whole = shown.find((one) => group.every((mark) => isAmong(one.marks, mark)));
    if (whole) {
      whole.same.push(group[0]!);
      told.add(group);
    } else shown.push({ marks: group, same: [] });
  }
  const sameAs = new Map(shown.map(({ marks: of, same }) => [of, same]));
  return [...groups.values()]
    .filter((group) => !told.has(group))
    .map((group) => ({ marks: group, same: sameAs.get(group) ?? [] }));
}

/** Names of which several are the same with a number behind each: two quotes of one section are two places. */
export function numbered(names: readonly string[]): readonly string[] {
  const all = new Map<string, number>();
  for (const name of names) all.set(name, (all.get(name) ?? 0) + 1);
  const told = new Map<string, number>();
  return names.map((name) => {
    if (all.get(name) === 1) return name;
    const at = (told.get(name) ?? 0) + 1;
    told.set(name, at);
    return `${name} (${at})`;
  });
}

/** Whether one of them, in the order of their places, has a letter in common with a mark. */
function isAmong(sorted: readonly ViewedMark[], { start, end }: ViewedMark): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]!.end <= start) from = middle + 1;
    else to = middle;
  }
  return from < sorted.length && sorted[from]!.start < end;
}
