-- The score of a work product is that of the last gap analysis that read its newest version: other types do not write it,
-- and it says nothing about a version that came later.
alter table work_products
  add column scored_version integer,
  -- When the run stored its result: of two that end at the same time the later one counts.
  add column scored_at timestamptz(3);

-- What is there may be of another type; the runs tell it. Rows are hidden from their owner.
alter table work_products no force row level security;
alter table analyses no force row level security;
alter table analysis_inputs no force row level security;
alter table work_products disable trigger touch;
update work_products p set compliance_score = null where compliance_score is not null;
update work_products p
set compliance_score = s.score, scored_version = p.version, scored_at = s.finished_at
from (
  select distinct on (i.workspace_id, i.work_product_id, i.version)
         i.workspace_id, i.work_product_id, i.version, a.score, a.finished_at
  from analysis_inputs i
  join analyses a on a.workspace_id = i.workspace_id and a.id = i.analysis_id
  where a.type = 'gap_analysis' and a.status = 'completed'
  order by i.workspace_id, i.work_product_id, i.version, a.finished_at desc, a.id desc
) s
where s.workspace_id = p.workspace_id and s.work_product_id = p.id and s.version = p.version;
alter table work_products enable trigger touch;
alter table work_products force row level security;
alter table analyses force row level security;
alter table analysis_inputs force row level security;
