import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { readableText } from '../standards/words.repository.js';
import type { ActivityType } from './activity.schemas.js';

export interface ActivityRow {
  readonly id: string;
  readonly created_at: string;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly type: ActivityType;
  readonly object_id: string;
  readonly label: string | null;
  readonly text: string | null;
  readonly said: unknown;
  readonly standard_id: string | null;
  /** Of the state after: status, severity or role. */
  readonly became: string | null;
  readonly version: number | null;
  readonly request_id: string | null;
}

export interface ActivityFilters {
  readonly type?: readonly ActivityType[] | undefined;
  readonly actor_id?: string | undefined;
}

/** Targets of audit events that are work on the content of a workspace, each as the type under which it is told. */
const TARGETS: Readonly<Record<string, ActivityType>> = {
  gap: 'gap',
  work_product: 'work_product',
  standard: 'standard',
  criterion: 'criterion',
  checklist: 'checklist',
  checklist_item: 'checklist',
  template: 'template',
  artifact: 'trace',
  trace_link: 'trace',
  report: 'report',
  member: 'member',
  workspace: 'workspace',
};

/** The id of a target as that of a row, where it is one. */
const ID = sql`(case when e.object_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then e.object_id::uuid end)`;
const inWorkspace = sql`workspace_id = e.workspace_id and id = ${ID}`;

/** What the target `e.target` is called now; null where it is gone, or is known by its id. */
const label = sql`case e.target
  when 'gap' then (select coalesce(nullif(g.clause, ''), g.criterion_id) from gaps g where ${inWorkspace})
  when 'work_product' then (select name from work_products where ${inWorkspace})
  when 'standard' then (select name from standards where ${inWorkspace})
  when 'report' then (select title from reports where ${inWorkspace})
  when 'artifact' then coalesce((select a.artifact_id from artifacts a where ${inWorkspace}), e.object_id)
  when 'trace_link' then (select l.source_id || ' → ' || l.target_id from trace_links l where ${inWorkspace} limit 1)
  when 'member' then (select coalesce(nullif(name, ''), email) from profiles where id = ${ID})
  when 'analysis' then (select t.name from analyses a join standards t on t.workspace_id = a.workspace_id and t.id = a.standard_id
                        where a.workspace_id = e.workspace_id and a.id = ${ID})
  when 'criterion' then substring(e.object_id from '/(.*)$')
  when 'checklist_item' then substring(e.object_id from '/(.*)$')
end`;

/** What people did in a workspace, and which runs ended: from rows that are written once. */
export function selectActivity(workspaceId: string, filters: ActivityFilters, userId: string): Statement {
  const types = filters.type ?? null;
  const told = JSON.stringify(TARGETS);
  return sql`
    select e.id, e.created_at, e.actor_id,
           coalesce((select coalesce(nullif(p.name, ''), p.email) from profiles p where p.id = e.actor_id),
                    (select i.name from imported_people i where i.workspace_id = e.workspace_id and i.id = e.actor_id)) as actor_name,
           e.action, e.type,
           case when e.target in ('criterion', 'checklist_item') then split_part(e.object_id, '/', 1) else e.object_id end as object_id,
           ${label} as label,
           (select ${readableText(sql`(g.finding ->> 'title')`, sql`g.standard_id`, userId)}
            from gaps g where e.target = 'gap' and ${inWorkspace}) as text,
           (select g.finding #> '{said,title}' from gaps g where e.target = 'gap' and ${inWorkspace}) as said,
           case e.target when 'gap' then (select g.standard_id from gaps g where ${inWorkspace})
                         when 'criterion' then (split_part(e.object_id, '/', 1))::uuid end as standard_id,
           e.became, e.version, e.request_id
    from (
      select e.id, e.workspace_id, e.created_at, e.actor_id, e.action, ${told}::jsonb ->> e.target_type as type,
             e.target_type as target, e.target_id as object_id,
             case e.target_type when 'gap' then coalesce(e.after ->> 'status', e.after ->> 'severity')
                                when 'member' then e.after ->> 'role' end as became,
             null::integer as version, e.request_id
      from audit_events e
      where e.workspace_id = ${workspaceId} and e.actor_id is not null and ${told}::jsonb ? e.target_type
      union all
      select md5(v.work_product_id::text || v.version)::uuid, v.workspace_id, v.uploaded_at, v.uploaded_by, 'work_product.uploaded', 'work_product', 'work_product',
             v.work_product_id::text, null, v.version, null
      from work_product_versions v where v.workspace_id = ${workspaceId}
      union all
      select a.id, a.workspace_id, a.finished_at, a.created_by, 'analysis.' || a.status, 'analysis', 'analysis',
             a.id::text, a.type, null, null
      from analyses a
      where a.workspace_id = ${workspaceId} and a.finished_at is not null and a.status in ('completed', 'failed', 'cancelled', 'timed_out')
    ) e
    where (${types}::text[] is null or e.type = any (${types}::text[]))
      and (${filters.actor_id ?? null}::uuid is null or e.actor_id = ${filters.actor_id ?? null})`;
}
