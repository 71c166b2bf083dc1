-- Long-lived tokens for build servers. A person's own; the token itself is shown once and kept as its SHA-256, which
-- the application role cannot read.
create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references profiles (id) on delete cascade,
  name text not null constraint api_tokens_name check (length(name) between 1 and 100),
  -- The public part, by which it is found and recognised.
  prefix text not null unique,
  token_hash bytea not null,
  access text not null constraint api_tokens_access check (access in ('read', 'write')),
  -- Null: every permission of the user that a token may use.
  permissions text[],
  -- The only workspace that it reaches; null: all of the user. Not a reference: a token may outlive its workspace.
  bound_to uuid,
  expires_at timestamptz(3) not null,
  -- To the hour.
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint api_tokens_life check (expires_at <= created_at + interval '12 months 1 day')
);
create index api_tokens_newest on api_tokens (user_id, created_at desc, id desc);

alter table api_tokens enable row level security;
alter table api_tokens force row level security;
grant select (id, user_id, name, prefix, access, permissions, bound_to, expires_at, last_used_at, revoked_at, created_at),
      insert, update (revoked_at)
  on api_tokens to normtrace_app;
create policy own_select on api_tokens for select to normtrace_app using (user_id = (select app.current_user_id()));
create policy own_insert on api_tokens for insert to normtrace_app
  with check (user_id = (select app.current_user_id()));
create policy own_update on api_tokens for update to normtrace_app
  using (user_id = (select app.current_user_id())) with check (user_id = (select app.current_user_id()));
grant select, update (last_used_at, revoked_at) on api_tokens to normtrace_system;
create policy system_select on api_tokens for select to normtrace_system using (true);
create policy system_update on api_tokens for update to normtrace_system using (true) with check (true);

-- Every process forgets a token that was revoked.
create trigger token_changed
  after update of revoked_at on api_tokens
  for each row execute function app.notify_identity_changed('user_id');
create trigger token_removed after delete on api_tokens
  for each row execute function app.notify_identity_changed('user_id');
