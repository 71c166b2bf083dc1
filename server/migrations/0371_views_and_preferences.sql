-- A list as somebody looks at it, under a name: its own, or shared with the workspace.
create table saved_views (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  owner_id uuid not null references profiles (id) on delete cascade,
  screen text not null constraint saved_views_screen check (screen in ('gaps', 'documents', 'trace', 'runs', 'reports')),
  name text not null constraint saved_views_name check (length(name) between 1 and 100),
  -- As in the address of the screen, without the question mark.
  query text not null constraint saved_views_query check (query not like '?%'),
  shared boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  constraint saved_views_name_once unique (workspace_id, owner_id, screen, name)
);
create trigger touch before update on saved_views for each row execute function app.touch();
select app.isolate('saved_views', 'select, insert, update, delete');

-- How a person wants the application, on every machine.
create table preferences (
  user_id uuid primary key references profiles (id) on delete cascade,
  chosen jsonb not null constraint preferences_chosen check (jsonb_typeof(chosen) = 'object'),
  updated_at timestamptz(3) not null default now()
);
create trigger touch before update on preferences for each row execute function app.touch();
alter table preferences enable row level security;
alter table preferences force row level security;
grant select, insert, update on preferences to normtrace_app;
create policy own_select on preferences for select to normtrace_app using (user_id = (select app.current_user_id()));
create policy own_insert on preferences for insert to normtrace_app with check (user_id = (select app.current_user_id()));
create policy own_update on preferences for update to normtrace_app
  using (user_id = (select app.current_user_id())) with check (user_id = (select app.current_user_id()));
