import type { ItemVerdict } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { FoundQuote } from '../documents/find-quotes.js';
import type { Run } from '../runs/analysis-kind.js';

/** A document version that a run read or a person reviewed, with what is there now. */
export interface ReviewedDocumentRow {
  readonly work_product_id: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
  /** Null: it was deleted. */
  readonly newest_version: number | null;
  readonly newest_sha256: string | null;
}

export interface StateRunRow {
  readonly id: string;
  readonly engine_version: string;
  readonly finished_at: string | Date;
  readonly documents: readonly ReviewedDocumentRow[];
}

export interface AnswerRow {
  readonly id: string;
  readonly item_id: string;
  readonly item_revision: number;
  readonly verdict: ItemVerdict | null;
  readonly reason: string;
  readonly evidence: readonly FoundQuote[];
  readonly analysis_id: string;
  readonly machine_verdict: ItemVerdict;
  readonly basis: string;
  readonly documents: readonly ReviewedDocumentRow[];
  /** A later run that read all that was reviewed rests on something else. */
  readonly outdated: boolean;
  readonly answered_by: string;
  readonly answered_by_name: string;
  readonly answered_at: string | Date;
}

const reviewedColumns = sql`'name', p.name, 'version', d.version, 'sha256', d.sha256,
  'newest_version', case when p.deleted_at is null then p.version end,
  'newest_sha256', case when p.deleted_at is null then n.sha256 end`;

const joinNewest = (workspaceId: Statement): Statement => sql`
  join work_products p on p.workspace_id = ${workspaceId} and p.id = d.work_product_id
  left join work_product_versions n
    on n.workspace_id = p.workspace_id and n.work_product_id = p.id and n.version = p.version`;

/** Work products that a run read and that are still there. */
const existingInputs = (run: Statement): Statement => sql`
  (select count(*) from analysis_inputs i
   join work_products p on p.workspace_id = i.workspace_id and p.id = i.work_product_id and p.deleted_at is null
   where i.workspace_id = ${run}.workspace_id and i.analysis_id = ${run}.id)`;

/** The run is none over a part of what another one of its series read in the same or newer versions. */
const isWidest = (run: Statement): Statement => sql`not exists (
  select from analyses w
  where w.workspace_id = ${run}.workspace_id and w.series = ${run}.series and w.status = 'completed' and w.id <> ${run}.id
    and not exists (
      select from analysis_inputs i
      join work_products p on p.workspace_id = i.workspace_id and p.id = i.work_product_id and p.deleted_at is null
      left join analysis_inputs j on j.workspace_id = i.workspace_id and j.analysis_id = w.id
           and j.work_product_id = i.work_product_id and j.version >= i.version
      where i.workspace_id = ${run}.workspace_id and i.analysis_id = ${run}.id and j.version is null)
    and ${existingInputs(sql`w`)} > ${existingInputs(run)})`;

/** Whether a run says where its series stands: it is none over a part. */
export const saysState = async (
  transaction: Transaction,
  { workspaceId, id }: Pick<Run, 'workspaceId' | 'id'>,
): Promise<boolean> =>
  (await transaction.maybeOne(sql`
    select from analyses a where a.workspace_id = ${workspaceId} and a.id = ${id} and ${isWidest(sql`a`)}`)) !==
  undefined;

/** The run that says where a series stands: the newest one with a result, but none over a part. */
export const selectStateRun = (workspaceId: string, series: string): Statement => sql`
  select a.id, a.engine_version, a.finished_at,
         (select coalesce(json_agg(json_build_object('work_product_id', p.id, ${reviewedColumns})
                                   order by p.created_at, p.id), '[]')
          from (select i.work_product_id, i.version, v.sha256
                from analysis_inputs i
                join work_product_versions v on v.workspace_id = i.workspace_id
                     and v.work_product_id = i.work_product_id and v.version = i.version
                where i.workspace_id = a.workspace_id and i.analysis_id = a.id) d
          ${joinNewest(sql`a.workspace_id`)}) as documents
  from analyses a
  where a.workspace_id = ${workspaceId} and a.series = ${series} and a.status = 'completed' and ${isWidest(sql`a`)}
  order by a.finished_at desc, a.id desc limit 1`;

/** The run `r` read everything that was reviewed for the answer `a`. */
export const READ_ALL = sql`not exists (
  select from jsonb_to_recordset(a.documents) as d (work_product_id uuid)
  where not exists (select from analysis_inputs i where i.workspace_id = r.workspace_id and i.analysis_id = r.id
                    and i.work_product_id = d.work_product_id))`;

