-- Which version of a document its artifacts and links were taken from is said once, and no longer in each of their rows: an edited document
-- writes the rows that say something else (decision 600).
create table traced_documents (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  work_product_id uuid not null,
  version integer not null,
  -- Since when this version is the one.
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, work_product_id),
  foreign key (workspace_id, work_product_id, version)
    references work_product_versions (workspace_id, work_product_id, version) on delete cascade
);
create trigger touch before update on traced_documents for each row execute function app.touch();

alter table artifacts no force row level security;
alter table trace_links no force row level security;
-- All rows of a document were of one version. What an artifact or a link was changed by tells its own `updated_at`.
insert into traced_documents (workspace_id, work_product_id, version, updated_at)
select workspace_id, work_product_id, max(version), min(created_at)
from (
  select workspace_id, work_product_id, version, created_at from artifacts where work_product_id is not null
  union all
  select workspace_id, work_product_id, version, created_at from trace_links where work_product_id is not null
) stated
group by workspace_id, work_product_id;
alter table artifacts
  drop constraint artifacts_workspace_id_work_product_id_version_fkey,
  drop column version,
  add foreign key (workspace_id, work_product_id) references traced_documents (workspace_id, work_product_id) on delete cascade;
alter table trace_links
  drop constraint trace_links_workspace_id_work_product_id_version_fkey,
  drop column version,
  add foreign key (workspace_id, work_product_id) references traced_documents (workspace_id, work_product_id) on delete cascade;
alter table artifacts force row level security;
alter table trace_links force row level security;
select app.isolate('traced_documents', 'select, insert, update, delete');

-- The same with the version. They change with it: what is answered of them does.
create view versioned_artifacts with (security_invoker = true) as
  select a.workspace_id, a.id, a.origin, a.ordinal, a.artifact_id, a.type, a.told_type, a.name, a.text, a.status, a.asil, a.facts,
         a.statements, a.content_hash, a.work_product_id, d.version, a.location, a.quote, a.start_offset, a.end_offset,
         a.asil_place, a.created_by, a.created_at, greatest(a.updated_at, d.updated_at) as updated_at
  from artifacts a
  left join traced_documents d on d.workspace_id = a.workspace_id and d.work_product_id = a.work_product_id;
create view versioned_links with (security_invoker = true) as
  select l.workspace_id, l.id, l.origin, l.ordinal, l.source_id, l.target_id, l.link_type, l.stated_at, l.rejected, l.assumed,
         l.work_product_id, d.version, l.location, l.quote, l.start_offset, l.end_offset, l.created_by, l.created_at,
         greatest(l.updated_at, d.updated_at) as updated_at
  from trace_links l
  left join traced_documents d on d.workspace_id = l.workspace_id and d.work_product_id = l.work_product_id;
grant select on versioned_artifacts, versioned_links to normtrace_app;
