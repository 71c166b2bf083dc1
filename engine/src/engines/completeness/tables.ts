import { templateTablesOf } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { headingScore, headingTokens } from '../../corpus/passages/headings.js';
import { cellText, type TableRow } from '../../corpus/passages/tables.js';
import { isFilled } from '../../corpus/placeholders/emptiness.js';
import { findPlaceholders } from '../../corpus/placeholders/find-placeholders.js';
import type { MatchedTable } from '../../corpus/template-columns.js';
import type { TemplateColumn, TemplateTable } from '../../document-types/document-type.js';
import { columnNames, tableWords } from '../../document-types/template-words.js';
import { owesNothing, readRows, type TemplateRow } from '../../facts/table-rows.js';
import type { Evidence } from '../../findings/finding.js';
import { isNotNeeded, isOnlyView, saidOtherwise } from '../../judgement/columns-in-other-forms.js';
import { rowName } from '../../judgement/probe-columns.js';
import { say } from '../../sentences/sentence.js';
import { patternOf } from '../../words/read-words.js';
import type { ColumnResult, SectionResult, TableResult } from './completeness.js';
import type { CheckContext, CheckedPart } from './context.js';
import { completenessRules } from './rules.js';

const QUOTES = 3;

/** The tables of a template in a document: columns that are missing, cells that say nothing (EM-03 to EM-05). */
export function checkTables(
  checked: CheckedPart,
  sections: readonly SectionResult[],
  context: CheckContext,
): readonly TableResult[] {
  const { document, type } = checked;
  const matches = ownTablesOf(checked, context);
  const { read } = document;
  return type.tables.map((template): TableResult => {
    const alike = matches.filter((match) => match.template === template);
    const own = isOnlyView(context.corpus, checked.part, template, alike) ? [] : alike;
    const rows = own.flatMap((match) => readRows(document, match)).filter(({ row }) => !isBlank(row));
    const columns = template.columns.map((column) =>
      columnOf(column, { checked, template, own, rows, sections, context }),
    );
    const header = own[0]?.table.headerBlocks[0];
    const cell =
      header === undefined
        ? undefined
        : read.document.blocks[header]!.cells?.find((one) => one.text.trim() !== '');
    const evidence =
      header === undefined || !cell
        ? []
        : [
            quote(read.document, read.passages[header]!, cell, {
              role: 'context',
              note: say('completeness.header-of-a-table-read-as', { title: tableWords(template.title) }),
            }),
          ];
    const state = own.length === 0 ? 'not_found' : rows.length === 0 ? 'no_rows' : 'found';
    return { key: template.key, title: template.title, state, rows: rows.length, columns, evidence };
  });
}

/** Tables that are those of this template rather than of another one of the same document. */
export function ownTablesOf(
  { document, part }: CheckedPart,
  { corpus }: CheckContext,
): readonly MatchedTable[] {
  const others = document.parts
    .filter((one) => one !== part && one.whole)
    .flatMap((one) => templateTablesOf(corpus, one));
  return templateTablesOf(corpus, part).filter(
    (match) =>
      !others.some((other) => other.table === match.table && other.columns.size > match.columns.size),
  );
}

function columnOf(
  column: TemplateColumn,
  {
    checked,
    template,
    own,
    rows,
    sections,
    context,
  }: {
    readonly checked: CheckedPart;
    readonly template: TemplateTable;
    readonly own: readonly MatchedTable[];
    readonly rows: readonly TemplateRow[];
    readonly sections: readonly SectionResult[];
    readonly context: CheckContext;
  },
): ColumnResult {
  const title = column.names[0]!;
  const isThere = own.some((match) => match.columns.has(column.key));
  const base = { key: column.key, title, required: column.required && (isThere || !column.mayBeAbsent) };
  if (!isThere) {
    const absent = { part: checked.part, template, column, own };
    const isTold = () =>
      isTreated(column, checked, sections) ||
      isSaidBy(template, column, own) ||
      isNotNeeded(context.corpus, absent) ||
      isAnswered(column, rows) ||
      saidOtherwise(context.corpus, absent) !== undefined;
    const state = own.length > 0 && isTold() ? 'elsewhere' : 'missing';
    return { ...base, state, emptyCells: 0, emptyRows: [], evidence: [] };
  }
  const empty = rows.filter((entry) => entry.match.columns.has(column.key) && saysNothing(column.key, entry));
  const evidence = empty.slice(0, QUOTES).flatMap((entry) => emptyCellEvidence(title, entry, checked));
  const emptyRows = empty.map(({ row }) => rowName(row));
  return { ...base, state: 'present', emptyCells: empty.length, emptyRows, evidence };
}

