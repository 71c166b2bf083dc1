-- What both ends of a link said when somebody confirmed it: type, name, text, asil, facts, and the work product and version that they
-- stand in. Null: rejected, or the end was not defined, or it had changed already when texts began to be kept.
alter table trace_link_reviews add column source_then jsonb, add column target_then jsonb;

-- Confirmed before: where an end still has the hash of then, what it says is what it said. Where it has not, nobody knows.
alter table trace_link_reviews no force row level security;
update trace_link_reviews r
set source_then = (select case when a.content_hash = r.source_hash then jsonb_build_object(
                            'type', a.type, 'name', a.name, 'text', a.text, 'asil', a.asil, 'facts', a.facts,
                            'work_product_id', a.work_product_id, 'version', a.version) end
                   from artifacts a where a.workspace_id = r.workspace_id and a.artifact_id = r.source_id
                   order by a.origin limit 1),
    target_then = (select case when a.content_hash = r.target_hash then jsonb_build_object(
                            'type', a.type, 'name', a.name, 'text', a.text, 'asil', a.asil, 'facts', a.facts,
                            'work_product_id', a.work_product_id, 'version', a.version) end
                   from artifacts a where a.workspace_id = r.workspace_id and a.artifact_id = r.target_id
                   order by a.origin limit 1)
where r.verdict = 'confirmed';
alter table trace_link_reviews force row level security;
