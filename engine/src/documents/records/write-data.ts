import type { BlockDraft, TableRecord } from '../block.js';
import { type BlockCollector, createSectionPath, type SectionPath } from '../block-collector.js';
import { cleanText } from '../clean-text.js';
import type { Location } from '../location.js';
import { type DataEntry, type DataMap, type DataNode, scalarOf } from './data-node.js';

const ID = /^(?:id|uid|identifier|req[-_ ]?id|requirement[-_ ]?id|key|kennung)$/i;
const TITLE = /^(?:title|titel|name|label|heading)$/i;
const TYPE = /^(?:type|typ|kind|artifact[-_ ]?type)$/i;

/** Where data stands inside of another document. */
export interface DataPlace {
  readonly sections?: SectionPath;
  readonly nextTable?: () => number;
  readonly linesBefore?: number;
}

/**
 * Writes data without a schema of its own as a person would lay it out: lists of records as tables with the keys as
 * column names, single values as rows of key and value, everything deeper under headings made of its keys.
 */
export function writeData(root: DataNode, collector: BlockCollector, place: DataPlace = {}): void {
  const sections = place.sections ?? createSectionPath();
  const lines = place.linesBefore ?? 0;
  let tables = 0;
  const nextTable = place.nextTable ?? (() => tables++);
  let requirementId: string | undefined;

  function locate(line: number, id = requirementId): Location {
    const section = sections.current();
    return {
      ...(section ? { section } : {}),
      line: line + lines,
      ...(id === undefined ? {} : { requirementId: id }),
    };
  }

  function heading(level: number, title: string, line: number): void {
    const text = cleanText(title);
    if (!text) return;
    const section = sections.above(level);
    sections.enter(level, text);
    collector.push({
      kind: 'heading',
      level,
      text,
      location: {
        ...(section ? { section } : {}),
        line: line + lines,
        ...(requirementId === undefined ? {} : { requirementId }),
      },
    });
  }

  function row(
    table: BlockDraft['table'],
    cells: { text: string; column: number }[],
    place: Location,
  ): BlockDraft {
    return {
      kind: 'table_row',
      text: '',
      location: place,
      table: table!,
      cells: cells.map((cell) => ({
        ...cell,
        location: { ...place, cell: `R${table!.row + 1}C${cell.column + 1}` },
      })),
    };
  }

  /** Rows of records; `keys` are the names that the records have in a map, if they stand in one. */
  function records(maps: readonly DataMap[], keys?: readonly string[]): void {
    const id = nextTable();
    const columns = new Map<string, number>();
    if (keys) columns.set('key', 0);
    for (const map of maps) {
      for (const { key, value } of map.entries) {
        if (!columns.has(key) && flatText(value)) columns.set(key, columns.size);
      }
    }
    const names = [...columns].map(([name, column]) => ({ text: cleanText(name), column }));
    collector.push(row({ id, row: 0, header: true }, names, locate(maps[0]!.line)));
    maps.forEach((map, index) => {
      const texts = new Map<number, string>();
      if (keys) texts.set(0, cleanText(keys[index]!));
      for (const { key, value } of map.entries) {
        const text = cleanText(ID.test(key) ? flatText(value) : withComment(value));
        if (text) texts.set(columns.get(key)!, text);
      }
      const record = recordOf(map, keys?.[index]);
      const cells = [...texts].sort(([a], [b]) => a - b).map(([column, text]) => ({ text, column }));
      if (cells.length === 0) return;
      const block = row({ id, row: index + 1, header: false }, cells, locate(map.line, record?.id));
      collector.push(record ? { ...block, record } : block);
    });
  }

  function pairs(entries: readonly DataEntry[]): void {
    const filled = entries.filter((entry) => flatText(entry.value));
    if (filled.length === 0) return;
    const id = nextTable();
    filled.forEach(({ key, line, value }, index) => {
      const cells = [cleanText(key), cleanText(flatText(value))].map((text, column) => ({ text, column }));
      collector.push(row({ id, row: index, header: false }, cells, locate(line)));
    });
  }

  function list(items: readonly DataNode[], level: number, name: string): void {
    for (let index = 0; index < items.length; ) {
      const item = items[index]!;
      if (isRecord(item)) {
        let end = index + 1;
        while (end < items.length && isRecord(items[end]!)) end++;
        records(items.slice(index, end) as DataMap[]);
        index = end;
        continue;
      }
      if (item.kind === 'scalar') {
        const text = cleanText(item.text);
        if (text) collector.push({ kind: 'list_item', level: 1, text, location: locate(item.line) });
      } else {
        const outer = requirementId;
        if (item.kind === 'map') requirementId = scalarOf(item, ID) ?? outer;
        heading(level, (item.kind === 'map' && titleOf(item)) || `${name} ${index + 1}`, item.line);
        write(item, level + 1, name);
        requirementId = outer;
      }
      index++;
    }
  }

  function write(node: DataNode, level: number, name: string): void {
    if (node.kind === 'scalar') {
      const text = cleanText(node.text);
      if (text) collector.push({ kind: 'paragraph', text, location: locate(node.line) });
      return;
    }
    if (node.kind === 'list') {
      list(node.items, level, name);
      return;
    }
    if (isRecord(node) && scalarOf(node, ID)) {
      records([node]);
      return;
    }
    if (isMapOfRecords(node)) {
      records(
        node.entries.map((entry) => entry.value as DataMap),
        node.entries.map((entry) => entry.key),
      );
      return;
    }
    pairs(node.entries.filter((entry) => isFlat(entry.value)));
    for (const { key, line, value } of node.entries) {
      if (isFlat(value)) continue;
      heading(level, key, line);
      write(value, level + 1, key);
    }
  }

  write(root, 1, '');
}

