-- An engineering document. The file columns and the status are those of its newest version, or of the announced
-- upload before there is one.
create table work_products (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  name text not null constraint work_products_name check (length(name) between 1 and 300),
  original_filename text not null,
  file_size bigint not null,
  file_type text not null,
  -- Document type (domain D.4); null while nobody knows.
  category text,
  -- True when a person chose it: detection leaves it alone.
  category_chosen boolean not null default false,
  tags text[] not null default '{}',
  compliance_score numeric(5, 2),
  processing_status text not null constraint work_products_processing_status check (
    processing_status in ('pending_upload', 'queued', 'processing', 'completed', 'failed')
  ),
  processing_error text,
  -- Newest version; 0 before the first upload is complete.
  version integer not null default 0,
  created_by uuid not null,
  deleted_at timestamptz(3),
  uploaded_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index work_products_newest on work_products (workspace_id, created_at desc, id desc)
  where deleted_at is null;
create trigger touch before update on work_products for each row execute function app.touch();
select app.isolate('work_products', 'select, insert, update, delete');

-- One uploaded file. What was uploaded never changes; what was read from it may be read again.
create table work_product_versions (
  workspace_id uuid not null,
  work_product_id uuid not null,
  version integer not null,
  file_name text not null,
  file_size bigint not null,
  file_type text not null,
  sha256 text not null,
  object_key text not null,
  uploaded_by uuid not null,
  uploaded_at timestamptz(3) not null default now(),
  processing_status text not null default 'queued' constraint work_product_versions_processing_status check (
    processing_status in ('queued', 'processing', 'completed', 'failed')
  ),
  processing_error text,
  processing_error_code text,
  -- Rises with every attempt to read it: what an abandoned attempt writes late is refused.
  attempt integer not null default 0,
  -- Where the parsed document lies, compressed.
  parsed_key text,
  format text,
  language text,
  page_count integer,
  block_count integer,
  detected_category text,
  notes jsonb not null default '[]',
  processed_at timestamptz(3),
  primary key (workspace_id, work_product_id, version),
  foreign key (workspace_id, work_product_id) references work_products (workspace_id, id) on delete cascade
);
create function app.keep_uploaded_file() returns trigger
  language plpgsql
as $$
begin
  if (new.file_name, new.file_size, new.file_type, new.sha256, new.object_key, new.uploaded_by, new.uploaded_at)
    is distinct from
    (old.file_name, old.file_size, old.file_type, old.sha256, old.object_key, old.uploaded_by, old.uploaded_at)
  then
    raise exception 'an uploaded file does not change' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger keep_uploaded_file before update on work_product_versions
  for each row execute function app.keep_uploaded_file();
select app.isolate('work_product_versions', 'select, insert, update, delete');
