-- The system clears away events that nobody watches any more; how a run ended stays with it.
grant select (type, created_at), delete on workspace_events to normtrace_system;
create policy system_select on workspace_events for select to normtrace_system using (true);
create policy system_delete on workspace_events for delete to normtrace_system using (true);
create index workspace_events_expired on workspace_events (created_at) where type in ('progress', 'finding', 'document');
