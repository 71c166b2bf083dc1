-- Work products of the workspace that a run had to leave out because they had not been read when it was started:
-- `[{ work_product_id, version, processing_status }]`.
alter table analyses add column unread jsonb not null default '[]';
