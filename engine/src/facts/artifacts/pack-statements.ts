import type { Location } from '../../documents/location.js';
import type { ReadStatements } from './extract-artifacts.js';
import {
  type Attributes,
  CELL_ROW,
  FORM,
  HEAD_BYTES,
  type Head,
  littleEndian,
  type Manner,
  NONE,
  NUMBERED_CELL,
  type Part,
  PLACE_COLUMNS,
  REFERENCE_COLUMNS,
  STATEMENT_COLUMNS,
  TEXT_COLUMNS,
} from './packed-form.js';
import type { DocumentStatements, Quote, Reference, Statement } from './statement.js';

/**
 * What was read of a document as bytes: a JSON text with what is said alike, columns of numbers, and all texts as one.
 * As JSON it would be twice as large and take several times as long to read.
 * @param within The text of the document, where whoever unpacks has it, too: nearly all texts are places in it then.
 */
export function packStatements({ seen, whole }: ReadStatements, within = ''): Uint8Array<ArrayBuffer> {
  const texts = packedTexts(within);
  const parts = [seen, ...(whole ? [whole] : [])].map((part) => packPart(part, texts));
  const text = texts.joined();
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  const letters = Buffer.from(text, encoding);
  const head = Buffer.from(JSON.stringify({ parts: parts.map(({ part }) => part), encoding } satisfies Head));
  const numbers = parts.flatMap((part) => part.columns);
  const size = numbers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = new Uint8Array(HEAD_BYTES + size + head.length + letters.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, FORM, true);
  view.setUint32(4, size, true);
  view.setUint32(8, head.length, true);
  let at = HEAD_BYTES;
  for (const column of numbers) {
    bytes.set(littleEndian(column), at);
    at += column.byteLength;
  }
  bytes.set(head, at);
  bytes.set(letters, at + head.length);
  return bytes;
}

function packPart(
  { source, statements, sentences, demands }: DocumentStatements,
  texts: PackedTexts,
): { readonly part: Part; readonly columns: readonly Int32Array[] } {
  const attributes = numbered(isSaidAlike, attributesOf);
  const manners = numbered(isMannerAlike, mannerOf);
  const places = numbered(isPlaceAlike, placeWithoutNumbers);
  const contexts: Record<number, NonNullable<Statement['context']>> = {};
  const references = statements.reduce((sum, statement) => sum + statement.references.length, 0);
  const ofStatements = columnsOf(STATEMENT_COLUMNS, statements.length);
  const ofReferences = columnsOf(REFERENCE_COLUMNS, references);
  const [ids, said, names] = [0, 1, 2].map((text) => textColumns(ofStatements, text * TEXT_COLUMNS));
  const [kinds, counts, contextual] = ofStatements.slice(3 * TEXT_COLUMNS) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const written = textColumns(ofReferences, 0);
  const ways = ofReferences[TEXT_COLUMNS]!;
  const putPlace = (columns: readonly Int32Array[], first: number, row: number, quote: Quote | undefined) => {
    const location = quote?.location;
    columns[first]![row] = quote ? quote.start : NONE;
    columns[first + 1]![row] = quote ? quote.end : NONE;
    columns[first + 2]![row] = location ? places.of(location) : NONE;
    columns[first + 3]![row] = location?.line ?? NONE;
    columns[first + 4]![row] = numberOfCell(location?.cell);
  };
  let row = 0;
  for (const [at, statement] of statements.entries()) {
    const { context, references: own } = statement;
    if (context) contexts[at] = context;
    texts.put(ids!, at, statement.id, statement);
    texts.put(said!, at, statement.text, statement);
    texts.put(names!, at, statement.name, statement);
    kinds[at] = attributes.of(statement);
    counts[at] = own.length;
    contextual[at] = context ? 1 : 0;
    putPlace(ofStatements, 3 * TEXT_COLUMNS + 3, at, statement);
    putPlace(ofStatements, 3 * TEXT_COLUMNS + 3 + PLACE_COLUMNS, at, statement.asilPlace);
    for (const reference of own) {
      texts.put(written, row, reference.written, reference.quote);
      ways[row] = manners.of(reference);
      putPlace(ofReferences, TEXT_COLUMNS + 1, row, reference.quote);
      row++;
    }
  }
  return {
    part: {
      source,
      statements: statements.length,
      references,
      attributes: attributes.all,
      manners: manners.all,
      places: places.all,
      contexts,
      sentences,
      demands,
    },
    columns: [...ofStatements, ...ofReferences],
  };
}

interface TextColumns {
  readonly lengths: Int32Array;
  readonly starts: Int32Array;
}

const textColumns = (columns: readonly Int32Array[], first: number): TextColumns => ({
  lengths: columns[first]!,
  starts: columns[first + 1]!,
});

