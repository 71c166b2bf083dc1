import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** `FSR-1@2`, `Msg.Order@2`, `req~order~2`, `FSR-1 [version==2]`: an id with the version that is meant. */
const WITH_VERSION =
  /([\p{L}\p{N}][\p{L}\p{N}_.~-]*?)(?:[@~](\d+)|\s?\[version==?(\d+)\])(?![\p{L}\p{N}_.])/gu;
const WHOLE = /^\d+$/;

/** A reference names a version of its target that the target does not have. */
export function referenceOtherVersion({ facts }: StatedContext): readonly StatedContradiction[] {
  const versioned = facts.items.filter((item) => WHOLE.test(item.values.get('version')?.text.trim() ?? ''));
  if (versioned.length === 0) return [];
  const byId = new Map<string, StatedItem[]>();
  // Within its package a record is called by its own name.
  for (const item of versioned)
    for (const name of new Set([item.id, item.id.replace(/^.*\./, '')]))
      byId.set(name, [...(byId.get(name) ?? []), item]);
  const told = new Map<string, { target: StatedItem; named: string; by: [StatedItem, StatedValue][] }>();
  for (const item of facts.items) {
    for (const value of item.cells) {
      for (const [, id = '', at, inBrackets] of value.text.matchAll(WITH_VERSION)) {
        const targets = byId.get(id) ?? [];
        const named = at ?? inBrackets ?? '';
        const [target] = targets;
        if (target === undefined || new Set(targets.map((one) => one.id)).size > 1) continue;
        if (targets.some((one) => Number(versionOf(one)) === Number(named))) continue;
        const key = `${target.id} ${named}`;
        const known = told.get(key) ?? { target, named, by: [] };
        told.set(key, { ...known, by: [...known.by, [item, value]] });
      }
    }
  }
  return firstOfEach(
    [...told].map(([key, { target, named, by }]): StatedContradiction => {
      const items = [...new Set(by.map(([item]) => item.id))];
      return {
        rule: 'reference-other-version',
        item: key,
        confidence: 'high',
        words: { items, target: target.id, named, version: versionOf(target) },
        affected: [...items, target.id],
        evidence: [
          ...by.flatMap(([item, value]) => shown(item, value, item.id)),
          ...shown(target, target.values.get('version'), target.id),
        ],
      };
    }),
  );
}

const versionOf = (item: StatedItem): string => item.values.get('version')!.text.trim();
