-- A row names objects of its own workspace only: keys begin with its id. The storage refuses others; a row that says so
-- cannot be there either.
alter table standard_files add constraint standard_files_object_key
  check (starts_with(object_key, workspace_id::text || '/'));
alter table work_product_versions
  add constraint work_product_versions_object_key check (starts_with(object_key, workspace_id::text || '/')),
  -- Not asked of the rows that are there: an archive of before could bring any key. The storage refuses those.
  add constraint work_product_versions_parsed_key check (starts_with(parsed_key, workspace_id::text || '/')) not valid;
alter table uploads add constraint uploads_object_key check (starts_with(object_key, workspace_id::text || '/'));
alter table reports
  add constraint reports_object_key check (starts_with(object_key, workspace_id::text || '/')),
  add constraint reports_model_key check (starts_with(model_key, workspace_id::text || '/'));
alter table workspace_exports
  add constraint workspace_exports_object_key check (starts_with(object_key, workspace_id::text || '/'));
alter table workspace_imports
  add constraint workspace_imports_object_key check (starts_with(object_key, target_id::text || '/'));
