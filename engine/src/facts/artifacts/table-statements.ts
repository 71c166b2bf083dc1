import { idsBesideGroups, type Table, type TableRow } from '../../corpus/passages/tables.js';
import { titlesOf } from '../../corpus/passages/understood-columns.js';
import type { Block, Cell } from '../../documents/document.js';
import { kindListed } from '../../words/artifact-types.js';
import {
  type AttributeRole,
  type ColumnRole,
  columnWords,
  compactTitle,
  type LinkRole,
  meaningOfTitles,
} from '../../words/column-titles.js';
import type { ArtifactType } from './artifact.js';
import { elementStatements, isMark, markedColumns } from './element-names.js';
import type { ExtractionWords } from './extraction-words.js';
import { type IdPlace, idAtStart, idsInText, isIdCell, isNoId } from './id-forms.js';
import { typeInTitle, typeOfId, typeOfListed } from './infer-type.js';
import { referencesInText } from './inline-references.js';
import { putAttribute } from './put-attribute.js';
import type { Quote, StatementDraft } from './statement.js';
import { refer, type StatementReading, startStatement } from './statement-reading.js';

/** Columns of a table of artifacts. */
interface TableShape {
  readonly titles: readonly (string | undefined)[];
  readonly id: number;
  readonly attributes: ReadonlyMap<number, AttributeRole>;
  readonly links: ReadonlyMap<number, LinkRole>;
  /** Of these, columns whose titles say nothing: only ids that something has count. */
  readonly guessed: ReadonlySet<number>;
  /** Columns with the name of a type that hold the texts of artifacts of that type. */
  readonly quoted: ReadonlyMap<number, ArtifactType>;
  /** Columns of crosses under the names of elements or under ids, by what to call the place. */
  readonly marks: ReadonlyMap<number, 'mark' | 'allocation' | 'id'>;
  readonly text: number | undefined;
  readonly columnType: ArtifactType | undefined;
  /** What the title of the ids says that they are, in everyday words ("Goal"). */
  readonly listed: ArtifactType | undefined;
  /** Ids beside the names of elements. */
  readonly elements: boolean;
  /** Columns for severity, exposure and controllability. */
  readonly rated: boolean;
}

/** The id of a record once more, as exports have it in an attribute. */
const repeatsIds = ({ blocks }: StatementReading, { rows }: Table, column: number): boolean =>
  rows.slice(0, SAMPLE).some(({ cells, block }) => {
    const id = blocks[block]!.record?.id;
    return id !== undefined && cells.get(column)?.text.trim() === id;
  });

/** Names of files and functions: "brake.c", "src/brake", "limit()". */
const OF_CODE = /[\\/_]|\.\p{L}{1,4}(?!\p{L})|\(\)|::/u;

const holdsCode = ({ rows }: Table, column: number): boolean =>
  rows.slice(0, SAMPLE).some(({ cells }) => OF_CODE.test(cells.get(column)?.text ?? ''));

/** Attributes that a statement does not keep. */
const SAYS_NOTHING: ReadonlySet<AttributeRole> = new Set<AttributeRole>(['text', 'owner', 'rationale']);

/** Rows whose ids tell what a column is; more of them tell nothing new. */
const SAMPLE = 25;
/** Titles that number rows rather than name artifacts when only numbers stand under them. */
const RUNNING = new Set(['no', 'nr', 'number']);
/** Texts that no title announces: longer cells of a row about an id. */
const TELLING = 12;

/** What a table says about artifacts: rows with ids, records of tools, cards of keys and values. Linear in its cells. */
export function tableStatements(reading: StatementReading, table: Table): readonly StatementDraft[] {
  const { blocks } = reading;
  if (table.rows.length === 0 && table.headerBlocks.length === 0) return [];
  const isRecordTable = table.rows.some((row) => blocks[row.block]!.record);
  const shape = tableShape(reading, table, isRecordTable);
  if (!shape) {
    if (isRecordTable) return [];
    const elements = elementStatements(reading, table);
    return elements.length > 0 ? elements : cardStatements(reading, table);
  }
  const statements: StatementDraft[] = [];
  for (const row of table.rows) {
    const statement = rowStatement(reading, row, { shape, block: blocks[row.block]! });
    if (!statement) continue;
    const before =
      statement.result !== undefined && repeatedTest(row.cells.get(shape.id)) === statement.id
        ? statements.find(({ id }) => id === statement.id)
        : undefined;
    // What a test gave when it was run again counts.
    if (before) before.result = statement.result;
    else statements.push(statement);
  }
  return statements;
}

