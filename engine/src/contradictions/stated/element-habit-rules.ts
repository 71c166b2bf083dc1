import { idsIn, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import { compactTitle } from '../../words/column-titles.js';
import { allocationAgainstText, elementsOf } from './allocation-rules.js';
import { tablesOfItems } from './set-rules.js';
import {
  firstOfEach,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  textOf,
} from './stated-rule.js';

/** So many rows agree before one that does not is told, and the least share of them. Our own. */
const FEWEST = 4;
const AGREEING = 0.8;

/** Names that requirements are allocated to, the longest first. */
function allocatedNames({ facts }: StatedContext): readonly string[] {
  const names = facts.items.flatMap((item) => (item.hasId ? elementsOf(textOf(item, 'allocation')) : []));
  return [...new Set(names)].filter((name) => name.length > 1).sort((a, b) => b.length - a.length);
}

const wholeName = (names: readonly string[], before = '(?<![\\p{L}\\p{N}_-])') =>
  new RegExp(
    `${before}(${names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})(?![\\p{L}\\p{N}_-])`,
    'gu',
  );

const isSame = (a: string, b: string) => {
  const [one, other] = [compactTitle(a), compactTitle(b)];
  return one.includes(other) || other.includes(one);
};

/** Texts of a table begin with the element that does it ("BMC sets …", "Der UER sendet …"), and one is allocated to another. */
export function subjectAllocatedElsewhere(context: StatedContext): readonly StatedContradiction[] {
  const names = allocatedNames(context);
  if (names.length === 0) return [];
  const begins = new RegExp(
    wholeName(names, '^(?:(?:The|Der|Die|Das|A|An)\\s)?').source.concat(
      '(?!\\s?(?:[,/&]|(?:and|or|und|oder)\\s))',
    ),
    'u',
  );
  const told = new Set(allocationAgainstText(context).map(({ item }) => item));
  return firstOfEach(
    tablesOfItems(context.facts.items).flatMap((rows) => {
      const begun = rows.flatMap((row) => {
        const allocation = row.values.get('allocation');
        const subject = row.hasId && allocation ? begins.exec(textOf(row, 'text'))?.[1] : undefined;
        return allocation && subject !== undefined
          ? [
              {
                row,
                allocation,
                subject,
                fits: elementsOf(allocation.text).some((one) => isSame(one, subject)),
              },
            ]
          : [];
      });
      const fitting = begun.filter(({ fits }) => fits).length;
      if (fitting < FEWEST || fitting < begun.length * AGREEING) return [];
      return begun.flatMap(({ row, allocation, subject, fits }): StatedContradiction[] =>
        fits || told.has(row.key)
          ? []
          : [
              {
                rule: 'allocation-against-text',
                item: row.key,
                asil: levelOf(row),
                confidence: 'medium',
                words: { item: row.id, subject, allocated: allocation.text },
                affected: [row.id],
                evidence: [
                  ...shown(row, allocation, `${row.id}: ${allocation.title}`),
                  ...shown(row, row.values.get('text'), row.id),
                ],
              },
            ],
      );
    }),
  );
}

interface Placed {
  readonly row: StatedItem;
  readonly cell: StatedValue;
  readonly id: string;
  readonly key: string;
  readonly names: readonly string[];
  /** The allocation that a table gives it, or what refines it, with its place. */
  readonly stated: readonly { readonly item: StatedItem; readonly value: StatedValue }[];
}

/** Cells that name a requirement and its element ("FSA-03, B(D), in the UER"), and one names another element than what refines it has. */
export function elementNamedOtherwise(context: StatedContext): readonly StatedContradiction[] {
  const names = allocatedNames(context);
  if (names.length === 0) return [];
  const named = wholeName(names);
  const children = new Map<string, StatedItem[]>();
  for (const item of context.facts.items) {
    if (!item.values.has('allocation')) continue;
    for (const key of new Set([item.key, ...context.facts.parentsOf(item)]))
      children.set(key, [...(children.get(key) ?? []), item]);
  }
  return firstOfEach(
    tablesOfItems(context.facts.items).flatMap((rows) => {
      const placed = rows.flatMap((row) =>
        row.cells.flatMap((cell): Placed[] => {
          const [one, more] = idsIn(cell.text);
          if (!one || more || one.key === row.key || !cell.text.startsWith(one.id)) return [];
          const own = [...cell.text.slice(one.id.length).matchAll(named)].map(([, name]) => name!);
          const stated = (children.get(one.key) ?? [])
            .filter((item) => item !== row)
            .map((item) => ({ item, value: item.values.get('allocation')! }));
          return own.length > 0 && stated.length > 0 ? [{ row, cell, ...one, names: own, stated }] : [];
        }),
      );
      const fits = ({ names: own, stated }: Placed) =>
        own.some((name) =>
          stated.some(({ value }) => elementsOf(value.text).some((one) => isSame(one, name))),
        );
      const others = placed.filter((one) => !fits(one));
      const [other] = others;
      if (!other || others.length > 1 || placed.length - 1 < 2) return [];
      const last = other.stated.at(-1)!;
      return [
        {
          rule: 'allocation-differs',
          item: `${other.key} named`,
          asil: levelOf(last.item),
          confidence: 'medium' as const,
          words: {
            item: other.id,
            one: other.names.join(', '),
            other: `${last.value.text} (${last.item.id})`,
          },
          affected: [other.id],
          evidence: [
            ...shown(other.row, other.cell, other.id),
            ...shown(last.item, last.value, last.item.id),
          ],
        },
      ];
    }),
  );
}