/** Answers to the items of a checklist, or to one of them, newest first. */
export const selectAnswers = (about: {
  readonly workspaceId: string;
  readonly checklistId: string;
  readonly series: string;
  readonly itemId?: string | undefined;
}): Statement => sql`
  select a.id, a.item_id, a.item_revision, a.verdict, a.reason, a.evidence, a.analysis_id, a.machine_verdict, a.basis,
         a.answered_by, coalesce(nullif(u.name, ''), u.email, i.name, '') as answered_by_name, a.answered_at,
         (select coalesce(json_agg(json_build_object('work_product_id', p.id, ${reviewedColumns})
                                   order by p.created_at, p.id), '[]')
          from jsonb_to_recordset(a.documents) as d (work_product_id uuid, version integer, sha256 text)
          ${joinNewest(sql`a.workspace_id`)}) as documents,
         a.place = 1 and a.verdict is not null and exists (
           select from analyses r
           join checklist_results_of_runs c
             on c.workspace_id = r.workspace_id and c.analysis_id = r.id and c.item_id = a.item_id
           where r.workspace_id = a.workspace_id and r.series = ${about.series} and r.status = 'completed'
             and (r.finished_at, r.id) >= (g.finished_at, g.id) and c.basis <> a.basis and ${READ_ALL}
             and ${isWidest(sql`r`)}) as outdated
  from (select *, row_number() over (partition by item_id order by number desc) as place
        from checklist_answers
        where workspace_id = ${about.workspaceId} and checklist_id = ${about.checklistId}
          and ${about.itemId === undefined ? sql`true` : sql`item_id = ${about.itemId}`}) a
  join analyses g on g.workspace_id = a.workspace_id and g.id = a.analysis_id
  left join profiles u on u.id = a.answered_by
  left join imported_people i on i.workspace_id = a.workspace_id and i.id = a.answered_by
  order by a.number desc`;

export const insertAnswer = (
  transaction: Transaction,
  answer: {
    readonly workspaceId: string;
    readonly checklistId: string;
    readonly itemId: string;
    readonly itemRevision: number;
    readonly verdict: ItemVerdict | null;
    readonly reason: string;
    readonly evidence: readonly FoundQuote[];
    readonly analysisId: string;
    readonly machineVerdict: ItemVerdict;
    readonly basis: string;
    readonly documents: readonly Pick<ReviewedDocumentRow, 'work_product_id' | 'version' | 'sha256'>[];
    readonly answeredBy: string;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into checklist_answers (workspace_id, checklist_id, item_id, item_revision, verdict, reason, evidence,
                                   analysis_id, machine_verdict, basis, documents, answered_by)
    values (${answer.workspaceId}, ${answer.checklistId}, ${answer.itemId}, ${answer.itemRevision}, ${answer.verdict},
            ${answer.reason}, ${JSON.stringify(answer.evidence)}::jsonb, ${answer.analysisId}, ${answer.machineVerdict},
            ${answer.basis}, ${JSON.stringify(answer.documents)}::jsonb, ${answer.answeredBy})`);

/** What a gap says of an answer that settled it; a person who changes its status takes it away. */
export const SETTLED = 'A person answered the item:';

/** Gaps of items that a person answered with `pass` or `NA` are resolved as long as the answer counts. */
export const settleGaps = (
  transaction: Transaction,
  run: { readonly workspaceId: string; readonly id: string; readonly series: string },
  { checklistId, itemId }: { readonly checklistId: string; readonly itemId?: string },
): Promise<number> =>
  transaction.run(sql`
    update gaps g
    set status = 'resolved', note = ${`${SETTLED} `}::text || a.verdict || '.', reason = left(a.reason, 2000)
    from analyses r
    join (select distinct on (item_id) * from checklist_answers
          where workspace_id = ${run.workspaceId} and checklist_id = ${checklistId}
          order by item_id, number desc) a on a.verdict in ('pass', 'NA')
    join checklist_results_of_runs c on c.workspace_id = a.workspace_id and c.item_id = a.item_id
    where r.workspace_id = ${run.workspaceId} and r.id = ${run.id} and c.analysis_id = r.id
      and (c.basis = a.basis or not (${READ_ALL}))
      and ${itemId === undefined ? sql`true` : sql`a.item_id = ${itemId}`}
      and g.workspace_id = r.workspace_id and g.series = ${run.series} and g.criterion_id = a.item_id
      and g.change <> 'absent' and g.status in ('open', 'in_progress')`);

/** Opens the gap of an item again that an answer had settled. */
export const reopenGap = (
  transaction: Transaction,
  about: { readonly workspaceId: string; readonly series: string; readonly itemId: string },
): Promise<number> =>
  transaction.run(sql`
    update gaps set status = 'open', reason = null, note = 'The answer that had settled it does not count any more.'
    where workspace_id = ${about.workspaceId} and series = ${about.series} and criterion_id = ${about.itemId}
      and status = 'resolved' and starts_with(note, ${SETTLED})`);
