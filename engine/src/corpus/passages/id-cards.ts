import type { Block, Cell, Document } from '../../documents/document.js';
import { type ColumnMeaning, compactTitle, meaningOfTitles } from '../../words/column-titles.js';
import { titleByValues } from '../../words/column-values.js';
import { isCode, type Table, type TableRow } from './tables.js';

/** A label with its value, as one line of a card has them. */
interface Field {
  readonly label: Cell;
  readonly value: Cell;
}

/** A line of a card; one that begins a card may have fields of its own behind the id ("T-01 | Class: B | Carrier: pump"). */
interface Line extends Partial<Field> {
  readonly label: Cell;
  readonly block: Block;
  readonly inline?: readonly Field[];
}

/** What a card is about, and its fields. */
interface Card {
  readonly id: Cell;
  readonly name?: Cell;
  /** The line that it begins with. */
  readonly first: Block;
  readonly start: number;
  readonly fields: readonly Field[];
}

const FEWEST_FIELDS = 2;
const LONGEST_LABEL = 60;
const LONGEST_HEADING = 200;
/** What is said about artifacts; a cover has a version and a date. */
const OF_ARTIFACTS: ReadonlySet<ColumnMeaning> = new Set<ColumnMeaning>([
  ...(['text', 'asil', 'up', 'ftti', 'detection', 'reaction', 'safe_state', 'allocation'] as const),
  ...(['severity', 'exposure', 'controllability', 'expected', 'verifies'] as const),
]);
const ID = 'ID';
const NAME = 'Name';

/**
 * Cards of labels and values whose id is no value of a label: it is the first label itself ("FSR-1 | Torque limit" above "Text | …"), stands before
 * fields in the same line ("T-01 | Class: B | From: F-1"), or in the heading right above ("Card G-1"). Undefined for every other table. Cells stay those of the document. Linear in the cells.
 */
export function cardRecords({ blocks }: Document, table: Table): Table | undefined {
  const indexes = [...table.headerBlocks, ...table.rows.map(({ block }) => block)];
  if (indexes.length < FEWEST_FIELDS || blocks[indexes[0]!]!.record) return undefined;
  const lines: Line[] = [];
  for (const index of indexes) {
    const block = blocks[index]!;
    const [label, ...values] = (block.cells ?? []).filter(({ text }) => text.trim() !== '');
    const inline = label && inlineFields(label, values);
    if (!label || (values.length > 1 && !inline)) return undefined;
    // A field that is left empty says nothing.
    if (inline) lines.push({ block, label, inline });
    else if (values[0]) lines.push({ block, label, value: values[0] });
  }
  const keyed = keyedCards(lines);
  if (keyed) return asTable(table, keyed);
  const headed = headedCard(blocks, lines);
  const read = headed && asTable(table, headed);
  return read && { ...read, headed: true };
}

const isKnown = (label: string): boolean => meaningOf(label) !== undefined;

