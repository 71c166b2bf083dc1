import { personNamesIn } from '../../facts/person-names.js';
import { recordWords } from '../../facts/stated/record-words.js';
import { idsIn, prefixOf, type StatedItem, type StatedValue } from '../../facts/stated/stated-item.js';
import { readResult } from '../../facts/test-result.js';
import { anyOf } from '../../words/read-words.js';
import { tablesOfItems } from './set-rules.js';
import {
  firstOfEach,
  higherLevel,
  levelOf,
  type StatedContext,
  type StatedContradiction,
  shown,
  tested,
  textOf,
} from './stated-rule.js';

const FEWEST_ROWS = 4;
/** A dash, or a word that says that it is still to come. */
const DASH =
  /^(?:[-–—/.\s]*|tb[dcn]\.?|t\.\s?b\.\s?[dcn]\.?|\?+|x{2,}|offen|to be (?:defined|added|done))$/iu;
/** Cells of one row that were left empty together. */
const MOST_EMPTY = 2;
/** A column of reasons or measures holds words; one of names and marks may be empty for many reasons. */
const isSentence = (text: string) => /(?:\S+\s+){2}\S/u.test(text);

/** One cell is empty in a column of sentences that all other rows fill, in a row that is full otherwise. */
export function cellLeftEmpty({ facts }: StatedContext): readonly StatedContradiction[] {
  const isRemark = anyOf(recordWords().remarkTitles);
  const isDone = new RegExp(recordWords().used, 'iu');
  return firstOfEach(
    tablesOfItems(facts.items).flatMap((rows) => {
      if (rows.length < FEWEST_ROWS || rows.some(({ passage }) => passage.role === 'history')) return [];
      const titles = [...new Set(rows.flatMap(({ cells }) => cells.map(({ title }) => title)))].filter(
        (title) => title !== '' && !isRemark.test(title),
      );
      const cellOf = (row: StatedItem, title: string): StatedValue | undefined =>
        row.cells.find((cell) => cell.title === title);
      const isEmpty = (row: StatedItem, title: string) => DASH.test(cellOf(row, title)?.text ?? '');
      // A merged cell is none of its own.
      const isThere = (row: StatedItem, title: string) => {
        const { read } = row.document;
        const column = read.tables[row.table!]?.columns.indexOf(title);
        return (
          read.document.blocks[row.passage.blockIndex]!.cells?.some(
            (cell) => cell.column === column && DASH.test(cell.text),
          ) ?? false
        );
      };
      const isOfPeople = rows.filter(({ cells }) =>
        cells.some(({ text }) => text.length <= LONGEST_NAME && personNamesIn(text).length > 0),
      );
      if (isOfPeople.length * 2 > rows.length) return [];
      return titles.flatMap((title): StatedContradiction[] => {
        const empty = rows.filter((row) => isEmpty(row, title));
        const [row] = empty;
        const filled = rows.filter((one) => one !== row).map((one) => cellOf(one, title)?.text ?? '');
        if (
          !row ||
          empty.length > 1 ||
          !isThere(row, title) ||
          titles.filter((other) => isEmpty(row, other)).length > MOST_EMPTY ||
          titles.some(
            (other) =>
              other !== title &&
              isEmpty(row, other) &&
              rows.some((one) => one !== row && isEmpty(one, other)),
          )
        )
          return [];
        // What is done in full needs no reason.
        if (isDone.test(textOf(row, 'decision').trim())) return [];
        const isMeasured =
          row.values.has('result') &&
          readResult(textOf(row, 'result')) === 'pass' &&
          filled.every((text) => /\d/u.test(text));
        if (!isMeasured && filled.filter(isSentence).length < filled.length * MOST) return [];
        return [
          {
            rule: 'cell-left-empty',
            item: `${row.key} ${title} ${row.document.id}`,
            asil: levelOf(row),
            confidence: 'medium',
            words: { item: row.id, column: title, count: filled.length },
            affected: [row.id],
            evidence: [
              ...shown(row, row.cells[0], row.id),
              ...shown(row, cellOf(row, title), `${row.id}: ${title}`),
            ],
          },
        ];
      });
    }),
  );
}
const LONGEST_NAME = 60;
/** Share of the other cells that are sentences. Our own. */
const MOST = 0.7;

/** Least share of planned tests that a report has results of, where the rest is told. Our own. */
const REPORTED = 0.8;
const MOST_MISSING = 2;

/** A report has results of nearly all tests of a specification, and of one or two none. */
export function plannedTestWithoutResult(context: StatedContext): readonly StatedContradiction[] {
  const { facts } = context;
  const planned = new Map<StatedItem['document'], StatedItem[]>();
  for (const item of facts.items) {
    if (!item.hasId || !item.values.has('expected') || item.values.has('result')) continue;
    planned.set(item.document, [...(planned.get(item.document) ?? []), item]);
  }
  const reports = tablesOfItems(facts.items.filter(({ hasId, values }) => hasId && values.has('result')));
  return firstOfEach(
    [...planned].flatMap(([document, tests]) => {
      const keys = new Set(tests.map(({ key }) => key));
      return reports.flatMap((rows): StatedContradiction[] => {
        const report = rows[0]!.document;
        const done = new Set(rows.map(({ key }) => key).filter((key) => keys.has(key)));
        if (report === document || done.size < FEWEST_ROWS || done.size < keys.size * REPORTED) return [];
        const prefixes = new Set([...done].map(prefixOf));
        const named = new Set(report.read.passages.flatMap(({ text }) => idsIn(text).map(({ key }) => key)));
        const missing = tests.filter(({ key }) => !named.has(key) && prefixes.has(prefixOf(key)));
        const ids = [...new Set(missing.map(({ id }) => id))];
        // What another document has results of is no gap.
        const isElsewhere = missing.some(({ key }) =>
          reports.some((other) => other !== rows && other.some((one) => one.key === key)),
        );
        if (ids.length === 0 || ids.length > MOST_MISSING || isElsewhere) return [];
        return [
          {
            rule: 'planned-test-without-result',
            item: `${ids.join(',')} ${report.id}`,
            asil: missing
              .flatMap((test) => [test, ...tested(context, test)])
              .map(levelOf)
              .reduce(higherLevel, undefined),
            confidence: 'high',
            words: { tests: ids, done: done.size, document: report.name },
            affected: ids,
            evidence: missing.flatMap((test) => shown(test, test.values.get('id') ?? test.cells[0], test.id)),
          },
        ];
      });
    }),
  );
}
