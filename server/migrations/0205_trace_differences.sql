-- Hash of what the documents say in a row: an extraction writes what differs. Null: written before there was one.
alter table artifacts add column said bytea;
alter table trace_links add column said bytea;

-- Since when a run waits, so that documents that arrive together are taken together.
alter table trace_extractions add column waits_since timestamptz(3) not null default now();
