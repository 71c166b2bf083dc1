import { z } from 'zod';
import { type Corpus, documentOf, isWithin, templateTablesOf } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { fieldOf } from '../corpus/metadata-fields.js';
import type { Passage } from '../corpus/passages/passage.js';
import { cellText, type TableRow } from '../corpus/passages/tables.js';
import { isFilled } from '../corpus/placeholders/emptiness.js';
import type { MatchedTable } from '../corpus/template-columns.js';
import type { TemplateColumn, TemplateTable } from '../document-types/document-type.js';
import { parseDate } from '../facts/parse-date.js';
import { personNamesIn } from '../facts/person-names.js';
import { quantitiesIn } from '../facts/quantities.js';
import { statedFacts } from '../facts/stated/stated-facts.js';
import { statedInPart, tellingKinds } from '../facts/stated/stated-in-part.js';
import { idsIn } from '../facts/stated/stated-item.js';
import { patternOf, readWords } from '../words/read-words.js';

const schema = z.strictObject({
  once: z.record(
    z.string(),
    z.strictObject({
      field: z.string().optional(),
      says: z.string().optional(),
      inRows: z.literal(true).optional(),
    }),
  ),
  inSentences: z.record(z.string(), z.enum(['time', 'state'])),
  says: z.record(z.string(), z.string()),
  share: z.number(),
  ofGoals: z.record(z.string(), z.enum(['safe_state'])),
  links: z.array(z.string()),
  statements: z.array(z.string()),
  subjects: z.array(z.string()),
  with: z.record(z.string(), z.string()),
  inTable: z.record(z.string(), z.string()),
  days: z.array(z.string()),
  persons: z.array(z.string()),
  measures: z.record(z.string(), z.string()),
  defines: z.array(z.string()),
});
const words = () => readWords('absent-columns', schema);

/** A place that says what a column would, with the title or label that it stands under. */
export interface SaidPlace {
  readonly passage: Passage;
  readonly start: number;
  readonly end: number;
  readonly title: string;
}

/** Of how many rows it is said, and where: the first of these places. */
export interface SaidOtherwise {
  readonly rows: number;
  readonly places: readonly SaidPlace[];
}

/** A column of a template in a part, with the tables of the part that are read as its table; none has the column. */
export interface AbsentColumn {
  readonly part: DocumentPart;
  readonly template: TemplateTable;
  readonly column: TemplateColumn;
  readonly own: readonly MatchedTable[];
}

const FEWEST_ROWS = 2;
/** A table with fewer of the columns that its template needs, as one of so many, is of another kind. */
const LEAST_SHARE = 3;
const PLACES = 3;

/**
 * What stands for a column that no table of the kind has: facts about the ids of its rows wherever they stand, one statement for all
 * rows, the sentences of the rows, links from the other side, the one column of statements whose title nobody knows. Linear in the part.
 */
export function saidOtherwise(corpus: Corpus, absent: AbsentColumn): SaidOtherwise | undefined {
  return (
    byFacts(corpus, absent) ??
    onceForAll(corpus, absent) ??
    inSentences(corpus, absent) ??
    ofGoals(corpus, absent) ??
    amongMeasures(corpus, absent) ??
    amongPersons(corpus, absent) ??
    fromTheOtherSide(corpus, absent) ??
    inOtherTable(corpus, absent) ??
    daysInOtherTable(corpus, absent) ??
    underUnknownTitle(corpus, absent)
  );
}

/** Whether nobody would fill the column in these tables: no actions that are open, so no owners of actions. */
export function isNotNeeded(corpus: Corpus, absent: AbsentColumn): boolean {
  const { template, column, own } = absent;
  const other = words().with[`${template.key}.${column.key}`];
  if (other === undefined) return false;
  const isOther = ({ key }: TemplateColumn) => words().measures[key] === other;
  const measures = template.columns.find(isOther);
  if (measures && amongMeasures(corpus, { ...absent, column: measures })) return true;
  return !own.some(({ columns, table }) =>
    (columns.get(other) ?? []).some((place) =>
      table.rows.some((row) => isFilled(cellText(row, place), table.columns[place])),
    ),
  );
}

