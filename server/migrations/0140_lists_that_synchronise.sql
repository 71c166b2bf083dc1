-- Lists tell what was changed since a moment: links were the only rows of a list that did not know.
alter table trace_links add column updated_at timestamptz(3) not null default now();
update trace_links set updated_at = created_at;
create trigger touch before update on trace_links for each row execute function app.touch();

-- For pages by the time of the last change. Artifacts and links have none: an extraction writes all of a workspace at
-- once, and would pay for it each time.
create index gaps_updated on gaps (workspace_id, updated_at, id);
create index analyses_updated on analyses (workspace_id, updated_at, id);
create index work_products_updated on work_products (workspace_id, updated_at, id);
create index standards_updated on standards (workspace_id, updated_at, id);
create index reports_updated on reports (workspace_id, updated_at, id);
