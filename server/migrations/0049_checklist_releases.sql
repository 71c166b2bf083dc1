-- A manager who wrote none of the answers approved where a checklist stood. Never changed.
create table checklist_releases (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  number bigint not null generated always as identity,
  -- Id of a built-in checklist, or UUID of one of the workspace.
  checklist_id text not null,
  -- The run whose verdicts were approved, beside the answers of people.
  analysis_id uuid not null,
  -- Of the items with what they rest on and what counted: when it differs, something else stands there now.
  content_hash text not null,
  -- Items by effective verdict.
  counts jsonb not null,
  comment text not null,
  released_by uuid not null,
  released_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
create index checklist_releases_newest on checklist_releases (workspace_id, checklist_id, number desc);
create index checklist_releases_analysis on checklist_releases (workspace_id, analysis_id);
select app.isolate('checklist_releases', 'select, insert');