/** Whether tables read as one of a template lack what makes it one: a view on requirements that stand elsewhere. */
export function isOnlyView(
  corpus: Corpus,
  part: DocumentPart,
  template: TemplateTable,
  own: readonly MatchedTable[],
): boolean {
  const needed = template.columns.filter(({ required, mayBeAbsent }) => required && !mayBeAbsent);
  const there = needed.filter(({ key }) => own.some(({ columns }) => columns.has(key))).length;
  if (there * LEAST_SHARE < needed.length) return true;
  const defining = needed.find(({ key }) => words().defines.includes(key));
  if (!defining || own.length === 0 || own.some(({ columns }) => columns.has(defining.key))) return false;
  return underUnknownTitle(corpus, { part, template, column: defining, own }) === undefined;
}

/** Records say it about their ids, wherever they stand. */
function byFacts(corpus: Corpus, { part, template, column }: AbsentColumn): SaidOtherwise | undefined {
  const kinds = tellingKinds(column.names[0] ?? '');
  const told = kinds.length === 0 ? undefined : statedInPart(corpus, part, kinds, template.title);
  return told && { rows: told.length, places: told.slice(0, PLACES) };
}

function onceForAll(
  corpus: Corpus,
  { part, template, column, own }: AbsentColumn,
): SaidOtherwise | undefined {
  const { field, says, inRows } = words().once[`${template.key}.${column.key}`] ?? {};
  const rows = own.reduce((sum, { table }) => sum + table.rows.length, 0);
  const { read } = documentOf(corpus, part.documentId);
  if (field !== undefined) {
    const { state, evidence } = fieldOf(corpus, field, part.documentId);
    const [place] = evidence;
    const passage = read.passages.find(
      (one) => place !== undefined && one.start <= place.start && place.end <= one.end,
    );
    if (state === 'present' && place && passage)
      return { rows, places: [{ passage, start: place.start, end: place.end, title: column.names[0]! }] };
  }
  if (says === undefined) return undefined;
  const pattern = patternOf(says);
  const inTables = new Set(inRows ? [] : own.flatMap(({ table }) => table.rows.map((row) => row.block)));
  for (const passage of read.passages) {
    if (passage.header || inTables.has(passage.blockIndex) || !isWithin([part], passage)) continue;
    if (!pattern.test(passage.text)) continue;
    const cells = read.document.blocks[passage.blockIndex]!.cells;
    const { start, end } = cells?.find(({ text }) => /\d/.test(text)) ?? passage;
    return { rows, places: [{ passage, start, end, title: column.names[0]! }] };
  }
  return undefined;
}

const namesByCorpus = new WeakMap<Corpus, readonly string[]>();

/** Names of safe states that goals give, and ids in them: "HALT", "SS1". */
function namesOfStates(corpus: Corpus): readonly string[] {
  let names = namesByCorpus.get(corpus);
  if (!names) {
    const texts = statedFacts(corpus).items.flatMap(
      ({ values }) => values.get('safe_state')?.text.trim() ?? [],
    );
    const found = texts.flatMap((text) => [
      ...(/^[\p{L}\d _.-]{3,24}$/u.test(text) ? [text] : []),
      ...idsIn(text).map(({ id }) => id),
    ]);
    names = [...new Set(found)];
    namesByCorpus.set(corpus, names);
  }
  return names;
}

function inSentences(corpus: Corpus, { part, column, own }: AbsentColumn): SaidOtherwise | undefined {
  const form = words().inSentences[column.key];
  const pattern = words().says[column.key];
  if (form === undefined && pattern === undefined) return undefined;
  const expression = pattern === undefined ? undefined : patternOf(pattern);
  const names = form === 'state' ? namesOfStates(corpus) : [];
  const says = (text: string) =>
    expression?.test(text) === true ||
    (form === 'time'
      ? /\d/.test(text) && quantitiesIn(text).some(({ kind }) => kind === 'time')
      : names.some((name) => text.includes(name)));
  const { read } = documentOf(corpus, part.documentId);
  let rows = 0;
  const places: SaidPlace[] = [];
  for (const { table, columns } of own) {
    // What stands under a title of its own says something else: an interval is no time of detection.
    const others = new Set([...columns].flatMap(([key, places]) => (key === 'text' ? [] : places)));
    for (const { cells, block } of table.rows) {
      rows++;
      const cell = [...cells.values()].find(({ text, column: at }) => !others.has(at) && says(text));
      if (cell)
        places.push({
          passage: read.passages[block]!,
          start: cell.start,
          end: cell.end,
          title: table.columns[cell.column] ?? '',
        });
    }
  }
  return places.length < FEWEST_ROWS || places.length < rows * words().share
    ? undefined
    : { rows: places.length, places: places.slice(0, PLACES) };
}

