import { contentWords } from '../../facts/stated/content-words.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';
import { isShortFor } from './renumbering-rules.js';
import { tablesOfItems } from './set-rules.js';
import {
  firstOfEach,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
} from './stated-rule.js';

interface Crossed {
  readonly row: StatedItem;
  readonly crosses: readonly StatedValue[];
}

/** A row with crosses under the names of elements: every cell but its id and its text is a mark. */
function crossedRow(row: StatedItem): Crossed | undefined {
  const { marks } = stateWords();
  const isSet = ({ text }: StatedValue) => marks.set.includes(text.trim());
  const others = row.cells.filter((cell) => cell !== row.values.get('id') && cell !== row.values.get('text'));
  const crosses = others.filter(isSet);
  const areMarks = others.every((cell) => isSet(cell) || marks.unset.includes(cell.text.trim()));
  return row.hasId && areMarks && crosses.length > 0 ? { row, crosses } : undefined;
}

/** A table of crosses gives a requirement to one element, and its text demands it of another one of the same table. */
export function crossAgainstText({ facts }: StatedContext): readonly StatedContradiction[] {
  const ends = patternOf(contentWords().requirements.subjectEnds);
  return firstOfEach(
    tablesOfItems(facts.items).flatMap((rows) => {
      const crossed = rows.flatMap((row) => crossedRow(row) ?? []);
      if (crossed.length < 2 || crossed.length < rows.length - 1) return [];
      const { document, table, values } = crossed[0]!.row;
      const own = [values.get('id')?.title, values.get('text')?.title];
      const titles = document.read.tables[table!]!.columns.flatMap((title) =>
        title === undefined || own.includes(title) ? [] : [title],
      );
      const stems = titles.map(stemsOf);
      const telling = (text: string) =>
        [...stemsOf(text)].filter((stem) => stems.filter((one) => one.has(stem)).length < 2);
      return crossed.flatMap(({ row, crosses }): StatedContradiction[] => {
        const text =
          row.values.get('text') ??
          (facts.byKey.get(row.key) ?? []).find((one) => one.values.has('text'))?.values.get('text');
        const at = text ? text.text.search(ends) : -1;
        const subject = text && at > 0 ? text.text.slice(0, at).trim() : '';
        const words = telling(subject);
        if (!text || words.length === 0 || words.length > 4) return [];
        const fits = (title: string) => {
          const named = telling(title);
          return (
            named.length > 0 && (named.every((stem) => words.includes(stem)) || isShortFor(subject, title))
          );
        };
        const isCrossed = (title: string) => crosses.some((cross) => cross.title === title);
        if (titles.some((title) => isCrossed(title) && fits(title))) return [];
        if (!titles.some((title) => !isCrossed(title) && fits(title))) return [];
        const source =
          (facts.byKey.get(row.key) ?? [row]).find((one) => one.values.get('text') === text) ?? row;
        return [
          {
            rule: 'allocation-against-text',
            item: row.key,
            asil: levelOf(row) ?? levelOf(source),
            confidence: 'medium',
            words: { item: row.id, subject, allocated: crosses.map(({ title }) => title).join(', ') },
            affected: [row.id],
            evidence: [
              ...crosses.flatMap((cross) => shown(row, cross, `${row.id}: ${cross.title}`)),
              ...shown(source, text, row.id),
            ],
          },
        ];
      });
    }),
  );
}
