-- A version that was read and whose vectors nobody has made yet: see `modules/vectors`.
alter table work_product_versions add column vectors_wanted boolean not null default false;

-- A new version of a document writes all its rows anew. With PostgreSQL's usual share the rows before it stay until they are a
-- fifth of the whole table, that of all workspaces: disk that nothing is kept on.
alter table artifacts set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
alter table trace_links set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
alter table passages set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
