import { ROWS, type RowOf, TABLES, type TableName } from './archive-rows.schemas.js';
import { type Archive, ArchiveRefused, describeIssue, parseJson } from './read-archive.js';

/** Rows of all tables together. */
const MAX_ROWS = 1_000_000;

export const pathOf = (table: TableName): string => `tables/${table}.jsonl`;

/** Throws for a table that this version does not take. */
export function refuseUnknownTables({ manifest }: Archive): void {
  const known = new Set(TABLES.map(pathOf));
  const unknown = manifest.files.find(({ path }) => path.startsWith('tables/') && !known.has(path));
  if (unknown) {
    throw new ArchiveRefused(
      `The archive has ${unknown.path}, and an import takes no such table. Export the workspace again.`,
    );
  }
}

/** Throws when all tables together have more rows than an import takes. */
export async function refuseTooManyRows(archive: Archive): Promise<void> {
  let rows = 0;
  for (const path of TABLES.map(pathOf).filter((one) => archive.has(one))) {
    for await (const _line of archive.lines(path)) {
      if (++rows > MAX_ROWS) {
        throw new ArchiveRefused(`The tables of the archive have more than ${MAX_ROWS} rows together.`);
      }
    }
  }
}

/** A row with the place that messages name. */
export interface Placed<Row> {
  readonly row: Row;
  readonly where: string;
}

/** Every row of a table, as its schema reads it. Throws `ArchiveRefused` with file, line and column. */
export async function* rowsOf<Table extends TableName>(
  archive: Archive,
  table: Table,
): AsyncGenerator<Placed<RowOf<Table>>> {
  const path = pathOf(table);
  if (!archive.has(path)) return;
  let number = 0;
  for await (const line of archive.lines(path)) {
    const where = `Line ${++number} of ${path}`;
    const read = ROWS[table].safeParse(parseJson(line, where));
    if (!read.success) {
      throw new ArchiveRefused(
        `${where}, column ${describeIssue(read.error)} Nothing was imported. Export the workspace again, or correct the row.`,
      );
    }
    yield { row: read.data as RowOf<Table>, where };
  }
}
