-- A saved view has columns and an order of its own, and may be what the screen begins with for whoever made it.
alter table saved_views
  add column columns text[] constraint saved_views_columns check (cardinality(columns) between 1 and 50),
  add column sort text constraint saved_views_sort check (length(sort) between 1 and 60),
  add column is_default boolean not null default false;
create unique index saved_views_one_default on saved_views (workspace_id, owner_id, screen) where is_default;
