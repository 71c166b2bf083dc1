import type { CriterionVerdict as EngineVerdict } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { isAnyOf } from '../../platform/http/pagination.js';
import type { EvidenceRow, StoredSearch } from '../gaps/gaps.repository.js';
import { isReadable, readableSaid, readableText } from '../standards/words.repository.js';
import type { AnalysisType } from './analysis-type.js';
import { IN_ORDER } from './input-order.js';

export type AnalysisStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'timed_out';

export interface AnalysisRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly type: AnalysisType;
  readonly status: AnalysisStatus;
  readonly mode: 'rules' | 'ai';
  readonly fresh_answers: boolean;
  readonly standard_id: string | null;
  readonly standard_name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly engine_version: string;
  readonly attempt: number;
  readonly stage: string;
  readonly percent: number;
  readonly done: number;
  readonly total: number;
  readonly message: string;
  readonly eta_seconds: number | null;
  readonly score: string | number | null;
  readonly summary: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly previous_analysis_id: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly started_at: string | Date | null;
  readonly finished_at: string | Date | null;
  readonly work_products: readonly {
    readonly work_product_id: string;
    readonly version: number;
    readonly name: string;
    readonly sha256: string;
    readonly score: number | null;
  }[];
  readonly score_is_partial: boolean;
  readonly unread: readonly UnreadWorkProduct[];
}

/** Left out of a run because it had not been read when the run was started. */
export interface UnreadWorkProduct {
  readonly work_product_id: string;
  readonly version: number;
  readonly name: string;
  readonly processing_status: 'queued' | 'running' | 'failed';
}

export interface VerdictRow {
  readonly criterion_id: string;
  readonly verdict: 'covered' | 'partial' | 'missing' | 'not_applicable' | 'needs_review';
  readonly confidence: 'high' | 'medium' | 'low';
  readonly rules: readonly string[];
  readonly reason: string;
  readonly said: EngineVerdict['said'] | null;
  readonly search: StoredSearch | null;
  readonly evidence: readonly EvidenceRow[];
}

const columns = sql`a.workspace_id, a.id, a.type, a.status, a.mode, a.fresh_answers, a.standard_id, a.standard_name, a.options,
  a.engine_version, a.attempt, a.stage, a.percent, a.done, a.total, a.message, a.eta_seconds, a.score, a.summary,
  a.error, a.previous_analysis_id, a.created_by, a.created_at, a.updated_at, a.started_at, a.finished_at,
  a.unread <> '[]' as score_is_partial,
  (select coalesce(json_agg(json_build_object('work_product_id', p.id, 'version', u.version, 'name', p.name,
            'processing_status', u.processing_status) order by p.created_at, p.id), '[]')
   from jsonb_to_recordset(a.unread) as u (work_product_id uuid, version integer, processing_status text)
   join work_products p on p.workspace_id = a.workspace_id and p.id = u.work_product_id) as unread,
  (select coalesce(json_agg(json_build_object('work_product_id', i.work_product_id, 'version', i.version,
            'name', p.name, 'sha256', v.sha256, 'score', i.score) order by p.created_at, p.id), '[]')
   from analysis_inputs i
   join work_products p on p.workspace_id = i.workspace_id and p.id = i.work_product_id
   join work_product_versions v on v.workspace_id = i.workspace_id and v.work_product_id = i.work_product_id
                               and v.version = i.version
   where i.workspace_id = a.workspace_id and i.analysis_id = a.id) as work_products`;

export const workspaceOfAnalysis = (id: string): Statement =>
  sql`select workspace_id from analyses where id = ${id}`;

export const selectAnalysis = (id: string): Statement =>
  sql`select ${columns} from analyses a where a.id = ${id}`;

export function selectAnalyses(filters: {
  readonly workspace_id?: string | undefined;
  readonly standard_id?: string | undefined;
  readonly work_product_id?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}): Statement {
  const all = sql`true`;
  const is = (column: Statement, value: string | undefined): Statement =>
    value === undefined ? all : sql`${column} = ${value}`;
  return sql`
    select ${columns} from analyses a
    where ${is(sql`a.workspace_id`, filters.workspace_id)}
      and ${is(sql`a.standard_id`, filters.standard_id)}
      and ${isAnyOf(sql`a.type`, filters.type)}
      and ${isAnyOf(sql`a.status`, filters.status)}
      and ${filters.active === undefined ? all : sql`(a.status in ('queued', 'running')) = ${filters.active}`}
      and ${
        filters.work_product_id
          ? sql`exists (select from analysis_inputs i where i.workspace_id = a.workspace_id
                        and i.analysis_id = a.id and i.work_product_id = ${filters.work_product_id})`
          : all
      }`;
}

