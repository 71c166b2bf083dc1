-- Each event is chained to the one before it in its workspace: whoever changes or removes one past all triggers and
-- grants breaks the chain, and the check says where. The row of the chain is locked until the commit, so that events
-- are numbered without holes. No foreign key: the trail outlives its workspace.
create table audit_chains (
  workspace_id uuid primary key,
  last_sequence bigint not null,
  last_hash bytea not null
);
select app.isolate('audit_chains', 'select');
grant select on audit_chains to normtrace_system;
create policy system_select on audit_chains for select to normtrace_system using (true);
-- For the trigger below, which runs as the owner.
create policy owner_select on audit_chains for select to normtrace_owner using (true);
create policy owner_insert on audit_chains for insert to normtrace_owner with check (true);
create policy owner_update on audit_chains for update to normtrace_owner using (true) with check (true);

alter table audit_events
  -- The API token through which it was done; null: a person's session, or the service itself.
  add column token_id uuid,
  add column sequence bigint,
  add column hash bytea;

-- SHA-256 over the hash of the event before and everything that the event says.
create function app.audit_hash(previous bytea, event audit_events) returns bytea
  language sql stable
  return sha256(previous || convert_to(jsonb_build_array(
    (event).workspace_id, (event).sequence, (event).id, (event).actor_id, (event).token_id, (event).action,
    (event).target_type, (event).target_id, (event).reason, (event).before, (event).after, (event).request_id,
    (extract(epoch from (event).created_at) * 1000)::bigint
  )::text, 'UTF8'));

create function app.chain_audit_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  previous bytea;
begin
  -- Nobody dates an event back.
  new.created_at := now();
  new.token_id := coalesce(new.token_id, nullif(current_setting('app.token_id', true), '')::uuid);
  insert into public.audit_chains as c (workspace_id, last_sequence, last_hash) values (new.workspace_id, 1, '')
  on conflict (workspace_id) do update set last_sequence = c.last_sequence + 1
  returning c.last_sequence, c.last_hash into new.sequence, previous;
  new.hash := app.audit_hash(previous, new);
  update public.audit_chains c set last_hash = new.hash where c.workspace_id = new.workspace_id;
  return new;
end
$$;
revoke execute on function app.chain_audit_event() from public;

-- What was written before is chained in the order in which it happened.
alter table audit_events no force row level security;
alter table audit_events disable trigger append_only;
do $$
declare
  event audit_events;
  previous bytea;
begin
  for event in select * from audit_events order by workspace_id, created_at, id loop
    insert into audit_chains as c (workspace_id, last_sequence, last_hash) values (event.workspace_id, 1, '')
    on conflict (workspace_id) do update set last_sequence = c.last_sequence + 1
    returning c.last_sequence, c.last_hash into event.sequence, previous;
    event.hash := app.audit_hash(previous, event);
    update audit_events e set sequence = event.sequence, hash = event.hash
    where e.workspace_id = event.workspace_id and e.id = event.id;
    update audit_chains c set last_hash = event.hash where c.workspace_id = event.workspace_id;
  end loop;
end
$$;
alter table audit_events enable trigger append_only;
alter table audit_events force row level security;
alter table audit_events
  alter column sequence set not null,
  alter column hash set not null,
  add unique (workspace_id, sequence);
create index audit_events_all on audit_events (created_at desc, id desc);
create trigger chain before insert on audit_events for each row execute function app.chain_audit_event();

-- What a person does about themselves (sessions, tokens) belongs to the installation; they write it, and read their own.
alter policy workspace_select on audit_events using (
  workspace_id = any ((select app.visible_workspaces())::uuid[])
  or (
    workspace_id = '00000000-0000-0000-0000-000000000000'
    and actor_id = (select app.current_user_id())
    and (select app.current_workspace_id()) is null
  )
);
alter policy workspace_insert on audit_events with check (
  (
    workspace_id = any ((select app.visible_workspaces())::uuid[])
    or (workspace_id = '00000000-0000-0000-0000-000000000000' and actor_id is not null)
  )
  and actor_id is not distinct from (select app.current_user_id())
);
