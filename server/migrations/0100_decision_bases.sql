-- What decisions about a gap rest on, by what was decided (`status`, `severity`, `acceptance`, `false_positive`,
-- `severity_proposal`): facts as hashes, no content of documents. Null: decided before bases were kept, so they rest on
-- the gap as it is stored, which is read when the next run finds it. A decision without an entry rests on nothing.
alter table gaps add column decision_bases jsonb;
alter table gaps alter column decision_bases set default '{}';

-- `outdated`: what the proposal rested on is not what was found since.
alter table gap_proposals drop constraint gap_proposals_outcome;
alter table gap_proposals add constraint gap_proposals_outcome check (
  outcome in ('approved', 'rejected', 'withdrawn', 'replaced', 'outdated')
);

-- A link that a person rejected is none as long as both ends say what they said then. Rejected before that was kept:
-- filled from what the ends say when the documents are read next.
comment on column trace_link_reviews.source_hash is 'content hash of the source when it was reviewed; null: not defined, or rejected before hashes of rejections were kept';
alter table trace_link_reviews add column bound boolean;
alter table trace_link_reviews alter column bound set default true;

comment on column gaps.severity_found is 'not written any more: the basis of the severity says it; archives of earlier versions bring it along';
