-- What the rows of each document say together, as hashes by work product: {revision, artifacts, links}. They hold while the
-- revision is the one of then: an extraction compares only rows of documents whose hash is another one. Null: all rows.
alter table trace_extractions add column said jsonb;
