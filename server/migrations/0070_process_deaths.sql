-- How many processes have died under a piece of work since it last ended: the second time it is parked with a reason, also
-- when the service was started anew in between.
alter table work_product_versions add column process_deaths smallint not null default 0;
alter table standards add column process_deaths smallint not null default 0;
alter table trace_extractions add column process_deaths smallint not null default 0;
alter table analyses add column process_deaths smallint not null default 0;
alter table reports add column process_deaths smallint not null default 0;
