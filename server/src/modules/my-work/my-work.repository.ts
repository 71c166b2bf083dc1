import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Role } from '../../platform/identity/permissions.js';
import { isOverdue, statusAt } from '../gaps/gaps.repository.js';
import { isReadable, readableText } from '../standards/words.repository.js';
import { countSuspectLinks } from '../traceability/links.repository.js';
import type { WorkItem, WorkKind } from './my-work.schemas.js';

export interface WorkRow {
  readonly kind: WorkKind;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly id: string | null;
  readonly standard_id: string | null;
  readonly label: string;
  readonly text: string | null;
  readonly said: unknown;
  readonly place: WorkItem['place'];
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | null;
  /** `2026-03-31` */
  readonly due_date: string | null;
  readonly overdue: boolean;
  readonly began_at: string;
  readonly count: number;
  /** Of its kind; no more rows than `limit` of each are there. */
  readonly total: number;
  /** Of all assigned gaps those that are overdue. */
  readonly overdue_total: number;
}

export interface Worker {
  readonly userId: string;
  readonly now: Date;
  /** Roles that decide what is proposed, delete for good what others asked to delete, and look at changed links. */
  readonly deciding: readonly Role[];
  readonly purging: readonly Role[];
  readonly linking: readonly Role[];
  /** Acceptances that end within so many days are told. */
  readonly days: number;
  readonly limit: number;
}

/** Their workspaces, with the roles that count in each: `mine.roles`. */
const workspacesOf = (userId: string, ownerRoles: readonly Role[]): Statement => sql`
  select m.workspace_id as id, w.name,
         case when p.role = 'viewer' then array['viewer']
              when w.owner_id = m.user_id then ${ownerRoles}::text[] || m.role
              else array[m.role] end as roles
  from workspace_members m
  join workspaces w on w.id = m.workspace_id
  join profiles p on p.id = m.user_id
  where m.user_id = ${userId}`;

const isFor = (roles: readonly Role[]): Statement => sql`mine.roles && ${roles}::text[]`;

const OPEN = sql`in ('open', 'in_progress')`;
const bySeverity = sql`array_position(array['critical', 'high', 'medium', 'low'], g.effective_severity)`;

/** A gap `g` of a workspace `mine` as a row of work. */
const gapRow = (
  { userId, now }: Worker,
  { kind, due, since }: { readonly kind: string; readonly due: Statement; readonly since: Statement },
): Statement => sql`
  ${kind} as kind, g.workspace_id, mine.name as workspace_name, g.id::text as id, g.standard_id,
  coalesce(nullif(g.clause, ''), g.criterion_id) as label,
  ${readableText(sql`(g.finding ->> 'title')`, sql`g.standard_id`, userId)} as text,
  case when ${isReadable(sql`g.standard_id`, userId)} then g.finding #> '{said,title}' end as said,
  g.effective_severity as severity, (${due})::text as due_date, ${isOverdue(now)} as overdue, ${since} as began_at,
  1 as count, (count(*) over ())::integer as total,
  (count(*) filter (where ${isOverdue(now)}) over ())::integer as overdue_total, null::jsonb as place`;

/** A person's answers `a` to things called `about` whose quoted documents have another content by now. */
const outdated = (
  { userId, limit }: Worker,
  answers: {
    readonly kind: string;
    readonly table: Statement;
    readonly of: Statement;
    readonly about: Statement;
    readonly standard: Statement;
  },
): Statement => sql`
  select ${answers.kind} as kind, a.workspace_id, mine.name, a.of, a.standard_id, a.about, null, null::jsonb, null, null,
         false, a.answered_at, 1, (count(*) over ())::integer, 0, null
  from (
    select distinct on (a.workspace_id, ${answers.of}, ${answers.about}) a.workspace_id, ${answers.of}::text as of,
           ${answers.about} as about, ${answers.standard} as standard_id, a.verdict, a.documents, a.answered_by, a.answered_at
    from ${answers.table} a
    where exists (select from ${answers.table} o where o.workspace_id = a.workspace_id and o.answered_by = ${userId})
    order by a.workspace_id, ${answers.of}, ${answers.about}, a.number desc
  ) a
  join mine on mine.id = a.workspace_id
  where a.answered_by = ${userId} and a.verdict is not null and exists (
    select from jsonb_to_recordset(a.documents) as d (work_product_id uuid, sha256 text)
    join work_products p on p.workspace_id = a.workspace_id and p.id = d.work_product_id and p.deleted_at is null
    join work_product_versions v on v.workspace_id = p.workspace_id and v.work_product_id = p.id and v.version = p.version
    where v.sha256 <> d.sha256)
  order by a.answered_at, a.of limit ${limit}`;

