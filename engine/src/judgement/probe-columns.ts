import { type Corpus, documentOf, isWithin, templateTablesOf } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { quote } from '../corpus/evidence.js';
import { headingTokens } from '../corpus/passages/headings.js';
import type { TableRow } from '../corpus/passages/tables.js';
import { isFilled } from '../corpus/placeholders/emptiness.js';
import type { MatchedTable } from '../corpus/template-columns.js';
import type { TemplateColumn, TemplateTable } from '../document-types/document-type.js';
import { owesNothing } from '../facts/table-rows.js';
import type { Evidence } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import { saidOtherwise } from './columns-in-other-forms.js';

/** One wanted column of a template table as the documents have it. */
export interface ColumnState {
  /** `<document type>.<table>.<column>` */
  readonly reference: string;
  /** For a person. */
  readonly title: string;
  /** Title of the template's table, for a person. */
  readonly table: string;
  /** False for a column that only numbers the rows: alone it shows nothing. */
  readonly telling: boolean;
  /** All titles that mean the column. */
  readonly names: readonly string[];
  readonly filledRows: number;
  readonly emptyRows: number;
  /** True when a table of the kind exists and lacks the column. */
  readonly missing: boolean;
  /** Values, or the rows without one. */
  readonly evidence: readonly Evidence[];
  /** Names of rows without a value, for a person. */
  readonly openRows: readonly string[];
  /** The same of all rows. */
  readonly allOpenRows: readonly string[];
}

const VALUES_QUOTED = 2;
const ROWS_NAMED = 5;

/**
 * Looks for the wanted columns in the tables of the parts that are of their type. Columns of types of which no
 * part is given are left out: a report of another kind cannot have them.
 */
export function probeColumns(
  corpus: Corpus,
  references: readonly string[],
  home: readonly DocumentPart[],
): readonly ColumnState[] {
  const found = references.flatMap((reference): ColumnState[] => {
    const [typeId, tableKey, columnKey] = reference.split('.') as [string, string, string];
    const parts = home.filter((part) => part.typeId === typeId);
    if (parts.length === 0) return [];
    const template = corpus.documentTypes.get(typeId)?.tables.find((table) => table.key === tableKey);
    const column = template?.columns.find((one) => one.key === columnKey);
    const states = parts.flatMap((part) =>
      templateTablesOf(corpus, part).flatMap((match) => {
        const own =
          match.template.key === tableKey ? columnState(corpus, part.documentId, match, columnKey) : [];
        const other = own.length > 0 ? undefined : saying(match, tableKey, columnKey);
        return other === undefined ? own : columnState(corpus, part.documentId, match, other);
      }),
    );
    if (states.length === 0)
      states.push(...parts.flatMap((part) => fieldStates(corpus, part, column?.names ?? [])));
    if (states.length === 0 && template && column)
      states.push(...parts.flatMap((part) => otherStates(corpus, part, { template, column })));
    return [
      {
        reference,
        title: column?.names[0] ?? columnKey,
        names: column?.names ?? [],
        table: template?.title ?? tableKey,
        telling: columnKey !== 'id',
        filledRows: sum(states.map((state) => state.filledRows)),
        emptyRows: sum(states.map((state) => state.emptyRows)),
        missing: states.length === 0,
        evidence: states.flatMap((state) => state.evidence).slice(0, VALUES_QUOTED + 1),
        openRows: states.flatMap((state) => state.openRows).slice(0, ROWS_NAMED),
        allOpenRows: states.flatMap((state) => state.openRows),
      },
    ];
  });
  // A finding list may be that of a review record or of a verification report: one of them is enough.
  const nameOf = ({ reference }: ColumnState) => reference.slice(reference.indexOf('.') + 1);
  const there = new Set(found.filter(({ missing }) => !missing).map(nameOf));
  return found.filter((column) => !column.missing || !there.has(nameOf(column)));
}

/** The column of another table of the template that says the same. */
const saying = ({ template }: MatchedTable, table: string, column: string): string | undefined =>
  template.columns.find(({ sameAs }) => sameAs === `${table}.${column}`)?.key;