/**
 * What the columns of a table are; undefined where no rows with ids stand in it. Asks for the first cells of each column
 * that hold something, and whether all cells of one are crosses.
 */
function tableShape(reading: StatementReading, table: Table, isRecordTable: boolean): TableShape | undefined {
  const { words } = reading;
  const attributes = new Map<number, AttributeRole>();
  const links = new Map<number, LinkRole>();
  const named = new Map<number, ArtifactType>();
  const guessed = new Set<number>();
  const executed = isRecordTable ? undefined : executedTests(reading, table);
  let nameColumn: number | undefined;
  const id = isRecordTable ? -1 : (executed ?? idColumn(reading, table));
  if (id === undefined) return undefined;
  const titles = titlesOf(table);
  titles.forEach((title, column) => {
    if (title === undefined || column === id || (isRecordTable && repeatsNumbers(table, column))) return;
    const role = roleOfTitle(title, reading.words);
    const type = typeInTitle(title, words);
    if (role?.link && !type && namesRow(title, titles[id])) {
      nameColumn = column;
      return;
    }
    const abbreviated = type || role ? undefined : typeOfListed(title, words);
    const listed = role?.link !== undefined || type || abbreviated ? holdsIds(table, column) : false;
    if (executed !== undefined && holdsWhatIsTested(table, column, role)) links.set(column, 'verifies');
    else if (role?.attribute === 'text' && listsIds(table, column)) links.set(column, 'any');
    else if (role?.attribute) attributes.set(column, role.attribute);
    else if (type && !listed) named.set(column, type);
    // "Fulfilled by" over names: whoever has to do it.
    else if (role?.link === 'down' && !listed) links.set(column, 'allocation');
    else if (role?.link === 'implementation' && !listed && !holdsCode(table, column))
      links.set(column, 'allocation');
    else if (role?.link) links.set(column, role.link);
    else if (type || (abbreviated && listed)) links.set(column, 'any');
    else if (!role && isContext(title) && listsIds(table, column)) links.set(column, 'up');
    else if (!role && holdsCodes(table, column)) {
      links.set(column, 'any');
      guessed.add(column);
    } else if (!role && listsKnownIds(table, column, words) && !repeatsIds(reading, table, column))
      links.set(column, 'any');
  });
  const roleColumn = (wanted: AttributeRole) => [...attributes].find(([, role]) => role === wanted)?.[0];
  const rated = (['severity', 'exposure', 'controllability'] as const).every(
    (role) => roleColumn(role) !== undefined,
  );
  const ownType = id >= 0 ? typeOfFirstIds(reading, table, id) : undefined;
  const columnOfOwn = [...named].find(([, type]) => !rated && (ownType === undefined || ownType === type));
  const hazard = [...named].find(([, type]) => rated && type === 'hazardous_event');
  const text = roleColumn('text') ?? hazard?.[0] ?? columnOfOwn?.[0];
  if (nameColumn !== undefined) attributes.set(nameColumn, 'name');
  const isTest =
    executed !== undefined ||
    (roleColumn('expected') !== undefined &&
      (roleColumn('steps') !== undefined || [...links.values()].includes('verifies')));
  const elements = nameColumn !== undefined && roleOfTitle(titles[nameColumn]!, words)?.link === 'allocation';
  // What a function may do wrong, without classes: what a list of hazards names.
  const ofMalfunctions =
    !rated &&
    titles.some(
      (title) => title !== undefined && meaningOfTitles().get(compactTitle(title)) === 'malfunction',
    ) &&
    roleColumn('asil') === undefined;
  // "Sit" over ids: they number situations, whatever their letters mean elsewhere.
  const numbered = id >= 0 && !rated ? meaningOfTitles().get(compactTitle(titles[id] ?? '')) : undefined;
  const numbersOthers = numbered === 'situation' || numbered === 'malfunction';
  const columnType = numbersOthers
    ? ('unknown' as const)
    : text !== undefined && named.has(text)
      ? ofMalfunctions
        ? ('unknown' as const)
        : named.get(text)
      : isTest
        ? ('test' as const)
        : elements
          ? ('design' as const)
          : undefined;
  // "Ref" over ids, "Technical requirement" over their texts.
  const listed = [id, text]
    .map((at) => kindListed(table.columns[at ?? -1] ?? ''))
    .find((kind) => kind !== undefined && kind !== 'requirement');
  // What is lost and how the driver is told, without a level or a source of their own: a table about requirements, not of them.
  const ofDegradations =
    titles.some(
      (title) => title !== undefined && meaningOfTitles().get(compactTitle(title)) === 'degradation',
    ) &&
    roleColumn('asil') === undefined &&
    named.size === 0 &&
    ![...links.values()].includes('up');
  const marked = markedColumns(reading, table, reading.blocks[table.rows[0]?.block ?? -1]?.location.section);
  return {
    titles,
    id,
    attributes,
    links,
    guessed,
    marks: new Map([
      ...[...marked.columns]
        .filter((column) => !attributes.has(column) && !links.has(column) && !named.has(column))
        .map((column) => [column, marked.says ? 'allocation' : 'mark'] as const),
      ...crossedIds(table).map((column) => [column, 'id'] as const),
    ]),
    quoted: new Map([...named].filter(([column]) => column !== text)),
    text: text ?? roleColumn('name') ?? (isTest ? roleColumn('steps') : undefined),
    columnType,
    listed: ofDegradations || ofMalfunctions ? ('unknown' as const) : listed,
    elements,
    rated,
  };
}

