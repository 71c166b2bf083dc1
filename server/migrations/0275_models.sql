-- What may be sent to a language model, as people of the workspace decided. Without a row: nothing.
create table model_policies (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  policy text not null constraint model_policies_policy check (policy in ('off', 'inside', 'allowed')),
  -- Replaced by placeholders before anything is sent.
  redact_addresses boolean not null default true,
  redacted_words text[] not null default '{}',
  -- In the currency of the prices, else in tokens; null: as much as the installation may.
  month_budget double precision constraint model_policies_month_budget check (month_budget >= 0),
  changed_by uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create trigger touch before update on model_policies for each row execute function app.touch();
select app.isolate('model_policies', 'select, insert, update');

-- A document whose words are sent to no model, whatever the workspace allows.
alter table work_products add column ai_excluded boolean not null default false;

-- Answers of models, so that the same question has the same answer. Content of documents: of its workspace alone.
create table model_answers (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- SHA-256 of everything that the answer depends on.
  key bytea not null,
  task text not null,
  template text not null,
  -- Which model was asked, and as what it answered.
  model text not null,
  answered_as text not null,
  fingerprint text,
  answer text not null,
  usage jsonb not null,
  milliseconds integer,
  -- Whose passages were sent: the answer goes with each of them.
  documents uuid[] not null,
  -- The standard that was asked about: the answer goes with it, and with its text.
  standard_id uuid,
  -- What was asked, where the operator keeps it.
  request jsonb,
  -- The run that asked last.
  analysis_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, key),
  foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade,
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete set null (analysis_id)
);
create index model_answers_documents on model_answers using gin (documents);
create index model_answers_standard on model_answers (workspace_id, standard_id) where standard_id is not null;
create index model_answers_analysis on model_answers (workspace_id, analysis_id) where analysis_id is not null;
select app.isolate('model_answers', 'select, insert, update, delete');

-- What a run asked, one row for each question: numbers, ids and closed words, nothing that was said.
create table model_calls (
  workspace_id uuid not null,
  analysis_id uuid not null,
  key bytea not null,
  task text not null,
  template text not null,
  -- `model`, `store`, or why there was no answer.
  outcome text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  milliseconds integer,
  -- `[{work_product_id, version, passages}]`
  documents jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, analysis_id, key),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
select app.isolate('model_calls', 'select, insert, update');

-- What a workspace spent in a calendar month (UTC).
create table model_spend (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  month date not null,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  primary key (workspace_id, month)
);
select app.isolate('model_spend', 'select, insert, update');

-- The same of all workspaces together, those that are gone included.
create table model_months (
  -- Its first day.
  month text primary key,
  calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null
);

-- Questions that are under way, of all processes. Unlogged: after a crash nothing is under way. A process renews its own.
create unlogged table model_leases (
  id uuid primary key,
  until timestamptz not null
);

-- What the last look at a model's server found, by the settings that it was asked with.
create table model_probes (
  settings bytea primary key,
  probe jsonb not null,
  probed_at timestamptz(3) not null
);

do $$
declare
  name text;
begin
  foreach name in array array['model_months', 'model_leases', 'model_probes'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('grant select, insert, update, delete on %I to normtrace_system', name);
    execute format('create policy system_all on %I for all to normtrace_system using (true) with check (true)', name);
  end loop;
end
$$;

-- Asks a model again what it has answered before.
alter table analyses add column fresh_answers boolean not null default false;
