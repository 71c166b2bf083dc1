-- The newest run that found a gap, apart from what was found: a run that finds the same writes these narrow rows and
-- leaves the gaps alone. Room in each page, so that a new run is written beside the old one without the index.
create table gap_sightings (
  workspace_id uuid not null,
  gap_id uuid not null,
  analysis_id uuid not null,
  primary key (workspace_id, gap_id),
  foreign key (workspace_id, gap_id) references gaps (workspace_id, id) on delete cascade,
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
) with (fillfactor = 50);
-- Forced row security is lifted meanwhile: the owner sees nothing otherwise.
alter table gaps no force row level security;
insert into gap_sightings (workspace_id, gap_id, analysis_id) select workspace_id, id, last_analysis_id from gaps;
alter table gaps force row level security;
select app.isolate('gap_sightings', 'select, insert, update, delete');
alter table gaps drop column last_analysis_id;

-- Hash of everything that a run writes into a gap. Null: written before there was one, or the finding was changed since.
alter table gaps add column said bytea;
