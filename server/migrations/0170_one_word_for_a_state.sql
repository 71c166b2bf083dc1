-- One word for one state, wherever something is worked on: what waits is `queued`, what is being done is `running`.
-- Forced row security is lifted meanwhile: the owner sees nothing otherwise.
alter table standards drop constraint standards_processing_status;
alter table work_products drop constraint work_products_processing_status;
alter table work_product_versions drop constraint work_product_versions_processing_status;
alter table reports drop constraint reports_status;
alter table webhook_deliveries drop constraint webhook_deliveries_status;

alter table standards no force row level security;
alter table work_products no force row level security;
alter table work_product_versions no force row level security;
alter table reports no force row level security;
alter table webhook_deliveries no force row level security;
update standards set processing_status = 'running' where processing_status = 'processing';
update work_products set processing_status = 'running' where processing_status = 'processing';
update work_product_versions set processing_status = 'running' where processing_status = 'processing';
update reports set status = 'running' where status = 'rendering';
update webhook_deliveries set status = 'queued' where status = 'pending';
alter table standards force row level security;
alter table work_products force row level security;
alter table work_product_versions force row level security;
alter table reports force row level security;
alter table webhook_deliveries force row level security;

alter table standards add constraint standards_processing_status check (
  processing_status in ('pending_upload', 'awaiting_attestation', 'queued', 'running', 'completed', 'failed')
);
alter table work_products add constraint work_products_processing_status check (
  processing_status in ('pending_upload', 'queued', 'running', 'completed', 'failed')
);
alter table work_product_versions add constraint work_product_versions_processing_status check (
  processing_status in ('queued', 'running', 'completed', 'failed')
);
alter table reports add constraint reports_status check (status in ('queued', 'running', 'completed', 'failed'));
alter table webhook_deliveries add constraint webhook_deliveries_status check (
  status in ('queued', 'delivered', 'failed')
);
alter table webhook_deliveries alter column status set default 'queued';
