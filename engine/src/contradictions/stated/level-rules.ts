import { type Asil, parseAsil, printAsil } from '../../asil/asil.js';
import { checkDecomposition, isDecomposedPart } from '../../asil/decomposition.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import { levelReasoned } from '../level-reasons.js';
import { belowParents, comparedAsil } from '../level-rules.js';
import {
  firstOfEach,
  isEvent,
  isGoal,
  parentItems,
  type StatedContext,
  type StatedContradiction,
  shown,
  textOf,
} from './stated-rule.js';

const asilOf = (item: StatedItem): Asil | undefined => parseAsil(textOf(item, 'asil'));

/** AI-02: a requirement has a lower level than the requirement that it refines, and is no part of a decomposition of it. */
export function levelLowered(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    context.facts.items.flatMap((child) => {
      const own = asilOf(child);
      // An event that names its goal is no part of it: the goal has the highest level of its events.
      if (!own || isEvent(child)) return [];
      // Goals and their requirements are compared by a rule of their own.
      const parents = parentItems(context, child).filter((parent) => asilOf(parent) && !isGoal(parent));
      const short = belowParents(
        comparedAsil(own),
        parents.map((parent) => ({ parent, asil: asilOf(parent)!, level: comparedAsil(asilOf(parent)!) })),
      );
      if (!short || levelReasoned(context.corpus, { key: child.key, passage: child.passage, asil: own }))
        return [];
      return short.parents.map(({ parent, asil: demanded, level }): StatedContradiction => {
        return {
          rule: 'level-lowered',
          item: `${child.key} ${parent.key}`,
          asil: level.grade,
          confidence: 'high',
          words: { child: child.id, parent: parent.id, own: printAsil(own), demanded: printAsil(demanded) },
          affected: [child.id, parent.id],
          evidence: [
            ...shown(child, child.values.get('asil'), `${child.id}: ASIL ${printAsil(own)}`),
            ...shown(parent, parent.values.get('asil'), `${parent.id}: ASIL ${printAsil(demanded)}`),
          ],
        };
      });
    }),
  );
}

interface Decomposed {
  readonly parent: StatedItem;
  readonly parts: readonly StatedItem[];
}

/** Requirements with parts that carry a lower level and the original one in brackets. */
function decompositions(context: StatedContext): readonly Decomposed[] {
  const byParent = new Map<string, { parent: StatedItem; parts: StatedItem[] }>();
  for (const child of context.facts.items) {
    const own = asilOf(child);
    if (!own?.original) continue;
    const parent = parentItems(context, child).find(
      (one) => asilOf(one) && isDecomposedPart(asilOf(one)!, own),
    );
    if (!parent) continue;
    const known = byParent.get(parent.key);
    if (!known) byParent.set(parent.key, { parent, parts: [child] });
    else if (known.parts.every((part) => part.key !== child.key)) known.parts.push(child);
  }
  return [...byParent.values()].filter(({ parts }) => parts.length >= 2);
}

/** The parts of a decomposition do not add up to the level that was decomposed, or name another one in brackets. */
export function decompositionNotPermitted(context: StatedContext): readonly StatedContradiction[] {
  return decompositions(context).flatMap(({ parent, parts }): StatedContradiction[] => {
    const level = asilOf(parent)!;
    const defects = checkDecomposition(
      level,
      parts.map((part) => asilOf(part)!),
    );
    if (!defects.includes('AI-03') && !defects.includes('AI-04')) return [];
    return [
      {
        rule: 'decomposition-not-permitted',
        item: parent.key,
        asil: level.original ?? level.own,
        confidence: 'high',
        words: {
          parent: parent.id,
          level: printAsil(level),
          parts: parts.map((part) => `${part.id} ${printAsil(asilOf(part)!)}`).join(', '),
        },
        affected: [parent.id, ...parts.map(({ id }) => id)],
        evidence: [
          ...parts.flatMap((part) => shown(part, part.values.get('asil'), part.id)),
          ...shown(parent, parent.values.get('asil'), parent.id),
        ],
      },
    ];
  });
}

/** Parts of a decomposition are allocated to the same element, so they fail together. */
export function decompositionOneElement(context: StatedContext): readonly StatedContradiction[] {
  return decompositions(context).flatMap(({ parent, parts }): StatedContradiction[] => {
    const allocated = parts.filter((part) => textOf(part, 'allocation') !== '');
    const same = allocated.filter(
      (part) =>
        textOf(part, 'allocation').toLowerCase() === textOf(allocated[0]!, 'allocation').toLowerCase(),
    );
    if (same.length < 2 || same.length < parts.length) return [];
    const level = asilOf(parent)!;
    return [
      {
        rule: 'decomposition-one-element',
        item: parent.key,
        asil: level.original ?? level.own,
        confidence: 'high',
        words: {
          parent: parent.id,
          parts: same.map(({ id }) => id).join(', '),
          element: textOf(same[0]!, 'allocation'),
        },
        affected: [parent.id, ...same.map(({ id }) => id)],
        evidence: same.flatMap((part) => shown(part, part.values.get('allocation'), part.id)),
      },
    ];
  });
}
