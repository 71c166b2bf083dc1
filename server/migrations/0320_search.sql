-- Words by which artifacts, gaps and passages of documents are found.

-- The words of a text in lower case, each behind the id of its workspace: an index over all workspaces is looked up in one
-- of them alone, and takes the same time whatever stands in the others.
create function app.search_keys(workspace uuid, said text) returns text[]
  language sql immutable parallel safe cost 1000
  return array(
    select distinct replace(workspace::text, '-', '') || left(word, 60)
    from regexp_split_to_table(lower(said), '[^[:alnum:]]+') as word
    where word <> ''
  );

-- What the newest version of each document says that was read, in parts of some lines.
create table passages (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  work_product_id uuid not null,
  version integer not null,
  -- Half-open range in the text of the parsed document.
  start_offset integer not null,
  end_offset integer not null,
  location jsonb not null,
  text text not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, work_product_id, version)
    references work_product_versions (workspace_id, work_product_id, version) on delete cascade
);
create index passages_document on passages (workspace_id, work_product_id, version);
select app.isolate('passages', 'select, insert, delete');

create index passages_words on passages using gin (array_to_tsvector(app.search_keys(workspace_id, text)));
create index artifacts_words on artifacts
  using gin (array_to_tsvector(app.search_keys(workspace_id, artifact_id || ' ' || coalesce(name, ''))));
create index gaps_words on gaps
  using gin (array_to_tsvector(app.search_keys(workspace_id, criterion_id || ' ' || clause || ' ' || title)));

-- Ids of what has words that begin as those of `said`, all of them, in one visible workspace. As the owner: under a policy
-- no index of words is used, because looking for words is not leakproof. By the index of words alone (`offset 0`, no scan of the whole):
-- of a workspace that grew just now the planner believes that reading all of it is cheaper.
create function app.find_words(target text, workspace uuid, said text, most integer) returns setof uuid
  language plpgsql stable parallel restricted security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
declare
  query constant tsquery := (
    select string_agg('''' || key || ''':*', ' & ')::tsquery from unnest(app.search_keys(workspace, said)) as key
  );
begin
  if query is null or workspace <> all (app.visible_workspaces()) then
    return;
  end if;
  case target
    when 'artifacts' then
      return query execute 'select f.id from (select a.id, a.workspace_id from public.artifacts a
        where array_to_tsvector(app.search_keys(a.workspace_id, a.artifact_id || '' '' || coalesce(a.name, ''''))) @@ $2 offset 0) f where f.workspace_id = $1 limit $3'
        using workspace, query, most;
    when 'gaps' then
      return query execute 'select f.id from (select g.id, g.workspace_id from public.gaps g
        where array_to_tsvector(app.search_keys(g.workspace_id, g.criterion_id || '' '' || g.clause || '' '' || g.title)) @@ $2 offset 0) f where f.workspace_id = $1 limit $3'
        using workspace, query, most;
    when 'passages' then
      return query execute 'select f.id from (select p.id, p.workspace_id from public.passages p
        where array_to_tsvector(app.search_keys(p.workspace_id, p.text)) @@ $2 offset 0) f where f.workspace_id = $1 limit $3'
        using workspace, query, most;
  end case;
end
$$;
revoke execute on function app.find_words(text, uuid, text, integer) from public;
grant execute on function app.find_words(text, uuid, text, integer) to normtrace_app;
create policy owner_select on artifacts for select to normtrace_owner using (true);
create policy owner_select on gaps for select to normtrace_owner using (true);
create policy owner_select on passages for select to normtrace_owner using (true);
