-- Why a link of the documents is taken to be meant that nothing states; null where something does. It is assumed until somebody confirms
-- or rejects it.
alter table trace_links add column assumed text
  constraint trace_links_assumed check (assumed in ('number', 'text', 'place'));
create index trace_links_assumed on trace_links (workspace_id, ordinal) where assumed is not null;
