-- Key and values of what a note and a reason say, so that they can be read in every language. Null: nothing is said, or it
-- was stored by a version that kept the words only.
alter table analysis_evidence add column said jsonb;
alter table analysis_verdicts add column said jsonb;
