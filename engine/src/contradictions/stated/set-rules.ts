import { stateWords } from '../../facts/stated/state-words.js';
import { idsIn, prefixOf, type StatedItem } from '../../facts/stated/stated-item.js';
import { patternOf } from '../../words/read-words.js';
import {
  isGoal,
  levelOf,
  overlap,
  type StatedContext,
  type StatedContradiction,
  shown,
  stemsOf,
  textOf,
} from './stated-rule.js';

/** Rows of one table, in order of the tables. */
export function tablesOfItems(items: readonly StatedItem[]): readonly (readonly StatedItem[])[] {
  const tables = new Map<string, StatedItem[]>();
  for (const item of items) {
    if (item.table === undefined) continue;
    const name = `${item.document.id}\n${item.table}`;
    const rows = tables.get(name);
    if (rows) rows.push(item);
    else tables.set(name, [item]);
  }
  return [...tables.values()];
}

/** One id twice in one table with texts that have little in common. */
export function idTwiceInTable({ facts }: StatedContext): readonly StatedContradiction[] {
  return tablesOfItems(facts.items).flatMap((rows) => {
    const first = new Map<string, StatedItem>();
    return rows.flatMap((row): StatedContradiction[] => {
      if (!row.hasId || textOf(row, 'text') === '') return [];
      const before = first.get(row.key);
      if (!before) {
        first.set(row.key, row);
        return [];
      }
      const stems = [before, row].map((one) => stemsOf(textOf(one, 'text')));
      if (Math.min(stems[0]!.size, stems[1]!.size) < 3 || overlap(stems[0]!, stems[1]!) >= 0.5) return [];
      return [
        {
          rule: 'id-twice-in-table',
          item: `${row.key} ${row.document.id}`,
          asil: levelOf(row) ?? levelOf(before),
          confidence: 'high',
          words: { item: row.id },
          affected: [row.id],
          evidence: [
            ...shown(before, before.values.get('text'), `${row.id}, first row`),
            ...shown(row, row.values.get('text'), `${row.id}, second row`),
          ],
        },
      ];
    });
  });
}

/** A listed malfunction that no hazardous event treats, where the others are treated. */
export const malfunctionWithoutEvent = (context: StatedContext): readonly StatedContradiction[] =>
  listedWithoutEvent(context, 'malfunction-without-event', (event) => idsIn(textOf(event, 'malfunction')));

/** A function of the item is listed, and no hazardous event names it, although events name the others. */
export function functionWithoutEvent(context: StatedContext): readonly StatedContradiction[] {
  const isFunction = patternOf(stateWords().functionTitle);
  return listedWithoutEvent(context, 'function-without-event', (event) =>
    event.cells.flatMap(({ title, text }) => (isFunction.test(title.trim()) ? idsIn(text) : [])),
  );
}

function listedWithoutEvent(
  { facts }: StatedContext,
  rule: string,
  idsOf: (event: StatedItem) => readonly { readonly key: string }[],
): readonly StatedContradiction[] {
  const events = facts.items.filter((item) => item.values.has('severity') && item.table !== undefined);
  const treated = new Set(events.flatMap((event) => idsOf(event).map(({ key }) => key)));
  if (treated.size === 0) return [];
  const prefixes = new Set([...treated].map(prefixOf));
  return tablesOfItems(facts.items).flatMap((rows) => {
    const listed = rows.filter(
      (row) => row.hasId && prefixes.has(prefixOf(row.key)) && !row.values.has('severity'),
    );
    const open = listed.filter((row) => !treated.has(row.key));
    if (listed.length < 3 || open.length * 3 > listed.length) return [];
    return open.flatMap((row): StatedContradiction[] => {
      const other = row.cells.some(({ text }) =>
        idsIn(text).some(({ key }) => key !== row.key && prefixes.has(prefixOf(key))),
      );
      const said = [...row.cells].sort((a, b) => b.text.length - a.text.length)[0];
      // "none: nobody is hurt"
      const isExcused = row.cells.some(({ text }) => patternOf(stateWords().excused).test(text));
      if (other || isExcused || !said) return [];
      return [
        {
          rule,
          item: row.key,
          confidence: 'medium',
          words: {
            item: row.id,
            treated: String(listed.length - open.length),
            listed: String(listed.length),
          },
          affected: [row.id],
          evidence: [...shown(row, row.cells[0], row.id), ...shown(row, said, row.id)].slice(
            0,
            row.cells[0] === said ? 1 : 2,
          ),
        },
      ];
    });
  });
}

/** Rows of a table that show what it treats instead. */
const SHOWN_ROWS = 3;

/** The warning and degradation concept leaves one goal out. */
export function goalWithoutDegradation({ facts }: StatedContext): readonly StatedContradiction[] {
  const goals = [...facts.byKey.values()].flatMap((same) => {
    const goal = same.find((item) => item.values.has('asil') && isGoal(item));
    return goal && levelOf(goal) !== 'QM' ? [goal] : [];
  });
  return tablesOfItems(facts.items).flatMap((rows) => {
    if (!rows.some((row) => row.values.has('degradation') || row.values.has('warning'))) return [];
    if (rows.some((row) => row.values.has('asil') || row.values.has('severity'))) return [];
    const named = new Set(
      rows.flatMap((row) => row.cells.flatMap(({ text }) => idsIn(text).map(({ key }) => key))),
    );
    const treated = goals.filter(({ key }) => named.has(key));
    if (treated.length < 2) return [];
    return goals
      .filter(({ key }) => !named.has(key))
      .map((goal): StatedContradiction => {
        return {
          rule: 'goal-without-degradation',
          item: goal.key,
          asil: levelOf(goal),
          confidence: 'medium',
          words: { goal: goal.id, treated: treated.map(({ id }) => id).join(', ') },
          affected: [goal.id],
          evidence: [
            ...shown(goal, goal.values.get('text') ?? goal.cells[0], goal.id),
            ...rows
              .slice(0, SHOWN_ROWS)
              .flatMap((row) =>
                shown(row, row.values.get('degradation') ?? row.values.get('warning'), `treated: ${row.id}`),
              ),
          ],
        };
      });
  });
}
