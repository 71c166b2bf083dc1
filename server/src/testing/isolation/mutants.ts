import type pg from 'pg';
import type { Grant, PermissionTable, Role } from '../../platform/identity/permissions.js';
import { ROLES } from '../../platform/identity/permissions.js';
import { withoutConditions } from './without-conditions.js';

const OURS = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'pgboss')`;
const TABLES = `pg_class t join pg_namespace n on n.oid = t.relnamespace and t.relkind in ('r', 'p') and ${OURS}`;

/** A single thing that isolation rests on, dropped or loosened. */
export interface DatabaseMutant {
  readonly kind: string;
  /** The table or function it is about; `roles` for the roles. */
  readonly about: string;
  readonly statement: string;
}

/**
 * A statement for every single thing in the catalog that isolation rests on, which drops or loosens it. What changes
 * nothing (a policy that is `true` already) is left out.
 */
const FROM_THE_CATALOG = `
  select 'policy dropped' as kind, t.oid::regclass::text as about,
    format('drop policy %I on %s', p.polname, t.oid::regclass) as statement
  from pg_policy p join ${TABLES} on t.oid = p.polrelid
  union all
  select 'policy reads all', t.oid::regclass::text, format('alter policy %I on %s using (true)', p.polname, t.oid::regclass)
  from pg_policy p join ${TABLES} on t.oid = p.polrelid
  where pg_get_expr(p.polqual, p.polrelid) <> 'true'
  union all
  select 'policy writes all', t.oid::regclass::text,
    format('alter policy %I on %s with check (true)', p.polname, t.oid::regclass)
  from pg_policy p join ${TABLES} on t.oid = p.polrelid
  where pg_get_expr(p.polwithcheck, p.polrelid) <> 'true'
  union all
  select 'policy for everybody', t.oid::regclass::text, format('alter policy %I on %s to public', p.polname, t.oid::regclass)
  from pg_policy p join ${TABLES} on t.oid = p.polrelid
  union all
  select 'row security off', t.oid::regclass::text, format('alter table %s disable row level security', t.oid::regclass)
  from ${TABLES} where t.relrowsecurity
  union all
  select 'row security not forced', t.oid::regclass::text,
    format('alter table %s no force row level security', t.oid::regclass)
  from ${TABLES} where t.relforcerowsecurity
  union all
  select 'grant revoked', t.oid::regclass::text,
    format('revoke %s on %s from %I', g.privilege_type, t.oid::regclass, r.rolname)
  from ${TABLES}, aclexplode(t.relacl) g join pg_roles r on r.oid = g.grantee
  where r.rolname in ('normtrace_app', 'normtrace_system')
  union all
  select 'grant on columns revoked', t.oid::regclass::text,
    format('revoke %s (%I) on %s from %I', g.privilege_type, a.attname, t.oid::regclass, r.rolname)
  from ${TABLES} join pg_attribute a on a.attrelid = t.oid, aclexplode(a.attacl) g join pg_roles r on r.oid = g.grantee
  where r.rolname in ('normtrace_app', 'normtrace_system')
  union all
  select 'grant added', t.oid::regclass::text, format('grant %s on %s to %I', command, t.oid::regclass, role)
  from ${TABLES}, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) command,
    unnest(array['normtrace_app', 'normtrace_system']) role
  where not has_table_privilege(role, t.oid, command)
  union all
  select 'grant on a column added', t.oid::regclass::text,
    format('grant %s (%I) on %s to %I', command, a.attname, t.oid::regclass, role)
  from ${TABLES} join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped,
    unnest(array['select', 'update']) command, unnest(array['normtrace_app', 'normtrace_system']) role
  where has_any_column_privilege(role, t.oid, command) and not has_column_privilege(role, t.oid, a.attnum, command)
    and a.attgenerated = '' and a.attidentity = ''
  union all
  select case f.contype when 'f' then 'foreign key dropped' when 'c' then 'check dropped' else 'unique dropped' end,
    t.oid::regclass::text, format('alter table %s drop constraint %I', t.oid::regclass, f.conname)
  from pg_constraint f join ${TABLES} on t.oid = f.conrelid
  where f.contype in ('f', 'c', 'u', 'p') and f.conparentid = 0
  union all
  select 'unique dropped', t.oid::regclass::text, format('drop index %s', i.indexrelid::regclass)
  from pg_index i join ${TABLES} on t.oid = i.indrelid
  where i.indisunique and not exists (select from pg_constraint f where f.conindid = i.indexrelid)
  union all
  select 'trigger ' || case verb when 'drop' then 'dropped' else 'disabled' end, t.oid::regclass::text,
    case verb when 'drop' then format('drop trigger %I on %s', g.tgname, t.oid::regclass)
      else format('alter table %s disable trigger %I', t.oid::regclass, g.tgname) end
  from pg_trigger g join ${TABLES} on t.oid = g.tgrelid, unnest(array['drop', 'disable']) verb
  where not g.tgisinternal and g.tgparentid = 0
  union all
  select 'function for everybody', p.oid::regproc::text,
    format('grant execute on function %s to public', p.oid::regprocedure)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${OURS}
  where not has_function_privilege('public', p.oid, 'execute')
  union all
  select 'function without search path', p.oid::regproc::text,
    format('alter function %s reset search_path', p.oid::regprocedure)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${OURS}
  where p.prosecdef and p.proconfig is not null
  union all
  select case when p.prosecdef then 'function as its caller' else 'function as its owner' end, p.oid::regproc::text,
    format('alter function %s security %s', p.oid::regprocedure, case when p.prosecdef then 'invoker' else 'definer' end)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${OURS} where p.prokind = 'f'
  union all
  select 'role with a power', 'roles', format('alter role %s %s', role, power)
  from unnest(array['normtrace_app', 'normtrace_system']) role,
    unnest(array['bypassrls', 'superuser', 'createrole', 'createdb', 'replication']) power
  union all
  select 'role with a setting', 'roles', format('alter role %s set %s', role, setting)
  from unnest(array['normtrace_app', 'normtrace_system']) role,
    unnest(array['search_path = public, pg_temp', 'row_security = off']) setting
  union all
  select 'role that is a member', 'roles', format('grant %s to %s', granted, role)
  from unnest(array['normtrace_app', 'normtrace_system']) role,
    unnest(array['normtrace_app', 'normtrace_system', 'normtrace_owner']) granted
  where role <> granted
  union all
  select 'grant on a schema', 'roles', format('grant create on schema %I to %s', n.nspname, role)
  from pg_namespace n, unnest(array['normtrace_app', 'normtrace_system']) role
  where ${OURS}
  union all
  select 'grant on a schema', 'roles', 'grant usage on schema auth to normtrace_app'`;

const TEXTS = `
  select t.oid::regclass::text as about, p.polname as name, 'using' as part, pg_get_expr(p.polqual, p.polrelid) as text
  from pg_policy p join ${TABLES} on t.oid = p.polrelid where p.polqual is not null
  union all
  select t.oid::regclass::text, p.polname, 'with check', pg_get_expr(p.polwithcheck, p.polrelid)
  from pg_policy p join ${TABLES} on t.oid = p.polrelid where p.polwithcheck is not null
  union all
  select p.oid::regproc::text, '', 'function', pg_get_functiondef(p.oid)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${OURS} where p.prokind = 'f'`;

/** Every mutant of the database that a connection sees. */
export async function databaseMutants(client: pg.Client): Promise<readonly DatabaseMutant[]> {
  const { rows: mutants } = await client.query<DatabaseMutant>(FROM_THE_CATALOG);
  const { rows: texts } = await client.query<Record<'about' | 'name' | 'part' | 'text', string>>(TEXTS);
  for (const { about, name, part, text } of texts) {
    for (const loosened of withoutConditions(text)) {
      mutants.push(
        part === 'function'
          ? { kind: 'function without a condition', about, statement: loosened }
          : {
              kind: 'policy without a condition',
              about,
              statement: `alter policy ${name} on ${about} ${part} (${loosened})`,
            },
      );
    }
    if (part !== 'function') continue;
    for (const { index, 0: refusal } of text.matchAll(/raise exception [^;]*;/g)) {
      const statement = `${text.slice(0, index)}null;${text.slice(index + refusal.length)}`;
      mutants.push({ kind: 'function that refuses nothing', about, statement });
    }
  }
  return mutants;
}

export interface RoleMutant {
  readonly name: string;
  readonly table: PermissionTable;
}

const ALLOWED: Grant = { kind: 'allowed' };

/** The permission table with a single grant loosened or dropped, or with a permission open to API tokens. */
export function roleMutants(table: PermissionTable): readonly RoleMutant[] {
  const { permissions, ownerRoles } = table;
  const withPermissions = (changed: PermissionTable['permissions']): PermissionTable => ({
    permissions: changed,
    ownerRoles,
    find: (id) => changed.find((one) => one.id === id) ?? table.find(id),
  });
  const mutants: RoleMutant[] = ROLES.filter((role) => !ownerRoles.includes(role)).map((role) => ({
    name: `owner holds ${role}, too`,
    table: { ...table, ownerRoles: [...ownerRoles, role] },
  }));
  for (const permission of permissions) {
    const change = (name: string, part: Partial<typeof permission>) =>
      mutants.push({
        name: `${permission.id}: ${name}`,
        table: withPermissions(permissions.map((one) => (one === permission ? { ...one, ...part } : one))),
      });
    for (const role of ROLES) {
      const { [role]: grant, ...rest } = permission.grants as Readonly<Record<Role, Grant | undefined>>;
      const others = Object.fromEntries(
        Object.entries(rest).filter(([, value]) => value),
      ) as typeof permission.grants;
      const was = grant?.kind === 'when' ? grant.condition : (grant?.kind ?? 'denied');
      if (was !== 'allowed') change(`${role} ${was} → allowed`, { grants: { ...others, [role]: ALLOWED } });
      if (was !== 'denied') change(`${role} ${was} → denied`, { grants: others });
    }
    if (permission.person) change('also through API tokens', { person: false });
  }
  return mutants;
}
