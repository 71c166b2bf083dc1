import { answer, expectAnswer, OWN, type Probe } from './probe.js';
import { type Ground, idOf, literal, type PlaceName } from './sample-rows.js';
import {
  type Access,
  COMMANDS,
  type Command,
  columnsFor,
  loadAccess,
  type Value,
} from './stated/statements.js';

const BY_GRANT = 'refused by the grant';
const BY_POLICY = 'refused by a policy';

/** Which rows of a table belong to the one who asks. */
function ownRows(table: string, { rows }: Access, command: Command): string {
  const workspaces = `(${literal(idOf('workspaces', 'own'))}, ${literal(idOf('workspaces', 'joined'))})`;
  const user = literal(idOf('auth.users', 'own'));
  if (rows === 'workspace') return `${table === 'workspaces' ? 'id' : 'workspace_id'} in ${workspaces}`;
  if (rows === 'user') return `user_id = ${user}`;
  if (rows === 'colleagues') {
    return command === 'select'
      ? `id in (${user}, ${literal(idOf('auth.users', 'joined'))})`
      : `id = ${user}`;
  }
  return rows === 'unforced' ? 'true' : 'false';
}

async function count({ client }: Ground, table: string, condition: string): Promise<string> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${table} where ${condition}`);
  return `${rows[0]?.count} rows`;
}

/** A column that may be changed, and a value that every row may take. */
function change(ground: Ground, table: string, { set }: Access, allowed: 'all' | readonly string[]): string {
  const assign = ([name, value]: readonly [string, Value]) => `${name} = ${literal(value)}`;
  const mayChange = (name: string) => allowed === 'all' || allowed.includes(name);
  const stated = Object.entries(set ?? {}).filter(([name]) => mayChange(name));
  if (stated.length > 0) return stated.map(assign).join(', ');
  const columns = (ground.columns.get(table) ?? []).filter(
    ({ name, generated, identity }) => mayChange(name) && !generated && !identity,
  );
  const found =
    columns.find(({ type }) => type === 'jsonb') ?? columns.find(({ name }) => name.endsWith('_at'));
  const last = found ?? columns.at(-1);
  if (!last) throw new Error(`access.yaml: ${table}: no column to change; say one as \`set\`.`);
  const values: Record<string, string> = { jsonb: '{}', 'timestamp with time zone': '2098-01-01T00:00:00Z' };
  return assign([last.name, values[last.type] ?? (last.type === 'text' ? 'changed' : '1')]);
}

/** Enters the sample row of a place once more, after it was taken out past every trigger. */
function takenOut(ground: Ground, table: string, access: Access, place: PlaceName): string {
  const deletions = [table, ...access.with].map(
    (one) => `delete from ${one} where ctid = ${literal(ground.sample(one, place).ctid)}`,
  );
  return `set local session_replication_role = replica; ${deletions.join('; ')}; set local session_replication_role = origin`;
}

function probesOf(table: string, access: Access): readonly Probe[] {
  const probes: Probe[] = [];
  const add = (name: string, run: Probe['run']) => probes.push({ about: table, name, run });

  for (const role of ['app', 'system'] as const) {
    const columns = (command: Command) => columnsFor(access[role], command);
    const rowsFor = (ground: Ground, command: Command) =>
      count(ground, table, role === 'system' ? 'true' : ownRows(table, access, command));
    const ask = (ground: Ground, statement: string, before?: string) =>
      answer(ground, { role, ...(before ? { before } : {}) }, statement);

    add(`${role} reads what is stated`, async (ground) => {
      const allowed = columns('select');
      if (!allowed) return expectAnswer(await ask(ground, `select from ${table}`), BY_GRANT);
      const list = allowed === 'all' ? '*' : allowed.join(', ');
      expectAnswer(await ask(ground, `select ${list} from ${table}`), await rowsFor(ground, 'select'));
      for (const { name } of ground.columns.get(table) ?? []) {
        if (allowed === 'all' || allowed.includes(name)) continue;
        expectAnswer(await ask(ground, `select ${name} from ${table}`), BY_GRANT);
      }
    });
    add(`${role} changes what is stated`, async (ground) => {
      const allowed = columns('update') ?? [];
      for (const { name, generated, identity } of ground.columns.get(table) ?? []) {
        if (generated || identity || allowed === 'all' || allowed.includes(name)) continue;
        expectAnswer(await ask(ground, `update ${table} set ${name} = null`), BY_GRANT);
      }
      if (allowed.length === 0) return;
      for (const name of allowed === 'all' ? [] : allowed) {
        const got = await ask(ground, `update ${table} set ${name} = null`);
        if (got === BY_GRANT) throw new Error(`${name} is not granted.`);
      }
      // Reads no column, so that the policy for updates stands alone; foreign keys are not the matter here.
      expectAnswer(
        await ask(
          ground,
          `update ${table} set ${change(ground, table, access, allowed)}`,
          'set local session_replication_role = replica',
        ),
        await rowsFor(ground, 'update'),
      );
    });
    add(`${role} deletes what is stated`, async (ground) => {
      const wanted = columns('delete') ? await rowsFor(ground, 'delete') : BY_GRANT;
      // Foreign keys are not the matter here.
      const before = 'set local session_replication_role = replica';
      expectAnswer(await ask(ground, `delete from ${table}`, before), wanted);
    });
    add(`${role} enters what is stated`, async (ground) => {
      const own: PlaceName = access.rows === 'workspace' ? 'joined' : 'own';
      for (const place of [own, 'foreign'] as const) {
        const { insert } = ground.sample(table, place);
        const isOwn = role === 'system' || place === own;
        const wanted = columns('insert') ? (isOwn ? '1 rows' : BY_POLICY) : BY_GRANT;
        expectAnswer(await ask(ground, insert, takenOut(ground, table, access, place)), wanted);
      }
    });
    add(`${role} does not empty it`, async (ground) =>
      expectAnswer(await ask(ground, `truncate ${table}`), BY_GRANT),
    );
  }

  const owner = access.rows === 'workspace' ? 'workspace_id' : access.rows === 'user' ? 'user_id' : undefined;
  if (owner && columnsFor(access.app, 'update') === 'all') {
    add('app gives nothing away', async (ground) => {
      const other = literal(idOf(owner === 'user_id' ? 'auth.users' : 'workspaces', 'foreign'));
      expectAnswer(
        await answer(ground, { role: 'app' }, `update ${table} set ${owner} = ${other}`),
        BY_POLICY,
      );
    });
  }
  if (access.rows === 'unforced') return probes;
  for (const command of COMMANDS) {
    add(`its owner may ${command} only by a policy`, async (ground) => {
      const has = access.owner.includes(command);
      const statements: Record<Command, string> = {
        select: `select from ${table}`,
        insert: ground.sample(table, 'joined').insert,
        update: `update ${table} set ${change(ground, table, access, 'all')}`,
        delete: `delete from ${table}`,
      };
      const all = await count(ground, table, 'true');
      const wanted = command === 'insert' ? (has ? '1 rows' : BY_POLICY) : has ? all : '0 rows';
      const before =
        command === 'insert'
          ? takenOut(ground, table, access, 'joined')
          : 'set local session_replication_role = replica';
      expectAnswer(await answer(ground, { role: 'owner', scope: OWN, before }, statements[command]), wanted);
    });
  }
  return probes;
}

/** Every statement of `access.yaml`, tried. */
export const accessProbes = (): readonly Probe[] =>
  Object.entries(loadAccess()).flatMap(([table, access]) => probesOf(table, access));
