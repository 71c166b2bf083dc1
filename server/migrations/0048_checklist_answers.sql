-- What people answered, beside the verdicts of runs: never changed, the newest of an item counts.
create table checklist_answers (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- In the order in which they were given.
  number bigint not null generated always as identity,
  -- Id of a built-in checklist, or UUID of one of the workspace.
  checklist_id text not null,
  item_id text not null,
  item_revision integer not null,
  -- Null: the answer before was taken back.
  verdict text constraint checklist_answers_verdict check (verdict in ('pass', 'fail', 'missing', 'NA')),
  reason text not null,
  -- [{work_product_id, version, location, quote, start, end, note}]
  evidence jsonb not null default '[]',
  -- The run beside whose verdict it was given, and that verdict.
  analysis_id uuid not null,
  machine_verdict text not null,
  basis text not null,
  -- [{work_product_id, version, sha256}]: what was reviewed.
  documents jsonb not null,
  answered_by uuid not null,
  answered_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
create index checklist_answers_item on checklist_answers (workspace_id, checklist_id, item_id, number desc);
create index checklist_answers_analysis on checklist_answers (workspace_id, analysis_id);
select app.isolate('checklist_answers', 'select, insert');