/** Comments that name a person until they have said something there themselves, or somebody resolved it. */
const mentions = ({ userId, limit }: Worker): Statement => sql`
  select 'mention', c.workspace_id, mine.name, c.id::text, c.standard_id,
         coalesce((select coalesce(nullif(p.name, ''), p.email) from profiles p where p.id = c.author_id), ''),
         c.text, null::jsonb, null, null, false, c.created_at, 1, (count(*) over ())::integer, 0,
         jsonb_build_object('about', c.about, 'gap_id', c.gap_id, 'standard_id', c.standard_id,
           'criterion_id', c.criterion_id, 'artifact_id', c.artifact_id, 'checklist_id', c.checklist_id, 'item_id', c.item_id,
           'work_product_id', c.work_product_id, 'version', c.version,
           'range', case when c.range_start is not null then
              jsonb_build_object('start', c.range_start, 'end', c.range_end) end)
  from comments c join mine on mine.id = c.workspace_id
  where c.mentions @> array[${userId}::uuid] and c.author_id <> ${userId} and c.deleted_at is null and c.resolved_at is null
    and not exists (
      select from comments r
      where r.workspace_id = c.workspace_id and r.author_id = ${userId} and r.created_at > c.created_at and r.deleted_at is null
        and r.about = c.about and (r.gap_id, r.standard_id, r.criterion_id, r.artifact_id, r.checklist_id, r.item_id,
                                   r.work_product_id)
          is not distinct from (c.gap_id, c.standard_id, c.criterion_id, c.artifact_id, c.checklist_id, c.item_id,
                                c.work_product_id))
  order by c.created_at, c.id limit ${limit}`;

/** What waits for a person in all of their workspaces: of each kind the most urgent ones. */
export const selectWork = (worker: Worker, ownerRoles: readonly Role[]): Statement => {
  const { userId, now, limit } = worker;
  const day = now.toISOString();
  return sql`
    with mine as materialized (${workspacesOf(userId, ownerRoles)})
    (select ${gapRow(worker, { kind: 'assigned', due: sql`g.due_date`, since: sql`g.updated_at` })}
     from gaps g join mine on mine.id = g.workspace_id
     where g.assignee = ${userId} and ${statusAt(now)} ${OPEN} and g.change <> 'absent'
     order by g.due_date nulls last, ${bySeverity}, g.id limit ${limit})
    union all
    (select ${gapRow(worker, { kind: 'proposal', due: sql`null`, since: sql`p.created_at` })}
     from gap_proposals p join mine on mine.id = p.workspace_id
     join gaps g on g.workspace_id = p.workspace_id and g.id = p.gap_id
     where p.outcome is null and p.proposed_by <> ${userId} and ${isFor(worker.deciding)}
     order by ${bySeverity}, p.created_at, p.id limit ${limit})
    union all
    (select ${gapRow(worker, { kind: 'acceptance_ending', due: sql`g.accepted_until::date`, since: sql`g.accepted_at` })}
     from gaps g join mine on mine.id = g.workspace_id
     where ${statusAt(now)} = 'accepted' and g.accepted_until < ${day}::timestamptz + make_interval(days => ${worker.days})
       and (g.waiver_owner = ${userId} or ${userId} = any (g.accepted_by))
     order by g.accepted_until, g.id limit ${limit})
    union all
    (${outdated(worker, {
      kind: 'criterion_review',
      table: sql`criterion_answers`,
      of: sql`a.standard_id`,
      about: sql`a.criterion_id`,
      standard: sql`a.standard_id`,
    })})
    union all
    (${outdated(worker, {
      kind: 'checklist_review',
      table: sql`checklist_answers`,
      of: sql`a.checklist_id`,
      about: sql`a.item_id`,
      standard: sql`null::uuid`,
    })})
    union all
    (${mentions(worker)})
    union all
    (select 'purge', q.workspace_id, mine.name, q.id::text, null, t.name, null, null, null, null, false, q.created_at, 1,
            (count(*) over ())::integer, 0, null
     from purge_requests q join mine on mine.id = q.workspace_id
     join (select workspace_id, id, name from work_products union all select workspace_id, id, name from standards) t
       on t.workspace_id = q.workspace_id and t.id = q.target_id
     where q.requested_by <> ${userId} and ${isFor(worker.purging)}
     order by q.created_at, q.id limit ${limit})
    union all
    (select 'suspect_links', s.workspace_id, s.name, null, null, '', null, null, null, null, false, s.since, s.count,
            (sum(s.count) over ())::integer, 0, null
     from (select mine.id as workspace_id, mine.name, c.count, c.since from mine
           cross join lateral (${countSuspectLinks(sql`mine.id`)}) c
           where ${isFor(worker.linking)} and c.count > 0) s
     order by s.since, s.workspace_id limit ${limit})`;
};
