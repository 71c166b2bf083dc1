import { kindListed } from '../../words/artifact-types.js';
import { compactTitle, meaningOfTitles } from '../../words/column-titles.js';
import { columnValueWords } from '../../words/column-values.js';
import { patternOf } from '../../words/read-words.js';
import type { Table } from './tables.js';

/** What a document says that short titles of its columns mean. */
export type Legend = ReadonlyMap<string, string>;

/** Titles in short have so many letters at most. */
const LONGEST_SHORT = 8;
/** One row alone may be a field and its value. */
const FEWEST = 2;
const SHORT = /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u;

/** "Lvl | ASIL, with the parent level in brackets", "tE | Detection time at most, ms": rows of two cells, a short word and what it means. */
export function legendOf(tables: readonly Table[]): Legend {
  const legend = new Map<string, string>();
  const titles = new Set(tables.flatMap(({ columns }) => columns.filter((title) => title !== undefined)));
  for (const { columns, rows } of tables) {
    if (columns.length !== 2) continue;
    const own = rows.flatMap(({ cells }): readonly (readonly [string, string])[] => {
      const short = cells.get(0)?.text.trim() ?? '';
      const meaning = cells.get(1)?.text.trim() ?? '';
      if (!titles.has(short) || short.length > LONGEST_SHORT || !SHORT.test(short)) return [];
      // "ASIL | C" is a value, no meaning.
      const title = meaning.length > short.length ? titleIn(meaning) : undefined;
      return title === undefined ? [] : [[short, title]];
    });
    if (own.length < FEWEST) continue;
    for (const [short, title] of own) if (!legend.has(short)) legend.set(short, title);
  }
  return legend;
}

/** The title that a meaning begins with, with the unit that it ends with: "Detection time (ms)". */
function titleIn(meaning: string): string | undefined {
  const bare = /^[^,;:(]*/u.exec(meaning)![0].trim();
  // "From functional requirement": what the row comes from.
  const { from: comesFrom, most } = columnValueWords().legend;
  const from = patternOf(`^(?:${comesFrom})\\s+(?<kind>.+)$`, 'iu').exec(bare)?.groups?.kind;
  if (from !== undefined && kindListed(from)) return 'Derived from';
  const forms = [bare, bare.replace(patternOf(`\\s+(?:${most})$`, 'u'), ''), bare.replace(/s$/u, '')];
  const known = forms.find((one) => meaningOfTitles().has(compactTitle(one)));
  const unit = /,\s*(?<unit>[^\s,;]{1,4})$/u.exec(meaning)?.groups?.unit;
  return known === undefined || unit === undefined ? known : `${known} (${unit})`;
}
