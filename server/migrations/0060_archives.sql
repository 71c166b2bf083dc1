-- An uploaded ZIP file is a work product whose files are work products of their own.

-- Of a document that came out of an archive: the archive (null when it is deleted), the path in it, and the newest of
-- its versions that held the path.
alter table work_products
  add column source_archive_id uuid,
  add column source_path text,
  add column source_archive_version integer,
  add constraint work_products_source_archive foreign key (workspace_id, source_archive_id)
    references work_products (workspace_id, id) on delete set null (source_archive_id) deferrable initially deferred;
create unique index work_products_source on work_products (workspace_id, source_archive_id, source_path)
  where deleted_at is null;

-- The attempt that took everything out of an archive; its version ends when what was taken out has been read.
alter table work_product_versions add column unpacked_attempt integer;

-- What became of each file of an archive, and which files of former versions are no longer in it.
create table archive_entries (
  workspace_id uuid not null,
  archive_id uuid not null,
  version integer not null,
  -- Among the files of the archive in the order of their paths; then those that have gone.
  position integer not null,
  path text not null,
  outcome text not null constraint archive_entries_outcome check (
    outcome in ('new', 'changed', 'unchanged', 'refused', 'gone')
  ),
  -- The document and its version with these bytes; null for refused ones, and when it was deleted for good.
  work_product_id uuid,
  work_product_version integer,
  -- Why it was refused, for a person.
  error text,
  error_code text,
  primary key (workspace_id, archive_id, version, position),
  foreign key (workspace_id, archive_id, version)
    references work_product_versions (workspace_id, work_product_id, version) on delete cascade,
  foreign key (workspace_id, work_product_id)
    references work_products (workspace_id, id) on delete set null (work_product_id)
);
create index archive_entries_work_product on archive_entries (workspace_id, work_product_id, work_product_version)
  where work_product_id is not null;
select app.isolate('archive_entries', 'select, insert, update, delete');
