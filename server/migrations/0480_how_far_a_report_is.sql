-- How far a report is that is being rendered: its step, and the share of the whole.
alter table reports add column stage text, add column percent smallint not null default 0 constraint reports_percent check (
  percent between 0 and 100
);

-- What tells of it is forgotten as the progress of runs is.
drop index workspace_events_expired;
create index workspace_events_expired on workspace_events (created_at)
  where type in ('progress', 'report_progress', 'finding', 'document');