/** A scalar or a list of scalars. */
function isFlat(node: DataNode): boolean {
  return (
    node.kind === 'scalar' || (node.kind === 'list' && node.items.every((item) => item.kind === 'scalar'))
  );
}

/** Small structures that say something about what holds them: references with a version, steps, ratings. */
function isDetail(node: DataNode): boolean {
  if (node.kind === 'list') return node.items.every((item) => item.kind !== 'list' && isDetail(item));
  return (
    node.kind === 'scalar' || (node.entries.every((entry) => isFlat(entry.value)) && !scalarOf(node, ID))
  );
}

/** What fits into a row of a table. */
function isRecord(node: DataNode): boolean {
  return (
    node.kind === 'map' && node.entries.length > 0 && node.entries.every((entry) => isDetail(entry.value))
  );
}

function isMapOfRecords(map: DataMap): boolean {
  if (map.entries.length < 2 || !map.entries.every((entry) => isRecord(entry.value))) return false;
  const [first, second] = map.entries.map((entry) => (entry.value as DataMap).entries);
  return first!.some((entry) => second!.some((other) => other.key === entry.key));
}

function flatText(node: DataNode): string {
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'list')
    return node.items
      .map(flatText)
      .filter(Boolean)
      .join(node.items.some((item) => item.kind === 'map') ? '; ' : ', ');
  return node.entries
    .map(({ key, value }) => ({ key, text: flatText(value) }))
    .filter(({ text }) => text)
    .map(({ key, text }) => `${key}: ${text}`)
    .join(', ');
}

function withComment(node: DataNode): string {
  return node.kind === 'scalar' && node.comment !== undefined
    ? `${node.text} ${node.comment}`
    : flatText(node);
}

/** Names of records that are their ids. */
const NAMED = /^\p{Lu}[\p{L}\p{N}]*(?:[-_.][\p{Lu}\p{N}][\p{L}\p{N}]*)+$/u;

/** The records with ids that data consists of, at the top or below one name: what becomes rows of a table. */
export function recordsIn(root: DataNode): DataNode | undefined {
  const hasId = (node: DataNode) => isRecord(node) && scalarOf(node as DataMap, ID) !== undefined;
  if (hasId(root)) return (root as DataMap).entries.length > 2 ? root : undefined;
  if (root.kind === 'list') return root.items.length > 0 && root.items.every(hasId) ? root : undefined;
  if (root.kind !== 'map') return undefined;
  const [only, other] = root.entries;
  if (only && !other) return recordsIn(only.value);
  return isMapOfRecords(root) && root.entries.every(({ key }) => NAMED.test(key)) ? root : undefined;
}

function recordOf(map: DataMap, key: string | undefined): TableRecord | undefined {
  const id = scalarOf(map, ID) ?? key;
  const type = scalarOf(map, TYPE);
  return id ? { id: cleanText(id), ...(type ? { type: cleanText(type) } : {}) } : undefined;
}

function titleOf(map: DataMap): string | undefined {
  return scalarOf(map, TITLE) ?? scalarOf(map, ID);
}
