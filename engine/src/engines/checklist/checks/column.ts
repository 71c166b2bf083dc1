import { z } from 'zod';
import { readAsilAttribute } from '../../../asil/asil-attribute.js';
import { partsOfTypes } from '../../../corpus/corpus.js';
import { columnNames, tableWords } from '../../../document-types/template-words.js';
import type { Cell } from '../../../documents/document.js';
import { readRating } from '../../../facts/field.js';
import { parseDate } from '../../../facts/parse-date.js';
import { isPersonName } from '../../../facts/person-names.js';
import { beginning, contentWords } from '../../../facts/stated/content-words.js';
import {
  cellOf,
  hasValue,
  isUnrated,
  nameOfRow,
  owesNothing,
  rowsOf,
  type TemplateRow,
  tablesFor,
  type WantedTable,
} from '../../../facts/table-rows.js';
import type { Evidence } from '../../../findings/finding.js';
import { type Prose, say } from '../../../sentences/sentence.js';
import { type ItemContext, namesOfTypes } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { columns, expression, key, share } from '../parameters.js';
import { quoteCell } from '../quotes.js';

/** Rows whose value in another column of the table is of this form. */
const rowFilter = z.strictObject({ column: key, matches: expression });
/**
 * The columns are filled in at least `filled` percent of the rows. Of the columns that are found each must be;
 * `value` says what counts as a value. `where` and `except` choose rows by another column of the table.
 */
const parameters = {
  of: columns.min(1),
  filled: share.default(100),
  value: z.enum(['anything', 'rating', 'asil', 'person', 'date', 'number']).default('anything'),
  /** Least number of words of a value. */
  words: z.int().min(1).optional(),
  /** Of a rationale of severity or exposure, fewer words are enough where one of them is that of a reason. */
  reasons: z.literal(true).optional(),
  where: rowFilter.optional(),
  except: rowFilter.optional(),
  /** "None" is a value: that nothing more is needed was decided. */
  decided: z.literal(true).optional(),
  /** Leave rows of QM out: they owe no goal, no safe state. */
  rated: z.literal(true).optional(),
};
type Check = CheckParameters<typeof parameters>;

export const column = defineCheck('column', parameters, checkColumn);

const QUOTES = 3;

/** The columns are filled, with values of the kind, in enough of the rows that they belong to. */
function checkColumn(check: Check, context: ItemContext): Outcome {
  const tables = tablesFor(context, check.of);
  if (tables.length === 0) return noTable(check, context);
  const keysFound = new Set(
    tables.flatMap(({ match, keys }) => keys.filter((key) => match.columns.has(key))),
  );
  const wanted = new Set(tables.flatMap(({ keys }) => keys));
  const absent = [...wanted].filter((key) => !keysFound.has(key));
  if (keysFound.size === 0) return noColumn(tables, absent);

  const left: TemplateRow[] = [];
  const cells: { readonly row: TemplateRow; readonly key: string; readonly met: boolean }[] = [];
  for (const table of tables) {
    const keys = table.keys.filter((key) => table.match.columns.has(key));
    if (keys.length === 0) continue;
    for (const row of rowsOf(context, table)) {
      if (isLeftOut(check, row)) left.push(row);
      else
        for (const key of keys) {
          const met = isMet(check, row, key);
          if (met || !owesNothing(row, key)) cells.push({ row, key, met });
        }
    }
  }
  if (cells.length === 0) return left.length > 0 ? onlyLeftOut(check, left) : noColumn(tables, [...wanted]);

  const unmet = cells.filter((one) => !one.met);
  const isShort = [...keysFound].some((key) => {
    const own = cells.filter((one) => one.key === key);
    return own.filter((one) => one.met).length * 100 < own.length * check.filled;
  });
  const rows = new Set(cells.map((one) => one.row.row)).size;
  const badRows = new Set(unmet.map((one) => one.row.row)).size;
  const instances = { met: rows - badRows, total: rows };
  const affected = [...new Set(unmet.map((one) => nameOfRow(one.row)))];
  if (isShort || absent.length > 0) {
    const isTooShort = unmet.every(isShortOf(check)) && absent.length === 0;
    const noColumnFor = (key: string) =>
      say('checks.no-column-for', { title: columnNames(titleOf(tables, key)) });
    return outcome('fail', unmet.length > 0 ? 'high' : 'medium', {
      rules: [isShort ? (isTooShort ? 'column-too-short' : 'column-not-filled') : 'column-missing'],
      reason: say(isTooShort ? 'checks.column-short' : 'checks.column-open', {
        words: check.words ?? 0,
        unmet: unmet.length,
        bad: badRows,
        rows,
        named: affected.slice(0, 5),
        absent: absent.length,
        titles: absent.map(noColumnFor),
        first: absent.slice(0, 1).map((key) => columnNames(titleOf(tables, key))),
        others: absent.slice(1).map(noColumnFor),
      }),
      evidence:
        unmet.length > 0
          ? unmet.slice(0, QUOTES).flatMap((one) => quoteUnmet(check, one))
          : quoteHeader(tables, noColumnFor(absent[0]!)),
      instances,
      affected,
    });
  }
  const met = cells.filter((one) => one.met);
  return outcome('pass', 'high', {
    rules: ['column-filled'],
    reason:
      unmet.length > 0
        ? say('checks.rows-with-a-value-of-enough', { met: instances.met, rows, filled: check.filled })
        : say('checks.rows-with-a-value-of', { rows }),
    evidence: [...keysFound]
      .flatMap((key) => met.filter((one) => one.key === key).slice(0, keysFound.size > 1 ? 1 : 2))
      .map(({ row, key }) =>
        quoteCell(row.document, withBlock(row, cellOf(row, key)!), {
          role: 'support',
          note: say('checks.cell-of-row', { key: columnNames(titleOf(tables, key)), row: nameOfRow(row) }),
        }),
      ),
    instances,
  });
}

