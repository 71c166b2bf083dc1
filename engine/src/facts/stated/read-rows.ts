import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { Table, TableRow } from '../../corpus/passages/tables.js';
import type { Cell } from '../../documents/document.js';
import { compactTitle, meaningOfTitles } from '../../words/column-titles.js';
import { identifierKey } from '../artifacts/identifiers.js';
import { quantitiesIn } from '../quantities.js';
import { kindsOfTitle, LINKS, type StatedKind, statedWords } from './stated-columns.js';
import { idsIn, isIdsOnly, prefixOf, type StatedItem, type StatedValue } from './stated-item.js';

const RATINGS: readonly StatedKind[] = ['severity', 'exposure', 'controllability'];

/** What the rows of all tables of a document state. Linear in its cells. */
export function statedRows(corpus: Corpus, document: CorpusDocument): readonly StatedItem[] {
  return document.read.tables.flatMap((table) => {
    const first = table.headerBlocks[0] ?? table.rows[0]?.block;
    const role = first === undefined ? undefined : document.read.passages[first]!.role;
    if (role !== 'body' && role !== 'history') return [];
    const card = cardOf(document, table);
    if (card) return [card];
    return table.headerBlocks.length === 0 ? [] : rowsOf(corpus, document, table);
  });
}

function rowsOf(corpus: Corpus, document: CorpusDocument, table: Table): StatedItem[] {
  const { read } = document;
  const rows = table.rows.filter(({ block }) => {
    const passage = read.passages[block]!;
    return passage.role !== 'example' && passage.role !== 'guidance' && !corpus.otherItem.has(passage.id);
  });
  const transposed = transposedItems(document, table, rows);
  if (transposed) return transposed;
  const kinds = kindsOfColumns(table, rows);
  const idColumn = [...kinds].find(([, kind]) => kind === 'id')?.[0];
  return rows.flatMap((row): StatedItem[] => {
    const passage = read.passages[row.block]!;
    const values = new Map<StatedKind, StatedValue>();
    const cells: StatedValue[] = [];
    for (const cell of row.cells.values()) {
      if (cell.text.trim() === '') continue;
      const value = cellValue(cell, table.columns[cell.column] ?? '', passage);
      cells.push(value);
      const kind = kinds.get(cell.column);
      if (kind !== undefined && !values.has(kind)) values.set(kind, value);
    }
    const name = idColumn === undefined ? cells[0] : values.get('id');
    if (!name) return [];
    return [itemOf({ document, passage, table, name, hasId: isIdsOnly(name.text), values, cells })];
  });
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
function kindsOfColumns(table: Table, rows: readonly TableRow[]): ReadonlyMap<number, StatedKind> {
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
  const titled = table.columns.findIndex((title) => kindsOfTitle(title ?? '').includes('id'));
  if (titled >= 0 && (firstIds < 0 || shareOfIds(titled) >= 0.6)) put(titled, 'id');
  else if (firstIds === 0) put(0, 'id');
  const ownPrefix = prefixesIn(rows, [...kinds.keys()][0]);
  for (const [column, title = ''] of table.columns.entries()) {
    const likely = kindsOfTitle(title).filter((kind) => kind !== 'id');
    const ids = shareOfIds(column);
    if (RATINGS.includes(kinds.get(column - 1)!) && likely[0] === 'rationale') {
      put(column, `${kinds.get(column - 1)!}_rationale` as StatedKind);
      continue;
    }
    // A title that may be that of a text as well ("Requirement") is one of links when the ids are of another kind.
    const isLink =
      ids >= 0.6 &&
      (likely.length === 1 || prefixesIn(rows, column).every((prefix) => !ownPrefix.includes(prefix)));
    const own = likely.find((one) => (LINKS.includes(one) ? isLink : one !== 'text' || ids < 0.5));
    // "Fulfilled by" over names and no ids: whoever has to do it.
    const isDoneBy = meaningOfTitles().get(compactTitle(title)) === 'down' && ids < 0.5;
    const kind = isDoneBy ? 'allocation' : own;
    const timed = kind === undefined || kind === 'fault_reaction' ? timeTitled(title) : undefined;
    if (timed && shareOfTimes(rows, column) >= 0.6) put(column, timed);
    else if (kind) put(column, kind);
  }
  return kinds;
}

/** "Detection" over times is a time. */
function timeTitled(title: string): 'detection' | 'reaction' | undefined {
  const { detection, reaction } = statedWords().times;
  const compact = compactTitle(title);
  const isOne = (words: readonly string[]) => words.some((word) => compactTitle(word) === compact);
  if (isOne(detection)) return 'detection';
  return isOne(reaction) ? 'reaction' : undefined;
}

function shareOfTimes(rows: readonly TableRow[], column: number): number {
  const texts = rows
    .map((row) => row.cells.get(column)?.text.trim() ?? '')
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
  const times = texts.filter((text) => quantitiesIn(text).some(({ kind }) => kind === 'time'));
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
/** Fields that a card has at least, beside its id. */
const FEWEST_FIELDS = 3;

/** A table of two columns that states one thing field by field: "ID | FSR-01", "ASIL | C", "FTTI | 500 ms". */
function cardOf(document: CorpusDocument, table: Table): StatedItem | undefined {
  const { read } = document;
  const lines = [...table.headerBlocks, ...table.rows.map(({ block }) => block)].map((block) => ({
    passage: read.passages[block]!,
    cells: (read.document.blocks[block]!.cells ?? []).filter(({ text }) => text.trim() !== ''),
  }));
  if (lines.some(({ cells }) => cells.length > 2 || cells.some(({ column }) => column > 1))) return undefined;
  const fields = lines.filter(({ cells }) => cells.length === 2);
  const head = fields.findIndex(
    ({ cells }) => isIdsOnly(cells[1]!.text) && idsIn(cells[1]!.text).length === 1,
  );
  // Its id stands at the top.
  if (head < 0 || head > 1) return undefined;
  const { passage, cells: named } = fields[head]!;
  const values = new Map<StatedKind, StatedValue>();
  const cells: StatedValue[] = [];
  for (const one of fields.filter((_, at) => at !== head)) {
    const [label, cell] = one.cells as [Cell, Cell];
    const value = cellValue(cell, label.text.trim(), one.passage);
    cells.push(value);
    const kind = kindsOfTitle(label.text).find(
      (kind) => kind !== 'id' && (!LINKS.includes(kind) || isIdsOnly(value.text)),
    );
    if (kind && !values.has(kind)) values.set(kind, value);
  }
  if (values.size < FEWEST_FIELDS || values.size * 2 < cells.length) return undefined;
  // A cover has an id, a version and a date, too: what they are of is the document.
  if (!OF_ARTIFACTS.some((kind) => values.has(kind))) return undefined;
  const name = cellValue(named[1]!, named[0]!.text.trim(), passage);
  values.set('id', name);
  return itemOf({ document, passage, table, name, hasId: true, values, cells: [name, ...cells] });
}

/** A table whose first column holds the titles, and whose header row the ids. */
function transposedItems(
  document: CorpusDocument,
  table: Table,
  rows: readonly TableRow[],
): StatedItem[] | undefined {
  const ids = table.columns.slice(1).map((title) => title !== undefined && isIdsOnly(title));
  if (ids.length < 2 || !ids.every(Boolean) || rows.length === 0) return undefined;
  const titled = rows.filter((row) => kindsOfTitle(row.cells.get(0)?.text ?? '').length > 0);
  if (titled.length * 2 < rows.length) return undefined;
  const header = document.read.passages[table.headerBlocks.at(-1)!]!;
  const headerCells = document.read.document.blocks[header.blockIndex]!.cells ?? [];
  return headerCells
    .filter((cell) => cell.column > 0 && isIdsOnly(cell.text))
    .map((head) => {
      const values = new Map<StatedKind, StatedValue>();
      const cells: StatedValue[] = [];
      for (const row of rows) {
        const cell = row.cells.get(head.column);
        const title = row.cells.get(0)?.text.trim() ?? '';
        if (!cell || cell.text.trim() === '') continue;
        const value = cellValue(cell, title, document.read.passages[row.block]!);
        cells.push(value);
        const kind = kindsOfTitle(title).find((one) => !LINKS.includes(one) || isIdsOnly(value.text));
        if (kind && !values.has(kind)) values.set(kind, value);
      }
      const name = cellValue(head, '', header);
      return itemOf({ document, passage: header, table, name, hasId: true, values, cells });
    });
}