function meaningOf(label: string): ColumnMeaning | undefined {
  return meaningOfTitles().get(compactTitle(label.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ')));
}

/** "Carrier of the message": what a label says before what it says it of, where that is a known one. */
function known(label: string): string | undefined {
  const before = label.replace(/\s+(?:of|der|des|vom|von)\s.*$/isu, '').trim();
  return before !== label.trim() && !isKnown(label) && isKnown(before) ? before : undefined;
}

/** "Class: B(D)": a label and its value in one cell. */
const INLINE = /^\s*(?<label>\p{L}[^:\n]{0,58}?)\s*:\s+(?=\S)/u;

/** The fields behind an id in the line of it: each cell has its label, one of them at least a known one. */
function inlineFields(id: Cell, cells: readonly Cell[]): readonly Field[] | undefined {
  if (cells.length === 0 || !isCode(id.text) || isKnown(id.text)) return undefined;
  const fields = cells.map((cell): Field | undefined => {
    const found = INLINE.exec(cell.text);
    if (!found) return undefined;
    const text = cell.text.slice(found[0].length).trimEnd();
    const start = cell.start + found[0].length;
    const label = { ...cell, text: found.groups!.label! };
    return { label, value: { ...cell, text, start, end: start + text.length } };
  });
  const whole = fields.filter((field) => field !== undefined);
  return whole.length === cells.length && whole.some(({ label }) => isKnown(label.text)) ? whole : undefined;
}

/** "FSR-1 | Torque limit", "T-01 | Class: B | From: F-1": each such line begins a card. */
function keyedCards(lines: readonly Line[]): readonly Card[] | undefined {
  const isHead = ({ label, value, inline }: Line) =>
    inline !== undefined ||
    (isCode(label.text) && !isKnown(label.text) && value !== undefined && !isCode(value.text));
  if (!lines[0] || !isHead(lines[0])) return undefined;
  const heads = lines.flatMap((line, at) => (isHead(line) ? [at] : []));
  return heads.map((head, at) => {
    const { block, label, value, inline = [] } = lines[head]!;
    const fields = [...inline, ...lines.slice(head + 1, heads[at + 1]).flatMap(fieldOf)];
    return { id: label, ...(value ? { name: value } : {}), first: block, start: block.start, fields };
  });
}

const fieldOf = ({ label, value }: Line): readonly Field[] => (value ? [{ label, value }] : []);

/** "2.1 Card G-1", "V1 – Too much torque": numbering, at most three words, a code. */
const HEADING =
  /^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?\s+)?(?:\p{L}[\p{L}-]*\s+){0,3}?(?<id>(?=\p{L}+[\d_./-])\p{L}[\p{L}\p{N}]*(?:[-_./][\p{L}\p{N}]+)*)(?=\s*$|\s*[:–—(]|\s+-?\s*\p{L})/u;

function headedCard(blocks: readonly Block[], lines: readonly Line[]): readonly Card[] | undefined {
  const heading = blocks[(lines[0]?.block.index ?? 0) - 1];
  if (heading?.kind !== 'heading') return undefined;
  const id = HEADING.exec(heading.text.slice(0, LONGEST_HEADING))?.groups?.id;
  if (id === undefined || !isCode(id)) return undefined;
  const start = heading.start + heading.text.indexOf(id);
  const place: Cell = { text: id, start, end: start + id.length, column: 0, location: heading.location };
  // "Field | Entry" says nothing.
  const [first, ...others] = lines;
  const fields = isKnown(first!.label.text) ? lines : others;
  return [{ id: place, first: first!.block, start: heading.start, fields: fields.flatMap(fieldOf) }];
}

function asTable(table: Table, cards: readonly Card[]): Table | undefined {
  const columns = [ID, NAME];
  const places = new Map(columns.map((title, at) => [compactTitle(title), at]));
  const placeOf = (label: string): number => {
    const key = compactTitle(label);
    const place = places.get(key);
    if (place !== undefined) return place;
    places.set(key, columns.length);
    columns.push(label.trim());
    return columns.length - 1;
  };
  const rows = cards.map(({ id, name, first, start, fields }): TableRow => {
    const cells = new Map<number, Cell>([[0, { ...id, column: 0 }]]);
    if (name) cells.set(1, { ...name, column: 1 });
    for (const field of fields.flatMap(partsOf)) {
      const place = placeOf(field.label.text);
      if (!cells.has(place)) cells.set(place, { ...field.value, column: place });
    }
    const end = fields.reduce((last, { value }) => Math.max(last, value.end), first.end);
    return { block: first.index, cells, record: { start, end, location: id.location } };
  });
  const meant = new Map(columns.flatMap((label, at) => (known(label) ? [[at, known(label)!] as const] : [])));
  const labels = columns.slice(2).map((label, at) => {
    const title = meant.get(at + 2) ?? label;
    const texts = rows.flatMap(({ cells }) => cells.get(at + 2)?.text.trim() ?? []);
    return meaningOf(title) ?? meaningOf(titleByValues({ title, texts }, undefined) ?? '');
  });
  const told = labels.filter((meaning) => meaning !== undefined);
  const isTold = told.length * 2 >= labels.length && told.some((meaning) => OF_ARTIFACTS.has(meaning));
  if (!isTold || told.length < FEWEST_FIELDS) return undefined;
  const read = { id: table.id, columns, headerBlocks: [cards[0]!.first.index], rows };
  return meant.size === 0 ? read : { ...read, meant };
}

const BETWEEN_LABELS = /\s*[/|;,]\s*|\s+(?:and|und|&)\s+/u;
const BETWEEN_VALUES = [/\s+\/\s+/u, /\s*\|\s*/u, /;\s+/u, /,\s+/u];

/** "Goal / ASIL / Carrier" over "G-1 / B / pump", "Class and FTTI" over "ASIL C, 3.0 s": one field for each label, where there are as many values. */
function partsOf(field: Field): readonly Field[] {
  const { label, value } = field;
  if (label.text.trim().length > LONGEST_LABEL || isKnown(label.text)) return [field];
  const labels = label.text.trim().split(BETWEEN_LABELS);
  if (labels.length < 2 || !labels.some(isKnown)) return [field];
  for (const sign of BETWEEN_VALUES) {
    const values = value.text.trim().split(sign);
    if (values.length !== labels.length) continue;
    let from = 0;
    return values.map((text, at) => {
      from = value.text.indexOf(text, from);
      const start = value.start + from;
      from += text.length;
      return {
        label: { ...label, text: labels[at]! },
        value: { ...value, text, start, end: start + text.length },
      };
    });
  }
  return [field];
}
