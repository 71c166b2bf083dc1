-- A rendered report. The row says what it is and how far it is; the file and the model that it was rendered from are
-- objects. Both are written once: only words of an uploaded standard are taken out when its attestation is withdrawn.
create table reports (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  type text not null constraint reports_type check (
    type in ('gap_analysis', 'completeness', 'checklist', 'traceability', 'full')
  ),
  format text not null constraint reports_format check (
    format in ('html', 'pdf', 'docx', 'xlsx', 'csv', 'json', 'sarif', 'junit')
  ),
  title text not null constraint reports_title check (length(title) between 1 and 300),
  options jsonb not null default '{}',
  status text not null default 'queued' constraint reports_status check (
    status in ('queued', 'rendering', 'completed', 'failed')
  ),
  error text,
  -- Rises with every attempt to render it: what an abandoned attempt writes late is refused.
  attempt integer not null default 0,
  -- The analyses in their order. No foreign keys: a report stays when what it is about was deleted.
  analysis_ids uuid[] not null,
  -- Uploaded standards whose words are in it.
  standard_ids uuid[] not null default '{}',
  -- Of what is reported, whatever the format.
  content_hash text,
  sha256 text,
  file_size bigint,
  object_key text,
  model_key text,
  tool_version text not null default '',
  -- When words of a standard had to be taken out, and the hash of the file before.
  words_withdrawn_at timestamptz(3),
  original_sha256 text,
  created_by uuid not null,
  author_name text not null default '',
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index reports_newest on reports (workspace_id, created_at desc, id desc);
create index reports_standards on reports using gin (standard_ids);
create trigger touch before update on reports for each row execute function app.touch();
select app.isolate('reports', 'select, insert, update, delete');
