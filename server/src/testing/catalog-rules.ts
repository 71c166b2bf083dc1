/** A rule about the database as PostgreSQL's own catalog tells it: a query that names what breaks it. */
export interface CatalogRule {
  readonly rule: string;
  /** Answers rows with one column `offender`. */
  readonly query: string;
}

/** Tables without workspace data that the application role may use without row-level security, each with its reason. */
const OPEN_TABLES = [
  // Which migrations ran, for the check at the start.
  'schema_migrations',
  // Jobs hold ids only; the application role adds them and sees none of their payloads.
  'pgboss.queue',
  'pgboss.version',
  'pgboss.job',
  'pgboss.job_common',
];

/** What outlives its workspace: who decided what, and who declared which licence. Neither holds content of documents. */
export const OUTLIVE_THEIR_WORKSPACE = ['audit_events', 'audit_chains', 'attestations'];

/** The column without which a generated column is the workspace of its row; null where it is something else. */
const workspaceWithout = (table: string, column: string): string => `(
  select a.attname from pg_attribute a join pg_attrdef d on d.adrelid = ${table} and d.adnum = ${column}.attnum
  where a.attrelid = ${table} and ${column}.attgenerated = 's'
    and btrim(regexp_replace(pg_get_expr(d.adbin, d.adrelid), '\\s+', ' ', 'g'))
      = format('CASE WHEN (%I IS NULL) THEN workspace_id ELSE NULL::uuid END', a.attname)
)`;

const OURS = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;

const tables = (and: string): string => `
  select c.oid, c.oid::regclass::text as name, n.nspname as schema, c.relrowsecurity, c.relforcerowsecurity,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped)
      or c.oid = 'public.workspaces'::regclass as of_workspace
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and ${OURS} and ${and}`;

/** What a role may do on a table, on some column at least. */
const may = (role: string, command: string): string =>
  command === 'delete'
    ? `has_table_privilege('${role}', t.oid, '${command}')`
    : `(has_table_privilege('${role}', t.oid, '${command}') or has_any_column_privilege('${role}', t.oid, '${command}'))`;

const COMMANDS = { select: 'r', insert: 'a', update: 'w', delete: 'd' } as const;

const withoutPolicy = (role: string): string =>
  Object.entries(COMMANDS)
    .map(
      ([command, letter]) => `
        select t.name || ' for ${command} by ${role}' as offender
        from (${tables('c.relrowsecurity')}) t
        where ${may(role, command)} and not exists (
          select from pg_policy p
          where p.polrelid = t.oid and p.polpermissive and p.polcmd in ('*', '${letter}')
            and '${role}'::regrole = any (p.polroles)
        )`,
    )
    .join(' union all ');

