import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import { passageAt } from '../../corpus/passages/passages-of.js';
import { idsBesideGroups, type Table, type TableRow } from '../../corpus/passages/tables.js';
import { titlesOf } from '../../corpus/passages/understood-columns.js';
import type { Cell } from '../../documents/document.js';
import { compactTitle, meaningOfTitles } from '../../words/column-titles.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import type { ArtifactType } from '../artifacts/artifact.js';
import { extractionWords } from '../artifacts/extraction-words.js';
import { idAtStart } from '../artifacts/id-forms.js';
import { typeInCorpus } from '../artifacts/id-types.js';
import { identifierKey } from '../artifacts/identifiers.js';
import { typeOfListed } from '../artifacts/infer-type.js';
import { timeIn } from '../quantities.js';
import { readResult } from '../test-result.js';
import { leadingId } from './read-prose.js';
import { recordWords } from './record-words.js';
import { kindsOfTitle, LINKS, type StatedKind, statedWords } from './stated-columns.js';
import { idsIn, isIdsOnly, prefixOf, type StatedItem, type StatedValue } from './stated-item.js';

const RATINGS: readonly StatedKind[] = ['severity', 'exposure', 'controllability'];

/** What only tests state. */
const OF_STEPS: readonly StatedKind[] = ['stimulus', 'expected'];
const OF_TESTS: readonly StatedKind[] = ['stimulus', 'measured'];

/** What the rows of all tables of a document state. Linear in its cells. */
export function statedRows(corpus: Corpus, document: CorpusDocument): readonly StatedItem[] {
  const single = document.read.tables.flatMap((table) => {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    const isBody = first !== undefined && document.read.passages[first]!.role === 'body';
    return (isBody && (headedCard(document, table) ?? reviewOf(document, table))) || [];
  });
  const taken = new Set(single.map(({ table }) => table));
  const rows = document.read.records.flatMap((table) => {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    const role = first === undefined ? undefined : document.read.passages[first]!.role;
    if (role !== 'body' && role !== 'history' && role !== 'references') return [];
    if (taken.has(table.id)) return [];
    return table.headerBlocks.length === 0 ? [] : rowsOf(corpus, document, table);
  });
  return [...single, ...rows];
}

function rowsOf(corpus: Corpus, document: CorpusDocument, table: Table): StatedItem[] {
  const { read } = document;
  const rows = table.rows.filter(({ block }) => {
    const passage = read.passages[block]!;
    return passage.role !== 'example' && passage.role !== 'guidance' && !corpus.otherItem.has(passage.id);
  });
  const kinds = kindsOfColumns(table, rows);
  addLinks(corpus, kinds, rows);
  placeText(kinds, rows);
  placePart(kinds, rows);
  // "TC-09 Watchdog" above rows of steps: they are its steps.
  const isSteps = [...kinds.values()].some((kind) => OF_STEPS.includes(kind));
  const test = isSteps ? nameInHeading(document, table, leadingId) : undefined;
  const idColumn = [...kinds].find(([, kind]) => kind === 'id')?.[0];
  const levelled = besideLevels(table);
  const unit = unitAbove(document, table);
  return rows.flatMap((row): StatedItem[] => {
    const passage = read.passages[row.block]!;
    const values = new Map<StatedKind, StatedValue>();
    const cells: StatedValue[] = [];
    for (const cell of row.cells.values()) {
      if (cell.text.trim() === '') continue;
      const place = row.record ? (passageAt(read.passages, cell.start) ?? passage) : passage;
      const title = table.columns[cell.column] ?? '';
      const isBareTime = unit !== '' && TIMES.includes(kinds.get(cell.column)!) && isNumber(cell.text);
      const value = cellValue(cell, isBareTime ? `${title} (${unit})` : title, place);
      if (cell.column < (table.printed ?? Infinity)) cells.push(value);
      const kind = kinds.get(cell.column);
      if (kind !== undefined && !values.has(kind)) values.set(kind, value);
    }
    const own = idColumn === undefined ? cells[0] : values.get('id');
    if (!own) return [];
    const name = test && !isIdsOnly(own.text) ? test : own;
    // Of a test, the criterion is what it expects.
    const criterion = values.get('criterion');
    if (criterion && OF_TESTS.some((kind) => values.has(kind)) && !values.has('expected'))
      values.set('expected', criterion);
    const whole = itemOf({ document, passage, table, name, hasId: isIdsOnly(name.text), values, cells });
    const parts = levelled.flatMap((column): StatedItem[] => {
      const [said, level] = [row.cells.get(column - 1), row.cells.get(column)];
      const [id, other] = idsIn(said?.text ?? '');
      if (!said || !level || !id || other || id.key === whole.key) return [];
      const start = said.start + said.text.indexOf(id.id);
      const own = { ...cellValue(said, '', passage), text: id.id, start, end: start + id.id.length };
      const asil = cellValue(level, table.columns[column] ?? '', passage);
      return [
        itemOf({
          document,
          passage,
          table,
          name: own,
          hasId: true,
          values: new Map([['asil', asil]]),
          cells: [],
        }),
      ];
    });
    return [whole, ...parts];
  });
}

