-- Answers of runs, too, are written once for all runs of a series that give them (0415, decision 545).
alter table analyses no force row level security;
do $$
declare
  answers text;
begin
  foreach answers in array array['analysis_verdicts', 'checklist_results', 'completeness_documents'] loop
    execute format(
      'alter table %I add column series text, add column since integer, add column until integer not null default 2147483647,
         add column hash bytea', answers);
    execute format('alter table %I no force row level security', answers);
    execute format(
      'update %I r
       set series = a.series, since = a.number, until = case when a.number = n.number then 2147483647 else a.number end
       from analyses a
       join (select workspace_id, series, max(number) as number from analyses group by workspace_id, series) n
         on n.workspace_id = a.workspace_id and n.series = a.series
       where a.workspace_id = r.workspace_id and a.id = r.analysis_id', answers);
    execute format('alter table %I force row level security', answers);
    execute format('alter table %I alter column series set not null, alter column since set not null', answers);
    execute format('create index %I on %I (workspace_id, series, until)', answers || '_run', answers);
  end loop;
end
$$;
alter table analyses force row level security;
grant update (until, hash) on checklist_results, completeness_documents to normtrace_app;
create policy workspace_update on completeness_documents for update to normtrace_app
  using (workspace_id = any ((select app.visible_workspaces())::uuid[]))
  with check (workspace_id = any ((select app.visible_workspaces())::uuid[]));

create view verdicts_of_runs with (security_invoker = true) as
  select v.workspace_id, a.id as analysis_id, v.ordinal, v.criterion_id, v.clause, v.verdict, v.confidence, v.rules, v.reason,
         v.search, v.said
  from analyses a
  join analysis_verdicts v on v.workspace_id = a.workspace_id and v.series = a.series
                          and v.since <= a.number and v.until >= a.number;
create view checklist_results_of_runs with (security_invoker = true) as
  select c.workspace_id, a.id as analysis_id, c.ordinal, c.item_id, c.verdict, c.basis, c.looked_at, c.item, c.result
  from analyses a
  join checklist_results c on c.workspace_id = a.workspace_id and c.series = a.series
                          and c.since <= a.number and c.until >= a.number;
create view completeness_of_runs with (security_invoker = true) as
  select d.workspace_id, a.id as analysis_id, d.work_product_id, d.ordinal, d.result
  from analyses a
  join completeness_documents d on d.workspace_id = a.workspace_id and d.series = a.series
                               and d.since <= a.number and d.until >= a.number;
grant select on verdicts_of_runs, checklist_results_of_runs, completeness_of_runs to normtrace_app;
