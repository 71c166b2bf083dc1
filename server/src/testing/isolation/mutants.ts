import type { Grant, PermissionTable, Role } from '../../platform/identity/permissions.js';
import { ROLES } from '../../platform/identity/permissions.js';

const OURS = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'pgboss')`;
const TABLES = `pg_class t join pg_namespace n on n.oid = t.relnamespace and t.relkind in ('r', 'p') and ${OURS}`;

/**
 * One statement for every single thing in the catalog that isolation rests on, which drops or loosens it. Answers rows
 * with `kind` and `statement`. What changes nothing (a policy that is `true` already) is left out.
 */
export const DATABASE_MUTANTS = `
  select 'policy dropped' as kind, format('drop policy %I on %s', p.polname, t.oid::regclass) as statement
  from pg_policy p join ${TABLES} on t.oid = p.polrelid
  union all
  select 'policy reads all', format('alter policy %I on %s using (true)', p.polname, t.oid::regclass)
  from pg_policy p join ${TABLES} on t.oid = p.polrelid
  where pg_get_expr(p.polqual, p.polrelid) <> 'true'
  union all
  select 'policy writes all', format('alter policy %I on %s with check (true)', p.polname, t.oid::regclass)
  from pg_policy p join ${TABLES} on t.oid = p.polrelid
  where pg_get_expr(p.polwithcheck, p.polrelid) <> 'true'
  union all
  select 'policy for everybody', format('alter policy %I on %s to public', p.polname, t.oid::regclass)
  from pg_policy p join ${TABLES} on t.oid = p.polrelid
  union all
  select 'row security off', format('alter table %s disable row level security', t.oid::regclass)
  from ${TABLES} where t.relrowsecurity
  union all
  select 'row security not forced', format('alter table %s no force row level security', t.oid::regclass)
  from ${TABLES} where t.relforcerowsecurity
  union all
  select 'grant revoked', format('revoke %s on %s from %I', g.privilege_type, t.oid::regclass, r.rolname)
  from ${TABLES}, aclexplode(t.relacl) g join pg_roles r on r.oid = g.grantee
  where r.rolname in ('normtrace_app', 'normtrace_system')
  union all
  select 'grant on columns revoked',
    format('revoke %s (%I) on %s from %I', g.privilege_type, a.attname, t.oid::regclass, r.rolname)
  from ${TABLES} join pg_attribute a on a.attrelid = t.oid, aclexplode(a.attacl) g join pg_roles r on r.oid = g.grantee
  where r.rolname in ('normtrace_app', 'normtrace_system')
  union all
  select 'grant added', format('grant %s on %s to %I', command, t.oid::regclass, role)
  from ${TABLES}, unnest(array['select', 'insert', 'update', 'delete', 'truncate']) command,
    unnest(array['normtrace_app', 'normtrace_system']) role
  where not has_table_privilege(role, t.oid, command)
  union all
  select case f.contype when 'f' then 'foreign key dropped' else 'check dropped' end,
    format('alter table %s drop constraint %I', t.oid::regclass, f.conname)
  from pg_constraint f join ${TABLES} on t.oid = f.conrelid
  where f.contype in ('f', 'c') and f.conparentid = 0
  union all
  select 'trigger dropped', format('drop trigger %I on %s', g.tgname, t.oid::regclass)
  from pg_trigger g join ${TABLES} on t.oid = g.tgrelid
  where not g.tgisinternal and g.tgparentid = 0
  union all
  select 'function for everybody', format('grant execute on function %s to public', p.oid::regprocedure)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${OURS} where p.prosecdef
  union all
  select 'function without search path', format('alter function %s reset search_path', p.oid::regprocedure)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${OURS}
  where p.prosecdef and p.proconfig is not null
  union all
  select 'function as its owner', format('alter function %s security definer', p.oid::regprocedure)
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace and ${OURS} where not p.prosecdef and p.prokind = 'f'`;

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
