-- Token buckets, one per key however many processes serve it. Unlogged: after a crash every bucket is full again.
create unlogged table rate_limit_buckets (
  key text primary key,
  tokens double precision not null,
  -- What the last call was given; `returning` cannot see the row as it was before.
  granted integer not null,
  updated_at timestamptz not null
) with (fillfactor = 50);
create index rate_limit_buckets_idle on rate_limit_buckets (updated_at);

alter table rate_limit_buckets enable row level security;
alter table rate_limit_buckets force row level security;
grant select, insert, update, delete on rate_limit_buckets to normtrace_system;
create policy system_all on rate_limit_buckets for all to normtrace_system using (true) with check (true);
