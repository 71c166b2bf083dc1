-- What an import takes of people's work waits until a run here says again what it is about: nothing that a machine made
-- is taken from an archive.

-- Rows of an archive, as `archive-rows.schemas.ts` reads them: runs to start again, decisions about gaps, answers to
-- checklists, approvals.
create table imported_work (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- In the order of the archive.
  number bigint not null generated always as identity,
  kind text not null constraint imported_work_kind check (
    kind in ('runs', 'gap_decisions', 'checklist_answers', 'checklist_releases')
  ),
  -- The series of runs that it belongs to; of a gap also its fingerprint.
  series text not null,
  fingerprint text,
  content jsonb not null,
  -- The run that was started.
  analysis_id uuid,
  -- Null while it waits. What was applied to a gap or a checklist goes away.
  outcome text constraint imported_work_outcome check (outcome in ('started', 'done', 'failed')),
  error text,
  imported_by uuid not null,
  imported_by_name text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create unique index imported_work_gap on imported_work (workspace_id, series, fingerprint) where kind = 'gap_decisions';
select app.isolate('imported_work', 'select, insert, update, delete');

-- Whom the rows of an archive name: people of another installation, as text. An id of theirs is nobody's account.
create table imported_people (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  name text not null,
  primary key (workspace_id, id)
);
select app.isolate('imported_people', 'select, insert');

-- Nobody becomes a member by an archive: who was one is invited.
alter table workspace_imports no force row level security;
update workspace_imports set members = '{"invited": []}';
alter table workspace_imports force row level security;
alter table workspace_imports alter column members set default '{"invited": []}';
