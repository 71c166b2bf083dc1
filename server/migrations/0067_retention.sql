-- What was deleted goes away for good: after a time, or at once when two people say so.

-- A gap of a run over all documents names neither a standard nor a work product: nothing took it along.
alter table gaps add foreign key (workspace_id) references workspaces (id) on delete cascade;
-- An upload is of the one or of the other.
alter table uploads add foreign key (workspace_id) references workspaces (id) on delete cascade;

-- One person has asked to purge something at once; gone when a second one agrees, or when it is withdrawn. Who decided
-- what is told by audit_events.
create table purge_requests (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  target_type text not null constraint purge_requests_target_type check (target_type in ('work_product', 'standard')),
  target_id uuid not null,
  reason text not null,
  requested_by uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  constraint purge_requests_target unique (workspace_id, target_type, target_id)
);
select app.isolate('purge_requests', 'select, insert, delete');

-- Answers of people and verdicts of runs stay; what they quote from a purged work product goes.
select app.isolate('checklist_answers', 'update');
revoke update on checklist_answers from normtrace_app;
grant update (evidence, documents) on checklist_answers to normtrace_app;
select app.isolate('checklist_results', 'update');
revoke update on checklist_results from normtrace_app;
grant update (looked_at, result) on checklist_results to normtrace_app;

-- The system looks through all workspaces for what is due: ids and times, nothing else.
create index work_products_deleted on work_products (deleted_at) where deleted_at is not null;
create index standards_deleted on standards (deleted_at) where deleted_at is not null;
create index standards_attestation_expires on standards (attestation_expires_at)
  where attested and attestation_expires_at is not null;
grant select (workspace_id, id, deleted_at) on work_products to normtrace_system;
create policy system_select on work_products for select to normtrace_system using (true);
grant select (workspace_id, id, deleted_at, attested, attestation_expires_at, file_id) on standards to normtrace_system;
create policy system_select on standards for select to normtrace_system using (true);
