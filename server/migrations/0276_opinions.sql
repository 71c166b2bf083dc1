-- What a language model said of a criterion, after all checks, beside what rules said, and who won.
create table analysis_opinions (
  workspace_id uuid not null,
  analysis_id uuid not null,
  ordinal integer not null,
  criterion_id text not null,
  clause text not null,
  by_rules text not null,
  -- Null where no model was asked, or none could tell.
  by_model text,
  critic_agrees boolean,
  settled text not null,
  settled_by text not null,
  outcome text not null constraint analysis_opinions_outcome check (
    outcome in ('same', 'raised', 'lowered', 'listed', 'abstained')
  ),
  -- Why rules decided alone.
  because text,
  confirm boolean not null,
  -- The model's words and the places that it named, part by part: `[{part, state, because, evidence}]`.
  parts jsonb not null,
  missing text not null,
  -- Rules of the checks that changed what it said.
  rules text[] not null,
  primary key (workspace_id, analysis_id, criterion_id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
select app.isolate('analysis_opinions', 'select, insert, update, delete');

-- What people decided where rules and a model differ. Never changed: the newest counts.
create table opinion_decisions (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  analysis_id uuid not null,
  criterion_id text not null,
  decision text not null constraint opinion_decisions_decision check (decision in ('rules', 'model', 'neither')),
  reason text not null,
  -- What rules and model said when it was decided, and on which documents: `[{work_product_id, version}]`.
  by_rules text not null,
  by_model text,
  documents jsonb not null,
  decided_by uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
create index opinion_decisions_of on opinion_decisions (workspace_id, analysis_id, criterion_id);
select app.isolate('opinion_decisions', 'select, insert, update');
revoke update on opinion_decisions from normtrace_app;
-- Forgets a document that has gone.
grant update (documents) on opinion_decisions to normtrace_app;
