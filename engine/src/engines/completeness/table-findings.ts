import { columnNames, tableWords } from '../../document-types/template-words.js';
import type { Finding, Severity } from '../../findings/finding.js';
import { ownerOf, stakesOf } from '../../findings/recommendations.js';
import { lessSevere } from '../../findings/severities.js';
import { severityWord } from '../../findings/severity.js';
import { type LocalWords, type Sentence, say } from '../../sentences/sentence.js';
import type { ColumnResult, SectionResult, TableResult } from './completeness.js';
import type { CheckedPart } from './context.js';
import { makeFinding } from './make-finding.js';
import { completenessRules } from './rules.js';

/** Tables without rows, without columns, with cells that say nothing (EM-03 to EM-05 of domain D.5.2). */
export function tableFindings(
  checked: CheckedPart,
  tables: readonly TableResult[],
  sections: readonly SectionResult[],
): readonly Finding[] {
  return tables.flatMap((table) => {
    if (table.state === 'not_found') return [];
    if (table.state === 'no_rows') return emptyTable(checked, table, sections);
    return [...missingColumns(checked, table), ...emptyCells(checked, table)];
  });
}

/** EM-03; not where its section is a gap already. */
function emptyTable(checked: CheckedPart, table: TableResult, sections: readonly SectionResult[]): Finding[] {
  const titles = table.evidence[0]?.location.section?.map((title) => title.trim()) ?? [];
  const section = sections.find((one) => one.heading !== undefined && titles.includes(one.heading));
  if (section && section.state !== 'complete') return [];
  const base = section?.severity ?? 'medium';
  const severity = section?.critical ? base : lessSevere(base, 1);
  return [
    tableFinding(checked, table, {
      kind: 'table_empty',
      item: '',
      defect: say('completeness.has-no-row'),
      severity,
      reasons: [say('completeness.its-section-carries-a-table-without', { base: severityWord(base) })],
      observed: say('completeness.the-header-of-the-table-is'),
      action: say('completeness.fill-in-the-table', { title: tableWords(table.title) }),
      done: say('completeness.every-item-has-its-row'),
      affectedItems: [],
      evidence: table.evidence,
    }),
  ];
}

/** EM-04, one gap for a table. */
function missingColumns(checked: CheckedPart, table: TableResult): Finding[] {
  const missing = table.columns.filter((column) => column.required && column.state === 'missing');
  if (missing.length === 0) return [];
  const { keyColumns } = completenessRules();
  const isKey = missing.some((column) => keyColumns.includes(column.key));
  const titles = missing.map(({ title }) => say('general.quoted', { text: columnNames(title) }));
  return [
    tableFinding(checked, table, {
      kind: 'table_columns',
      item: '',
      defect:
        missing.length === 1
          ? say('completeness.lacks', { titles })
          : say('completeness.lacks-columns', { missing: missing.length }),
      severity: isKey ? 'high' : 'medium',
      reasons: [
        isKey
          ? say('completeness.one-of-the-columns-identifies-rates')
          : say('completeness.a-required-column-is-missing-medium'),
      ],
      observed: say('completeness.the-table-has-no-column-for', { titles, missing: missing.length }),
      action: say('completeness.add-to-the-table', { titles, title: tableWords(table.title) }),
      done: say('completeness.every-row-states-them'),
      affectedItems: missing.map((column) => column.key),
      evidence: table.evidence,
    }),
  ];
}

/** EM-05: a gap for each deciding column, one for all others. */
function emptyCells(checked: CheckedPart, table: TableResult): Finding[] {
  const { decidingColumns } = completenessRules();
  const empty = table.columns.filter((column) => column.required && column.emptyCells > 0);
  const deciding = empty.filter((column) => decidingColumns.includes(column.key));
  const others = empty.filter((column) => !decidingColumns.includes(column.key));
  const share = (count: number) => count / table.rows;
  const findings = deciding.map((column) => {
    const severity: Severity = share(column.emptyCells) > 0.1 ? 'high' : 'medium';
    return cellFinding(checked, table, { columns: [column], count: column.emptyCells, severity });
  });
  const most = Math.max(0, ...others.map((column) => column.emptyCells));
  if (others.length === 0) return findings;
  const severity: Severity = share(most) > 0.3 ? 'high' : share(most) > 0.1 ? 'medium' : 'low';
  return [...findings, cellFinding(checked, table, { columns: others, count: most, severity })];
}

function cellFinding(
  checked: CheckedPart,
  table: TableResult,
  { columns, count, severity }: { columns: readonly ColumnResult[]; count: number; severity: Severity },
): Finding {
  const titles = columns.map(({ title }) => say('general.quoted', { text: columnNames(title) }));
  const cells = columns.map(({ emptyCells, title }) =>
    say('completeness.cells-in', { empty: emptyCells, rows: table.rows, title: columnNames(title) }),
  );
  return tableFinding(checked, table, {
    kind: 'table_cells',
    item: columns.length === 1 ? columns[0]!.key : 'others',
    defect: say('completeness.has-empty-cells-in', { columns: columns.length, titles }),
    severity,
    reasons: [
      say('completeness.up-to-of-rows-leave-open', {
        count,
        rows: table.rows,
        titles,
        severity: severityWord(severity),
      }),
    ],
    observed: say('completeness.cells-that-say-nothing', { cells }),
    action: say('completeness.fill-in-in-the-table', { titles, title: tableWords(table.title) }),
    done: say('completeness.no-row-leaves-them-open-or'),
    affectedItems: columns.map((column) => column.key),
    defects: columns.flatMap(({ title, emptyRows }) => emptyRows.map((row) => `${title}: ${row}`)),
    evidence: columns.flatMap((column) => column.evidence).slice(0, 3),
  });
}

function tableFinding(
  checked: CheckedPart,
  table: TableResult,
  what: {
    readonly kind: string;
    readonly item: string;
    readonly defect: Sentence;
    readonly severity: Severity;
    readonly reasons: readonly Sentence[];
    readonly observed: Sentence;
    readonly action: Sentence;
    readonly done: Sentence;
    readonly affectedItems: readonly string[];
    readonly defects?: readonly string[];
    readonly evidence: Finding['evidence'];
  },
): Finding {
  const { document, type } = checked;
  const { defect, action, done, reasons, ...rest } = what;
  return makeFinding({
    ...rest,
    checked,
    topic: table.key,
    table: { en: table.key, de: germanOf(tableWords(table.title)) },
    title: say('completeness.table-defect', { title: tableWords(table.title), defect }),
    confidence: 'high',
    reasons,
    expected: say('completeness.the-table-states-for-every-row', {
      title: tableWords(table.title),
      columns: table.columns.filter((column) => column.required).map((column) => columnNames(column.title)),
    }),
    observed: say('completeness.observed-in-document', { name: document.name, observed: what.observed }),
    whyItMatters: stakesOf([type.id]),
    recommendation: say('completeness.in-determine-missing-values-from-the', {
      action,
      name: document.name,
      owner: ownerOf([type.id]),
      done,
    }),
    effortHint: 'hours',
  });
}

const germanOf = (words: LocalWords | string): string =>
  typeof words === 'string' ? words : (words.de ?? words.en);
