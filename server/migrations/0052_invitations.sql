-- Invitations into a workspace, accepted by signing up or in with the token, which is shown once and kept hashed.
create table workspace_invitations (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  email text not null,
  role text not null
    constraint workspace_invitations_role check (role in ('admin', 'engineer', 'manager', 'viewer')),
  token_hash bytea not null unique,
  -- Whether accepting it verifies the address: only people whom an administrator trusts may vouch for addresses.
  vouches boolean not null,
  invited_by uuid not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  accepted_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
-- One open invitation for an address: another one replaces it.
create unique index workspace_invitations_open on workspace_invitations (workspace_id, lower(email))
  where accepted_at is null;
create index workspace_invitations_newest on workspace_invitations (workspace_id, created_at desc, id desc);
select app.isolate('workspace_invitations', 'select, insert, delete');

-- Whoever accepts is no member yet, so the system looks the token up and makes the membership.
grant select, update (accepted_at, accepted_by) on workspace_invitations to normtrace_system;
create policy system_select on workspace_invitations for select to normtrace_system using (true);
create policy system_update on workspace_invitations for update to normtrace_system using (true) with check (true);
grant insert on workspace_members to normtrace_system;
create policy system_insert on workspace_members for insert to normtrace_system with check (true);
