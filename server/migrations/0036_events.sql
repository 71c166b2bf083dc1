-- What happens in a workspace, for those who watch. Numbered without holes in the order of the commits, because the
-- counter's row is locked until then: whoever has seen number n has seen all before it.
create table workspace_event_counters (
  workspace_id uuid primary key references workspaces (id) on delete cascade,
  last bigint not null
);
select app.isolate('workspace_event_counters', 'select, insert, update');

create table workspace_events (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  sequence bigint not null,
  -- The run that it is about, with its number there; null for documents.
  analysis_id uuid,
  analysis_sequence bigint,
  type text not null constraint workspace_events_type check (
    type in ('progress', 'finding', 'completed', 'failed', 'cancelled', 'document')
  ),
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, sequence),
  unique (workspace_id, analysis_id, analysis_sequence),
  foreign key (workspace_id, analysis_id) references analyses (workspace_id, id) on delete cascade
);
select app.isolate('workspace_events', 'select, insert, update, delete');

-- Adds an event and tells the watchers when the transaction commits. The notification carries ids only.
create function app.add_event(workspace uuid, analysis uuid, event_type text, event_data jsonb) returns bigint
  language plpgsql
as $$
declare
  of_workspace bigint;
  of_analysis bigint;
begin
  insert into public.workspace_event_counters as c (workspace_id, last) values (workspace, 1)
  on conflict (workspace_id) do update set last = c.last + 1
  returning c.last into of_workspace;
  if analysis is not null then
    update public.analyses a set event_sequence = a.event_sequence + 1
    where a.workspace_id = workspace and a.id = analysis
    returning a.event_sequence into strict of_analysis;
  end if;
  insert into public.workspace_events (workspace_id, sequence, analysis_id, analysis_sequence, type, data)
  values (workspace, of_workspace, analysis, of_analysis, event_type, event_data);
  perform pg_notify('normtrace_events', workspace::text || ' ' || coalesce(analysis::text, ''));
  return of_analysis;
end
$$;
grant execute on function app.add_event(uuid, uuid, text, jsonb) to normtrace_app;

-- Vectors of passages, so that the same words are embedded once. Content of documents: of its workspace alone.
create table embeddings (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  -- SHA-256 of the model and the text.
  key bytea not null,
  vector bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, key)
);
select app.isolate('embeddings', 'select, insert, delete');
