/** What stands in a picture: its column, and which others it is linked with. */
export interface Placed {
  readonly key: string;
  /** Column: any whole number, from left to right. */
  readonly depth: number;
}
export interface Place {
  readonly column: number;
  readonly row: number;
}

/** How often the order of columns is mended, from left to right and back. */
const SWEEPS = 4;

/**
 * Columns by depth, and in each the order in which few lines cross: every node goes to the middle of those that it is linked
 * with in the column before. Columns are centred beside each other. Deterministic.
 */
export function layOut(
  nodes: readonly Placed[],
  links: readonly (readonly [string, string])[],
): { readonly places: ReadonlyMap<string, Place>; readonly columns: number; readonly rows: number } {
  const depths = [...new Set(nodes.map(({ depth }) => depth))].sort((a, b) => a - b);
  const columns = depths.map((depth) => nodes.filter((one) => one.depth === depth).map(({ key }) => key));
  const others = new Map<string, string[]>(nodes.map(({ key }) => [key, []]));
  for (const [a, b] of links) {
    others.get(a)?.push(b);
    others.get(b)?.push(a);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    for (let step = 1; step < columns.length; step++) {
      const at = isForward ? step : columns.length - 1 - step;
      const before = new Map(columns[isForward ? at - 1 : at + 1]!.map((key, row) => [key, row]));
      const middle = new Map(
        columns[at]!.map((key, row) => {
          const rows = others.get(key)!.flatMap((other) => before.get(other) ?? []);
          return [key, rows.length === 0 ? row : rows.reduce((sum, one) => sum + one, 0) / rows.length];
        }),
      );
      columns[at] = columns[at]!.toSorted((a, b) => middle.get(a)! - middle.get(b)!);
    }
  }
  const rows = Math.max(1, ...columns.map((column) => column.length));
  const places = new Map<string, Place>();
  for (const [at, column] of columns.entries()) {
    const first = (rows - column.length) / 2;
    for (const [row, key] of column.entries()) places.set(key, { column: at, row: first + row });
  }
  return { places, columns: columns.length, rows };
}
