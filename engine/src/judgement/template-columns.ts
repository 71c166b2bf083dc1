import type { DocumentType, TemplateTable } from '../document-types/document-type.js';
import { cellText, type Table } from '../passages/tables.js';
import { normaliseText } from '../text/normalise.js';
import { stem } from '../text/stem.js';

/** Columns that tables of every kind have: they do not show what a table is about. */
const UNSPECIFIC = new Set(['id', 'text', 'description', 'status', 'owner', 'due', 'date', 'version', 'severity']);
/** A column "Rationale" right of the column that it justifies. */
const RATIONALE = /^(?:rationale|justification|reason|begründung)$/iu;

/** A table of a document read as a table of a template. */
export interface MatchedTable {
  readonly table: Table;
  readonly template: TemplateTable;
  /** Grid columns by template column; several where a document splits one. */
  readonly columns: ReadonlyMap<string, readonly number[]>;
}

function words(title: string): string[] {
  return normaliseText(title)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => stem(stem(word, 'en'), 'de'));
}

/** 1 for the same words with or without what stands in brackets, 0.8 for a title with up to two more words. */
function titleScore(title: string, name: string): number {
  const wanted = words(name);
  const bare = words(title.replace(/\([^)]*\)/g, ' '));
  const whole = words(title);
  const same = (a: readonly string[]) => a.length === wanted.length && wanted.every((word, at) => a[at] === word);
  if (same(bare) || same(whole)) return 1;
  // One letter or a bare "ID" inside a longer title names something else.
  if (wanted.length === 0 || wanted.join('').length < 3) return 0;
  const contained = wanted.every((word) => bare.includes(word));
  return contained && bare.length <= wanted.length + 2 ? 0.7 + 0.1 / (bare.length - wanted.length + 1) : 0;
}

/**
 * Reads a table as each table of the type's template that it can be: at least two of its columns, one of which
 * is specific. Every title goes to the template column that it names best.
 */
export function matchTable(table: Table, type: DocumentType): readonly MatchedTable[] {
  const titles = table.columns.map((title, column) => {
    const left = table.columns[column - 1];
    return title !== undefined && left !== undefined && RATIONALE.test(title.trim()) ? `${title} ${left}` : title;
  });
  return type.tables.flatMap((template) => {
    const best = titles.map((title) => {
      if (title === undefined) return undefined;
      let found: { key: string; score: number } | undefined;
      for (const column of template.columns) {
        for (const name of column.names) {
          const score = titleScore(title, name);
          if (score > (found?.score ?? 0)) found = { key: column.key, score };
        }
      }
      return found;
    });
    const columns = new Map<string, readonly number[]>();
    for (const { key } of template.columns) {
      const own = best.flatMap((entry, at) => (entry?.key === key ? [{ at, score: entry.score }] : []));
      const top = Math.max(0, ...own.map((entry) => entry.score));
      // A title that names the column exactly leaves those out that only contain the name.
      const kept = own.filter((entry) => top < 1 || entry.score === 1);
      if (kept.length > 0) columns.set(key, kept.map((entry) => entry.at));
    }
    const specific = [...columns.keys()].some((key) => !UNSPECIFIC.has(key));
    return columns.size >= 2 && specific ? [{ table, template, columns }] : [];
  });
}

/** Text of a template column in a row; cells of a column that a document splits are joined by a space. */
export function columnText(row: Table['rows'][number], columns: readonly number[]): string {
  return columns
    .map((column) => cellText(row, column))
    .filter((text) => text !== '')
    .join(' ');
}
