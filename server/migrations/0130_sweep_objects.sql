-- Objects are compared with the rows that claim them. Those of an import lie where its workspace will be, so whoever
-- compares has to see which imports are under way: where to, nothing else.
grant select (target_id, status) on workspace_imports to normtrace_system;
create policy system_select on workspace_imports for select to normtrace_system using (true);
