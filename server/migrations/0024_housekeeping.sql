-- The system clears away remembered answers that nobody can ask for any more.
grant select (created_at), delete on idempotency_keys to normtrace_system;
create policy system_select on idempotency_keys for select to normtrace_system using (true);
create policy system_delete on idempotency_keys for delete to normtrace_system using (true);
create index idempotency_keys_expired on idempotency_keys (created_at);
