-- What the screens of the trace are drawn from, made behind a change of the trace and before anybody asks: of one state of it, by
-- one version of the engine. No row: the trace is small, or nobody has looked.
create table trace_views (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  -- Of the trace, and of the engine, that it was made of; null until it was made once.
  revision bigint,
  engine_version text,
  -- Compressed: the map of the trace, and all gaps in each language.
  map bytea,
  gaps_en bytea,
  gaps_de bytea,
  -- What stands in the trace by type, as if nothing were confirmed.
  levels json,
  -- The revision that somebody makes it of, until when they say so again, and who.
  making bigint,
  making_until timestamptz(3),
  claim uuid,
  -- Since when a job waits that makes it.
  awaited_since timestamptz(3)
);
select app.isolate('trace_views', 'select, insert, update, delete');
-- They are compressed already, and the rows before them are cleared soon: each change of a trace writes them anew.
alter table trace_views alter map set storage external, alter gaps_en set storage external, alter gaps_de set storage external,
  set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
