-- Templates of a workspace: document types of its own, or instead of built-in ones.
create table templates (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- The document type that it is the template of; the id inside the definition.
  type text not null,
  -- As the engine reads it.
  definition jsonb not null,
  -- As a person wrote it, or as it was written after an empty template document was learnt.
  yaml text not null,
  -- The document that it was learnt from.
  work_product_id uuid,
  work_product_version integer,
  -- Rises with every change: a run says which revision it used.
  revision integer not null default 1,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  constraint templates_type unique (workspace_id, type),
  foreign key (workspace_id, work_product_id, work_product_version)
    references work_product_versions (workspace_id, work_product_id, version)
    on delete set null (work_product_id, work_product_version)
);
create index templates_newest on templates (workspace_id, created_at desc, id desc);
create trigger touch before update on templates for each row execute function app.touch();
select app.isolate('templates', 'select, insert, update, delete');

-- What a completeness run says about each document. Written once, as the API answers it.
create table completeness_documents (
  workspace_id uuid not null,
  analysis_id uuid not null,
  work_product_id uuid not null,
  ordinal integer not null,
  result jsonb not null,
  primary key (workspace_id, analysis_id, work_product_id),
  foreign key (workspace_id, analysis_id, work_product_id)
    references analysis_inputs (workspace_id, analysis_id, work_product_id) on delete cascade
);
select app.isolate('completeness_documents', 'select, insert, delete');
