-- Verdicts of a run that has not ended, so that another worker goes on where its own died. Gone with the result.
create table analysis_checkpoints (
  workspace_id uuid not null,
  analysis_id uuid not null,
  id bigint generated always as identity,
  -- Verdicts of another engine are of no use to this one.
  engine_version text not null,
  verdicts jsonb not null,
  primary key (workspace_id, analysis_id, id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
select app.isolate('analysis_checkpoints', 'select, insert, delete');
