import { createHash } from 'node:crypto';
import pg from 'pg';
import { loadSamples, type Value } from './stated/statements.js';

/**
 * Where the probes stand: the one who asks owns the workspace `own` and is a member of `joined`; `foreign` is nothing of
 * theirs.
 */
export const PLACES = ['own', 'joined', 'foreign'] as const;
export type PlaceName = (typeof PLACES)[number];

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Computed by the database. */
  readonly generated: boolean;
  /** Counted by the database. */
  readonly identity: boolean;
}

export interface Sample {
  /** Where the row lies. */
  readonly ctid: string;
  /** The statement that enters it. */
  readonly insert: string;
}

export interface Ground {
  readonly client: pg.Client;
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  sample(table: string, place: PlaceName): Sample;
}

/** The id of the row of a table in a place, always the same. */
export function idOf(table: string, place: PlaceName): string {
  const hex = createHash('sha256').update(`${table} in ${place}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export const literal = (value: Value): string => (value === null ? 'null' : pg.escapeLiteral(String(value)));

/** A stated value in a place. */
export function resolve(value: Value, place: PlaceName): Value {
  if (typeof value !== 'string') return value;
  if (value.startsWith('@own.')) return idOf(value.slice(5), 'own');
  if (value.startsWith('@')) return idOf(value.slice(1), place);
  return value.replace('{workspace}', idOf('workspaces', place)).replace('{place}', place);
}

const BY_TYPE: Readonly<Record<string, Value>> = {
  uuid: '@auth.users',
  text: 'Text of {place}',
  integer: 1,
  bigint: 1,
  'double precision': 1,
  jsonb: '{}',
  bytea: '{place}',
  boolean: 'false',
  date: '2026-11-01',
  'timestamp with time zone': 'tomorrow',
  'uuid[]': '{}',
  'text[]': '{}',
};

/** A row of every table in every place, past every trigger. Commits. */
export async function fillGround(client: pg.Client): Promise<Ground> {
  const { rows } = await client.query<Column & { readonly table: string }>(
    `select t.oid::regclass::text as table, a.attname as name, format_type(a.atttypid, null) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as required,
       a.attgenerated <> '' as generated, a.attidentity <> '' as identity
     from pg_class t join pg_namespace n on n.oid = t.relnamespace
     join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
     where t.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'pgboss')
     order by t.oid, a.attnum`,
  );
  const columns = new Map<string, Column[]>();
  for (const { table, ...column } of rows) columns.set(table, [...(columns.get(table) ?? []), column]);

  const samples = loadSamples();
  const made = new Map<string, Sample>();
  await client.query('begin; set local session_replication_role = replica');
  for (const [table, stated] of Object.entries(samples.tables)) {
    for (const place of PLACES) {
      const said = new Map(Object.entries(stated));
      for (const { name, type, required } of columns.get(table) ?? []) {
        if (!required || said.has(name)) continue;
        const value = samples.columns[name] ?? BY_TYPE[type];
        if (value === undefined)
          throw new Error(`samples.yaml: say ${table}.${name}: nothing is known of type ${type}`);
        said.set(name, value);
      }
      const values = [...said.values()].map((value) => literal(resolve(value, place)));
      const insert = `insert into ${table} (${[...said.keys()].join(', ')}) values (${values.join(', ')})`;
      const { rows: entered } = await client.query<{ ctid: string }>(
        `${insert} returning ctid::text as ctid`,
      );
      made.set(`${table} ${place}`, { ctid: entered[0]?.ctid ?? '', insert });
    }
  }
  await client.query(`insert into workspace_members (workspace_id, user_id, role) values
    (${literal(idOf('workspaces', 'joined'))}, ${literal(idOf('auth.users', 'own'))}, 'engineer'); commit`);
  return {
    client,
    columns,
    sample: (table, place) => {
      const sample = made.get(`${table} ${place}`);
      if (!sample) throw new Error(`samples.yaml has no row of ${table}: say one, so that it can be probed.`);
      return sample;
    },
  };
}
