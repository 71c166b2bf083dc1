-- Answers to POSTs with an Idempotency-Key. The row and what the request made commit together.
create table idempotency_keys (
  user_id uuid not null references profiles (id) on delete cascade,
  key text not null constraint idempotency_keys_key check (length(key) between 1 and 255),
  -- SHA-256 of operation, parameters and body.
  request_hash bytea not null,
  -- Null only inside the transaction that answers the request for the first time.
  status integer,
  headers jsonb,
  body jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (user_id, created_at);

alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
grant select, insert, update, delete on idempotency_keys to normtrace_app;
create policy own_select on idempotency_keys for select to normtrace_app
  using (user_id = (select app.current_user_id()));
create policy own_insert on idempotency_keys for insert to normtrace_app
  with check (user_id = (select app.current_user_id()));
create policy own_update on idempotency_keys for update to normtrace_app
  using (user_id = (select app.current_user_id())) with check (user_id = (select app.current_user_id()));
create policy own_delete on idempotency_keys for delete to normtrace_app
  using (user_id = (select app.current_user_id()));
