import type { CorpusDocument } from '../../corpus/corpus.js';
import { isNewer } from '../../corpus/document-status.js';
import { cellText, type Table } from '../../corpus/passages/tables.js';
import { isFilled } from '../../corpus/placeholders/emptiness.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import { normaliseText } from '../../text/normalise.js';
import { completenessRules } from './rules.js';

type HistoryColumn = 'version' | 'date' | 'author' | 'change';

interface History {
  readonly table: Table;
  readonly columns: ReadonlyMap<HistoryColumn, number>;
}

/** The first table of the document that is a change history. */
function historyOf({ read }: CorpusDocument): History | undefined {
  for (const table of read.tables) {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    if (first === undefined || read.passages[first]!.role !== 'history') continue;
    const names = completenessRules().metadata.history;
    const columns = new Map<HistoryColumn, number>();
    for (const key of Object.keys(names) as HistoryColumn[]) {
      const at = table.columns.findIndex((title) => {
        const text = normaliseText(title ?? '').trim();
        return names[key].some((name) => normaliseText(name) === text);
      });
      if (at >= 0) columns.set(key, at);
    }
    return { table, columns };
  }
  return undefined;
}

function versionsOf({ table, columns }: History): readonly string[] {
  const column = columns.get('version');
  if (column === undefined) return [];
  return table.rows.map((row) => cellText(row, column)).filter((text) => isFilled(text));
}

/** The newest version that the change history names; tables run upwards or downwards. */
export function lastVersion(document: CorpusDocument): string | undefined {
  const history = historyOf(document);
  const versions = history ? versionsOf(history) : [];
  const [first] = versions;
  const last = versions.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return isNewer(first, last) ? first : last;
}

/** What is wrong with the change history; nothing where it is told in prose. */
export function historyProblems(document: CorpusDocument): readonly Sentence[] {
  const history = historyOf(document);
  if (!history) return [];
  const problems: Sentence[] = [];
  const missing = (['version', 'date', 'author', 'change'] as const).filter(
    (key) => !history.columns.has(key),
  );
  if (missing.length > 0)
    problems.push(
      say('completeness.it-has-no-column-for', {
        missing: missing.map((key) => say(`completeness.history-${key}`)),
      }),
    );
  const isEmpty = (row: Table['rows'][number]) =>
    [...row.cells.values()].every((cell) => !isFilled(cell.text));
  if (history.table.rows.every(isEmpty)) problems.push(say('completeness.it-has-no-row'));
  const versions = versionsOf(history);
  const steps = versions.slice(1).map((version, at) => isNewer(version, versions[at]!));
  if (steps.includes(true) && steps.includes(false))
    problems.push(say('completeness.its-versions-are-not-in-order'));
  return problems;
}
