-- What was decided, by whom, when, with before and after. Append-only: nobody may change or remove a row, the owner
-- included. No foreign keys, because the trail outlives what it is about. Events of the installation as a whole
-- (a role was changed) have the workspace 00000000-0000-0000-0000-000000000000.
create table audit_events (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- Null: the service itself.
  actor_id uuid,
  action text not null,
  target_type text not null,
  target_id text not null,
  reason text,
  before jsonb,
  after jsonb,
  request_id text,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index audit_events_newest on audit_events (workspace_id, created_at desc, id desc);
create index audit_events_actor on audit_events (workspace_id, actor_id, created_at desc, id desc);

create trigger append_only before update or delete on audit_events
  for each row execute function app.refuse_change();
create trigger append_only_truncate before truncate on audit_events
  for each statement execute function app.refuse_change();

alter table audit_events enable row level security;
alter table audit_events force row level security;
grant select, insert on audit_events to normtrace_app;
create policy workspace_select on audit_events for select to normtrace_app
  using (workspace_id = any ((select app.visible_workspaces())::uuid[]));
-- Nobody signs with another's name.
create policy workspace_insert on audit_events for insert to normtrace_app
  with check (
    workspace_id = any ((select app.visible_workspaces())::uuid[])
    and actor_id is not distinct from (select app.current_user_id())
  );
grant select, insert on audit_events to normtrace_system;
create policy system_select on audit_events for select to normtrace_system using (true);
create policy system_insert on audit_events for insert to normtrace_system with check (true);
