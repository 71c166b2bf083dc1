import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../platform/database/database.js';
import { identifier, sql } from '../../platform/database/sql.js';
import { type ArchivedTable, namesObject, namesPerson } from './archived-tables.js';
import { type Archive, ArchiveRefused } from './read-archive.js';

type Row = Readonly<Record<string, unknown>>;

/** Rows, and characters of them, that are sent together. */
const ROWS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 4_000_000;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KEY = /^(work-products|standards|reports|uploads)(\/[a-z0-9][a-z0-9._-]{0,99}){1,6}$/;

const pathOf = (table: string): string => `tables/${table}.jsonl`;

/** Which of the tables an archive has. Throws for one that this version does not know. */
export function tablesOf(archive: Archive, known: readonly ArchivedTable[]): readonly ArchivedTable[] {
  const paths = new Set(
    archive.manifest.files.map(({ path }) => path).filter((path) => path.startsWith('tables/')),
  );
  const tables = known.filter(({ name }) => paths.delete(pathOf(name)));
  const [unknown] = paths;
  if (unknown !== undefined) throw new ArchiveRefused(`This version does not know what ${unknown} is.`);
  return tables;
}

/** Every row of a table: an object with known columns only, of the workspace that the manifest names. */
async function* rowsOf(archive: Archive, { name, columns }: ArchivedTable): AsyncGenerator<Row> {
  const known = new Set(columns);
  let number = 0;
  for await (const line of archive.lines(pathOf(name))) {
    number++;
    const where = `Row ${number} of ${pathOf(name)}`;
    const row = parse(line, where);
    const foreign = Object.keys(row).find((column) => !known.has(column));
    if (foreign !== undefined) {
      throw new ArchiveRefused(
        `${where} has a column that this version does not know: ${foreign.slice(0, 60)}.`,
      );
    }
    if (row.workspace_id !== archive.manifest.workspace.id) {
      throw new ArchiveRefused(`${where} belongs to another workspace.`);
    }
    yield row;
  }
}

function parse(line: string, where: string): Row {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    throw new ArchiveRefused(`${where} is not JSON.`);
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw new ArchiveRefused(`${where} is no row.`);
  return row as Row;
}

/** Ids of rows, by table; and the objects that rows name, with the SHA-256 that they state, if they do. */
export interface Surveyed {
  readonly ids: ReadonlyMap<string, readonly string[]>;
  readonly objects: ReadonlyMap<string, string | null>;
  /** Bytes of documents and number of work products, for the quota. */
  readonly bytes: number;
  readonly workProducts: number;
}

/** Reads all rows once, so that everything about them is known to be in order before the first one is stored. */
export async function surveyRows(archive: Archive, tables: readonly ArchivedTable[]): Promise<Surveyed> {
  const persons = new Set(archive.manifest.people.map(({ id }) => id));
  const ids = new Map<string, string[]>();
  const objects = new Map<string, string | null>();
  let [bytes, workProducts] = [0, 0];
  for (const table of tables) {
    const found: string[] = [];
    for await (const row of rowsOf(archive, table)) {
      if (table.columns.includes('id')) {
        if (typeof row.id !== 'string' || !ID.test(row.id)) {
          throw new ArchiveRefused(`A row of ${pathOf(table.name)} has no id.`);
        }
        found.push(row.id);
      }
      for (const [column, value] of Object.entries(row)) {
        if (value === null) continue;
        if (namesPerson(column) && ![value].flat().every((id) => typeof id === 'string' && persons.has(id))) {
          throw new ArchiveRefused(
            `A row of ${pathOf(table.name)} names somebody whom the manifest does not.`,
          );
        }
        if (!namesObject(column)) continue;
        if (typeof value !== 'string' || !KEY.test(value)) {
          throw new ArchiveRefused(`A row of ${pathOf(table.name)} names an object that cannot be one.`);
        }
        const isStated = column === 'object_key' && typeof row.sha256 === 'string';
        if (table.name !== 'uploads') objects.set(value, isStated ? (row.sha256 as string) : null);
      }
      if (table.name === 'work_product_versions') bytes += Number(row.file_size);
      if (table.name === 'work_products') workProducts++;
    }
    ids.set(table.name, found);
  }
  return { ids, objects, bytes, workProducts };
}

/** Whom the rows name, as they are called here. Who has no account here becomes somebody whom nobody knows. */
export type People = ReadonlyMap<string, string>;

/** Stores the rows of a table in their order, with the ids that they have, in another workspace. */
export async function insertRows(
  transaction: Transaction,
  table: ArchivedTable,
  {
    archive,
    workspaceId,
    people,
  }: { readonly archive: Archive; readonly workspaceId: string; readonly people: People },
): Promise<void> {
  let lines: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    await insert(transaction, table, `[${lines.join(',')}]`);
    [lines, size] = [[], 0];
  };
  for await (const row of rowsOf(archive, table)) {
    const line = JSON.stringify(changed(row, { workspaceId, people }));
    lines.push(line);
    size += line.length;
    if (lines.length >= ROWS_AT_ONCE || size > CHARACTERS_AT_ONCE) await flush();
  }
  await flush();
}

function changed(
  row: Row,
  { workspaceId, people }: { readonly workspaceId: string; readonly people: People },
): Row {
  const entries = Object.entries(row).map(([column, value]) => {
    if (column === 'workspace_id') return [column, workspaceId];
    if (value === null) return [column, value];
    if (namesPerson(column)) {
      const known = [value].flat().map((id) => people.get(String(id)) ?? randomUUID());
      return [column, Array.isArray(value) ? known : known[0]];
    }
    return [column, namesObject(column) ? `${workspaceId}/${String(value)}` : value];
  });
  return Object.fromEntries(entries) as Row;
}

/** Columns that the archive does not have get their defaults: it is from an older version. */
async function insert(transaction: Transaction, table: ArchivedTable, rows: string): Promise<void> {
  const given = await transaction.many<{ name: string }>(sql`
    select distinct key as name from jsonb_array_elements(${rows}::jsonb) as one, jsonb_object_keys(one) as key
    order by 1`);
  const [first, ...others] = given.map(({ name }) => identifier(name));
  if (!first) return;
  const columns = others.reduce((list, column) => sql`${list}, ${column}`, sql`${first}`);
  const target = identifier(table.name);
  await transaction.run(sql`
    insert into ${target} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${target}, ${rows}::jsonb)`);
}
