import { columnNames, tableWords } from '../document-types/template-words.js';
import type { Evidence } from '../findings/finding.js';
import { type Sentence, say } from '../sentences/sentence.js';
import {
  asContext,
  evidenceOf,
  groupEvidence,
  judgement,
  nearMisses,
  notStated,
  openGroups,
  type Probes,
  partsNotShown,
  shownGroups,
  unique,
} from './expectation-probes.js';
import type { Judgement } from './judgement.js';
import type { ColumnState } from './probe-columns.js';

/** Table fields: every wanted column is there and filled, or it is said which are not. */
export function columnsJudgement(probes: Probes): Judgement | undefined {
  const { columns } = probes;
  if (columns.length === 0) return undefined;
  const filled = columns.filter((column) => column.filledRows > 0);
  const present = filled.some((column) => column.telling) ? filled : [];
  const empty = columns.filter((column) => !column.missing && column.filledRows === 0);
  if (present.length === 0) {
    if (empty.length === 0) return undefined;
    if (shownGroups(probes).length > 0) return undefined;
    return judgement('missing', 'high', {
      rules: ['EM-05-column-empty'],
      reason: say('verdicts.no-value-in-any-row', { titles: titles(empty), empty: empty.length }),
      evidence: emptyColumnEvidence(probes),
      defects: openCells(columns),
    });
  }
  const gaps = [
    ...columns
      .filter((column) => column.missing)
      .map(({ title, table }) => {
        return say('verdicts.no-column-in-a-table', { title: columnNames(title), table: tableWords(table) });
      }),
    ...empty.map(({ title }) => say('verdicts.column-empty', { title: columnNames(title) })),
    ...present
      .filter((column) => column.emptyRows > 0)
      .map((column) => say('verdicts.column-open', { title: columnNames(column.title), ...rows(column) })),
  ];
  const evidence = present.flatMap((column) => column.evidence.slice(0, 1));
  const missingParts = openGroups(probes);
  const isManyParts = probes.groups.length > 1;
  const columnRules = ['table-column', ...(gaps.length > 0 ? ['EM-05-required-cells'] : [])];
  if (gaps.length === 0 && (!isManyParts || missingParts.length === 0)) {
    return judgement('covered', 'high', {
      rules: ['table-column'],
      reason: say('verdicts.the-table-has-with-a-value', { present: titles(present) }),
      evidence: [...evidence, ...groupEvidence(shownGroups(probes))],
    });
  }
  if (gaps.length === 0) {
    return judgement('partial', 'medium', {
      rules: [...columnRules, 'parts-not-shown'],
      reason: say('verdicts.the-table-has-but-nothing-states', {
        present: titles(present),
        ...notStated(missingParts),
      }),
      evidence: [...evidence, ...groupEvidence(shownGroups(probes)), ...nearMisses(missingParts)],
      defects: partsNotShown(probes, missingParts),
    });
  }
  // Columns that are not there may be told in prose; cells that are empty are open whatever the prose says.
  const onlyAbsent =
    columns.every((column) => column.missing || column.emptyRows === 0) && empty.length === 0;
  if (onlyAbsent && missingParts.length === 0 && probes.groups.length > 0) {
    return judgement('covered', 'medium', {
      rules: [...columnRules, 'explicit-statement'],
      reason: say('verdicts.the-table-has-the-rest-is', { present: titles(present), gaps }),
      evidence: [...evidence, ...groupEvidence(shownGroups(probes))],
    });
  }
  return judgement('partial', 'high', {
    rules: columnRules,
    reason: say('verdicts.table-has-but', { present: titles(present), gaps }),
    evidence: [...evidence, ...groupEvidence(shownGroups(probes)), ...nearMisses(missingParts)],
    defects: openCells(columns),
  });
}

/** Every cell without a value, and every column that is not there. */
const openCells = (columns: readonly ColumnState[]): readonly string[] =>
  columns.flatMap(({ title, table, missing, allOpenRows }) =>
    missing ? [`no column ${title}: ${table}`] : allOpenRows.map((row) => `${title}: ${row}`),
  );

function emptyColumnEvidence({ groups }: Probes): readonly Evidence[] {
  return evidenceOf(groups.flatMap((group) => group.ignored))
    .map(asContext)
    .slice(0, 3);
}

function rows({ filledRows, emptyRows, openRows }: ColumnState) {
  const names = openRows.filter((name) => name !== '');
  return { empty: emptyRows, total: filledRows + emptyRows, names, more: emptyRows > names.length };
}

function titles(columns: readonly ColumnState[]): Sentence {
  const all = unique(columns.map((column) => column.title));
  return say('verdicts.columns', {
    columns: columns.length,
    titles: all.map((text) => say('general.quoted', { text: columnNames(text) })),
  });
}