const idOf = ({ columns }: MatchedTable, row: TableRow): string =>
  cellText(row, columns.get('id')?.[0] ?? 0).replace(/\s+/g, ' ');

/** Rows of another table of the document name the rows of this one. */
function fromTheOtherSide(corpus: Corpus, { part, column, own }: AbsentColumn): SaidOtherwise | undefined {
  if (!words().links.includes(column.key)) return undefined;
  const ids = new Set(
    own.flatMap((match) => match.table.rows.map((row) => idOf(match, row))).filter((id) => /\d/.test(id)),
  );
  if (ids.size === 0) return undefined;
  const { read } = documentOf(corpus, part.documentId);
  const mine = new Set(own.map(({ table }) => table.rows[0]?.block));
  const named = new Map<string, SaidPlace>();
  for (const table of read.tables) {
    const first = table.rows[0]?.block;
    if (first === undefined || mine.has(first) || !isWithin([part], read.passages[first]!)) continue;
    for (const { cells, block } of table.rows) {
      for (const cell of cells.values()) {
        // What the rows themselves are is no link.
        if (cell.column === 0) continue;
        for (const text of cell.text.split(/[,;/&]\s*/u)) {
          const id = text.trim().replace(/\s+/g, ' ');
          if (!ids.has(id) || named.has(id)) continue;
          const title = table.columns[cell.column] ?? '';
          named.set(id, { passage: read.passages[block]!, start: cell.start, end: cell.end, title });
        }
      }
    }
  }
  return named.size * 2 < ids.size
    ? undefined
    : { rows: named.size, places: [...named.values()].slice(0, PLACES) };
}

/** Another table of the document gives it for the same things. */
function inOtherTable(corpus: Corpus, { part, template, column }: AbsentColumn): SaidOtherwise | undefined {
  const [tableKey, key] = words().inTable[`${template.key}.${column.key}`]?.split('.') ?? [];
  if (tableKey === undefined || key === undefined) return undefined;
  const found = templateTablesOf(corpus, part).find(
    (match) => match.template.key === tableKey && match.columns.has(key),
  );
  const at = found?.columns.get(key)?.[0];
  return found && at !== undefined ? valuesIn(corpus, part, found.table, at) : undefined;
}

/** Another table of the document has a column of days: dates of plans are of work products. */
function daysInOtherTable(
  corpus: Corpus,
  { part, template, column, own }: AbsentColumn,
): SaidOtherwise | undefined {
  if (!words().days.includes(`${template.key}.${column.key}`)) return undefined;
  const { read } = documentOf(corpus, part.documentId);
  const mine = new Set(own.map(({ table }) => table.rows[0]?.block));
  for (const table of read.tables) {
    const first = table.rows[0]?.block;
    if (first === undefined || mine.has(first) || !isWithin([part], read.passages[first]!)) continue;
    const isOfDays = (at: number) =>
      table.rows.filter((row) => parseDate(cellText(row, at)) !== undefined).length * 2 >= table.rows.length;
    const at = table.rows.length < FEWEST_ROWS ? -1 : table.columns.findIndex((_, place) => isOfDays(place));
    if (at >= 0 && read.passages[first]!.role === 'body') return valuesIn(corpus, part, table, at);
  }
  return undefined;
}

