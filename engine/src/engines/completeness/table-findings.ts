import type { Finding, Severity } from '../../findings/finding.js';
import { ownerOf, stakesOf } from '../../findings/recommendations.js';
import { lessSevere } from '../../findings/severities.js';
import { english } from '../../sentences/render.js';
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
      defect: 'has no row',
      severity,
      reasons: [
        `Its section carries ${base}; a table without rows is one step less unless it is safety-critical.`,
      ],
      observed: 'The header of the table is there and no row says anything.',
      action: `Fill in the table "${table.title}"`,
      done: 'every item has its row',
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
  const titles = missing.map((column) => `"${column.title}"`).join(', ');
  return [
    tableFinding(checked, table, {
      kind: 'table_columns',
      item: '',
      defect: missing.length === 1 ? `lacks ${titles}` : `lacks ${missing.length} columns`,
      severity: isKey ? 'high' : 'medium',
      reasons: [
        isKey
          ? 'One of the columns identifies, rates, links or decides: high.'
          : 'A required column is missing: medium.',
      ],
      observed: `The table has no column for ${titles}, and no section of the document stands for ${missing.length === 1 ? 'it' : 'them'}.`,
      action: `Add ${titles} to the table "${table.title}"`,
      done: 'every row states them',
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
  const titles = columns.map((column) => `"${column.title}"`).join(', ');
  const cells = columns
    .map((column) => `${column.emptyCells} of ${table.rows} in "${column.title}"`)
    .join(', ');
  return tableFinding(checked, table, {
    kind: 'table_cells',
    item: columns.length === 1 ? columns[0]!.key : 'others',
    defect: `has empty cells in ${columns.length === 1 ? titles : `${columns.length} columns`}`,
    severity,
    reasons: [`Up to ${count} of ${table.rows} rows leave ${titles} open: ${severity}.`],
    observed: `Cells that say nothing: ${cells}.`,
    action: `Fill in ${titles} in the table "${table.title}"`,
    done: 'no row leaves them open, or the cell says why it may',
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
    readonly defect: string;
    readonly severity: Severity;
    readonly reasons: readonly string[];
    readonly observed: string;
    readonly action: string;
    readonly done: string;
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
    title: `Table "${table.title}" ${defect}`,
    confidence: 'high',
    reasons,
    expected: `The table "${table.title}" states ${table.columns
      .filter((column) => column.required)
      .map((column) => column.title)
      .join(', ')} for every row.`,
    observed: `"${document.name}": ${what.observed}`,
    whyItMatters: english(stakesOf([type.id])),
    recommendation: `${action} in "${document.name}"; determine missing values from the responsible analysis instead of assuming them; owner: ${english(ownerOf([type.id]))}; done when ${done}.`,
    effortHint: 'hours',
  });
}
