-- Runs of every type, not of standards alone.

-- What a run is compared with: `gap_analysis:<standard>`, `completeness`, `traceability`, `checklist:<checklist>`. The
-- run before is the newest one with a result in the same series. Filled as a generated column, because rows are hidden
-- from updates here.
alter table analyses
  add column series text not null generated always as ('gap_analysis:' || standard_id) stored;
alter table analyses alter column series drop expression;
create index analyses_series on analyses (workspace_id, series, finished_at desc) where status = 'completed';

-- Score of one document of the run, where the type has one.
comment on column analysis_inputs.score is 'of this document, where the type of analysis has one';

-- Finished work of any kind, not verdicts alone.
alter table analysis_checkpoints rename column verdicts to units;

-- One row for each fingerprint of a series.
alter table gaps
  add column analysis_type text not null default 'gap_analysis',
  add column series text not null generated always as ('gap_analysis:' || standard_id) stored,
  -- The only document that it is about. A run that did not read it says nothing about the gap.
  add column work_product_id uuid,
  alter column standard_id drop not null,
  -- The oldest of its occurrences tells it.
  drop column first_analysis_id,
  drop constraint gaps_workspace_id_standard_id_fingerprint_key,
  add foreign key (workspace_id, work_product_id) references work_products (workspace_id, id) on delete cascade;
alter table gaps
  alter column series drop expression,
  alter column analysis_type drop default,
  add constraint gaps_analysis_type check (
    analysis_type in ('gap_analysis', 'completeness', 'checklist', 'traceability')
  ),
  add unique (workspace_id, series, fingerprint);
drop index gaps_standard;
create index gaps_standard on gaps (workspace_id, standard_id) where standard_id is not null;
create index gaps_work_product on gaps (workspace_id, work_product_id) where work_product_id is not null;

-- What an occurrence says is what its gap says, until a later run says something else: then it is written down.
comment on column gap_occurrences.finding is 'null: that of the gap';

-- What was decided about the criterion, where no row of analysis_verdicts tells it: `thin`, `fail` …
alter table analysis_evidence
  add column answer text,
  -- A run quotes what it read. One key instead of one to the run and one to the version: each is asked for every row.
  drop constraint analysis_evidence_workspace_id_analysis_id_fkey,
  drop constraint analysis_evidence_workspace_id_work_product_id_version_fkey,
  add foreign key (workspace_id, analysis_id, work_product_id)
    references analysis_inputs (workspace_id, analysis_id, work_product_id) on delete cascade;
drop index analysis_evidence_criterion;
create index analysis_evidence_criterion on analysis_evidence (workspace_id, analysis_id, criterion_id)
  where gap_id is null;

-- Many events of one type at once, in the order given: the counters are moved once.
create function app.add_events(workspace uuid, analysis uuid, event_type text, event_data jsonb) returns void
  language plpgsql
as $$
declare
  added constant integer := jsonb_array_length(event_data);
  of_workspace bigint;
  of_analysis bigint;
begin
  insert into public.workspace_event_counters as c (workspace_id, last) values (workspace, added)
  on conflict (workspace_id) do update set last = c.last + added
  returning c.last - added into of_workspace;
  update public.analyses a set event_sequence = a.event_sequence + added
  where a.workspace_id = workspace and a.id = analysis
  returning a.event_sequence - added into strict of_analysis;
  insert into public.workspace_events (workspace_id, sequence, analysis_id, analysis_sequence, type, data)
  select workspace, of_workspace + e.number, analysis, of_analysis + e.number, event_type, e.data
  from jsonb_array_elements(event_data) with ordinality as e (data, number);
  perform pg_notify('normtrace_events', workspace::text || ' ' || analysis::text);
end
$$;
grant execute on function app.add_events(uuid, uuid, text, jsonb) to normtrace_app;
