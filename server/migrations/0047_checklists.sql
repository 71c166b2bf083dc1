-- Checklists of a workspace, beside the built-in ones.
create table checklists (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- The id inside the definition: `USR-…`.
  key text not null,
  -- As the engine reads it. Items that a change left out stay in it as withdrawn ones.
  definition jsonb not null,
  languages text[] not null default '{}',
  -- As a person wrote it, or as it was written after a table was read.
  yaml text not null,
  -- The file that it was taken from.
  work_product_id uuid,
  work_product_version integer,
  -- Rises with every change: a run says which revision it used.
  revision integer not null default 1,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  constraint checklists_key unique (workspace_id, key),
  foreign key (workspace_id, work_product_id, work_product_version)
    references work_product_versions (workspace_id, work_product_id, version)
    on delete set null (work_product_id, work_product_version)
);
create index checklists_newest on checklists (workspace_id, created_at desc, id desc);
create trigger touch before update on checklists for each row execute function app.touch();
select app.isolate('checklists', 'select, insert, update, delete');

-- The answer of a run to each item, in their order. Written once; evidence lies in analysis_evidence, by item.
create table checklist_results (
  workspace_id uuid not null,
  analysis_id uuid not null,
  ordinal integer not null,
  item_id text not null,
  verdict text not null constraint checklist_results_verdict check (verdict in ('pass', 'fail', 'missing', 'NA')),
  -- Of what the verdict rests on: an answer of a person that was given on another one has to be reviewed.
  basis text not null,
  -- Work products that the verdict comes from, and those where another version could change it.
  looked_at uuid[] not null,
  -- The item as it was judged, without its checks.
  item jsonb not null,
  -- Everything else that the engine says, without evidence.
  result jsonb not null,
  primary key (workspace_id, analysis_id, item_id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
select app.isolate('checklist_results', 'select, insert, delete');
