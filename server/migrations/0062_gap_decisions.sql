-- What people decide about a gap beside its status. Who decided what when is told by audit_events.
alter table gaps
  add column resolution text constraint gaps_resolution check (resolution in ('fixed', 'false_positive')),
  add column due_date date,
  -- Of a waiver: who answers for it, and who accepted it, two where one is not enough.
  add column waiver_owner uuid,
  add column accepted_by uuid[],
  add column accepted_at timestamptz(3),
  -- In place of the severity that the newest run found, which stays in `severity`.
  add column severity_override text constraint gaps_severity_override check (
    severity_override in ('critical', 'high', 'medium', 'low')
  ),
  add column severity_reason text,
  add column severity_by uuid,
  add column severity_at timestamptz(3),
  add column effective_severity text not null generated always as (coalesce(severity_override, severity)) stored;
create index gaps_waivers on gaps (workspace_id, accepted_until) where accepted_until is not null;
create index gaps_due on gaps (workspace_id, due_date) where due_date is not null;

-- A change of a gap that waits for the decision of a manager: of any, or of a second one. Open as long as there is no
-- outcome, then never changed again.
create table gap_proposals (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  gap_id uuid not null,
  kind text not null constraint gap_proposals_kind check (kind in ('acceptance', 'false_positive', 'severity')),
  -- Severity that is proposed; end and owner of the acceptance.
  severity text constraint gap_proposals_severity check (severity in ('critical', 'high', 'medium', 'low')),
  accepted_until timestamptz(3),
  waiver_owner uuid,
  reason text not null,
  proposed_by uuid not null,
  -- `replaced`: another change came first.
  outcome text constraint gap_proposals_outcome check (outcome in ('approved', 'rejected', 'withdrawn', 'replaced')),
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, gap_id) references gaps (workspace_id, id) on delete cascade
);
create unique index gap_proposals_open on gap_proposals (workspace_id, gap_id, kind) where outcome is null;
create index gap_proposals_gap on gap_proposals (workspace_id, gap_id);
select app.isolate('gap_proposals', 'select, insert, update');
revoke update on gap_proposals from normtrace_app;
grant update (outcome, decided_at) on gap_proposals to normtrace_app;

create function app.keep_outcome() returns trigger
  language plpgsql
as $$
begin
  raise exception 'a proposal is decided once' using errcode = 'insufficient_privilege';
end
$$;
create trigger decided_once before update on gap_proposals
  for each row when (old.outcome is not null) execute function app.keep_outcome();

-- Comments are not edited. Who wrote one can take its text back; that there was one stays.
create table gap_comments (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  gap_id uuid not null,
  author_id uuid not null,
  text text constraint gap_comments_text check (length(text) between 1 and 4000),
  created_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, gap_id) references gaps (workspace_id, id) on delete cascade,
  constraint gap_comments_deleted check ((text is null) = (deleted_at is not null))
);
create index gap_comments_newest on gap_comments (workspace_id, gap_id, created_at desc, id desc);
select app.isolate('gap_comments', 'select, insert, update');
revoke update on gap_comments from normtrace_app;
grant update (text, deleted_at) on gap_comments to normtrace_app;

create function app.keep_comment() returns trigger
  language plpgsql
as $$
begin
  raise exception 'a comment is not edited' using errcode = 'insufficient_privilege';
end
$$;
create trigger not_edited before update on gap_comments
  for each row when (new.text is not null) execute function app.keep_comment();

-- The history of a gap is read from here.
create index audit_events_target on audit_events (workspace_id, target_type, target_id, created_at desc, id desc);

-- What a change of gaps is told by. The API description lists the types; a list here would have to be repeated by
-- every module that adds one.
alter table workspace_events drop constraint workspace_events_type;
alter table workspace_events add constraint workspace_events_type check (type ~ '^[a-z_]{1,40}$');
