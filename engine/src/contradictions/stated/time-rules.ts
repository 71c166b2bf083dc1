import { type Quantity, quantitiesIn, timeIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import { termsOf } from '../../text/terms.js';
import { patternOf } from '../../words/read-words.js';
import {
  firstOfEach,
  higherLevel,
  isGoal,
  levelOf,
  overlap,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

const TIMES = ['interval', 'detection', 'reaction'] as const;
type TimeKind = (typeof TIMES)[number];

/** A time that an item states, in milliseconds. */
export function timeOf(item: StatedItem, kind: TimeKind): Quantity | undefined {
  const value = item.values.get(kind);
  return value && timeIn(value.text, value.title);
}

/** Whether what an item demands is done outside of the interval of its goal, so that its times are none of it. */
export const isOutsideInterval = (item: StatedItem): boolean =>
  patternOf(`(?<!\\p{L})(?:${stateWords().outsideInterval.join('|')})(?!\\p{L})`).test(textOf(item, 'text'));

/** What is derived may not take more time than what it is derived from allows. */
export function childTimeLonger(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((child) =>
      TIMES.flatMap((kind) => {
        const own = timeOf(child, kind);
        if (!own || isOutsideInterval(child)) return [];
        return parentItems(context, child).flatMap((parent): StatedContradiction[] => {
          // How long a sentence says that its fault takes is no limit for others.
          const isLimit = kind === 'interval' || parent.how !== 'sentence';
          const allowed = isLimit ? timeOf(parent, kind) : undefined;
          if (!allowed || own.value <= allowed.value) return [];
          // Another place allows as much: then the two places differ.
          const others = context.facts.byKey.get(parent.key) ?? [];
          if (others.some((one) => (timeOf(one, kind)?.value ?? 0) >= own.value)) return [];
          const name = child.values.get(kind)!.title || kind;
          return [
            {
              rule: 'child-time-longer',
              item: `${child.key} ${kind} ${parent.key}`,
              asil: higherLevel(levelOf(child), levelOf(parent)),
              confidence: kind === 'interval' ? 'high' : 'medium',
              words: { child: child.id, parent: parent.id, name, own: own.written, allowed: allowed.written },
              affected: [child.id, parent.id],
              evidence: [
                ...shown(child, child.values.get(kind), `${child.id}: ${name}`),
                ...shown(
                  parent,
                  parent.values.get(kind),
                  `${parent.id}: ${parent.values.get(kind)!.title || kind}`,
                ),
              ],
            },
          ];
        });
      }),
    ),
  );
}

/** Detection and reaction together take longer than the interval in which the fault is tolerated. */
export function timeBudgetExceeded(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((item): StatedContradiction[] => {
      const { detection, reaction, kinds } = partsOf(item);
      if (!detection || !reaction || isOutsideInterval(item)) return [];
      // Its own interval, in whatever document, else the one of what it comes from.
      const same = context.facts.byKey.get(item.key) ?? [];
      const holder = [item, ...same, ...parentItems(context, item)].find((one) => timeOf(one, 'interval'));
      const interval = holder && timeOf(holder, 'interval');
      if (!holder || !interval) return [];
      const sum = detection.value + reaction.value;
      if (sum <= interval.value) return [];
      return [
        {
          rule: 'time-budget-exceeded',
          item: `${item.key} ${item.document.id}`,
          asil: levelOf(item),
          confidence: 'high',
          words: {
            item: item.id,
            holder: holder.id,
            detection: detection.written,
            reaction: reaction.written,
            interval: interval.written,
            sum: `${Number(sum.toFixed(3))} ms`,
          },
          affected: [...new Set([item.id, holder.id])],
          evidence: (['interval', ...kinds] as const).flatMap((kind) => {
            const one = kind === 'interval' ? holder : item;
            return shown(one, one.values.get(kind), `${one.id}: ${one.values.get(kind)!.title || kind}`);
          }),
        },
      ];
    }),
  );
}