/** All verdicts of a run, or one of them, with their evidence, in the order of the standard, as a user may read them. */
export const selectVerdicts = (
  analysisId: string,
  userId: string,
  only: { readonly criterionId?: string; readonly ordinal?: Statement } = {},
): Statement => sql`
  select v.criterion_id, v.verdict, v.confidence, v.rules,
         ${readableText(sql`v.reason`, sql`a.standard_id`, userId)} as reason,
         ${readableSaid(sql`v.said`, sql`a.standard_id`, userId)} as said,
         case when ${isReadable(sql`a.standard_id`, userId)} then v.search end as search,
         (select coalesce(json_agg(json_build_object('work_product_id', e.work_product_id, 'version', e.version,
                  'location', e.location, 'quote', e.quote, 'start', e.start_offset, 'end', e.end_offset, 'role', e.role,
                  'note', ${readableText(sql`e.note`, sql`a.standard_id`, userId)},
                  'said', ${readableSaid(sql`e.said`, sql`a.standard_id`, userId)}) order by e.ordinal), '[]')
          from evidence_of_runs e
          where e.workspace_id = v.workspace_id and e.analysis_id = v.analysis_id
            and e.criterion_id = v.criterion_id and e.gap_id is null) as evidence
  from verdicts_of_runs v
  join analyses a on a.workspace_id = v.workspace_id and a.id = v.analysis_id
  where v.analysis_id = ${analysisId}
    and ${only.criterionId === undefined ? sql`true` : sql`v.criterion_id = ${only.criterionId}`}
    and ${only.ordinal ? sql`v.ordinal = ${only.ordinal}` : sql`true`}
  order by v.ordinal`;

export const lockAnalysis = async (
  transaction: Transaction,
  id: string,
): Promise<AnalysisRow | undefined> => {
  await transaction.maybeOne(sql`select id from analyses where id = ${id} for update`);
  return transaction.maybeOne(selectAnalysis(id));
};

/** A version that can be analysed, or why it cannot. */
export interface InputRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly category: string | null;
  readonly category_chosen: boolean;
  readonly processing_status: string;
  readonly file_name: string | null;
  readonly sha256: string | null;
  readonly is_document: boolean;
}

/** The named work products of a workspace with their newest versions; without names, all documents that have been read. */
export const findInputs = (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[] | undefined,
): Promise<InputRow[]> =>
  transaction.many(sql`
    select p.id, p.name, p.version, p.category, p.category_chosen, p.processing_status, v.file_name, v.sha256,
           v.format is distinct from 'zip' as is_document
    from work_products p
    left join work_product_versions v
      on v.workspace_id = p.workspace_id and v.work_product_id = p.id and v.version = p.version
    where p.workspace_id = ${workspaceId} and p.deleted_at is null
      and ${ids ? sql`p.id = any (${ids}::uuid[])` : sql`p.processing_status = 'completed' and v.format is distinct from 'zip'`}
    order by ${IN_ORDER}`);

/** What a run over all work products of the workspace has to leave out. */
export const findUnread = (
  transaction: Transaction,
  workspaceId: string,
): Promise<Omit<UnreadWorkProduct, 'name'>[]> =>
  transaction.many(sql`
    select id as work_product_id, version, processing_status from work_products
    where workspace_id = ${workspaceId} and deleted_at is null and version > 0
      and processing_status in ('queued', 'running', 'failed')
    order by created_at, id`);