/** Another column of the table says the same. */
const isSaidBy = (template: TemplateTable, { key }: TemplateColumn, own: readonly MatchedTable[]): boolean =>
  template.columns.some(
    ({ key: other, sameAs }) =>
      sameAs === `${template.key}.${key}` && own.some(({ columns }) => columns.has(other)),
  );

/** What other cells say makes an empty one an answer, in every row: all tests passed, so there is no defect. */
function isAnswered({ key }: TemplateColumn, rows: readonly TemplateRow[]): boolean {
  const answers = completenessRules().emptyIsAnswer.filter(({ column }) => column === key);
  return (
    rows.length > 0 &&
    answers.some(({ when, says }) =>
      rows.every(({ match, row }) =>
        (match.columns.get(when) ?? []).some((place) => patternOf(says).test(cellText(row, place))),
      ),
    )
  );
}

/** A row that a form keeps for later: nothing in it, or only a prepared first cell. */
function isBlank(row: TableRow): boolean {
  const filled = [...row.cells.values()].filter((cell) => isFilled(cell.text));
  return (
    filled.length === 0 ||
    (filled.length === 1 && row.cells.size > 2 && /^\s*\d+\.?\s*$/.test(filled[0]!.text))
  );
}

/** The cells of a column say nothing, and no other cell of the row makes that an answer (traps of domain D.4). */
function saysNothing(key: string, { match, row }: TemplateRow): boolean {
  const { emptyIsAnswer, fillersAreAnswers } = completenessRules();
  const places = match.columns.get(key)!;
  if ((row.under && places.includes(0)) || owesNothing({ match, row }, key)) return false;
  if (places.some((place) => isFilled(cellText(row, place), match.table.columns[place]))) return false;
  // Open content is a gap of its own, with its words.
  if (places.some((place) => findPlaceholders(cellText(row, place)).length > 0)) return false;
  const isBlankCell = places.every((place) => cellText(row, place) === '');
  if (!isBlankCell && fillersAreAnswers.includes(key)) return false;
  return !emptyIsAnswer.some(
    ({ column, when, says }) =>
      column === key &&
      (match.columns.get(when) ?? []).some((place) => patternOf(says).test(cellText(row, place))),
  );
}

/** An empty cell has no words to quote: the row is shown by its first filled cell. */
function emptyCellEvidence(title: string, { row }: TemplateRow, { document }: CheckedPart): Evidence[] {
  const { read } = document;
  const cell = [...row.cells.values()].find((one) => one.text.trim() !== '');
  if (!cell) return [];
  return [
    quote(read.document, read.passages[row.block]!, cell, {
      role: 'counter',
      note: say('completeness.of-this-row-says-nothing', { title: columnNames(title) }),
    }),
  ];
}

/** A section of its own holds what the column would: "Allocation" beside a table without that column. */
function isTreated(
  column: TemplateColumn,
  { type }: CheckedPart,
  sections: readonly SectionResult[],
): boolean {
  const titles = column.names.map(headingTokens);
  return sections.some((section) => {
    if (section.state !== 'complete') return false;
    const template = type.sections.find((one) => one.key === section.key)!;
    if (template.key === column.key) return true;
    return [template.heading.en, template.heading.de].some((name) =>
      titles.some((title) => headingScore(headingTokens(name), title) === 1),
    );
  });
}