/** All texts as one: those that are not in the text of the document where they are quoted. */
interface PackedTexts {
  put(columns: TextColumns, row: number, text: string | undefined, quote: Pick<Quote, 'start' | 'end'>): void;
  joined(): string;
}

function packedTexts(within: string): PackedTexts {
  const texts: string[] = [];
  let size = 0;
  return {
    put({ lengths, starts }, row, text, { start, end }) {
      lengths[row] = text === undefined ? NONE : text.length;
      if (!text) return;
      const at = within === '' ? -1 : within.slice(start, end).indexOf(text);
      if (at >= 0) {
        starts[row] = start + at;
        return;
      }
      starts[row] = ~size;
      texts.push(text);
      size += text.length;
    },
    joined: () => texts.join(''),
  };
}

const columnsOf = (width: number, rows: number): readonly Int32Array[] =>
  Array.from({ length: width }, () => new Int32Array(rows));

/** So many different values are looked through before one is compared by its text: levels and results alternate, places rarely. */
const RECENT = 8;

/**
 * What many values have alike, each once, with their numbers. Most are as one of the last few, so that only what differs is taken
 * out of its value and compared by its text.
 */
function numbered<Value, Alike>(
  isAlike: (a: Value, b: Value) => boolean,
  alikeOf: (value: Value) => Alike,
): { readonly all: readonly Alike[]; of(value: Value): number } {
  const numbers = new Map<string, number>();
  const all: Alike[] = [];
  const recent: { readonly value: Value; readonly number: number }[] = [];
  let next = 0;

  function numberOf(value: Value): number {
    const alike = alikeOf(value);
    const key = JSON.stringify(alike);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, all.length);
    return all.push(alike) - 1;
  }

  return {
    all,
    of(value) {
      for (const one of recent) if (isAlike(value, one.value)) return one.number;
      const number = numberOf(value);
      recent[next] = { value, number };
      next = (next + 1) % RECENT;
      return number;
    },
  };
}

function attributesOf(statement: Statement): Attributes {
  const {
    id: _id,
    text: _text,
    name: _name,
    location: _location,
    start: _start,
    end: _end,
    asilPlace: _place,
    context: _context,
    references: _references,
    ...rest
  } = statement;
  return rest;
}

/** Written one by one: this is asked for every statement. */
const isSaidAlike = (a: Statement, b: Statement): boolean =>
  a.type === b.type &&
  a.kind === b.kind &&
  a.asil === b.asil &&
  a.cal === b.cal &&
  a.risk === b.risk &&
  a.status === b.status &&
  a.version === b.version &&
  a.result === b.result &&
  a.method === b.method &&
  a.configuration === b.configuration &&
  a.informational === b.informational &&
  a.external === b.external &&
  a.ratings === b.ratings &&
  a.typeWord === b.typeWord &&
  a.columnType === b.columnType &&
  a.titled === b.titled &&
  a.told === b.told &&
  a.tentative === b.tentative &&
  a.named === b.named &&
  a.needs === b.needs;

function mannerOf({ written: _, quote: __, ...manner }: Reference): Manner {
  return manner;
}

const isMannerAlike = (a: Reference, b: Reference): boolean =>
  a.role === b.role && a.exact === b.exact && a.source === b.source && a.quotes === b.quotes;

function placeWithoutNumbers(location: Location): Location {
  const { line, cell } = location;
  const isCellNumbered = numberOfCell(cell) !== NONE;
  if (line === undefined && !isCellNumbered) return location;
  // The keys stay in their order.
  return {
    ...location,
    ...(line === undefined ? {} : { line: 0 }),
    ...(isCellNumbered ? { cell: NUMBERED_CELL } : {}),
  };
}

/** Whether two places are the same but for their line and cell. */
function isPlaceAlike(a: Location, b: Location): boolean {
  if (a === b) return true;
  if (a.section !== b.section || a.page !== b.page || a.sheet !== b.sheet) return false;
  if (a.requirementId !== b.requirementId) return false;
  if (a.cell !== b.cell && (numberOfCell(a.cell) === NONE || numberOfCell(b.cell) === NONE)) return false;
  const others = Object.keys(b);
  let at = 0;
  for (const key in a) if (key !== others[at++]) return false;
  return at === others.length;
}

/** `R12C3` as a number; -1 for cells of another form. */
function numberOfCell(cell: string | undefined): number {
  if (cell === undefined || cell.charCodeAt(0) !== 82) return NONE;
  const between = cell.indexOf('C', 1);
  const row = wholeNumber(cell, 1, between);
  const column = wholeNumber(cell, between + 1, cell.length);
  return row > 0 && column > 0 && column < CELL_ROW ? row * CELL_ROW + column : NONE;
}

/** Of at most six digits without a zero before them; 0 for anything else. */
function wholeNumber(text: string, start: number, end: number): number {
  if (end <= start || end - start > 6 || text.charCodeAt(start) === 48) return 0;
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return 0;
    number = number * 10 + digit;
  }
  return number;
}
