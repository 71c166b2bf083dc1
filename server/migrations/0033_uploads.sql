-- An announced file: of a standard or of a work product.
create table uploads (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  standard_id uuid,
  work_product_id uuid,
  file_name text not null,
  file_size bigint not null,
  file_type text not null,
  -- As announced, lower-case hexadecimal; null when the client did not say.
  sha256 text,
  object_key text not null,
  expires_at timestamptz(3) not null,
  completed_at timestamptz(3),
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  constraint uploads_subject check ((standard_id is null) <> (work_product_id is null)),
  foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade,
  foreign key (workspace_id, work_product_id) references work_products (workspace_id, id) on delete cascade
);
create index uploads_standard on uploads (workspace_id, standard_id) where standard_id is not null;
create index uploads_work_product on uploads (workspace_id, work_product_id, created_at desc)
  where work_product_id is not null;
select app.isolate('uploads', 'select, insert, update, delete');