export const CATALOG_RULES: readonly CatalogRule[] = [
  {
    rule: 'a table of workspace data forces row-level security',
    query: `select t.name as offender from (${tables('true')}) t
      where t.of_workspace and not (t.relrowsecurity and t.relforcerowsecurity)`,
  },
  {
    rule: 'what the application role can touch is under row-level security',
    query: `select t.name as offender from (${tables('true')}) t
      where not (t.relrowsecurity and t.relforcerowsecurity)
        and t.name <> all (array['${OPEN_TABLES.join("', '")}'])
        and (${Object.keys(COMMANDS)
          .map((command) => may('normtrace_app', command))
          .join(' or ')})`,
  },
  {
    rule: 'there is a policy for every command that is granted',
    query: `${withoutPolicy('normtrace_app')} union all ${withoutPolicy('normtrace_system')}`,
  },
  {
    rule: 'a policy of the application role on workspace data asks for the visible workspaces',
    query: `select t.name || '.' || p.polname as offender
      from (${tables('true')}) t join pg_policy p on p.polrelid = t.oid
      where t.of_workspace and p.polpermissive and 'normtrace_app'::regrole = any (p.polroles)
        and (
          (p.polcmd <> 'a' and coalesce(pg_get_expr(p.polqual, p.polrelid), '') !~ 'visible_workspaces')
          or (p.polcmd in ('a', 'w', '*') and
            coalesce(pg_get_expr(p.polwithcheck, p.polrelid), case when p.polcmd <> 'a' then 'visible_workspaces' end, '')
              !~ 'visible_workspaces')
        )`,
  },
  {
    rule: 'a policy names its roles',
    query: `select p.polrelid::regclass || '.' || p.polname as offender from pg_policy p where 0 = any (p.polroles)`,
  },
  {
    rule: 'the application role may not truncate, refer to or trigger on a table',
    query: `select t.name as offender from (${tables('true')}) t
      where has_table_privilege('normtrace_app', t.oid, 'truncate, references, trigger')`,
  },
  {
    rule: 'the key of a table of workspace data begins with the workspace',
    query: `select t.name as offender from (${tables('true')}) t
      where t.of_workspace and t.oid <> 'public.workspaces'::regclass and not exists (
        select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = t.oid and i.indisprimary and a.attname = 'workspace_id'
      )`,
  },
  {
    rule: 'a foreign key to workspace data carries the workspace',
    query: `select f.conrelid::regclass || '.' || f.conname as offender
      from pg_constraint f join (${tables('true')}) t on t.oid = f.confrelid
      where f.contype = 'f' and t.of_workspace and not exists (
        select from unnest(f.conkey, f.confkey) as pair (here, there)
        join pg_attribute h on h.attrelid = f.conrelid and h.attnum = pair.here
        join pg_attribute o on o.attrelid = f.confrelid and o.attnum = pair.there
        where (h.attname = 'workspace_id' or ${workspaceWithout('f.conrelid', 'h')} <> '')
          and o.attname = case when f.confrelid = 'public.workspaces'::regclass then 'id' else 'workspace_id' end
      )`,
  },
  {
    rule: 'what belongs to a workspace goes with it',
    query: `with recursive going as (
        select 'public.workspaces'::regclass::oid as oid
        union
        select f.conrelid from pg_constraint f join going g on g.oid = f.confrelid
        where f.contype = 'f' and f.confdeltype = 'c' and not exists (
          select from unnest(f.conkey) as key (column_number)
          join pg_attribute a on a.attrelid = f.conrelid and a.attnum = key.column_number
          where not a.attnotnull
            -- Where it is empty, another key holds the row in its place.
            and not exists (
              select from pg_constraint o join pg_attribute w on w.attrelid = o.conrelid and w.attnum = o.conkey[1]
              where o.contype = 'f' and o.confdeltype = 'c' and o.conrelid = f.conrelid and cardinality(o.conkey) = 1
                and o.confrelid = 'public.workspaces'::regclass and ${workspaceWithout('o.conrelid', 'w')} = a.attname
            )
        )
      )
      select t.name as offender from (${tables('true')}) t
      where t.of_workspace and t.oid not in (select oid from going)
        and t.name <> all (array['${OUTLIVE_THEIR_WORKSPACE.join("', '")}'])`,
  },
  {
    rule: 'what is about a work product or a standard goes with it, or forgets it',
    query: `select t.name || '.' || a.attname as offender
      from (${tables('true')}) t join pg_attribute a on a.attrelid = t.oid and not a.attisdropped
      where t.of_workspace and a.attname in ('work_product_id', 'standard_id')
        and t.name <> all (array['${OUTLIVE_THEIR_WORKSPACE.join("', '")}'])
        and not exists (
          select from pg_constraint f
          where f.contype = 'f' and f.conrelid = t.oid and a.attnum = any (f.conkey) and f.confdeltype in ('c', 'n')
        )`,
  },
  {
    rule: 'a view asks as the one who uses it, and nothing is materialised past row-level security',
    query: `select c.oid::regclass::text as offender
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${OURS} and (
        c.relkind = 'm'
        or c.relkind = 'v' and not coalesce('security_invoker=true' = any (c.reloptions), false)
      )`,
  },
  {
    rule: 'the roles of the service have no powers beyond their grants',
    query: `select rolname as offender from pg_roles
      where rolname in ('normtrace_app', 'normtrace_system')
        and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)
      union all
      select m.member::regrole || ' is a member of ' || m.roleid::regrole from pg_auth_members m
      where m.member in ('normtrace_app'::regrole, 'normtrace_system'::regrole)`,
  },
  {
    rule: 'nothing is set for the roles of the service: a connection says what it needs',
    query: `select setrole::regrole::text as offender from pg_db_role_setting
      where setrole in ('normtrace_app'::regrole, 'normtrace_system'::regrole)`,
  },
  {
    rule: 'the roles of the service own nothing',
    query: `select d.classid::regclass || ' ' || d.objid as offender from pg_shdepend d
      where d.deptype = 'o' and d.refclassid = 'pg_authid'::regclass
        and d.refobjid in ('normtrace_app'::regrole, 'normtrace_system'::regrole)
        and d.dbid in (0, (select oid from pg_database where datname = current_database()))`,
  },
  {
    rule: 'the application role cannot create and cannot see who the users are',
    query: `select nspname::text as offender from pg_namespace n
      where ${OURS} and has_schema_privilege('normtrace_app', n.oid, 'create')
      union all
      select nspname::text from pg_namespace n
      where nspname = 'auth' and has_schema_privilege('normtrace_app', n.oid, 'usage')`,
  },
  {
    rule: 'a function that runs as its owner has a fixed search path and is not for everybody',
    query: `select p.oid::regprocedure::text as offender
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${OURS} and p.prosecdef and (
        not coalesce('search_path=pg_catalog, pg_temp' = any (p.proconfig), false)
        or p.proacl is null
        or exists (select from aclexplode(p.proacl) g where g.grantee = 0)
      )`,
  },
];
