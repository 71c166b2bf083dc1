import type { StatedItem, StatedValue } from './stated-item.js';

/** So many cells of a column tell what it holds, and the least share of them that are names of elements. Our own. */
const FEWEST = 4;
const SHARE = 0.8;

/** Names in an allocation ("HR and UR", "control unit (HR, UR)"), in small letters. */
export function elementNames(text: string): readonly string[] {
  const names = text
    .split(/[,;\n/()+&]|\s(?:and|und|with|from|by|mit|von|vom|aus|durch)\s/u)
    .flatMap((one) => {
      const name = one
        .replaceAll(/\s+/gu, ' ')
        .trim()
        .replace(/^(?:the|a|an|der|die|das|den|dem)\s/iu, '')
        .toLowerCase();
      return name.length > 1 ? [name] : [];
    });
  return [...new Set(names)];
}

/**
 * "Part", "Where" or any other title over the elements that other tables allocate requirements to: the column is an allocation too.
 * Linear in the cells.
 */
export function withAllocationsByNames(items: readonly StatedItem[]): readonly StatedItem[] {
  const uses = new Map<string, number>();
  const allocated = new Set<string>();
  const tableOf = ({ document, table }: StatedItem) => `${document.id} ${table}`;
  for (const item of items) {
    const value = item.hasId ? item.values.get('allocation') : undefined;
    if (!value) continue;
    if (item.table !== undefined) allocated.add(tableOf(item));
    for (const name of elementNames(value.text)) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  if (uses.size === 0) return items;
  const isElement = (name: string) => (uses.get(name) ?? 0) > 1;
  const columns = new Map<string, Map<string, StatedValue[]>>();
  for (const item of items) {
    if (!isDemand(item) || allocated.has(tableOf(item))) continue;
    const own = columns.get(tableOf(item)) ?? new Map<string, StatedValue[]>();
    columns.set(tableOf(item), own);
    for (const cell of candidates(item)) {
      const cells = own.get(cell.title);
      if (cells) cells.push(cell);
      else own.set(cell.title, [cell]);
    }
  }
  const found = new Map<string, string>();
  for (const [table, own] of columns)
    for (const [title, cells] of own) {
      const named = cells.filter(({ text }) => elementNames(text).some(isElement)).length;
      if (cells.length >= FEWEST && named >= cells.length * SHARE && !found.has(table))
        found.set(table, title);
    }
  if (found.size === 0) return items;
  return items.map((item) => {
    const title = item.table === undefined ? undefined : found.get(tableOf(item));
    const cell =
      title === undefined || !isDemand(item)
        ? undefined
        : candidates(item).find((one) => one.title === title);
    if (!cell) return item;
    const values = [...item.values].filter(([, value]) => value.start !== cell.start);
    return { ...item, values: new Map([...values, ['allocation' as const, cell]]) };
  });
}

/** A row of a requirement: with an id, and what it says or comes from. */
const isDemand = ({ how, hasId, values }: StatedItem): boolean =>
  how === 'table' && hasId && values.has('asil') && (values.has('text') || values.has('parent'));

const LONGEST = 80;
/** Cells that may hold an element: short, and nothing that the row is known by. */
function candidates({ cells, values }: StatedItem): readonly StatedValue[] {
  const known = (['id', 'text', 'parent', 'asil'] as const).map((kind) => values.get(kind)?.start);
  return cells.filter(({ text, start }) => text.length <= LONGEST && !known.includes(start));
}