const TIMES: readonly StatedKind[] = ['interval', 'detection', 'reaction', 'handling'];
const isNumber = (text: string): boolean => /^\s*[≤<]?\s*\d+(?:[.,]\d+)?\s*$/u.test(text);

/** "All times in ms." right above a table: the unit of its bare numbers; else nothing. */
function unitAbove({ read }: CorpusDocument, { headerBlocks: [first] }: Table): string {
  const above = first === undefined ? undefined : read.passages[first - 1];
  if (!above || read.document.blocks[above.blockIndex]!.cells) return '';
  const unit = patternOf(recordWords().unitAbove).exec(above.text)?.[1] ?? '';
  return /^m/i.test(unit) ? 'ms' : unit && 's';
}

/** Kinds that a column of ids has by its title alone; the ids tell more. */
const BY_TITLE_ONLY: ReadonlySet<StatedKind | undefined> = new Set([
  ...([undefined, 'work_product', 'text', 'element', 'phase', 'circumstance'] as const),
]);
/** So many rows tell what a column is. */
const SAMPLE = 25;
const rankOf = (type: ArtifactType | undefined) =>
  type === 'hazardous_event' ? 0 : REFINEMENT[type ?? 'unknown'];

/**
 * "Upper", "Object" and any other title over ids and nothing else: where each is of a kind that comes before that of the row, the row
 * comes from it, or verifies it where it is a test.
 */
function addLinks(corpus: Corpus, kinds: Map<number, StatedKind>, rows: readonly TableRow[]): void {
  const idAt = [...kinds].find(([, kind]) => kind === 'id')?.[0];
  if (idAt === undefined) return;
  const some = rows.slice(0, SAMPLE);
  const typesIn = (column: number) =>
    some.flatMap((row) => idsIn(row.cells.get(column)?.text ?? '')).map(({ id }) => typeInCorpus(corpus, id));
  const taken = new Set(kinds.values());
  const columns = new Set(some.flatMap(({ cells }) => [...cells.keys()]));
  let own: readonly (ArtifactType | undefined)[] | undefined;
  for (const column of columns) {
    if (column === idAt || !BY_TITLE_ONLY.has(kinds.get(column))) continue;
    const texts = some.map(({ cells }) => cells.get(column)?.text.trim() ?? '');
    const filled = texts.filter((text) => /[\p{L}\p{N}]/u.test(text));
    if (filled.length < 2 || filled.filter(isIdsOnly).length < filled.length * 0.8) continue;
    own ??= typesIn(idAt);
    const row = own.find((type) => type !== undefined) ?? (taken.has('expected') ? 'test' : undefined);
    const rank = row === 'test' ? Infinity : rankOf(row);
    const listed = typesIn(column).map(rankOf);
    if (rank === undefined || !listed.every((one) => one !== undefined && one <= rank)) continue;
    const kind = row === 'test' ? 'verifies' : 'parent';
    if (taken.has(kind)) continue;
    kinds.set(column, kind);
    taken.add(kind);
  }
}

