import type { Block, Cell, Document } from '../../documents/document.js';
import { type ColumnMeaning, compactTitle, meaningOfTitles } from '../../words/column-titles.js';
import { isCode, type Table, type TableRow } from './tables.js';

/** A label with its value, as one line of a card has them. */
interface Field {
  readonly label: Cell;
  readonly value: Cell;
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
 * Cards of labels and values whose id is no value of a label: it is the first label itself ("FSR-1 | Torque limit" above "Text | …"), or stands in the
 * heading right above ("Card G-1"). Undefined for every other table. Cells stay those of the document. Linear in the cells.
 */
export function cardRecords({ blocks }: Document, table: Table): Table | undefined {
  const indexes = [...table.headerBlocks, ...table.rows.map(({ block }) => block)];
  if (indexes.length < FEWEST_FIELDS || blocks[indexes[0]!]!.record) return undefined;
  const lines: (Field & { readonly block: Block })[] = [];
  for (const index of indexes) {
    const block = blocks[index]!;
    const [label, value, other] = (block.cells ?? []).filter(({ text }) => text.trim() !== '');
    if (!label || other) return undefined;
    // A field that is left empty says nothing.
    if (value) lines.push({ block, label, value });
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

/** "FSR-1 | Torque limit": each such line begins a card. */
function keyedCards(lines: readonly (Field & { readonly block: Block })[]): readonly Card[] | undefined {
  const isHead = ({ label, value }: Field) =>
    isCode(label.text) && !isKnown(label.text) && !isCode(value.text);
  if (!lines[0] || !isHead(lines[0])) return undefined;
  const heads = lines.flatMap((line, at) => (isHead(line) ? [at] : []));
  return heads.map((head, at) => {
    const { block, label, value } = lines[head]!;
    const fields = lines.slice(head + 1, heads[at + 1]);
    return { id: label, name: value, first: block, start: block.start, fields };
  });
}

/** "2.1 Card G-1", "V1 – Too much torque": numbering, at most three words, a code. */
const HEADING =
  /^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?\s+)?(?:\p{L}[\p{L}-]*\s+){0,3}?(?<id>(?=\p{L}+[\d_./-])\p{L}[\p{L}\p{N}]*(?:[-_./][\p{L}\p{N}]+)*)(?=\s*$|\s*[:–—(]|\s+-?\s*\p{L})/u;

function headedCard(
  blocks: readonly Block[],
  lines: readonly (Field & { readonly block: Block })[],
): readonly Card[] | undefined {
  const heading = blocks[(lines[0]?.block.index ?? 0) - 1];
  if (heading?.kind !== 'heading') return undefined;
  const id = HEADING.exec(heading.text.slice(0, LONGEST_HEADING))?.groups?.id;
  if (id === undefined || !isCode(id)) return undefined;
  const start = heading.start + heading.text.indexOf(id);
  const place: Cell = { text: id, start, end: start + id.length, column: 0, location: heading.location };
  // "Field | Entry" says nothing.
  const [first, ...others] = lines;
  const fields = isKnown(first!.label.text) ? lines : others;
  return [{ id: place, first: first!.block, start: heading.start, fields }];
}

function asTable(table: Table, cards: readonly Card[]): Table | undefined {
  const columns = [ID, NAME];
  const places = new Map(columns.map((title, at) => [compactTitle(title), at]));
  const placeOf = (label: string): number => {
    const key = compactTitle(label);
    const known = places.get(key);
    if (known !== undefined) return known;
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
  const labels = columns.slice(2).map(meaningOf);
  const known = labels.filter((meaning) => meaning !== undefined);
  const isTold = known.length * 2 >= labels.length && known.some((meaning) => OF_ARTIFACTS.has(meaning));
  if (!isTold || known.length < FEWEST_FIELDS) return undefined;
  return { id: table.id, columns, headerBlocks: [cards[0]!.first.index], rows };
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