/** Times of detection and reaction, each in a cell, or both in one: "80 ms + 40 ms". */
function partsOf(item: StatedItem): {
  readonly detection?: Quantity | undefined;
  readonly reaction?: Quantity | undefined;
  readonly kinds: readonly ('detection' | 'reaction' | 'handling')[];
} {
  const [detection, reaction] = [timeOf(item, 'detection'), timeOf(item, 'reaction')];
  if (detection && reaction) return { detection, reaction, kinds: ['detection', 'reaction'] };
  for (const kind of ['reaction', 'detection', 'handling'] as const) {
    const text = textOf(item, kind);
    const [first, second, more] = quantitiesIn(text).filter((one) => one.kind === 'time');
    const isSum = first && second && !more && /^\s*\+\s*$/u.test(text.slice(first.end, second.start));
    if (isSum) return { detection: first, reaction: second, kinds: [kind] };
  }
  return { kinds: [] };
}

/** One thing has two values of the same time. Ids that number different things under each parent are left out. */
export function timeDiffers({ facts }: StatedContext): readonly StatedContradiction[] {
  return [...facts.byKey.values(), ...bySubject(facts)].flatMap((same) =>
    TIMES.flatMap((kind): StatedContradiction[] => {
      const timed = same.filter((item) => timeOf(item, kind));
      if (hasRowForEachPath(timed)) return [];
      const [first] = timed;
      const other = timed.find((item) => timeOf(item, kind)!.value !== timeOf(first!, kind)!.value);
      if (!first || !other || !isTheSame(first, other)) return [];
      const [a, b] = [timeOf(first, kind)!, timeOf(other, kind)!];
      return [
        {
          rule: 'time-differs',
          item: `${first.key} ${kind}`,
          asil: higherLevel(levelOf(first), levelOf(other)),
          confidence: 'high',
          words: {
            item: first.id,
            name: first.values.get(kind)!.title || kind,
            one: a.written,
            other: b.written,
          },
          affected: [first.id],
          evidence: [
            ...shown(first, first.values.get(kind), `in "${first.document.name}"`),
            ...shown(other, other.values.get(kind), `in "${other.document.name}"`),
          ],
        },
      ];
    }),
  );
}

/** Several rows of one table about the same: the time of each is that of its path, which a reader tells by another column. */
const hasRowForEachPath = (items: readonly StatedItem[]): boolean =>
  items.some(({ table, document }, at) => {
    const next = items[at + 1];
    return table !== undefined && next?.table === table && next.document === document;
  });

/** What sentences call by the same words, in the order in which they stand, and rows without an id that have them as a name. */
function bySubject({ items }: StatedContext['facts']): readonly (readonly StatedItem[])[] {
  const told = items.filter(({ how, hasId }) => how === 'sentence' && !hasId);
  if (told.length === 0) return [];
  const subjects = new Map<string, StatedItem[]>(told.map(({ id }) => [subjectOf(id), []]));
  for (const item of items) {
    const isTimed = !item.hasId && TIMES.some((kind) => item.values.has(kind));
    if (isTimed) subjects.get(subjectOf(item.id))?.push(item);
  }
  return [...subjects.values()];
}

const subjectOf = (name: string) => [...termsOf(name), ...(name.match(/\d+/g) ?? [])].join(' ');

/** Two texts of one id have something in common; without texts the id alone decides, in different documents. */
function isTheSame(a: StatedItem, b: StatedItem): boolean {
  // What another document tells about a goal need not repeat its words.
  if (a.hasId && a.document !== b.document && isGoal(a) && isGoal(b)) return true;
  const [one, other] = [textOf(a, 'text'), textOf(b, 'text')];
  if (one === '' || other === '')
    return a.table !== b.table || a.document !== b.document || (!a.hasId && a.passage !== b.passage);
  return overlap(stemsOf(one), stemsOf(other)) >= 0.5;
}
