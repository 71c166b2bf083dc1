-- Everything that a workspace holds as one archive, for its own people and for another installation.

-- Made by one person, as that person may read the words of standards: only they download it.
create table workspace_exports (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  status text not null default 'queued' constraint workspace_exports_status check (
    status in ('queued', 'running', 'completed', 'failed')
  ),
  percent integer not null default 0,
  error text,
  -- Rises with every attempt: what an abandoned one writes late is refused.
  attempt integer not null default 0,
  object_key text,
  sha256 text,
  file_size bigint,
  -- What is not in it, and why.
  left_out jsonb not null default '[]',
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (workspace_id, id)
);
create index workspace_exports_newest on workspace_exports (workspace_id, created_at desc, id desc);
select app.isolate('workspace_exports', 'select, insert, update, delete');

-- An archive that becomes a workspace. Its user's own: the workspace does not exist before all of it is there.
create table workspace_imports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles (id) on delete cascade,
  -- The id that the workspace will have; its objects lie there, the archive too. Not a reference: it may never exist.
  target_id uuid not null,
  name text,
  file_size bigint not null,
  sha256 text,
  object_key text not null,
  status text not null default 'pending_upload' constraint workspace_imports_status check (
    status in ('pending_upload', 'queued', 'running', 'completed', 'failed')
  ),
  error text,
  attempt integer not null default 0,
  -- Who of the archive is a member now, and who is not.
  members jsonb not null default '{"added": [], "left_out": []}',
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3)
);
create index workspace_imports_user on workspace_imports (user_id, created_at desc, id desc);
alter table workspace_imports enable row level security;
alter table workspace_imports force row level security;
grant select, insert, update on workspace_imports to normtrace_app;
create policy own_select on workspace_imports for select to normtrace_app
  using (user_id = (select app.current_user_id()));
create policy own_insert on workspace_imports for insert to normtrace_app
  with check (user_id = (select app.current_user_id()));
create policy own_update on workspace_imports for update to normtrace_app
  using (user_id = (select app.current_user_id())) with check (user_id = (select app.current_user_id()));

-- An import keeps the ids of its rows. Whether one of them is somebody's here only the system can see: ids, nothing else.
do $$
declare
  target regclass;
begin
  for target in
    select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = 'public'
      and (select count(*) from pg_attribute a
           where a.attrelid = c.oid and a.attname in ('workspace_id', 'id') and not a.attisdropped) = 2
      and c.relname not in ('audit_events', 'attestations', 'workspace_exports')
  loop
    execute format('grant select (id) on %s to normtrace_system', target);
    if not exists (select from pg_policy p where p.polrelid = target and p.polname = 'system_select') then
      execute format('create policy system_select on %s for select to normtrace_system using (true)', target);
    end if;
  end loop;
end
$$;