/** "Goal | ASIL | Part 1 | ASIL | Part 2 | ASIL": columns of levels, each of what stands before it. */
function besideLevels(table: Table): readonly number[] {
  const levels = [...table.columns.keys()].filter(
    (column) => kindsOfTitle(table.columns[column] ?? '')[0] === 'asil',
  );
  return levels.length > 1 ? levels.filter((column) => column > 0 && !levels.includes(column - 1)) : [];
}

function itemOf(one: {
  readonly document: CorpusDocument;
  readonly passage: StatedItem['passage'];
  readonly table: Table;
  readonly name: StatedValue;
  readonly hasId: boolean;
  readonly values: ReadonlyMap<StatedKind, StatedValue>;
  readonly cells: readonly StatedValue[];
}): StatedItem {
  const { document, passage, table, name, hasId, values, cells } = one;
  // Exports may say an id twice in its cell.
  const keys = new Set(idsIn(name.text).map(({ key }) => key));
  const written = hasId && keys.size === 1 ? idsIn(name.text)[0]!.id : name.text;
  const id = written.replaceAll(/\s+/g, ' ').slice(0, 80);
  const section = document.read.sections[document.read.sectionOf[passage.blockIndex]!]?.title ?? '';
  return {
    id,
    key: identifierKey(id),
    hasId,
    document,
    passage,
    section,
    table: table.id,
    values,
    cells,
    how: 'table',
  };
}

function cellValue(cell: Cell, title: string, passage: StatedItem['passage']): StatedValue {
  return { text: cell.text.trim(), start: cell.start, end: cell.end, title, passage };
}

/** A kind for every column that has one: by its title, and where that allows several, by its cells. */
/** Under whatever title, the longest sentences of rows with an id, a level and an origin are what they demand. */
function placeText(kinds: Map<number, StatedKind>, rows: readonly TableRow[]): void {
  const taken = [...kinds.values()];
  if (taken.includes('text') || !(['id', 'asil', 'parent'] as const).every((kind) => taken.includes(kind)))
    return;
  const words = new Map<number, number>();
  const some = rows.slice(0, SAMPLE);
  for (const { cells } of some)
    for (const [column, { text }] of cells)
      if (!kinds.has(column)) words.set(column, (words.get(column) ?? 0) + text.split(/\s+/u).length);
  const [longest] = [...words].sort(([, a], [, b]) => b - a);
  if (longest && longest[1] >= some.length * WORDS_OF_A_DEMAND) kinds.set(longest[0], 'text');
}
/** So many words on average; names of elements and ids have fewer. */
const WORDS_OF_A_DEMAND = 5;

/** "Part" beside a demand and its level, over short names: the part of the item that carries it, and no part of a standard. */
function placePart(kinds: Map<number, StatedKind>, rows: readonly TableRow[]): void {
  const has = (kind: StatedKind) => [...kinds.values()].includes(kind);
  const [part] = [...kinds].find(([, kind]) => kind === 'phase') ?? [];
  if (part === undefined || !has('text') || !has('asil') || has('allocation')) return;
  const texts = rows.slice(0, SAMPLE).flatMap(({ cells }) => cells.get(part)?.text.trim() || []);
  if (texts.length > 1 && texts.every((text) => SHORT_NAMES.test(text))) kinds.set(part, 'allocation');
}
const SHORT_NAMES = /^\p{Lu}[\p{L}\d-]{1,7}(?:\s?[,;/+]\s?\p{Lu}[\p{L}\d-]{1,7})*$/u;

