-- The system clears away what changes of very many gaps keep to be taken back.
grant select (finished_at), delete on gap_changes to normtrace_system;
create policy system_select on gap_changes for select to normtrace_system using (true);
create policy system_delete on gap_changes for delete to normtrace_system using (true);
create index gap_changes_finished on gap_changes (finished_at);
