-- One run. The row is the truth about it; the queue only delivers it to a worker.
create table analyses (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  type text not null constraint analyses_type check (
    type in ('gap_analysis', 'completeness', 'checklist', 'traceability')
  ),
  status text not null default 'queued' constraint analyses_status check (
    status in ('queued', 'running', 'completed', 'failed', 'cancelled', 'timed_out')
  ),
  mode text not null constraint analyses_mode check (mode in ('rules', 'ai')),
  standard_id uuid,
  standard_name text not null default '',
  options jsonb not null default '{}',
  -- Of everything that the result depends on: two runs with the same hash have the same result.
  input_hash text not null,
  engine_version text not null,
  -- Rises when a worker takes the run over: what the former one writes late is refused.
  attempt integer not null default 0,
  cancel_requested_at timestamptz(3),
  deadline_at timestamptz(3),
  stage text not null default 'queued',
  percent integer not null default 0,
  done integer not null default 0,
  total integer not null default 0,
  message text not null default '',
  eta_seconds integer,
  -- Number of the last event; see workspace_events.
  event_sequence bigint not null default 0,
  previous_analysis_id uuid,
  score numeric(5, 2),
  -- Counts of verdicts, gaps and changes, and how the result was found.
  summary jsonb,
  error text,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade
);
create index analyses_newest on analyses (workspace_id, created_at desc, id desc);
create index analyses_input on analyses (workspace_id, input_hash);
create index analyses_standard on analyses (workspace_id, standard_id, type, finished_at desc);
create trigger touch before update on analyses for each row execute function app.touch();
select app.isolate('analyses', 'select, insert, update, delete');

-- The document versions that a run reads.
create table analysis_inputs (
  workspace_id uuid not null,
  analysis_id uuid not null,
  work_product_id uuid not null,
  version integer not null,
  score numeric(5, 2),
  primary key (workspace_id, analysis_id, work_product_id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade,
  foreign key (workspace_id, work_product_id, version)
    references work_product_versions (workspace_id, work_product_id, version) on delete cascade
);
create index analysis_inputs_work_product on analysis_inputs (workspace_id, work_product_id);
select app.isolate('analysis_inputs', 'select, insert, update, delete');

-- The answer for each criterion. Written once, with the end of the run; only words of an uploaded standard are taken
-- out when its attestation is withdrawn.
create table analysis_verdicts (
  workspace_id uuid not null,
  analysis_id uuid not null,
  ordinal integer not null,
  criterion_id text not null,
  clause text not null,
  verdict text not null constraint analysis_verdicts_verdict check (
    verdict in ('covered', 'partial', 'missing', 'not_applicable', 'needs_review')
  ),
  confidence text not null,
  rules text[] not null,
  reason text not null,
  search jsonb,
  primary key (workspace_id, analysis_id, ordinal),
  unique (workspace_id, analysis_id, criterion_id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
select app.isolate('analysis_verdicts', 'select, insert, update, delete');
