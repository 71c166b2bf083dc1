-- The identity provider inside the service, and what all processes of an installation share. System role only.
create table auth.credentials (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Self-describing: algorithm, cost, salt and hash.
  password_hash text not null,
  updated_at timestamptz(3) not null default now()
);
create trigger touch before update on auth.credentials for each row execute function app.touch();

create table auth.sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  started_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index sessions_user on auth.sessions (user_id);
create index sessions_expired on auth.sessions (expires_at);

create table auth.signing_keys (
  kid text primary key,
  private_jwk jsonb not null,
  created_at timestamptz(3) not null default now()
);

create table auth.secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz(3) not null default now()
);

grant select, insert, update, delete on auth.credentials, auth.sessions to normtrace_system;
grant select, insert on auth.signing_keys, auth.secrets to normtrace_system;
