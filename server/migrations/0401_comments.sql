-- Comments are about more than gaps: criteria, artifacts, items of checklists, and documents, there about a range. They mention
-- members, are edited for five minutes, and are resolved.
alter table gap_comments rename to comments;
alter table comments rename constraint gap_comments_pkey to comments_pkey;
alter table comments rename constraint gap_comments_text to comments_text;
alter table comments rename constraint gap_comments_deleted to comments_deleted;
alter table comments rename constraint gap_comments_workspace_id_gap_id_fkey to comments_workspace_id_gap_id_fkey;
alter index gap_comments_newest rename to comments_of_gap;

alter table comments
  alter column gap_id drop not null,
  add column about text not null default 'gap'
    constraint comments_about check (about in ('gap', 'criterion', 'artifact', 'checklist_item', 'document')),
  add column standard_id uuid,
  add column criterion_id text,
  -- As documents name it: it outlives the row that was taken out of one version.
  add column artifact_id text,
  add column checklist_id text,
  add column item_id text,
  add column work_product_id uuid,
  add column version integer,
  -- Half-open, of the text of the parsed document; null: the whole document.
  add column range_start integer,
  add column range_end integer,
  -- The words of the range.
  add column quote text,
  add column mentions uuid[] not null default '{}' constraint comments_mentions check (cardinality(mentions) <= 20),
  add column edited_at timestamptz(3),
  add column resolved_at timestamptz(3),
  add column resolved_by uuid,
  add constraint comments_subject check (
    (gap_id is not null) = (about = 'gap')
    and (standard_id is not null) = (about = 'criterion') and (criterion_id is not null) = (about = 'criterion')
    and (artifact_id is not null) = (about = 'artifact')
    and (checklist_id is not null) = (about = 'checklist_item') and (item_id is not null) = (about = 'checklist_item')
    and (work_product_id is not null) = (about = 'document') and (version is not null) = (about = 'document')
  ),
  add constraint comments_range check (
    (range_start is null) = (range_end is null) and (range_start is null) = (quote is null)
    and (range_start is null or about = 'document' and range_start >= 0 and range_end > range_start)
  ),
  add constraint comments_resolved check ((resolved_at is null) = (resolved_by is null)),
  add foreign key (workspace_id) references workspaces (id) on delete cascade,
  add foreign key (workspace_id, standard_id) references standards (workspace_id, id) on delete cascade,
  add foreign key (workspace_id, work_product_id, version)
    references work_product_versions (workspace_id, work_product_id, version) on delete cascade;
create index comments_of_subject on comments (workspace_id, about, created_at desc, id desc);
create index comments_of_document on comments (workspace_id, work_product_id) where work_product_id is not null;
create index comments_mentioned on comments using gin (mentions) where deleted_at is null and resolved_at is null;
grant update (mentions, edited_at, resolved_at, resolved_by) on comments to normtrace_app;

-- What somebody has answered to stays as they read it.
create or replace function app.keep_comment() returns trigger
  language plpgsql
as $$
begin
  if old.text is not null and old.created_at > now() - interval '5 minutes' then
    return new;
  end if;
  raise exception 'a comment is not edited' using errcode = 'insufficient_privilege';
end
$$;
drop trigger not_edited on comments;
create trigger not_edited before update on comments
  for each row when (new.text is not null and (old.text, old.mentions) is distinct from (new.text, new.mentions))
  execute function app.keep_comment();
