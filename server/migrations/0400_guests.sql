-- Guests: people from outside who read one workspace, one analysis or one report of it until a moment. They are no members:
-- without the scope of a guest (`app.guest_id`), which only an operation made for guests enters, they see nothing.
create table guests (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  email text not null,
  scope text not null constraint guests_scope check (scope in ('workspace', 'analysis', 'report')),
  -- The analysis or report. Not a reference: one that has gone lets nobody see anything.
  target_id uuid,
  invited_by uuid not null,
  expires_at timestamptz(3) not null,
  -- Who took the invitation.
  user_id uuid,
  entered_at timestamptz(3),
  ended_at timestamptz(3),
  ended_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  constraint guests_target check ((scope = 'workspace') = (target_id is null)),
  constraint guests_entered check ((user_id is null) = (entered_at is null)),
  constraint guests_life check (expires_at <= created_at + interval '12 months 1 day')
);
create index guests_newest on guests (workspace_id, created_at desc, id desc);
create index guests_user on guests (user_id) where ended_at is null;
-- Found by who is invited alone.
create unique index guests_id on guests (id);

create function app.current_guest_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.guest_id', true), '')::uuid;

-- As a guest: the workspace of that access, while it lasts, and no other.
create or replace function app.visible_workspaces() returns uuid[]
  language plpgsql stable parallel restricted security definer set search_path = pg_catalog, pg_temp
as $$
declare
  actor constant uuid := app.current_user_id();
  workspace constant uuid := app.current_workspace_id();
  guest constant uuid := app.current_guest_id();
begin
  if actor is null then
    return case when workspace is null then '{}'::uuid[] else array[workspace] end;
  end if;
  if guest is not null then
    return array(
      select g.workspace_id from public.guests g
      where g.id = guest and g.user_id = actor and g.ended_at is null and g.expires_at > now()
    );
  end if;
  return array(
    select m.workspace_id
    from public.workspace_members m
    where m.user_id = actor and (workspace is null or m.workspace_id = workspace)
  );
end
$$;

select app.isolate('guests', 'select, insert');
grant update (ended_at, ended_by) on guests to normtrace_app;
create policy workspace_update on guests for update to normtrace_app
  using (workspace_id = any ((select app.visible_workspaces())::uuid[]))
  with check (workspace_id = any ((select app.visible_workspaces())::uuid[]));
-- Whoever takes an invitation is no member, and sees no row of it.
grant select, update (user_id, entered_at, ended_at) on guests to normtrace_system;
create policy system_select on guests for select to normtrace_system using (true);
create policy system_update on guests for update to normtrace_system using (true) with check (true);
create policy owner_select on guests for select to normtrace_owner using (true);
-- Every process forgets what a guest may see, and ends their streams.
create trigger guest_changed after update or delete on guests
  for each row execute function app.notify_identity_changed('user_id');

-- What a guest does not see although it lies in the workspace: people, what they say to each other and what they did, and the
-- declarations that let members read words of uploaded standards.
do $$
declare
  hidden text;
begin
  foreach hidden in array array['workspace_members', 'workspace_invitations', 'guests', 'gap_comments', 'audit_events', 'attestations', 'webhooks'] loop
    execute format(
      'create policy members_only on %I as restrictive for select to normtrace_app using ((select app.current_guest_id()) is null)',
      hidden);
  end loop;
end
$$;

-- Accounts that were made to be a guest: they end with what they may see, unless they become a member of a workspace.
alter table profiles add column is_guest boolean not null default false;

-- Links for guests are handed out by whoever invites; they prove no address.
alter table auth.one_time_links
  drop constraint one_time_links_purpose,
  add constraint one_time_links_purpose check (
    purpose in ('sign_up', 'verify_address', 'reset_password', 'invitation', 'guest')
  ),
  drop constraint one_time_links_about,
  add constraint one_time_links_about check (
    (purpose in ('verify_address', 'reset_password')) = (user_id is not null)
    and (purpose in ('invitation', 'guest')) = (invitation_id is not null)
    and (email is not null or purpose = 'reset_password')
  );