/** Requests for the same run wait for each other here. */
export const lockInput = (transaction: Transaction, inputHash: string): Promise<number> =>
  transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${inputHash}, 0))`);

/** The newest run of exactly this input that has a result or may still get one. */
export const findSame = (
  transaction: Transaction,
  workspaceId: string,
  inputHash: string,
): Promise<AnalysisRow | undefined> =>
  transaction.maybeOne(sql`
    select ${columns} from analyses a
    where a.workspace_id = ${workspaceId} and a.input_hash = ${inputHash}
      and a.status in ('queued', 'running', 'completed')
    order by a.created_at desc, a.id desc limit 1`);

export async function insertAnalysis(
  transaction: Transaction,
  analysis: {
    readonly workspaceId: string;
    readonly id: string;
    readonly type: AnalysisType;
    readonly series: string;
    readonly mode: 'rules' | 'ai';
    readonly freshAnswers: boolean;
    readonly standard: { readonly id: string; readonly name: string } | undefined;
    readonly options: Readonly<Record<string, unknown>>;
    readonly inputHash: string;
    readonly engineVersion: string;
    readonly createdBy: string;
    readonly inputs: readonly Pick<InputRow, 'id' | 'version'>[];
    readonly unread: readonly Omit<UnreadWorkProduct, 'name'>[];
  },
): Promise<AnalysisRow> {
  const { workspaceId, id, standard } = analysis;
  await transaction.run(sql`
    insert into analyses (workspace_id, id, type, series, mode, fresh_answers, standard_id, standard_name, options, input_hash,
                          engine_version, created_by, unread)
    values (${workspaceId}, ${id}, ${analysis.type}, ${analysis.series}, ${analysis.mode}, ${analysis.freshAnswers}, ${standard?.id ?? null},
            ${standard?.name ?? ''}, ${JSON.stringify(analysis.options)}::jsonb, ${analysis.inputHash},
            ${analysis.engineVersion}, ${analysis.createdBy}, ${JSON.stringify(analysis.unread)}::jsonb)`);
  await transaction.run(sql`
    insert into analysis_inputs (workspace_id, analysis_id, work_product_id, version)
    select ${workspaceId}, ${id}, i.id, i.version
    from jsonb_to_recordset(${JSON.stringify(analysis.inputs)}::jsonb) as i (id uuid, version integer)`);
  return transaction.one(selectAnalysis(id));
}

/** Puts a run that ended without a result back to its beginning. */
export const requeueAnalysis = (transaction: Transaction, row: AnalysisRow): Promise<number> =>
  transaction.run(sql`
    update analyses
    set status = 'queued', stage = 'queued', percent = 0, done = 0, total = 0, message = '', eta_seconds = null,
        error = null, cancel_requested_at = null, deadline_at = null, started_at = null, finished_at = null
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);

/** Ends a run without a result. A worker that still runs it finds out and stops. */
export const endAnalysis = (
  transaction: Transaction,
  run: { readonly workspaceId: string; readonly id: string },
  end: { readonly status: 'failed' | 'cancelled' | 'timed_out'; readonly error: string | null },
): Promise<number> =>
  transaction.run(sql`
    update analyses
    set status = ${end.status}, error = ${end.error}, eta_seconds = null, finished_at = now(),
        cancel_requested_at = case when ${end.status} = 'cancelled' then now() else cancel_requested_at end
    where workspace_id = ${run.workspaceId} and id = ${run.id} and status in ('queued', 'running')`);

const NO_TEXT = 'The standard of this analysis was deleted or its text was withdrawn.';

/** Ends the runs of a standard that are under way. */
export async function endRunsOfStandard(
  transaction: Transaction,
  standard: { readonly workspace_id: string; readonly id: string },
): Promise<void> {
  const workspaceId = standard.workspace_id;
  const runs = await transaction.many<{ id: string }>(sql`
    select id from analyses
    where workspace_id = ${workspaceId} and standard_id = ${standard.id} and status in ('queued', 'running')`);
  await endRuns(transaction, { workspaceId, ids: runs.map(({ id }) => id), error: NO_TEXT });
}

/** Ends those of the runs that are under way, and says why. */
export async function endRuns(
  transaction: Transaction,
  {
    workspaceId,
    ids,
    error,
  }: { readonly workspaceId: string; readonly ids: readonly string[]; readonly error: string },
): Promise<void> {
  const runs = await transaction.many<{ id: string }>(sql`
    select id from analyses
    where workspace_id = ${workspaceId} and id = any (${ids}::uuid[]) and status in ('queued', 'running')
    order by id for update`);
  const end = { status: 'failed', error } as const;
  for (const { id } of runs) {
    await endAnalysis(transaction, { workspaceId, id }, end);
    await addEvent(transaction, { workspaceId, id }, { type: 'failed', data: end });
  }
}

export const addEvent = async (
  transaction: Transaction,
  run: { readonly workspaceId: string; readonly id: string },
  event: { readonly type: string; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> => {
  const data = JSON.stringify({ analysis_id: run.id, ...event.data });
  await transaction.run(
    sql`select app.add_event(${run.workspaceId}, ${run.id}, ${event.type}, ${data}::jsonb)`,
  );
};

/** Many events of one type, in their order. */
export const addEvents = async (
  transaction: Transaction,
  run: { readonly workspaceId: string; readonly id: string },
  events: { readonly type: string; readonly data: readonly Readonly<Record<string, unknown>>[] },
): Promise<void> => {
  if (events.data.length === 0) return;
  const data = JSON.stringify(events.data.map((one) => ({ analysis_id: run.id, ...one })));
  await transaction.run(
    sql`select app.add_events(${run.workspaceId}, ${run.id}, ${events.type}, ${data}::jsonb)`,
  );
};