function kindsOfColumns(table: Table, rows: readonly TableRow[]): Map<number, StatedKind> {
  const kinds = new Map<number, StatedKind>();
  const taken = new Set<StatedKind>();
  const put = (column: number, kind: StatedKind) => {
    if (kinds.has(column) || (taken.has(kind) && kind !== 'parent')) return;
    kinds.set(column, kind);
    taken.add(kind);
  };
  const shareOfIds = (column: number) => {
    const texts = rows
      .map((row) => row.cells.get(column)?.text.trim() ?? '')
      .filter((text) => /[\p{L}\p{N}]{2}/u.test(text));
    return texts.length === 0 ? 0 : texts.filter(isIdsOnly).length / texts.length;
  };
  const firstIds = table.columns.findIndex((_, column) => shareOfIds(column) >= 0.6);
  const beside = idsBesideGroups(table);
  const titles = titlesOf(table);
  const titled = titles.findIndex((title) => kindsOfTitle(title ?? '').includes('id'));
  if (titled >= 0 && (firstIds < 0 || shareOfIds(titled) >= 0.6)) put(titled, 'id');
  else if (beside !== undefined && !kindsOfTitle(titles[beside] ?? '').some((kind) => LINKS.includes(kind)))
    put(beside, 'id');
  else if (firstIds === 0) put(0, 'id');
  const idAt = [...kinds.keys()][0] ?? -1;
  const ownPrefix = prefixesIn(rows, [...kinds.keys()][0]);
  // "Ergebnis" beside "Urteil": what was measured, where the other one holds the outcomes.
  const results = [...titles.keys()].filter((column) => kindsOfTitle(titles[column] ?? '')[0] === 'result');
  const outcomes = results.find((column) => shareOfOutcomes(rows, column) >= 0.6);
  const reasons = besideClasses(titles, rows);
  for (const [column, title = ''] of titles.entries()) {
    const likely = kindsOfTitle(title).filter((kind) => kind !== 'id');
    const ids = shareOfIds(column);
    if (outcomes !== undefined && column !== outcomes && results.includes(column)) {
      if (shareOfOutcomes(rows, column) < 0.6) put(column, 'measured');
      continue;
    }
    if (RATINGS.includes(kinds.get(column - 1)!) && likely[0] === 'rationale') {
      put(column, `${kinds.get(column - 1)!}_rationale` as StatedKind);
      continue;
    }
    if (reasons.has(column)) {
      put(column, reasons.get(column)!);
      continue;
    }
    // A title that may be that of a text as well ("Requirement") is one of links when the ids are of another kind.
    const isLink =
      ids >= 0.6 &&
      (likely.length === 1 || prefixesIn(rows, column).every((prefix) => !ownPrefix.includes(prefix)));
    const own = likely.find((one) => (LINKS.includes(one) ? isLink : one !== 'text' || ids < 0.5));
    // "Fulfilled by" over names and no ids: whoever has to do it.
    const isDoneBy = meaningOfTitles().get(compactTitle(title)) === 'down' && ids < 0.5;
    const kind = isDoneBy ? 'allocation' : own === 'parent' && isBelow(title, titles[idAt]) ? undefined : own;
    const timed = kind === undefined || kind === 'fault_reaction' ? timeTitled(title) : undefined;
    if (timed && shareOfTimes(rows, column, title) >= 0.6) put(column, timed);
    else if (kind) put(column, kind);
  }
  return kinds;
}

