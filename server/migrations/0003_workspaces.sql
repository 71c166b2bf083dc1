create table workspaces (
  id uuid primary key default gen_random_uuid(),
  name text not null constraint workspaces_name check (length(name) between 1 and 200),
  description text not null default '',
  owner_id uuid not null references profiles (id),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index workspaces_newest on workspaces (created_at desc, id desc);
create index workspaces_owner on workspaces (owner_id);
create trigger touch before update on workspaces for each row execute function app.touch();

create table workspace_members (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_id uuid not null references profiles (id) on delete cascade,
  role text not null
    constraint workspace_members_role check (role in ('admin', 'engineer', 'manager', 'viewer')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_user on workspace_members (user_id, workspace_id);
create trigger touch before update on workspace_members for each row execute function app.touch();

-- The workspaces of the current scope: with a user, those they are a member of, narrowed to the set workspace if
-- one is set; without a user, the set workspace alone (jobs act for their workspace); nothing set, none.
create function app.visible_workspaces() returns uuid[]
  language plpgsql stable parallel restricted security definer set search_path = pg_catalog, pg_temp
as $$
declare
  actor constant uuid := app.current_user_id();
  workspace constant uuid := app.current_workspace_id();
begin
  if actor is null then
    return case when workspace is null then '{}'::uuid[] else array[workspace] end;
  end if;
  return array(
    select m.workspace_id
    from public.workspace_members m
    where m.user_id = actor and (workspace is null or m.workspace_id = workspace)
  );
end
$$;

revoke execute on function app.visible_workspaces() from public;
grant execute on function app.visible_workspaces() to normtrace_app, normtrace_system;

alter table workspaces enable row level security;
alter table workspaces force row level security;
grant select, update (name, description, owner_id), delete on workspaces to normtrace_app;
create policy workspace_select on workspaces for select to normtrace_app
  using (id = any ((select app.visible_workspaces())::uuid[]));
create policy workspace_update on workspaces for update to normtrace_app
  using (id = any ((select app.visible_workspaces())::uuid[]))
  with check (id = any ((select app.visible_workspaces())::uuid[]));
create policy workspace_delete on workspaces for delete to normtrace_app
  using (id = any ((select app.visible_workspaces())::uuid[]));
grant select on workspaces to normtrace_system;
create policy system_select on workspaces for select to normtrace_system using (true);
create policy owner_insert on workspaces for insert to normtrace_owner with check (true);
create policy owner_select on workspaces for select to normtrace_owner using (true);

select app.isolate('workspace_members', 'select, insert, update, delete');
grant select on workspace_members to normtrace_system;
create policy system_select on workspace_members for select to normtrace_system using (true);
-- For visible_workspaces and create_workspace, which run as the owner.
create policy owner_select on workspace_members for select to normtrace_owner using (true);
create policy owner_insert on workspace_members for insert to normtrace_owner with check (true);

-- A workspace begins with its creator as owner and member; before that nobody could see the new row, hence a
-- function of the owner. Only a user's own scope can call it.
create function app.create_workspace(workspace_id uuid, name text, description text, member_role text)
  returns workspaces
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  created public.workspaces;
begin
  if app.current_user_id() is null then
    raise exception 'a workspace is created by a user' using errcode = 'insufficient_privilege';
  end if;
  insert into public.workspaces (id, name, description, owner_id)
  values ($1, $2, $3, app.current_user_id())
  returning * into created;
  insert into public.workspace_members (workspace_id, user_id, role)
  values ($1, app.current_user_id(), member_role);
  return created;
end
$$;
revoke execute on function app.create_workspace(uuid, text, text, text) from public;
grant execute on function app.create_workspace(uuid, text, text, text) to normtrace_app;

-- Profiles: one's own, and those of the people one shares a workspace with.
create policy own_or_colleague_select on profiles for select to normtrace_app
  using (
    id = (select app.current_user_id())
    or id in (
      select m.user_id from workspace_members m
      where m.workspace_id = any ((select app.visible_workspaces())::uuid[])
    )
  );
create policy own_update on profiles for update to normtrace_app
  using (id = (select app.current_user_id()))
  with check (id = (select app.current_user_id()));