function isLeftOut({ where, except, rated }: Check, row: TemplateRow): boolean {
  const says = (filter: NonNullable<Check['where']>) =>
    new RegExp(filter.matches, 'iu').test(cellOf(row, filter.column)?.text.trim() ?? '');
  if (rated && isUnrated(row)) return true;
  return (where !== undefined && !says(where)) || (except !== undefined && says(except));
}

/** A text is there, only shorter than asked for. */
const isShortOf =
  ({ words, value }: Check) =>
  ({ row, key }: { readonly row: TemplateRow; readonly key: string }): boolean =>
    words !== undefined && value === 'anything' && hasValue(row, cellOf(row, key));

/** Fewer words say at most that another place gives the reason. */
const FEWEST_OF_REASON = 3;

function givesReason(key: string, text: string): boolean {
  const { reasons } = contentWords().hazards;
  const words =
    key === 'severity_rationale' ? reasons.severity : key === 'exposure_rationale' ? reasons.exposure : [];
  return words.length > 0 && countWords(text) >= FEWEST_OF_REASON && beginning(words).test(text);
}

/** A compound says what two words do: "Frontalaufprall". */
const COMPOUND = 12;
const countWords = (text: string) =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).reduce((count, word) => count + (word.length < COMPOUND ? 1 : 2), 0);

function isMet({ value, words, reasons, decided }: Check, row: TemplateRow, key: string): boolean {
  const cell = cellOf(row, key);
  if (decided && NONE.test(cell?.text ?? '')) return true;
  if (!hasValue(row, cell)) return false;
  if (words !== undefined && countWords(cell.text) < words && !(reasons && givesReason(key, cell.text)))
    return false;
  switch (value) {
    case 'anything':
      return true;
    case 'rating':
      return readRating(cell.text) !== undefined;
    case 'asil':
      return readAsilAttribute(cell.text).kind === 'stated';
    case 'person':
      return isPersonName(cell.text);
    case 'date':
      return parseDate(cell.text) !== undefined;
    case 'number':
      return /\d/.test(cell.text);
  }
}

const NONE = /^\s*(?:none|no|keine?[nrs]?)(?![\p{L}-])/iu;

const withBlock = ({ row }: TemplateRow, { start, end }: Cell) => ({ block: row.block, start, end });

