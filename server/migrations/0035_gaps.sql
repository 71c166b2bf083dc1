-- A gap over all runs: one row for each fingerprint of a standard in a workspace. What a person decided about it
-- stays when it is found again; what was found is that of the newest run that found it.
create table gaps (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  standard_id uuid not null,
  fingerprint text not null,
  status text not null default 'open' constraint gaps_status check (
    status in ('open', 'in_progress', 'resolved', 'accepted')
  ),
  assignee uuid,
  reason text,
  accepted_until timestamptz(3),
  note text,
  -- Against the run before the newest one.
  change text not null constraint gaps_change check (change in ('new', 'unchanged', 'updated', 'absent')),
  kind text not null,
  criterion_id text not null,
  clause text not null,
  title text not null,
  severity text not null constraint gaps_severity check (severity in ('critical', 'high', 'medium', 'low')),
  confidence text not null,
  -- The finding of the newest run that has it.
  finding jsonb not null,
  first_analysis_id uuid not null,
  last_analysis_id uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, standard_id, fingerprint),
  foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade,
  foreign key (workspace_id, first_analysis_id) references analyses (workspace_id, id),
  foreign key (workspace_id, last_analysis_id) references analyses (workspace_id, id)
);
create index gaps_newest on gaps (workspace_id, created_at desc, id desc);
create index gaps_standard on gaps (workspace_id, standard_id);
create trigger touch before update on gaps for each row execute function app.touch();
select app.isolate('gaps', 'select, insert, update, delete');

-- What one run said about a gap; `absent`: the run before had it, this one has not. Written once; only words of an
-- uploaded standard are taken out when its attestation is withdrawn.
create table gap_occurrences (
  workspace_id uuid not null,
  analysis_id uuid not null,
  gap_id uuid not null,
  ordinal integer not null,
  change text not null constraint gap_occurrences_change check (
    change in ('new', 'unchanged', 'updated', 'absent')
  ),
  finding jsonb,
  primary key (workspace_id, analysis_id, gap_id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade,
  foreign key (workspace_id, gap_id) references gaps (workspace_id, id) on delete cascade
);
create index gap_occurrences_gap on gap_occurrences (workspace_id, gap_id);
select app.isolate('gap_occurrences', 'select, insert, update, delete');

-- A place and the exact words that stand there, for a verdict (gap_id null) or a gap of one run. Written once.
create table analysis_evidence (
  workspace_id uuid not null,
  analysis_id uuid not null,
  ordinal integer not null,
  criterion_id text not null,
  gap_id uuid,
  work_product_id uuid not null,
  version integer not null,
  location jsonb not null,
  quote text not null,
  -- Half-open range in the text of the parsed document.
  start_offset integer not null,
  end_offset integer not null,
  role text not null constraint analysis_evidence_role check (role in ('support', 'counter', 'context')),
  note text,
  primary key (workspace_id, analysis_id, ordinal),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade,
  foreign key (workspace_id, gap_id) references gaps (workspace_id, id) on delete cascade,
  foreign key (workspace_id, work_product_id, version)
    references work_product_versions (workspace_id, work_product_id, version) on delete cascade
);
create index analysis_evidence_criterion on analysis_evidence (workspace_id, analysis_id, criterion_id);
create index analysis_evidence_gap on analysis_evidence (workspace_id, gap_id) where gap_id is not null;
create index analysis_evidence_work_product on analysis_evidence (workspace_id, work_product_id, version);
select app.isolate('analysis_evidence', 'select, insert, update, delete');
