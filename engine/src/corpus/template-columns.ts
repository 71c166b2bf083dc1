import type { DocumentType, TemplateTable } from '../document-types/document-type.js';
import { normaliseText } from '../text/normalise.js';
import { stem } from '../text/stem.js';
import { cellText, idsBesideGroups, type Table } from './passages/tables.js';
import { titlesOf as meantTitles } from './passages/understood-columns.js';

/** Columns that tables of every kind have: they do not show what a table is about. */
const UNSPECIFIC = new Set([
  'id',
  'text',
  'description',
  'status',
  'owner',
  'due',
  'date',
  'version',
  'severity',
]);
const PREPOSITION = /\s(?:on|of|for|to|about|by|with|zum|zur|zu|der|des|für|über|von|mit)\s/iu;
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

/** A column title taken apart once. */
interface Title {
  /** What stands before a preposition: the head of "Assumption on the partner". */
  readonly head: readonly string[];
  readonly bare: readonly string[];
  readonly whole: readonly string[];
  /** The words of the whole title, each once. */
  readonly distinct: readonly string[];
  /** Of a rationale: without the column that it justifies. */
  readonly alone?: readonly string[];
}

interface Name {
  /** Place among the names of its template. */
  readonly at: number;
  readonly column: string;
  readonly words: readonly string[];
  /** Means the column only where it is the whole title. */
  readonly whole?: true;
}

/** Names of the columns of a template by their first word: a title without that word is not meant. */
type NamesByWord = ReadonlyMap<string, readonly Name[]>;

const namesByTemplate = new WeakMap<TemplateTable, NamesByWord>();

function namesOf(template: TemplateTable): NamesByWord {
  let byWord = namesByTemplate.get(template);
  if (!byWord) {
    const found = new Map<string, Name[]>();
    let at = 0;
    const add = (name: string, rest: Pick<Name, 'column' | 'whole'>): void => {
      const own = words(name);
      const [first] = own;
      if (first === undefined) return;
      const same = found.get(first);
      const one = { at: at++, words: own, ...rest };
      if (same) same.push(one);
      else found.set(first, [one]);
    };
    for (const { key: column, names, wholeNames = [] } of template.columns) {
      for (const name of names) add(name, { column });
      for (const name of wholeNames) add(name, { column, whole: true });
    }
    byWord = found;
    namesByTemplate.set(template, byWord);
  }
  return byWord;
}

const NONE: readonly Name[] = [];

/** Names that begin with one of the words, in the order of the template. */
function namesWith(byWord: NamesByWord, { distinct }: Title): readonly Name[] {
  let found = NONE;
  for (const word of distinct) {
    const more = byWord.get(word);
    if (more) found = found === NONE ? more : [...found, ...more].sort((a, b) => a.at - b.at);
  }
  return found;
}

const titlesByTable = new WeakMap<readonly (string | undefined)[], readonly (Title | undefined)[]>();

function titlesOf(columns: readonly (string | undefined)[]): readonly (Title | undefined)[] {
  let titles = titlesByTable.get(columns);
  if (!titles) {
    titles = columns.map((title, column) => {
      if (title === undefined) return undefined;
      const left = columns[column - 1];
      const justifies = left !== undefined && RATIONALE.test(title.trim());
      const full = justifies ? `${title} ${left}` : title;
      const bare = full.replace(/\([^)]*\)/g, ' ');
      const whole = words(full);
      return {
        head: words(bare.split(PREPOSITION)[0]!),
        bare: words(bare),
        whole,
        distinct: [...new Set(whole)],
        ...(justifies ? { alone: words(title) } : {}),
      };
    });
    titlesByTable.set(columns, titles);
  }
  return titles;
}

/** 1 for the same words with or without what stands in brackets, less for a title with up to two more words. */
function titleScore({ head, bare, whole, alone }: Title, wanted: readonly string[]): number {
  const same = (own: readonly string[]) =>
    own.length === wanted.length && wanted.every((word, at) => own[at] === word);
  if (same(bare) || same(whole)) return 1;
  if (same(head) || (alone?.length === wanted.length && wanted.every((word, at) => alone[at] === word)))
    return 0.9;
  // One letter or a bare "ID" inside a longer title names something else.
  if (wanted.length === 0 || wanted.join('').length < 3) return 0;
  const contained = wanted.every((word) => bare.includes(word));
  return contained && bare.length <= wanted.length + 2 ? 0.7 + 0.1 / (bare.length - wanted.length + 1) : 0;
}

/** Whether two columns have a word that some column of the template begins with: every table is asked about every template. */
function mayShareColumns(
  names: NamesByWord,
  titles: readonly (Title | undefined)[],
  meant: readonly (Title | undefined)[],
): boolean {
  let columns = 0;
  for (let at = 0; at < titles.length; at++) {
    if (beginsName(names, titles[at]) || (meant !== titles && beginsName(names, meant[at]))) columns++;
    if (columns === 2) return true;
  }
  return false;
}

function beginsName(names: NamesByWord, title: Title | undefined): boolean {
  if (!title) return false;
  for (const word of title.distinct) if (names.has(word)) return true;
  return false;
}

/**
 * Reads a table as each table of the type's template that it shares columns with: at least two, one of which is
 * specific. Every title goes to the template column that it names best.
 */
