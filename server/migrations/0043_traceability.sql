alter table workspace_events drop constraint workspace_events_type;
alter table workspace_events add constraint workspace_events_type check (
  type in ('progress', 'finding', 'completed', 'failed', 'cancelled', 'document', 'traceability')
);

-- How far the trace of a workspace is: what is stored was taken from these document versions, then.
create table trace_extractions (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  status text not null default 'queued' constraint trace_extractions_status check (
    status in ('queued', 'running', 'completed', 'failed')
  ),
  -- Counts the changes of documents. A run notes the count that it begins with; when it has risen since, the trace
  -- is taken out once more.
  requested bigint not null default 1,
  taken bigint not null default 0,
  -- Rises with every attempt: what an abandoned one writes late is refused.
  attempt integer not null default 0,
  -- Rises with every change of artifacts and links, by documents or by people.
  revision bigint not null default 0,
  -- Of the newest run that ended well: the versions as [{work_product_id, version, document_type}], and what it found.
  extracted_at timestamptz(3),
  documents jsonb not null default '[]',
  engine_version text not null default '',
  artifacts integer not null default 0,
  links integer not null default 0,
  notes jsonb not null default '[]',
  note_counts jsonb not null default '{}',
  error text
);
select app.isolate('trace_extractions', 'select, insert, update');

-- One row for each id of the documents together, and one for each that a person added. Reading order is `ordinal`.
create table artifacts (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- Made of workspace, origin and artifact_id: the same from extraction to extraction.
  id uuid not null,
  origin text not null constraint artifacts_origin check (origin in ('document', 'manual')),
  ordinal integer not null,
  artifact_id text not null constraint artifacts_artifact_id check (
    length(artifact_id) between 1 and 500
  ),
  -- As a person said, else as the documents tell.
  type text not null,
  -- What the documents tell, where a person said something else.
  told_type text,
  name text,
  text text not null,
  status text,
  asil text,
  -- Rarer facts: version, cal, risk, ratings, informational, external, kind, result, stale, configuration, method.
  facts jsonb,
  -- All statements of the id in reading order, where there are several; the columns show the one that is used.
  statements jsonb,
  content_hash text not null,
  work_product_id uuid,
  version integer,
  location jsonb,
  quote text,
  -- Half-open range of the quote in the text of the parsed document.
  start_offset integer,
  end_offset integer,
  -- Where the integrity level stands: quote, start, end, location.
  asil_place jsonb,
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- What the examination of a trace reads of all artifacts at once: two numbers, `ordinal` and that of the type.
  packed bytea not null generated always as (
    int4send(ordinal) || int4send(array_position(
      array['hazardous_event', 'safety_goal', 'functional_safety_requirement', 'technical_safety_requirement',
            'hardware_requirement', 'software_requirement', 'cybersecurity_goal', 'cybersecurity_requirement', 'design',
            'test', 'evidence', 'unknown'],
      type
    ))
  ) stored,
  primary key (workspace_id, id),
  foreign key (workspace_id, work_product_id, version)
    references work_product_versions (workspace_id, work_product_id, version) on delete cascade
);
create index artifacts_artifact_id on artifacts (workspace_id, artifact_id);
create index artifacts_manual on artifacts (workspace_id, ordinal) where origin = 'manual';
create trigger touch before update on artifacts for each row execute function app.touch();
select app.isolate('artifacts', 'select, insert, update, delete');

-- One row for each source, type and target that the documents state, and one for each that a person added. The ends are
-- ids as written: what nothing defines is the end of a link all the same.
create table trace_links (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  origin text not null constraint trace_links_origin check (origin in ('document', 'manual')),
  ordinal integer not null,
  source_id text not null constraint trace_links_source_id check (length(source_id) between 1 and 500),
  target_id text not null constraint trace_links_target_id check (length(target_id) between 1 and 500),
  link_type text not null,
  -- Of the artifacts of the documents that the ends are; null for links of people and for ids that nothing defines.
  source_ordinal integer,
  target_ordinal integer,
  -- Whose place states it.
  stated_at text not null constraint trace_links_stated_at check (stated_at in ('source', 'target', 'both')),
  -- A person said that it is none: it counts for nothing.
  rejected boolean not null default false,
  work_product_id uuid,
  version integer,
  location jsonb,
  quote text,
  start_offset integer,
  end_offset integer,
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  -- What the examination of a trace reads of all links at once: four numbers, `ordinal`, both ends, and four times the
  -- number of the type plus that of `stated_at`.
  packed bytea not null generated always as (
    int4send(ordinal) || int4send(coalesce(source_ordinal, 0)) || int4send(coalesce(target_ordinal, 0))
    || int4send(
      4 * array_position(
        array['derives_from', 'satisfies', 'allocated_to', 'decomposes_to', 'implemented_by', 'verified_by', 'evidenced_by'],
        link_type
      ) + case stated_at when 'source' then 0 when 'target' then 1 else 2 end
    )
  ) stored,
  primary key (workspace_id, id),
  foreign key (workspace_id, work_product_id, version)
    references work_product_versions (workspace_id, work_product_id, version) on delete cascade
);
create index trace_links_source on trace_links (workspace_id, source_id);
create index trace_links_target on trace_links (workspace_id, target_id);
create index trace_links_manual on trace_links (workspace_id, ordinal) where origin = 'manual';
select app.isolate('trace_links', 'select, insert, update, delete');

-- What a person said an artifact of the documents is. Outlives every extraction.
create table artifact_types (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  artifact_id text not null,
  type text not null,
  said_by uuid not null,
  said_at timestamptz(3) not null default now(),
  primary key (workspace_id, artifact_id)
);
select app.isolate('artifact_types', 'select, insert, update, delete');

-- What a person said about a link, whatever states it. Outlives every extraction.
create table trace_link_reviews (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  source_id text not null,
  link_type text not null,
  target_id text not null,
  verdict text not null constraint trace_link_reviews_verdict check (verdict in ('confirmed', 'rejected')),
  -- Content hashes of both ends when it was confirmed; null where an end was not defined.
  source_hash text,
  target_hash text,
  reviewed_by uuid not null,
  reviewed_at timestamptz(3) not null default now(),
  primary key (workspace_id, source_id, link_type, target_id)
);
select app.isolate('trace_link_reviews', 'select, insert, update, delete');
