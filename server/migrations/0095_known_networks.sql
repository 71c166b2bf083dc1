-- From where an account was signed in to: attempts of strangers elsewhere cannot lock its person out there.
create table auth.known_networks (
  user_id uuid not null references auth.users (id) on delete cascade,
  network text not null,
  last_seen_at timestamptz(3) not null default now(),
  primary key (user_id, network)
);
create index known_networks_age on auth.known_networks (last_seen_at);
grant select, insert, update, delete on auth.known_networks to normtrace_system;