export function matchTable(table: Table, type: DocumentType): readonly MatchedTable[] {
  const titles = titlesOf(table.columns);
  const meant = table.meant ? titlesOf(meantTitles(table)) : titles;
  return type.tables.flatMap((template) => {
    const names = namesOf(template);
    if (!mayShareColumns(names, titles, meant)) return [];
    const bestOf = (title: Title | undefined) => {
      let found: { key: string; score: number } | undefined;
      for (const name of title ? namesWith(names, title) : NONE) {
        const score = titleScore(title!, name.words);
        if (name.whole && score < 1) continue;
        if (score > (found?.score ?? 0)) found = { key: name.column, score };
      }
      return found;
    };
    // A part of a cell has the title of its cell, which names the whole.
    const isPart = (column: number) => column >= (table.printed ?? Infinity);
    const best = titles.map(
      (title, column) => (isPart(column) ? undefined : bestOf(title)) ?? bestOf(meant[column]),
    );
    const columns = new Map<string, readonly number[]>();
    for (const { key } of template.columns) {
      const places = best.flatMap((entry, at) => (entry?.key === key ? [{ at, score: entry.score }] : []));
      const top = Math.max(0, ...places.map((entry) => entry.score));
      // A title that names the column exactly leaves those out that only contain the name.
      const kept = places.filter((entry) => top < 1 || entry.score === 1);
      if (kept.length > 0)
        columns.set(
          key,
          kept.map((entry) => entry.at),
        );
    }
    if (columns.size < 2) return [];
    columnsByContent(table, template, columns);
    const specific = [...columns.keys()].some((key) => !UNSPECIFIC.has(key)) || namesItself(titles, template);
    return specific ? [{ table, template, columns }] : [];
  });
}

const ID = /^(?:\p{L}{1,10}(?: ?[\p{L}\d._-]{0,16})?\d|\d{1,4})$/u;
/** Ratings look like ids of one letter, levels like ids of another kind. */
const LINK = /^(?!ASIL|CAL|QM|SIL)\p{Lu}[\p{L}]{1,9} ?[\p{L}\d._-]{0,16}\d$/u;
const MOST = 0.8;

/**
 * Columns that are known by what stands in them, whatever their titles: different ids in the first column are those of the rows ("HE",
 * "Lfd."), ids of others in the only column of such are links to where the rows come from ("Goal").
 */
function columnsByContent(
  table: Table,
  template: TemplateTable,
  columns: Map<string, readonly number[]>,
): void {
  const used = new Set([...columns.values()].flat());
  const textsOf = (column: number) =>
    table.rows.map((row) => cellText(row, column).trim()).filter((text) => text !== '');
  const wants = (key: string) => !columns.has(key) && template.columns.some((column) => column.key === key);
  if (wants('id') && !used.has(0)) {
    const ids = textsOf(0);
    if (ids.length > 1 && ids.every((id) => ID.test(id)) && new Set(ids).size === ids.length) {
      columns.set('id', [0]);
      used.add(0);
    }
  }
  const beside = wants('id') ? idsBesideGroups(table) : undefined;
  if (beside !== undefined && !used.has(beside)) {
    columns.set('id', [beside]);
    used.add(beside);
  }
  // Links of what has no text of its own may lead anywhere: a mode names the malfunctions that trigger it.
  if (!wants('parent') || !columns.has('text')) return;
  const own = new Set(textsOf(columns.get('id')?.[0] ?? 0));
  const links = table.columns.flatMap((_, column) => {
    const texts = used.has(column) || column === 0 ? [] : textsOf(column);
    const isLinked = (text: string) => {
      const ids = text.split(/[,;\n]\s*|\s+(?=\p{L})/u).filter((id) => id !== '');
      return ids.every((id) => LINK.test(id) && !own.has(id));
    };
    return texts.length > 0 && isMostly(texts, isLinked) ? [column] : [];
  });
  if (links.length === 1) columns.set('parent', links);
}

/** Whether it holds for `MOST` of them; looks no further than it must. */
function isMostly(texts: readonly string[], holds: (text: string) => boolean): boolean {
  let missed = 0;
  return texts.every((text) => holds(text) || texts.length - ++missed >= MOST * texts.length);
}

/** A list of findings has a column "Finding" or "Finding ID", however common its other columns are. */
function namesItself(titles: readonly (Title | undefined)[], { title }: TemplateTable): boolean {
  const name = words(title.replace(/\b(?:table|list|records?)\b/giu, ' '));
  return name.length > 0 && titles.some((one) => one && name.every((word) => one.whole.includes(word)));
}

/** Whether a table shares enough columns with a template to be taken for it: two fifths, two to four. */
export function isThatTable({ template, columns }: MatchedTable): boolean {
  return columns.size >= Math.min(4, Math.max(2, Math.ceil(template.columns.length * 0.4)));
}

/** Whether a table goes on about the rows of another: half of its ids are the other's. */
export function continuesTable(match: MatchedTable, other: MatchedTable): boolean {
  const ids = (one: MatchedTable) => {
    const column = one.columns.get('id')?.[0];
    const texts =
      column === undefined ? [] : one.table.rows.map((row) => cellText(row, column).replace(/\s+/g, ' '));
    return texts.filter((text) => text !== '');
  };
  const own = ids(match);
  const known = new Set(ids(other));
  return own.length > 0 && own.filter((id) => known.has(id)).length * 2 >= own.length;
}