/** What a column is by its title; parentheses and the wrapping of exports do not count. */
export function roleOfTitle(title: string, words: ExtractionWords): ColumnRole | undefined {
  const known = (one: string) => words.columns.get(compactTitle(one));
  const inner = /^custom field \((.+)\)$/i.exec(title.trim())?.[1];
  return (
    known(title) ??
    (inner === undefined ? undefined : known(inner)) ??
    known(title.replace(/\s*[([].*$/, '')) ??
    known(title.slice(title.lastIndexOf('.') + 1)) ??
    undefined
  );
}

/** The number of each record once more, in an attribute of its own: "ReqIF.ForeignID". */
function repeatsNumbers({ rows }: Table, column: number): boolean {
  const filled = rows.slice(0, SAMPLED).flatMap((row) => {
    const text = row.cells.get(column)?.text.trim();
    return text ? [text === row.cells.get(0)?.text.trim()] : [];
  });
  return column > 0 && filled.length > 0 && filled.every(Boolean);
}
const SAMPLED = 50;

function idColumn(reading: StatementReading, table: Table): number | undefined {
  const titles = titlesOf(table);
  // Of a form, whatever names its record.
  if (table.rows[0]?.record) return 0;
  const fits = (column: number, running: boolean) => {
    const cells = sampleOf(table, column);
    const counted = running && !areNumberedIds(cells);
    const ids = cells.filter((text) => isRowId(text) && !(counted && /^\d+$/.test(text)));
    return cells.length > 0 && ids.length * 2 >= cells.length;
  };
  const byTitle = titles.findIndex((title, column) => {
    if (title === undefined) return false;
    const isId =
      roleOfTitle(title, reading.words)?.attribute === 'id' || /(?:^|[\s_-])ID$/i.test(title.trim());
    return isId && fits(column, RUNNING.has(compactTitle(title)));
  });
  if (byTitle >= 0) return byTitle;
  const beside = idsBesideGroups(table);
  if (beside !== undefined && !roleOfTitle(titles[beside] ?? '', reading.words)?.link) return beside;
  const cells = sampleOf(table, 0);
  const leading = cells.filter((text) => {
    const [first] = idsInText(text.slice(0, 120));
    return first?.start === 0 || CODED.test(text);
  });
  if (cells.length === 0 || titles.length < 2) return undefined;
  const isMatrix = areNumberedIds(cells) && crossedIds(table).length > 1;
  return leading.length * 3 >= cells.length * 2 || listsRows(titles[0], cells) || isMatrix ? 0 : undefined;
}

/** Columns of crosses under ids: a matrix of what is linked with what. */
function crossedIds(table: Table): readonly number[] {
  return [...table.columns.entries()].flatMap(([column, title = '']) => {
    if (column === 0 || !(CODED.test(title) || CODED_CLOSE.test(title) || NUMBERED.test(title))) return [];
    const cells = sampleOf(table, column);
    return cells.length > 0 && cells.every(isMark) ? [column] : [];
  });
}

/** "Requirement", "Test case" over ids of one letter and a number, each once. */
function listsRows(title: string | undefined, cells: readonly string[]): boolean {
  if (title === undefined || kindListed(title) === undefined) return false;
  const isOnce = new Set(cells).size === cells.length;
  return isOnce && (cells.every((text) => CLOSE.test(text)) || areNumberedIds(cells) || areWordedIds(cells));
}

/** Numbers that are ids: "3101", "3102", each once and of as many digits, above what counts the rows from one. */
function areNumberedIds(cells: readonly string[]): boolean {
  return (
    cells.length > 1 &&
    new Set(cells).size === cells.length &&
    cells.every((text) => NUMBERED.test(text) && text.length === cells[0]!.length)
  );
}

/** Words in capitals behind the same letters: "G-CHILD", "G-KEY". */
function areWordedIds(cells: readonly string[]): boolean {
  const [first, ...others] = cells.map((text) => WORDED.exec(text)?.[1]);
  return first !== undefined && others.length > 0 && others.every((letters) => letters === first);
}
const WORDED = /^(\p{Lu}{1,4}[-_])\p{Lu}[\p{Lu}\d]{1,15}(?:[-_][\p{Lu}\d]{1,15}){0,3}$/u;
const NUMBERED = /^[1-9]\d{2,5}$/;
const CLOSE = /^\p{Lu}{1,6}\d{1,5}(?:[._-]\d{1,4}){0,3}[a-z]?$/u;

/**
 * The column of tests in a table that says how they ended: a list of results without texts. Other columns of ids hold what
 * the tests are about, also where they stand first.
 */
function executedTests({ words }: StatementReading, table: Table): number | undefined {
  const titles = titlesOf(table);
  const roles = titles.map((title) => (title === undefined ? undefined : roleOfTitle(title, words)));
  const hasText = roles.some(
    (role, column) => role?.attribute === 'text' && !holdsWhatIsTested(table, column, role),
  );
  if (hasText || roles.every((role) => role?.attribute !== 'result')) return undefined;
  const holdsTests = (column: number): boolean => {
    const cells = sampleOf(table, column);
    return cells.length > 0 && cells.filter(isIdCell).length * 2 >= cells.length;
  };
  const named = titles.findIndex(
    (title, column) => title !== undefined && isTestTitle(title, words) && holdsTests(column),
  );
  if (named >= 0) return named;
  // "ID" beside what is verified: the tests are what has the ids.
  const verifies = roles.some(
    (role, column) =>
      role?.link === 'verifies' || (role?.attribute === 'text' && holdsWhatIsTested(table, column, role)),
  );
  const first = roles.findIndex((role, column) => role?.attribute === 'id' && holdsTests(column));
  const isTest = first >= 0 && typeOfId(sampleOf(table, first)[0]!, words) === 'test';
  return first >= 0 && (verifies || isTest) ? first : undefined;
}

/** "Element" beside "Element ID": what the row itself is called, whatever else the title says in other tables. */
function namesRow(title: string, idTitle: string | undefined): boolean {
  return compactTitle(idTitle ?? '') === `${compactTitle(title)}id`;
}

/** An id that tells nothing but that it is one: capitals, a hyphen, a number ("G-1", "SG-A1"). */
const CODED = /^\p{Lu}{1,6}[-_]\p{Lu}?\d{1,4}[a-z]?$/u;
/** What says that there is none. */
const isNoDash = (text: string) =>
  !/^[\s\p{Pd}/.(]*(?:n\/?a|none|no\s+goal|keine?s?|entfällt)?[\s.)]*$/iu.test(text);
/** The same without a sign between; one letter may be a rating. */
const CODED_CLOSE = /^\p{Lu}{2,6}\d{1,4}[a-z]?$/u;
const BETWEEN_CODES = /\s*[,;/&+\n]\s*/;

/** Cells of nothing but such ids, under a title that says nothing about them. */
function holdsCodes(table: Table, column: number): boolean {
  const cells = sampleOf(table, column).filter(isNoDash);
  return cells.length > 1 && cells.every((text) => text.split(BETWEEN_CODES).every((one) => CODED.test(one)));
}

/** A column of texts by its title ("Requirement") that holds ids and nothing else. */
function listsIds(table: Table, column: number): boolean {
  const cells = sampleOf(table, column).filter(isNoDash);
  const isCoded = (one: string) => CODED.test(one) || CLOSE.test(one) || NUMBERED.test(one);
  return (
    cells.length > 0 &&
    cells.every((text) => text.split(BETWEEN_CODES).every(isCoded) || idsAlone(text) !== undefined)
  );
}

/** The ids of a cell that holds them and nothing else. */
function idsAlone(text: string): readonly IdPlace[] | undefined {
  const ids = idsInText(text);
  const between = ids.map(({ start }, at) => text.slice(ids[at - 1]?.end ?? 0, start));
  const isAlone = [...between, text.slice(ids.at(-1)?.end ?? 0)].every((gap) =>
    /^[\s,;/&+[\]()`]*$/.test(gap),
  );
  return ids.length > 0 && isAlone ? ids : undefined;
}

/** "From", "For": nothing but a word that stands before what something comes from. */
const isContext = (title: string): boolean =>
  columnWords().contexts.some((word) => compactTitle(word) === compactTitle(title));

/** Cells of nothing but ids whose letters tell what they are ("Upper" over "SG 1, FSR 1-0"), under whatever title. */
function listsKnownIds(table: Table, column: number, words: ExtractionWords): boolean {
  const cells = sampleOf(table, column).filter(isNoDash);
  return (
    cells.length > 1 &&
    cells.every((text) => idsAlone(text)?.every(({ id }) => typeOfId(id, words) !== undefined))
  );
}

/** Beside executed tests: a further column of ids, or one titled "Requirement" that holds nothing but ids. */
function holdsWhatIsTested(table: Table, column: number, role: ColumnRole | undefined): boolean {
  if (role?.attribute === 'id') return true;
  const cells = role?.attribute === 'text' ? sampleOf(table, column) : [];
  return cells.length > 0 && cells.every(isIdCell);
}

/** "Test case", "Test ID", "TC". */
function isTestTitle(title: string, words: ExtractionWords): boolean {
  const bare = title.replace(/[\s_-]*(?:IDs?|No\.?|Nr\.?)$/i, '').trim();
  return kindListed(bare) === 'test' || words.typeOfPrefix.get(bare.toUpperCase()) === 'test';
}

function sampleOf(table: Table, column: number): string[] {
  const texts: string[] = [];
  for (const row of table.rows) {
    const text = row.cells.get(column)?.text.trim();
    if (text) texts.push(text);
    if (texts.length === SAMPLE) break;
  }
  return texts;
}

function holdsIds(table: Table, column: number): boolean {
  const cells = sampleOf(table, column);
  const withIds = cells.filter((text) => {
    // In the first word, or in a name that the cell begins with ("Functional Safety Requirement 01-01").
    const isFirst = /\d/.test(/\w\S*/.exec(text)?.[0] ?? '');
    return isFirst ? isIdCell(text) || idsInText(text).length > 0 : idAtStart(text)?.coded === false;
  });
  return withIds.length > 0 && withIds.length * 2 >= cells.length;
}

function typeOfFirstIds(reading: StatementReading, table: Table, column: number): ArtifactType | undefined {
  const [first] = sampleOf(table, column);
  return first === undefined ? undefined : typeOfId(first, reading.words);
}

/** What a row says about its artifact; undefined for one without id. */
function rowStatement(
  reading: StatementReading,
  { cells, record: place }: TableRow,
  { shape, block }: { readonly shape: TableShape; readonly block: Block },
): StatementDraft | undefined {
  const repeated = place || block.record ? undefined : repeatedTest(cells.get(shape.id));
  const id =
    block.record?.id ?? (place ? cells.get(shape.id)?.text : (repeated ?? idOfCell(cells.get(shape.id))));
  if (id === undefined) return undefined;
  const textCell = shape.text === undefined ? undefined : cells.get(shape.text);
  const statement = startStatement(place ?? block, id.trim());
  const { record } = block;
  if (record?.type) {
    statement.typeWord = record.type;
    if (isInformational(record.type, reading.words)) statement.informational = true;
  }
  if (place?.kind) {
    statement.typeWord = place.kind.word;
    statement.name = place.kind.name;
  }
  const isRecord = record !== undefined || place !== undefined;
  // What is allocated to a part is no hazardous event, whatever else the document holds.
  const isAllocated = !shape.rated && [...shape.links.values()].includes('allocation');
  const isOfHazards =
    reading.words.typeOfDocument.get(reading.source.documentType ?? '') === 'hazardous_event';
  statement.titled = isRecord || (shape.text !== undefined && !(isOfHazards && isAllocated));
  const isDefinition = (shape.text !== undefined && repeated === undefined) || isRecord;
  statement.kind = isDefinition ? 'definition' : 'mention';
  statement.text = textCell?.text.trim() ?? '';
  const recordColumns = record?.links && new Set(record.links.map((link) => link.column));
  for (const cell of cells.values()) {
    const { column } = cell;
    if (column === shape.id || cell.text === '') continue;
    const attribute = shape.attributes.get(column);
    if (attribute) {
      if (SAYS_NOTHING.has(attribute)) continue;
      // "Information" in the column of levels: the record demands nothing.
      if (attribute === 'asil' && isInformational(cell.text, reading.words)) statement.informational = true;
      else putAttribute(reading, statement, { attribute, value: cell.text.trim(), quote: quoteOf(cell) });
      continue;
    }
    const mark = shape.marks.get(column);
    if (mark && isMark(cell.text.trim())) {
      const written = shape.titles[column]!;
      refer(
        statement,
        mark === 'id'
          ? { role: 'any', written, quote: quoteOf(cell), source: 'bracket' }
          : { role: 'allocation', written, quote: quoteOf(cell), source: mark },
      );
      continue;
    }
    const role = shape.links.get(column);
    if (role && !recordColumns?.has(column)) {
      refer(statement, {
        role,
        written: cell.text,
        quote: quoteOf(cell),
        source: shape.guessed.has(column) ? 'bracket' : (shape.titles[column] ?? ''),
      });
      // "Pump and guard, split into F-11 and F-12".
      if (role === 'allocation')
        referencesInText(reading, statement, { text: cell.text, quote: quoteOf(cell) });
    }
  }
  for (const [column, quotes] of shape.quoted) {
    const cell = cells.get(column);
    if (cell?.text.trim())
      refer(statement, {
        role: 'any',
        written: cell.text,
        quote: quoteOf(cell),
        source: 'text',
        quotes,
      });
  }
  for (const link of record?.links ?? []) {
    const cell = cells.get(link.column);
    const role = reading.words.columns.get(compactTitle(link.type.replace(/\s*\(.*$/, '')))?.link ?? 'any';
    refer(statement, {
      role,
      written: link.target,
      quote: cell ? quoteOf(cell) : { start: block.start, end: block.end, location: block.location },
      exact: true,
    });
  }
  // A goal with the ratings of its hazard stays a goal, a row without ratings is no hazardous event.
  const ownType = typeOfId(statement.id, reading.words);
  // "EV-1" begins as evidence does; evidence has no ratings.
  const isHazard =
    statement.ratings !== undefined && ['hazardous_event', 'evidence'].includes(ownType ?? 'hazardous_event');
  const listed = ownType === undefined ? shape.listed : undefined;
  const columnType = shape.rated ? (isHazard ? 'hazardous_event' : undefined) : (shape.columnType ?? listed);
  if (columnType) statement.columnType = columnType;
  // Like elements without ids they owe nothing, unless their ids say that they are parts of an architecture.
  if (shape.elements && ownType === undefined) statement.informational = true;
  if (statement.text === '') statement.text = remainingText(cells, { shape, block, statement });
  if (textCell) referencesInText(reading, statement, { text: textCell.text, quote: quoteOf(textCell) });
  return statement;
}

/** `Heading`, `SW Heading`, `Information`. */
function isInformational(type: string, { informational }: ExtractionWords): boolean {
  const last =
    type
      .trim()
      .split(/[\s_-]+/)
      .at(-1) ?? '';
  return informational.has(compactTitle(type)) || informational.has(compactTitle(last));
}

let repeating: RegExp | undefined;

/** "PF-10 retest", "T8 again", "P42 (2)": the id of a test that the row says was run again. */
function repeatedTest(cell: Cell | undefined): string | undefined {
  const text = cell?.text.trim() ?? '';
  if (!text.includes(' ') || text.length > 60) return undefined;
  repeating ??= new RegExp(
    `^(?<id>\\p{L}[\\p{L}\\p{N}._-]{0,20}\\d[\\p{L}\\p{N}._-]{0,6})\\s[([]?(?:[2-9]|[2-9]\\.|${columnWords().repeated.join('|')})[)\\]]?(?:\\s.*)?$`,
    'iu',
  );
  return repeating.exec(text)?.groups?.id;
}

/** "VV 1", "M 7", "D 1.2": letters of no known kind and a number, in the column of ids. */
const SPACED = /^\p{Lu}{1,6}\s\d{1,4}(?:[.\-_]\d{1,4}){0,3}[a-z]?$/u;
const isRowId = (text: string): boolean => isIdCell(text) || (SPACED.test(text) && !isNoId(text));

/** The id of a cell of the column of ids: all of it, or what it begins with. */
function idOfCell(cell: Cell | undefined): string | undefined {
  const text = cell?.text.trim() ?? '';
  if (isRowId(text)) return text;
  const [first] = idsInText(text);
  return first?.start === 0 ? first.id : undefined;
}

/** Where no title announces the text: the longest cell without a known title. */
function remainingText(
  cells: TableRow['cells'],
  { shape, block, statement }: { shape: TableShape; block: Block; statement: StatementDraft },
): string {
  if (statement.name !== undefined && block.record) return '';
  let longest = '';
  const idCell = cells.get(shape.id)?.text.trim() ?? '';
  if (idCell.length > statement.id.length + 2)
    longest = idCell.slice(statement.id.length).replace(/^[\s:–—-]+/, '');
  for (const cell of cells.values()) {
    const { column } = cell;
    if (column === shape.id || shape.attributes.has(column) || shape.links.has(column)) continue;
    const text = cell.text.trim();
    if (text.length > longest.length && text.length >= TELLING) longest = text;
  }
  return longest;
}

/** A line of a table of keys and values. */
interface Pair {
  readonly block: Block;
  readonly key: Cell;
  readonly value: Cell;
}

/** The lines of a table of keys and values; none where a line is of another form. */
function pairsOf({ blocks }: StatementReading, table: Table): readonly Pair[] {
  const rows = [...table.headerBlocks, ...table.rows.map((row) => row.block)].map((index) => blocks[index]!);
  const pairs = rows.flatMap((block) => {
    const [key, value] = block.cells ?? [];
    return key && value && key.column === 0 && (block.cells?.length ?? 0) === 2
      ? [{ block, key, value }]
      : [];
  });
  return pairs.length < rows.length || pairs.length < 2 ? [] : pairs;
}

/** What artifacts alone say of themselves: a cover has none of these. */
const OF_ARTIFACTS: ReadonlySet<AttributeRole> = new Set<AttributeRole>([
  ...(['text', 'asil', 'safe_state', 'ftti', 'severity'] as const),
]);
const FEWEST_TELLING = 2;

/**
 * Keys and values below a heading with an id ("2.1 SG-01 Too much torque") are about the artifact that it names. False where the table
 * says too little about one.
 */
export function putHeadedCard(reading: StatementReading, table: Table, headed: StatementDraft): boolean {
  const pairs = pairsOf(reading, table);
  const telling = pairs.filter(({ key }) => {
    const attribute = roleOfTitle(key.text, reading.words)?.attribute;
    return attribute !== undefined && OF_ARTIFACTS.has(attribute);
  });
  if (telling.length < FEWEST_TELLING) return false;
  for (const pair of pairs) putPair(reading, headed, pair);
  headed.kind = 'definition';
  headed.end = pairs.at(-1)!.block.end;
  return true;
}

/** Tables of keys and values with an `id` among the keys: cards, directives. */
function cardStatements(reading: StatementReading, table: Table): readonly StatementDraft[] {
  const pairs = pairsOf(reading, table);
  const statements: StatementDraft[] = [];
  const isId = (key: Cell) =>
    roleOfTitle(key.text, reading.words)?.attribute === 'id' ||
    (key === pairs[0]!.key && namesKind(reading, pairs));
  // An id behind the text is what the card belongs to ("Text", "Goal", "ASIL"), not its own.
  const isText = (key: Cell) => roleOfTitle(key.text, reading.words)?.attribute === 'text';
  for (let at = 0; at < pairs.length; at++) {
    const first = pairs[at]!;
    if (statements.length === 0 && isText(first.key)) break;
    const before =
      !isId(first.key) && !isText(first.key) && pairs[at + 1] && isId(pairs[at + 1]!.key) ? first : undefined;
    const idPair = before ? pairs[at + 1]! : first;
    if (!isId(idPair.key) || !isIdCell(idPair.value.text.trim())) continue;
    const statement = startStatement(first.block, idPair.value.text.trim());
    statement.titled = true;
    if (before) {
      const role = roleOfTitle(before.key.text, reading.words);
      if (role?.attribute)
        putAttribute(reading, statement, {
          attribute: role.attribute,
          value: before.value.text.trim(),
          quote: quoteOf(before.value),
        });
      else {
        statement.typeWord = before.key.text.trim();
        if (before.value.text.trim()) statement.name = before.value.text.trim();
      }
      at++;
    }
    while (
      at + 1 < pairs.length &&
      !isId(pairs[at + 1]!.key) &&
      !(pairs[at + 2] && isId(pairs[at + 2]!.key) && !roleOfTitle(pairs[at + 1]!.key.text, reading.words))
    ) {
      at++;
      putPair(reading, statement, pairs[at]!);
    }
    statement.end = pairs[at]!.block.end;
    statements.push(statement);
  }
  return statements;
}

/** "FSR | FR-110" on top of attributes: the kind of artifact is the title of its id. */
function namesKind(
  { words }: StatementReading,
  [first, ...rest]: readonly { readonly key: Cell; readonly value: Cell }[],
): boolean {
  const { text } = first!.key;
  const isKind = typeInTitle(text, words) !== undefined || typeOfListed(text, words) !== undefined;
  const known = rest.filter(({ key }) => roleOfTitle(key.text, words)?.attribute !== undefined);
  return isKind && isIdCell(first!.value.text.trim()) && known.length >= 2;
}

function putPair(
  reading: StatementReading,
  statement: StatementDraft,
  { key, value }: { readonly key: Cell; readonly value: Cell },
): void {
  const text = value.text.trim();
  if (text === '') return;
  const role = roleOfTitle(key.text, reading.words);
  const quote = quoteOf(value);
  if (role?.attribute === 'text') statement.text = text;
  if (role?.attribute) putAttribute(reading, statement, { attribute: role.attribute, value: text, quote });
  else if (role?.link) refer(statement, { role: role.link, written: text, quote, source: key.text });
  else if (isIdCell(text) && (typeInTitle(key.text, reading.words) ?? typeOfListed(key.text, reading.words)))
    refer(statement, { role: 'any', written: text, quote, source: key.text });
  if (role?.attribute === 'text') referencesInText(reading, statement, { text: value.text, quote });
}

function quoteOf(cell: Cell): Quote {
  return { start: cell.start, end: cell.end, location: cell.location };
}
