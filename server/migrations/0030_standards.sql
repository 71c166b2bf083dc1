-- A standard of a workspace: adopted from the catalog, or the user's own copy with the criteria read from it.
create table standards (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  -- The built-in structure that it stands for; null for an own standard.
  catalog_id text,
  name text not null constraint standards_name check (length(name) between 1 and 300),
  version text not null default '',
  category text not null,
  description text not null default '',
  processing_status text not null constraint standards_processing_status check (
    processing_status in
      ('pending_upload', 'awaiting_attestation', 'queued', 'processing', 'completed', 'failed')
  ),
  processing_error text,
  -- A paid text is not processed before somebody attested the licence for exactly this file.
  requires_attestation boolean not null default false,
  -- The uploaded copy bears the mark of a licence for one person.
  licence_mark boolean not null default false,
  attested boolean not null default false,
  attestation_expires_at timestamptz(3),
  -- The newest uploaded file; null for an adopted standard or before an upload.
  file_id uuid,
  -- Of the criteria read from the file, in order: what an analysis was about.
  criteria_hash text,
  criteria_count integer not null default 0,
  -- Rises with every attempt to read the file: what an abandoned attempt writes late is refused.
  attempt integer not null default 0,
  created_by uuid not null,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index standards_newest on standards (workspace_id, created_at desc, id desc) where deleted_at is null;
create trigger touch before update on standards for each row execute function app.touch();
select app.isolate('standards', 'select, insert, update, delete');

create table standard_files (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  standard_id uuid not null,
  file_name text not null,
  file_size bigint not null,
  file_type text not null,
  sha256 text not null,
  object_key text not null,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade
);
create index standard_files_standard on standard_files (workspace_id, standard_id);
select app.isolate('standard_files', 'select, insert, delete');

-- Text of the user's own copy: gone when the attestation is revoked.
create table standard_criteria (
  workspace_id uuid not null,
  standard_id uuid not null,
  ordinal integer not null,
  criterion_id text not null,
  criterion jsonb not null,
  primary key (workspace_id, standard_id, ordinal),
  unique (workspace_id, standard_id, criterion_id),
  foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade
);
select app.isolate('standard_criteria', 'select, insert, delete');
