-- What lists of many gaps are filtered and counted by, beside the finding: reading that of a hundred thousand takes seconds
-- (decision 465).

-- Documents that gaps have to do with, each set once.
create table gap_documents (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- Of the ids in their order.
  key uuid not null,
  work_product_ids uuid[] not null,
  primary key (workspace_id, key)
);
select app.isolate('gap_documents', 'select, insert, update, delete');

alter table gaps
  add column asil text generated always as (finding ->> 'asil') stored,
  -- What a search looks through, parts with a sign between them that nobody searches for.
  add column words text generated always as (
    lower(title || E'\x01' || coalesce(finding ->> 'expected', '') || E'\x01' || coalesce(finding ->> 'observed', ''))
  ) stored,
  -- The set of documents that it is about, that were searched, or that its newest run quotes; null: none.
  add column documents uuid;

alter table gaps no force row level security;
alter table gap_sightings no force row level security;
alter table analysis_evidence no force row level security;
alter table gap_documents no force row level security;
alter table gaps disable trigger touch;
with told as materialized (
  select g.workspace_id, g.id, array_agg(d.document order by d.document) as documents
  from gaps g
  join lateral (
    select g.work_product_id as document where g.work_product_id is not null
    union select searched::uuid from jsonb_array_elements_text(g.finding -> 'search' -> 'work_product_ids') as searched
    union select e.work_product_id from gap_sightings s
          join analysis_evidence e on e.workspace_id = s.workspace_id and e.gap_id = s.gap_id and e.analysis_id = s.analysis_id
          where s.workspace_id = g.workspace_id and s.gap_id = g.id
  ) d on true
  group by g.workspace_id, g.id
), stored as (
  insert into gap_documents (workspace_id, key, work_product_ids)
  select distinct workspace_id, md5(array_to_string(documents, ','))::uuid, documents from told
)
update gaps g set documents = md5(array_to_string(t.documents, ','))::uuid
  from told t where t.workspace_id = g.workspace_id and t.id = g.id;
alter table gaps enable trigger touch;
alter table gap_documents force row level security;
alter table analysis_evidence force row level security;
alter table gap_sightings force row level security;
alter table gaps force row level security;

-- What is counted all the time, so that it is counted without the gaps themselves.
create index gaps_counted on gaps (workspace_id) include (
  id, effective_severity, status, accepted_until, due_date, analysis_type, standard_id, kind, change, assignee, asil, documents
);
-- The list by due date; the expression is that of `selectGapKeys` in gap-lists.repository.ts.
create index gaps_due_first on gaps (workspace_id, (coalesce(due_date, 'infinity')), id);
