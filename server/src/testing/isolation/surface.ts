import type { PermissionTable } from '../../platform/identity/permissions.js';
import { ROLES } from '../../platform/identity/permissions.js';

const OURS = `n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'pgboss')`;
const SERVICE = `('normtrace_app', 'normtrace_system', 'normtrace_owner', 'public')`;

/**
 * Everything in the database that isolation rests on, a line each: row-level security, policies, grants, foreign keys,
 * checks, triggers, functions that run as their owner. Answers rows with one column `line`, in order.
 */
export const SURFACE_QUERY = `
  with tables as (
    select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and ${OURS}
  ), functions as (
    select p.*, p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${OURS}
  ), lines as (
    select format('%s: row security%s%s', t.oid::regclass, case when relrowsecurity then ' enabled' else ' DISABLED' end,
                  case when relforcerowsecurity then ', forced' else '' end) as line
    from tables t
    union all
    select format('%s: policy %s for %s to %s using %s check %s', t.oid::regclass, p.polname, p.polcmd,
                  (select string_agg(r::regrole::text, ', ' order by r::regrole::text) from unnest(p.polroles) r),
                  coalesce(md5(pg_get_expr(p.polqual, p.polrelid)), '-'),
                  coalesce(md5(pg_get_expr(p.polwithcheck, p.polrelid)), '-'))
    from pg_policy p join tables t on t.oid = p.polrelid
    union all
    select format('%s: %s may %s', t.oid::regclass, coalesce(r.rolname, 'public'), lower(g.privilege_type))
    from tables t, aclexplode(t.relacl) g left join pg_roles r on r.oid = g.grantee
    where coalesce(r.rolname, 'public') in ${SERVICE} and t.relowner <> g.grantee
    union all
    select format('%s.%s: %s may %s', t.oid::regclass, a.attname, coalesce(r.rolname, 'public'), lower(g.privilege_type))
    from tables t join pg_attribute a on a.attrelid = t.oid, aclexplode(a.attacl) g left join pg_roles r on r.oid = g.grantee
    where coalesce(r.rolname, 'public') in ${SERVICE}
    union all
    select format('%s: %s', t.oid::regclass, pg_get_constraintdef(f.oid))
    from pg_constraint f join tables t on t.oid = f.conrelid
    where f.contype = 'f'
    union all
    select format('%s: check %s %s', t.oid::regclass, f.conname, md5(pg_get_constraintdef(f.oid)))
    from pg_constraint f join tables t on t.oid = f.conrelid
    where f.contype = 'c'
    union all
    select format('%s: trigger %s runs %s', t.oid::regclass, g.tgname, g.tgfoid::regproc)
    from pg_trigger g join tables t on t.oid = g.tgrelid
    where not g.tgisinternal and g.tgenabled <> 'D'
    union all
    select format('function %s%s %s %s', name, case when prosecdef then ' as its owner' else '' end,
                  array_to_string(proconfig, ' '), md5(prosrc))
    from functions
    union all
    select format('function %s: %s may %s', name, coalesce(r.rolname, 'public'), lower(g.privilege_type))
    from functions f, aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) g left join pg_roles r on r.oid = g.grantee
    where coalesce(r.rolname, 'public') in ${SERVICE} and f.proowner <> g.grantee
  )
  select line from lines order by line collate "C"`;

/** Who may do what, a line for each permission. */
export function rolesSurface({ permissions, ownerRoles }: PermissionTable): readonly string[] {
  const grants = permissions.map(({ id, where, person, grants }) => {
    const held = ROLES.map((role) => {
      const grant = grants[role];
      return `${role} ${grant?.kind === 'when' ? grant.condition : (grant?.kind ?? 'denied')}`;
    });
    return `${id} (${where}${person ? ', a person' : ''}): ${held.join(', ')}`;
  });
  return [`owner: ${ownerRoles.join(', ')}`, ...grants].sort();
}
