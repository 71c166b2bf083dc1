import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { SETTLED } from '../checklists/checklist-answers.repository.js';
import { JUDGED_BY_A_PERSON } from '../gaps/gaps.repository.js';
import type { TableName } from './archive-rows.schemas.js';

const FILE = sql`'file_name', f.file_name, 'file_size', f.file_size, 'file_type', f.file_type, 'sha256', f.sha256`;
const OWN = sql`'id', t.id, 'yaml', t.yaml, 'revision', t.revision, 'created_by', t.created_by, 'created_at', t.created_at,
  'updated_at', t.updated_at`;

/**
 * The rows that an import takes, each as `name` and `row` (text of JSON) and, for files, `keys`: where their bytes lie, by
 * SHA-256. What was deleted does not travel. `hidden`: uploaded standards whose words whoever exports may not read.
 */
export function selectRows(workspaceId: string, hidden: readonly string[]): Statement {
  const here = (alias: Statement): Statement => sql`${alias}.workspace_id = ${workspaceId}`;
  const liveStandard = (id: Statement): Statement => sql`
    exists (select from standards s where ${here(sql`s`)} and s.id = ${id} and s.deleted_at is null)`;
  // By an answer of a person, which is no decision about the gap.
  const isSettled = sql`(t.status = 'resolved' and (starts_with(coalesce(t.note, ''), ${SETTLED})
    or starts_with(coalesce(t.note, ''), ${JUDGED_BY_A_PERSON})))`;
  const statements: Readonly<Record<TableName, Statement>> = {
    standards: sql`
      select jsonb_build_object('id', t.id, 'catalog_id', t.catalog_id, 'name', t.name, 'version', t.version,
               'category', t.category, 'description', t.description,
               -- The licence has to be declared for the other installation.
               'requires_attestation', t.requires_attestation or t.attested, 'created_by', t.created_by,
               'created_at', t.created_at, 'file', case when f.id is not null then
                 jsonb_build_object(${FILE}, 'created_by', f.created_by, 'created_at', f.created_at) end) as row,
             jsonb_build_object(coalesce(f.sha256, ''), f.object_key) as keys
      from standards t
      left join standard_files f on f.workspace_id = t.workspace_id and f.id = t.file_id
                                and t.id <> all (${hidden}::uuid[]) and t.catalog_id is null
      where ${here(sql`t`)} and t.deleted_at is null`,
    work_products: sql`
      select jsonb_build_object('id', t.id, 'name', t.name, 'original_filename', t.original_filename,
               'category', case when t.category_chosen then t.category end, 'tags', t.tags,
               'ai_excluded', t.ai_excluded, 'source', case when t.source_path is not null then
                 jsonb_build_object('path', t.source_path, 'version', t.source_archive_version, 'work_product_id',
                   (select a.id from work_products a
                    where a.workspace_id = t.workspace_id and a.id = t.source_archive_id and a.deleted_at is null)) end,
               'created_by', t.created_by, 'created_at', t.created_at, 'versions', v.versions) as row,
             v.keys
      from work_products t
      join lateral (
        select jsonb_agg(jsonb_build_object(${FILE}, 'version', f.version, 'uploaded_by', f.uploaded_by,
                           'uploaded_at', f.uploaded_at,
                           'unpacked', f.unpacked_attempt is not null and f.processing_status = 'completed')
                         order by f.version) as versions,
               jsonb_object_agg(f.sha256, f.object_key) as keys
        from work_product_versions f where f.workspace_id = t.workspace_id and f.work_product_id = t.id
      ) v on v.versions is not null
      where ${here(sql`t`)} and t.deleted_at is null`,
    templates: sql`select jsonb_build_object(${OWN}) as row, null::jsonb as keys from templates t where ${here(sql`t`)}`,
    checklists: sql`
      select jsonb_build_object(${OWN}, 'revisions',
               (select coalesce(jsonb_object_agg(i ->> 'id', i -> 'revision'), '{}')
                from jsonb_array_elements(t.definition -> 'items') as i where i ->> 'status' = 'active'), 'withdrawn',
               (select coalesce(jsonb_agg(jsonb_build_object('id', i -> 'id', 'text', i -> 'text' -> 'en',
                                                             'revision', i -> 'revision')), '[]')
                from jsonb_array_elements(t.definition -> 'items') as i where i ->> 'status' <> 'active')) as row,
             null::jsonb as keys
      from checklists t where ${here(sql`t`)}`,
    artifacts: sql`
      select jsonb_strip_nulls(jsonb_build_object('artifact_id', t.artifact_id, 'type', t.type, 'text', t.text, 'name', t.name,
               'status', t.status, 'asil', t.asil, 'artifact_version', t.facts -> 'version', 'cal', t.facts -> 'cal',
               'risk', t.facts -> 'risk', 'ratings', t.facts -> 'ratings', 'informational', t.facts -> 'informational',
               'external', t.facts -> 'external', 'kind', t.facts -> 'kind', 'result', t.facts -> 'result',
               'stale', t.facts -> 'stale', 'configuration', t.facts -> 'configuration',
               'verification_method', t.facts -> 'verificationMethod', 'created_by', t.created_by)) as row,
             null::jsonb as keys
      from artifacts t where ${here(sql`t`)} and t.origin = 'manual' order by t.ordinal`,
    trace_links: sql`
      select jsonb_build_object('source_id', t.source_id, 'target_id', t.target_id, 'link_type', t.link_type,
               'created_by', t.created_by, 'created_at', t.created_at) as row, null::jsonb as keys
      from trace_links t where ${here(sql`t`)} and t.origin = 'manual' order by t.ordinal`,
    artifact_types: sql`
      select to_jsonb(t) - 'workspace_id' as row, null::jsonb as keys from artifact_types t where ${here(sql`t`)}`,
    trace_link_reviews: sql`
      select to_jsonb(t) - '{workspace_id,source_then,target_then}'::text[] as row, null::jsonb as keys
      from trace_link_reviews t where ${here(sql`t`)}`,
    runs: sql`
      select case t.type
               when 'traceability' then jsonb_build_object('type', t.type, 'options', t.options)
               else jsonb_build_object('type', t.type, 'work_product_ids', i.ids, 'options',
                                       t.options - 'template_id' - 'templates' - 'checklist')
                    || case t.type when 'gap_analysis' then jsonb_build_object('standard_id', t.standard_id)
                                   when 'completeness' then jsonb_build_object('template_id', t.options -> 'template_id')
                                   else jsonb_build_object('checklist_id', t.options #> '{checklist,id}') end
             end as row, null::jsonb as keys
      from (select distinct on (series) * from analyses
            where workspace_id = ${workspaceId} and status = 'completed' order by series, finished_at desc, id desc) t
      left join lateral (
        select jsonb_agg(i.work_product_id order by i.work_product_id) as ids from analysis_inputs i
        join work_products p on p.workspace_id = i.workspace_id and p.id = i.work_product_id and p.deleted_at is null
        where i.workspace_id = t.workspace_id and i.analysis_id = t.id
      ) i on true
      where (t.standard_id is null or ${liveStandard(sql`t.standard_id`)})
      order by t.finished_at, t.id`,
    gap_decisions: sql`
      select jsonb_build_object('gap_id', t.id, 'type', t.analysis_type, 'about', substring(t.series from ':(.*)$'),
               'fingerprint', t.fingerprint, 'status', case when ${isSettled} then 'open' else t.status end, 'resolution', t.resolution, 'assignee', t.assignee,
               'due_date', t.due_date, 'reason', case when ${isSettled} then null else t.reason end, 'accepted_until', t.accepted_until,
               'waiver_owner', t.waiver_owner, 'accepted_by', t.accepted_by, 'accepted_at', t.accepted_at,
               'severity_override', t.severity_override, 'severity_reason', t.severity_reason,
               'severity_by', t.severity_by, 'severity_at', t.severity_at, 'bases', t.decision_bases,
               'comments', coalesce(c.comments, '[]'), 'proposals', coalesce(o.proposals, '[]')) as row,
             null::jsonb as keys
      from gaps t
      left join lateral (
        select jsonb_agg(jsonb_build_object('author', author_id, 'text', text, 'created_at', created_at,
                                            'deleted_at', deleted_at) order by created_at, id) as comments
        from comments where workspace_id = t.workspace_id and gap_id = t.id
      ) c on true
      left join lateral (
        select jsonb_agg(jsonb_build_object('kind', kind, 'severity', severity, 'accepted_until', accepted_until,
                                            'waiver_owner', waiver_owner, 'reason', reason, 'proposed_by', proposed_by,
                                            'created_at', created_at) order by created_at, id) as proposals
        from gap_proposals where workspace_id = t.workspace_id and gap_id = t.id and outcome is null
      ) o on true
      where ${here(sql`t`)}
        and (t.status <> 'open' and not ${isSettled} or t.assignee is not null or t.due_date is not null or t.severity_override is not null
             or c.comments is not null or o.proposals is not null)`,
    checklist_answers: sql`
      select jsonb_build_object('id', t.id, 'checklist_id', t.checklist_id, 'item_id', t.item_id,
               'item_revision', t.item_revision, 'verdict', t.verdict, 'reason', t.reason, 'basis', t.basis,
               'evidence', (select coalesce(jsonb_agg(jsonb_build_object('work_product_id', e -> 'work_product_id',
                              'quote', e -> 'quote', 'note', e -> 'note')), '[]') from jsonb_array_elements(t.evidence) as e),
               'documents', t.documents, 'answered_by', t.answered_by, 'answered_at', t.answered_at) as row,
             null::jsonb as keys
      from checklist_answers t where ${here(sql`t`)} order by t.number`,
    checklist_releases: sql`
      select jsonb_build_object('id', t.id, 'checklist_id', t.checklist_id, 'content_hash', t.content_hash,
               'counts', t.counts, 'comment', t.comment, 'released_by', t.released_by, 'released_at', t.released_at) as row,
             null::jsonb as keys
      from checklist_releases t where ${here(sql`t`)} order by t.number`,
  };
  // What an import into this workspace has not come to yet is people's work as well.
  const waiting = sql`
    (select w.kind as name, w.content::text as row, null::jsonb as keys from imported_work w
     where ${here(sql`w`)} and w.outcome is null order by w.number)`;
  return Object.entries(statements)
    .map(
      ([name, rows]) => sql`(select ${name}::text as name, r.row::text as row, r.keys from (${rows}) as r)`,
    )
    .reduce((all, one) => sql`${all} union all ${one}`, waiting);
}