/** Goals that have it give it to their requirements, in this part or above it. */
function ofGoals(corpus: Corpus, { column, own }: AbsentColumn): SaidOtherwise | undefined {
  const kind = words().ofGoals[column.key];
  if (kind === undefined) return undefined;
  const goals = statedFacts(corpus).items.filter(
    ({ type, how }) => type === 'safety_goal' && how !== 'sentence',
  );
  const values = goals.flatMap(({ values }) => values.get(kind) ?? []);
  const ids = new Set(goals.map(({ key }) => key));
  const told = new Set(goals.filter(({ values }) => values.has(kind)).map(({ key }) => key));
  if (told.size < FEWEST_ROWS || told.size < ids.size) return undefined;
  const rows = own.reduce((sum, { table }) => sum + table.rows.length, 0);
  return { rows, places: values.slice(0, PLACES) };
}

/** A column that names persons under a title that nobody knows. */
function amongPersons(corpus: Corpus, { part, column, own }: AbsentColumn): SaidOtherwise | undefined {
  if (!words().persons.includes(column.key)) return undefined;
  for (const { table, columns } of own) {
    const used = new Set([...columns.values()].flat());
    const at = table.columns.findIndex((_, place) => {
      if (used.has(place)) return false;
      const named = table.rows.filter((row) => personNamesIn(cellText(row, place)).length > 0).length;
      return named >= FEWEST_ROWS && named * 2 >= table.rows.length;
    });
    if (at >= 0) return valuesIn(corpus, part, table, at);
  }
  return undefined;
}

/** "Measure" over ids of requirements: what detects or prevents the failure today. */
function amongMeasures(corpus: Corpus, { part, column, own }: AbsentColumn): SaidOtherwise | undefined {
  const other = words().measures[column.key];
  if (other === undefined) return undefined;
  for (const match of own) {
    const at = match.columns.get(other)?.[0];
    if (at === undefined) continue;
    const { rows } = match.table;
    const named = rows.filter((row) => idsIn(cellText(row, at)).length > 0).length;
    if (named >= FEWEST_ROWS && named * 2 >= rows.length) return valuesIn(corpus, part, match.table, at);
  }
  return undefined;
}

/** Shorter cells are names and values. */
const STATEMENT_WORDS = 2;

const wordsIn = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0;

/** The one column of statements whose title nobody knows, where one column of statements is missing; else what the rows are about. */
function underUnknownTitle(
  corpus: Corpus,
  { part, template, column, own }: AbsentColumn,
): SaidOtherwise | undefined {
  const { statements, subjects } = words();
  const isSubject = subjects.includes(column.key);
  if (!isSubject && !statements.includes(column.key)) return undefined;
  for (const match of own) {
    const { table, columns } = match;
    const used = new Set([...columns.values()].flat());
    const missing = template.columns.filter(
      ({ key, required, mayBeAbsent }) =>
        required && !mayBeAbsent && statements.includes(key) && !columns.has(key),
    );
    const free = table.columns.flatMap((title, at) => {
      if (title === undefined || used.has(at) || at >= (table.printed ?? Infinity)) return [];
      const texts = table.rows.map((row) => cellText(row, at)).filter((text) => isFilled(text));
      const told = texts.filter((text) => wordsIn(text) >= (isSubject ? 1 : STATEMENT_WORDS)).length;
      return texts.length * 2 >= table.rows.length && told * 2 >= texts.length && told > 0 ? [at] : [];
    });
    const at = isSubject
      ? free[0]
      : missing.length === 1 && missing[0] === column && free.length === 1
        ? free[0]
        : undefined;
    if (at !== undefined) return valuesIn(corpus, part, table, at);
  }
  return undefined;
}

function valuesIn(
  corpus: Corpus,
  { documentId }: DocumentPart,
  table: MatchedTable['table'],
  at: number,
): SaidOtherwise {
  const { read } = documentOf(corpus, documentId);
  const places = table.rows.flatMap((row): SaidPlace[] => {
    const cell = row.cells.get(at);
    if (!cell || !isFilled(cell.text)) return [];
    const { start, end } = cell;
    return [{ passage: read.passages[row.block]!, start, end, title: table.columns[at] ?? '' }];
  });
  return { rows: places.length, places: places.slice(0, PLACES) };
}