function columnState(corpus: Corpus, documentId: string, match: MatchedTable, columnKey: string) {
  const grid = match.columns.get(columnKey);
  if (!grid) return [];
  const { read } = documentOf(corpus, documentId);
  const filled: { row: TableRow; column: number }[] = [];
  const open: TableRow[] = [];
  for (const row of match.table.rows) {
    if (corpus.otherItem.has(read.passages[row.block]!.id)) continue;
    if (isSpacer(match, row) || (row.under && grid.includes(0))) continue;
    const column = grid.find((at) => isFilled(row.cells.get(at)?.text ?? '', match.table.columns[at]));
    if (column !== undefined) filled.push({ row, column });
    else if (!owesNothing({ match, row }, columnKey)) open.push(row);
  }
  const evidence = filled.slice(0, VALUES_QUOTED).map(({ row, column }) =>
    quote(read.document, read.passages[row.block]!, row.cells.get(column)!, {
      role: 'support',
      note: say('verdicts.column', { columns: match.table.columns[column], row: rowName(row) }),
    }),
  );
  return [{ filledRows: filled.length, emptyRows: open.length, evidence, openRows: open.map(rowName) }];
}

/** A report about one thing says in a card what a list says in columns: "Reviewed issue | B". What says the same of the report itself does not count. */
function fieldStates(corpus: Corpus, part: DocumentPart, names: readonly string[]) {
  if (!corpus.documentTypes.get(part.typeId)?.isAboutOthers) return [];
  const ofItself = new Set([...corpus.metadataFields.values()].flatMap((field) => field.names.map(labelOf)));
  const wanted = new Set(names.map(labelOf).filter((name) => !ofItself.has(name)));
  const { read } = documentOf(corpus, part.documentId);
  return read.tables.flatMap(({ columns, headerBlocks, rows }) =>
    columns.length !== 2
      ? []
      : [...headerBlocks, ...rows.map(({ block }) => block)].flatMap((block) => {
          const passage = read.passages[block]!;
          const [label, value] = read.document.blocks[block]!.cells ?? [];
          if (!label || !value || !isWithin([part], passage) || passage.role !== 'body') return [];
          if (!wanted.has(labelOf(label.text)) || !isFilled(value.text, label.text)) return [];
          const note = say('verdicts.column', { columns: label.text.trim(), row: value.text.trim() });
          const evidence = [quote(read.document, passage, value, { role: 'support', note })];
          return [{ filledRows: 1, emptyRows: 0, evidence, openRows: [] }];
        }),
  );
}

/** What says it where no table has the column: cards and sentences about ids, one statement for all rows, links from the other side. */
function otherStates(
  corpus: Corpus,
  part: DocumentPart,
  { template, column }: { readonly template: TemplateTable; readonly column: TemplateColumn },
) {
  const own = templateTablesOf(corpus, part).filter((match) => match.template === template);
  const told = saidOtherwise(corpus, { part, template, column, own });
  if (!told) return [];
  const evidence = told.places.slice(0, VALUES_QUOTED).map(({ passage, start, end, title }) => {
    // Goals may give it in another document.
    const { read } = documentOf(corpus, passage.documentId);
    const note = say('verdicts.column', { columns: title, row: read.document.text.slice(start, end).trim() });
    return quote(read.document, passage, { start, end }, { role: 'support', note });
  });
  return [{ filledRows: told.rows, emptyRows: 0, evidence, openRows: [] }];
}

const labelOf = (text: string): string => headingTokens(text).join(' ');

/** A row without any value, or with one that spans the table: a title or an unused line. */
function isSpacer(match: MatchedTable, row: TableRow): boolean {
  const values = [...row.cells.values()].filter((cell) => cell.text.trim() !== '');
  const titled = match.table.columns.filter((title) => title !== undefined).length;
  return values.length === 0 || (values.length === 1 && titled > 2 && (values[0]!.span ?? 1) > 1);
}

/** First filled cell of a row, on one line. */
export function rowName(row: TableRow): string {
  const first = [...row.cells.values()].find((cell) => cell.text.trim() !== '');
  return (first?.text ?? '').trim().replace(/\s+/g, ' ').slice(0, 60);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
