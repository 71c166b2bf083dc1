-- A change of more gaps than one request changes, made part after part by a job: how far it is, and what each gap was before.
create table gap_changes (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- What is changed about all of them; null: each is to be what it was before the change `undoes`.
  change jsonb,
  -- No foreign key: what was undone may be forgotten first.
  undoes uuid,
  status text not null default 'queued' constraint gap_changes_status check (
    status in ('queued', 'running', 'completed', 'stopped', 'failed')
  ),
  error text,
  total integer not null,
  done integer not null default 0,
  changed integer not null default 0,
  proposed integer not null default 0,
  refused integer not null default 0,
  -- Why the first of those could not be changed.
  refusal text,
  -- Of the request that asked for it, for the audit log.
  request_id text not null,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (workspace_id, id),
  constraint gap_changes_subject check ((change is null) = (undoes is not null)),
  constraint gap_changes_done check (done between 0 and total)
);
create index gap_changes_newest on gap_changes (workspace_id, created_by, created_at desc, id desc);
create unique index gap_changes_undone_once on gap_changes (workspace_id, undoes) where undoes is not null and status <> 'failed';
select app.isolate('gap_changes', 'select, insert, update, delete');

-- The gaps of a change in the order in which they are changed.
create table gap_change_items (
  workspace_id uuid not null,
  change_id uuid not null,
  position integer not null,
  -- No foreign key: a gap that is gone is one that cannot be changed.
  gap_id uuid not null,
  -- What it is to be, where that differs from gap to gap.
  wanted jsonb,
  -- What people had decided about it; null until it is changed.
  before jsonb,
  primary key (workspace_id, change_id, position),
  foreign key (workspace_id, change_id) references gap_changes (workspace_id, id) on delete cascade
);
select app.isolate('gap_change_items', 'select, insert, update, delete');
