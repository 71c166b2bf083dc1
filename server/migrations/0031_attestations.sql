-- Who declared to hold a licence for which file, and who withdrew it (domain 0.2). Append-only: withdrawing is a
-- record of its own. No foreign keys, because the record outlives what it is about.
create table attestations (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  action text not null constraint attestations_action check (action in ('attested', 'revoked')),
  standard_id uuid not null,
  -- For a revocation: the record that it ends.
  revokes uuid,
  user_id uuid not null,
  organisation text not null,
  standard_designation text not null,
  edition text not null,
  file_sha256 text,
  licence_type text not null constraint attestations_licence_type check (
    licence_type in ('single_user', 'multi_user', 'site_network', 'national_body_subscription',
      'free_publication', 'own_document', 'other')
  ),
  licence_holder text not null,
  statement_version text not null,
  allows_workspace_sharing boolean not null,
  allows_ai_processing boolean not null,
  expires_at timestamptz(3),
  reason text,
  ip text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index attestations_standard on attestations (workspace_id, standard_id, created_at desc);
create trigger append_only before update or delete on attestations
  for each row execute function app.refuse_change();
create trigger append_only_truncate before truncate on attestations
  for each statement execute function app.refuse_change();
select app.isolate('attestations', 'select, insert');
