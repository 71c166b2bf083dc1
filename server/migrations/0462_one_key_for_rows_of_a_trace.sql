-- A row of the trace is checked against one other row, not against two: one that a document states against that document, whose row
-- belongs to the workspace; one that a person added against the workspace (decision 645).
alter table workspaces no force row level security;
alter table artifacts no force row level security;
alter table trace_links no force row level security;
alter table artifacts
  drop constraint artifacts_workspace_id_fkey,
  -- The workspace, where no document states the row.
  add column added_in uuid generated always as (case when work_product_id is null then workspace_id end) stored
    references workspaces (id) on delete cascade;
alter table trace_links
  drop constraint trace_links_workspace_id_fkey,
  add column added_in uuid generated always as (case when work_product_id is null then workspace_id end) stored
    references workspaces (id) on delete cascade;
-- What goes with a workspace is found by them.
create index artifacts_added_in on artifacts (added_in) where added_in is not null;
create index trace_links_added_in on trace_links (added_in) where added_in is not null;
alter table workspaces force row level security;
alter table artifacts force row level security;
alter table trace_links force row level security;
