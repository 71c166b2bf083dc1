-- What people say of a criterion, beside the verdicts of runs: never changed, the newest of a criterion counts.
create table criterion_answers (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- In the order in which they were given.
  number bigint not null generated always as identity,
  standard_id uuid not null,
  criterion_id text not null,
  -- Null: the answer before was taken back.
  verdict text constraint criterion_answers_verdict check (verdict in ('covered', 'partial', 'missing', 'not_applicable')),
  -- Of a practice, where the person rates it.
  rating text constraint criterion_answers_rating check (rating in ('N', 'P', 'L', 'F')),
  reason text not null,
  -- [{work_product_id, version, location, quote, start, end, note}]
  evidence jsonb not null default '[]',
  -- The run beside whose verdict it was given, that verdict, and a hash of what it rested on.
  analysis_id uuid not null,
  machine_verdict text not null,
  basis text not null,
  -- [{work_product_id, version, sha256}]: what the run and the person quoted.
  documents jsonb not null,
  answered_by uuid not null,
  answered_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade,
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
create index criterion_answers_criterion on criterion_answers (workspace_id, standard_id, criterion_id, number desc);
create index criterion_answers_analysis on criterion_answers (workspace_id, analysis_id);
select app.isolate('criterion_answers', 'select, insert, update');
revoke update on criterion_answers from normtrace_app;
-- Forgets a document that has gone.
grant update (evidence, documents) on criterion_answers to normtrace_app;

-- A manager who wrote none of the answers approved where a standard stood. Never changed.
create table standard_releases (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  number bigint not null generated always as identity,
  standard_id uuid not null,
  -- The run whose verdicts were approved, beside the answers of people.
  analysis_id uuid not null,
  -- Of the criteria with what they rest on and what counted: when it differs, something else stands there now.
  content_hash text not null,
  -- Criteria by the verdict that counted.
  counts jsonb not null,
  comment text not null,
  released_by uuid not null,
  released_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade,
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
create index standard_releases_newest on standard_releases (workspace_id, standard_id, number desc);
create index standard_releases_analysis on standard_releases (workspace_id, analysis_id);
select app.isolate('standard_releases', 'select, insert');