/** The value that is none; where the cell is empty, the row by its first words. */
function quoteUnmet(check: Check, { row, key }: { row: TemplateRow; key: string }): readonly Evidence[] {
  const title = row.match.template.columns.find((one) => one.key === key)?.names[0] ?? key;
  const own = cellOf(row, key);
  const cell =
    own && own.text.trim() !== '' ? own : [...row.row.cells.values()].find((one) => one.text.trim() !== '');
  if (!cell) return [];
  const why =
    cell === own && check.words !== undefined
      ? say('checks.fewer-than-words', { words: check.words })
      : cell === own
        ? say('checks.no-such-value')
        : say('checks.says-nothing');
  return [
    quoteCell(row.document, withBlock(row, cell), {
      role: 'counter',
      note: say('checks.reason-of-cell', { title: columnNames(title), why }),
    }),
  ];
}

function quoteHeader(tables: readonly WantedTable[], note: Prose): readonly Evidence[] {
  return tables.slice(0, 2).flatMap(({ document, match }) => {
    const block = match.table.headerBlocks[0] ?? match.table.rows[0]?.block;
    const cell =
      block === undefined
        ? undefined
        : document.read.document.blocks[block]!.cells?.find((one) => one.text.trim() !== '');
    return block === undefined || !cell
      ? []
      : [quoteCell(document, { block, start: cell.start, end: cell.end }, { role: 'counter', note })];
  });
}

function titleOf(tables: readonly WantedTable[], key: string): string {
  const template = tables.find(({ keys }) => keys.includes(key))?.match.template;
  return template?.columns.find((one) => one.key === key)?.names[0] ?? key;
}

/** Every row is one of those that owe nothing: the rating says so. */
function onlyLeftOut(check: Check, rows: readonly TemplateRow[]): Outcome {
  const cells = rows.slice(0, QUOTES).flatMap((row) => {
    const key = check.rated ? 'asil' : (check.where ?? check.except)?.column;
    const cell = key === undefined ? undefined : cellOf(row, key);
    return cell && cell.text.trim() !== ''
      ? [
          quoteCell(row.document, withBlock(row, cell), {
            role: 'context',
            note: say('checks.the-row-owes-nothing'),
          }),
        ]
      : [];
  });
  return outcome(cells.length > 0 ? 'na' : 'open', 'medium', {
    rules: ['no-row-concerned'],
    reason: say('checks.none-of-the-rows-is-concerned', { rows: rows.length }),
    evidence: cells,
  });
}

function noColumn(tables: readonly WantedTable[], absent: readonly string[]): Outcome {
  const titles = absent.map((key) => say('general.quoted', { text: columnNames(titleOf(tables, key)) }));
  return outcome('missing', 'medium', {
    rules: ['column-missing'],
    reason: say('checks.the-table-has-no-column-for', {
      title: tableWords(tables[0]!.match.template.title),
      titles,
    }),
    evidence: quoteHeader(tables, say('checks.columns-of-the-table')).map((one) => ({
      ...one,
      role: 'context' as const,
    })),
    terms: absent.map((key) => titleOf(tables, key)),
  });
}

function noTable(check: Check, context: ItemContext): Outcome {
  const types = [...new Set(check.of.map((reference) => reference.split('.')[0]!))];
  const there = partsOfTypes(context.corpus, types).length > 0;
  const names = check.of.map((reference) => {
    const [type, table, key] = reference.split('.') as [string, string, string];
    const template = context.corpus.documentTypes.get(type)?.tables.find((one) => one.key === table);
    return template?.columns.find((one) => one.key === key)?.names[0] ?? key;
  });
  return outcome('missing', there ? 'medium' : 'high', {
    rules: [there ? 'no-such-table' : 'no-document-of-the-type'],
    reason: there
      ? say('checks.no-table-in-the-has-the', {
          types: namesOfTypes(context, types),
          names: names.map((text) => say('general.quoted', { text: columnNames(text) })),
        })
      : say('checks.no-document-of-types', { types: namesOfTypes(context, types) }),
    terms: names,
  });
}