/** "S | Reasoning | E | Reasoning | C | Reasoning": sentences behind each class, under whatever title, are its reason. */
function besideClasses(
  titles: readonly (string | undefined)[],
  rows: readonly TableRow[],
): ReadonlyMap<number, StatedKind> {
  const reasons = new Map<number, StatedKind>();
  const isSentence = (text: string) => /(?:\S+\s+){2}\S/u.test(text);
  for (const [column, title = ''] of titles.entries()) {
    // "For S", "zu S": sentences under the name of a rating are its reason.
    const named = RATINGS.find((kind) => kindsOfTitle(withoutJoints(title))[0] === kind);
    const said = rows
      .map((row) => row.cells.get(column)?.text.trim() ?? '')
      .filter((text) => text.length > 1);
    const isReason =
      said.length > 1 && said.every((text) => isSentence(text) && !/^[SECK][0-4](?!\p{L})/u.test(text));
    if (named && isReason && title.length <= LONGEST_JOINED)
      reasons.set(column, `${named}_rationale` as StatedKind);
  }
  for (const [column, title = ''] of titles.entries()) {
    if (reasons.has(column)) continue;
    const rating = RATINGS.find((kind) => kindsOfTitle(titles[column - 1] ?? '')[0] === kind);
    if (rating === undefined || kindsOfTitle(title).length > 0) continue;
    const texts = rows.map((row) => row.cells.get(column)?.text.trim() ?? '').filter((text) => text !== '');
    const told = texts.filter(isSentence);
    if (told.length * 2 > texts.length) reasons.set(column, `${rating}_rationale` as StatedKind);
  }
  return reasons.size > 1 ? reasons : new Map();
}

/** "Zu S" and the like have few letters. */
const LONGEST_JOINED = 24;
/** A title without the words that join it to what stands beside. */
const withoutJoints = (title: string): string =>
  title.replaceAll(/(?<!\p{L})(?:for|to|of|on|zu|zur|zum|für|bei)\s+/giu, '');

/** From goals to what they are refined in. */
const REFINEMENT: Partial<Record<ArtifactType, number>> = {
  ...{ safety_goal: 1, functional_safety_requirement: 2, technical_safety_requirement: 3 },
  ...{ hardware_requirement: 4, software_requirement: 4 },
};

/** "TSR" beside rows of "FSR": what refines the row, and not what it comes from. */
function isBelow(title: string, own: string | undefined): boolean {
  const [other, mine] = [title, own ?? ''].map(
    (one) => REFINEMENT[typeOfListed(one, extractionWords()) ?? 'unknown'],
  );
  return other !== undefined && mine !== undefined && other > mine;
}

/** "Detection" over times is a time. */
function timeTitled(title: string): 'detection' | 'reaction' | undefined {
  const { detection, reaction } = statedWords().times;
  const compact = compactTitle(title.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' '));
  const isOne = (words: readonly string[]) => words.some((word) => compactTitle(word) === compact);
  if (isOne(detection)) return 'detection';
  return isOne(reaction) ? 'reaction' : undefined;
}

function shareOfOutcomes(rows: readonly TableRow[], column: number): number {
  const results = rows.flatMap((row) => readResult(row.cells.get(column)?.text ?? '') ?? []);
  const known = results.filter((result) => result !== 'unknown');
  return results.length === 0 ? 0 : known.length / results.length;
}

/** Share of times among all that stands in a column, each text once: "as parent" may stand in every second row. */
function shareOfTimes(rows: readonly TableRow[], column: number, title: string): number {
  const all = rows
    .map((row) => row.cells.get(column)?.text.trim() ?? '')
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
  const texts = [...new Set(all)];
  const times = texts.filter((text) => timeIn(text, title));
  return texts.length === 0 ? 0 : times.length / texts.length;
}

function prefixesIn(rows: readonly TableRow[], column: number | undefined): readonly string[] {
  if (column === undefined) return [];
  return [
    ...new Set(
      rows.flatMap((row) => idsIn(row.cells.get(column)?.text ?? '').map(({ key }) => prefixOf(key))),
    ),
  ];
}

/** What only artifacts state: a card has one of these. */
const OF_ARTIFACTS: readonly StatedKind[] = ['text', 'asil', 'parent', 'safe_state', 'interval', ...RATINGS];
/** What a record of a review states. */
const OF_REVIEWS: readonly StatedKind[] = [
  ...(['work_product', 'version', 'date', 'person', 'result', 'planned_independence'] as const),
];
/** Fields that a card has at least, beside its id. */
const FEWEST_FIELDS = 3;

