-- What a run finds as the run before it found it is not written again: a row stands for all runs of its series from one to
-- another (decision 545).

-- Runs that have a result, counted in their series from 1.
alter table analyses add column number integer;
alter table analyses no force row level security;
alter table analyses disable trigger touch;
with counted as (
  select workspace_id, id, row_number() over (partition by workspace_id, series order by finished_at, id) as number
  from analyses where status = 'completed'
)
update analyses a set number = c.number from counted c where a.workspace_id = c.workspace_id and a.id = c.id;
alter table analyses enable trigger touch;
create unique index analyses_number on analyses (workspace_id, series, number);

-- `analysis_id` is the run that wrote the row, `since` its number; what `until` names is the last run that it stands for, as long
-- as there is none the greatest number.
alter table gap_occurrences add column series text, add column since integer, add column until integer not null default 2147483647;
alter table gap_occurrences no force row level security;
update gap_occurrences o
set series = a.series, since = a.number, until = case when a.number = n.number and o.change <> 'absent' then 2147483647 else a.number end
from analyses a
join (select workspace_id, series, max(number) as number from analyses group by workspace_id, series) n
  on n.workspace_id = a.workspace_id and n.series = a.series
where a.workspace_id = o.workspace_id and a.id = o.analysis_id;
alter table gap_occurrences force row level security;
alter table gap_occurrences alter column series set not null, alter column since set not null;
create index gap_occurrences_run on gap_occurrences (workspace_id, series, until);

alter table analysis_evidence
  add column series text, add column since integer, add column until integer not null default 2147483647,
  -- Of everything that a run writes into it. Null: written before there was one, or changed since.
  add column hash bytea;
alter table analysis_evidence no force row level security;
update analysis_evidence e
set series = a.series, since = a.number, until = case when a.number = n.number then 2147483647 else a.number end
from analyses a
join (select workspace_id, series, max(number) as number from analyses group by workspace_id, series) n
  on n.workspace_id = a.workspace_id and n.series = a.series
where a.workspace_id = e.workspace_id and a.id = e.analysis_id;
alter table analysis_evidence force row level security;
alter table analysis_evidence alter column series set not null, alter column since set not null;
drop index analysis_evidence_criterion;
create index analysis_evidence_criterion on analysis_evidence (workspace_id, series, criterion_id, until);
create index analysis_evidence_run on analysis_evidence (workspace_id, series, until);
alter table analyses force row level security;

-- The same as each run has it. What a row says of a change is what it was for the run that wrote it.
create view gaps_of_runs with (security_invoker = true) as
  select o.workspace_id, a.id as analysis_id, o.gap_id, o.ordinal,
         case when o.since = a.number then o.change else 'unchanged' end as change, o.finding
  from analyses a
  join gap_occurrences o on o.workspace_id = a.workspace_id and o.series = a.series
                        and o.since <= a.number and o.until >= a.number;
create view evidence_of_runs with (security_invoker = true) as
  select e.workspace_id, a.id as analysis_id, e.ordinal, e.criterion_id, e.gap_id, e.work_product_id, e.version, e.location,
         e.quote, e.start_offset, e.end_offset, e.role, e.note, e.answer, e.said
  from analyses a
  join analysis_evidence e on e.workspace_id = a.workspace_id and e.series = a.series
                          and e.since <= a.number and e.until >= a.number;
grant select on gaps_of_runs, evidence_of_runs to normtrace_app;