/** Keys and values under a heading with an id ("2.1 SG-01 Too much torque") are about that id. */
function headedCard(document: CorpusDocument, table: Table): StatedItem | undefined {
  const { read } = document;
  const name = nameInHeading(document, table);
  if (!name) return undefined;
  const values = new Map<StatedKind, StatedValue>();
  const cells: StatedValue[] = [];
  for (const block of [...table.headerBlocks, ...table.rows.map((row) => row.block)]) {
    const [label, cell, other] = (read.document.blocks[block]!.cells ?? []).filter(
      ({ text }) => text.trim() !== '',
    );
    if (other || (cell && cell.column > 1)) return undefined;
    if (!label || !cell) continue;
    const value = cellValue(cell, label.text.trim(), read.passages[block]!);
    cells.push(value);
    const kind = kindsOfTitle(label.text).find(
      (one) => one !== 'id' && (!LINKS.includes(one) || isIdsOnly(value.text)),
    );
    if (kind && !values.has(kind)) values.set(kind, value);
  }
  if (values.size < FEWEST_FIELDS || values.size * 2 < cells.length) return undefined;
  if (!OF_ARTIFACTS.some((kind) => values.has(kind))) return undefined;
  values.set('id', name);
  return itemOf({
    document,
    passage: name.passage,
    table,
    name,
    hasId: true,
    values,
    cells: [name, ...cells],
  });
}

/** A table of keys and values about one review: what was looked at, by whom, with which result. */
function reviewOf(document: CorpusDocument, table: Table): StatedItem | undefined {
  const { read } = document;
  const blocks = [...table.headerBlocks, ...table.rows.map(({ block }) => block)];
  const values = new Map<StatedKind, StatedValue>();
  const cells: StatedValue[] = [];
  for (const block of blocks) {
    const [label, cell, other] = (read.document.blocks[block]!.cells ?? []).filter(
      ({ text }) => text.trim() !== '',
    );
    if (other || (label && label.column > 0)) return undefined;
    if (!label || !cell) continue;
    const value = cellValue(cell, label.text.trim(), read.passages[block]!);
    cells.push(value);
    const kind = kindsOfTitle(label.text).find((one) => OF_REVIEWS.includes(one));
    if (kind && !values.has(kind)) values.set(kind, value);
  }
  const name = values.get('work_product');
  if (!name || !values.has('person')) return undefined;
  // "Reviewed", "Reviewer" and no result: below a heading that is one of a review.
  const { title } = document.read.sections[document.read.sectionOf[blocks[0]!]!]!;
  if (!values.has('result') && !anyOf(recordWords().reviewHeadings).test(title)) return undefined;
  return itemOf({ document, passage: name.passage, table, name, hasId: false, values, cells });
}

/** A heading that is nothing but letters and a number is an id, whatever its letters are. */
const ID_ALONE = /^(\p{Lu}[\p{L}]{1,9}[-_]\d{1,4}[a-h]?)\s*$/u;

/** "2.1 SG-01 Too much torque" right above a table. */
function nameInHeading(
  { read }: CorpusDocument,
  table: Table,
  idOf: (heading: string) => string | undefined = (heading) => idAtStart(heading)?.id,
): StatedValue | undefined {
  const first = table.headerBlocks[0] ?? table.rows[0]!.block;
  const heading = read.sections[read.sectionOf[first]!]?.heading;
  const passage = heading === undefined ? undefined : read.passages[heading];
  const numbering = /^[\d.\s]*/u.exec(passage?.text ?? '')![0].length;
  const title = passage?.text.slice(numbering) ?? '';
  const id = idOf(title) ?? ID_ALONE.exec(title)?.[1];
  if (!id || !passage || !title.startsWith(id)) return undefined;
  const start = passage.start + numbering;
  return { text: id, start, end: start + id.length, passage, title: '' };
}
