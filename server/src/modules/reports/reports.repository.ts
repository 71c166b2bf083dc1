import type { ReportFormat } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { containing, isAnyOf } from '../../platform/http/pagination.js';
import { tellWorkspace } from '../runs/tell-workspace.js';
import { isReadable } from '../standards/words.repository.js';
import type { RenderingStage } from './rendering-stages.js';
import type { REPORT_STATUSES, REPORT_TYPES, ReportOptions } from './reports.schemas.js';

export interface ReportRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly type: (typeof REPORT_TYPES)[number];
  readonly format: ReportFormat;
  readonly title: string;
  readonly options: ReportOptions;
  readonly status: (typeof REPORT_STATUSES)[number];
  readonly error: string | null;
  readonly attempt: number;
  readonly stage: RenderingStage | null;
  readonly percent: number;
  readonly analysis_ids: readonly string[];
  readonly standard_ids: readonly string[];
  readonly content_hash: string | null;
  readonly sha256: string | null;
  readonly file_size: string | number | null;
  readonly object_key: string | null;
  readonly model_key: string | null;
  readonly tool_version: string;
  readonly words_withdrawn_at: string | Date | null;
  readonly original_sha256: string | null;
  readonly created_by: string;
  readonly author_name: string;
  readonly created_at: string;
  readonly completed_at: string | Date | null;
  readonly updated_at: string | Date;
}

/** A report with what decides in which form somebody may read it. */
export interface ReadableReportRow extends ReportRow {
  /** They may read the words of every uploaded standard in it. */
  readonly readable: boolean;
  readonly reader_name: string;
}

const columns = sql`r.workspace_id, r.id, r.type, r.format, r.title, r.options, r.status, r.error, r.attempt, r.stage, r.percent,
  r.analysis_ids, r.standard_ids, r.content_hash, r.sha256, r.file_size, r.object_key, r.model_key, r.tool_version,
  r.words_withdrawn_at, r.original_sha256, r.created_by, r.author_name, r.created_at, r.completed_at, r.updated_at`;

export const workspaceOfReport = (id: string): Statement =>
  sql`select workspace_id from reports where id = ${id}`;

export const selectReport = (id: string): Statement =>
  sql`select ${columns} from reports r where r.id = ${id}`;

export const selectReportFor = (id: string, userId: string): Statement => sql`
  select ${columns},
         not exists (select from unnest(r.standard_ids) as s (id) where not ${isReadable(sql`s.id`, userId)})
           as readable,
         coalesce((select p.name from profiles p where p.id = ${userId}), '') as reader_name
  from reports r where r.id = ${id}`;

export function selectReports(filters: {
  readonly workspace_id?: string | undefined;
  readonly analysis_id?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly format?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly search?: string | undefined;
}): Statement {
  const all = sql`true`;
  const is = (column: Statement, value: string | undefined): Statement =>
    value === undefined ? all : sql`${column} = ${value}`;
  return sql`
    select ${columns} from reports r
    where ${is(sql`r.workspace_id`, filters.workspace_id)} and ${isAnyOf(sql`r.type`, filters.type)}
      and ${isAnyOf(sql`r.format`, filters.format)} and ${isAnyOf(sql`r.status`, filters.status)}
      and ${filters.analysis_id === undefined ? all : sql`${filters.analysis_id}::uuid = any (r.analysis_ids)`}
      and ${filters.search ? sql`r.title ilike ${containing(filters.search)}` : all}`;
}

export const lockReport = async (transaction: Transaction, id: string): Promise<ReportRow | undefined> => {
  await transaction.maybeOne(sql`select id from reports where id = ${id} for update`);
  return transaction.maybeOne(selectReport(id));
};

export async function insertReport(
  transaction: Transaction,
  report: Pick<
    ReportRow,
    'workspace_id' | 'id' | 'type' | 'format' | 'title' | 'options' | 'analysis_ids' | 'created_by'
  >,
): Promise<ReportRow> {
  await transaction.run(sql`
    insert into reports (workspace_id, id, type, format, title, options, analysis_ids, created_by, author_name)
    values (${report.workspace_id}, ${report.id}, ${report.type}, ${report.format}, ${report.title},
            ${JSON.stringify(report.options)}::jsonb, ${report.analysis_ids}::uuid[], ${report.created_by},
            coalesce((select p.name from profiles p where p.id = ${report.created_by}), ''))`);
  return transaction.one(selectReport(report.id));
}

export const requeueReport = (transaction: Transaction, row: ReportRow): Promise<number> =>
  transaction.run(sql`
    update reports set status = 'queued', error = null, stage = null, percent = 0
    where workspace_id = ${row.workspace_id} and id = ${row.id}`);

export const deleteReport = (transaction: Transaction, row: ReportRow): Promise<number> =>
  transaction.run(sql`delete from reports where workspace_id = ${row.workspace_id} and id = ${row.id}`);

/** Takes a report for an attempt; undefined when there is nothing to do. */
export const takeReport = async (
  transaction: Transaction,
  { workspaceId, reportId }: { readonly workspaceId: string; readonly reportId: string },
): Promise<ReportRow | undefined> => {
  const taken = await transaction.run(sql`
    update reports set status = 'running', attempt = attempt + 1
    where workspace_id = ${workspaceId} and id = ${reportId} and status in ('queued', 'running')`);
  return taken === 0 ? undefined : transaction.maybeOne(selectReport(reportId));
};

/** Stores what was rendered; 0 when the report is gone or in other hands. */
export const finishReport = (
  transaction: Transaction,
  row: ReportRow,
  file: {
    readonly contentHash: string;
    readonly sha256: string;
    readonly size: number;
    readonly objectKey: string;
    readonly modelKey: string;
    readonly standardIds: readonly string[];
    readonly toolVersion: string;
  },
): Promise<number> =>
  transaction.run(sql`
    update reports
    set status = 'completed', error = null, content_hash = ${file.contentHash}, sha256 = ${file.sha256},
        file_size = ${file.size}, object_key = ${file.objectKey}, model_key = ${file.modelKey},
        standard_ids = ${file.standardIds}::uuid[], tool_version = ${file.toolVersion}, completed_at = now()
    where workspace_id = ${row.workspace_id} and id = ${row.id} and attempt = ${row.attempt}
      and status = 'running'`);

export const failReport = (
  transaction: Transaction,
  run: { readonly workspaceId: string; readonly reportId: string; readonly attempt?: number },
  error: string,
): Promise<number> =>
  transaction.run(sql`
    update reports set status = 'failed', error = ${error}
    where workspace_id = ${run.workspaceId} and id = ${run.reportId} and status in ('queued', 'running')
      and (${run.attempt ?? null}::integer is null or attempt = ${run.attempt ?? null})`);

/** Tells who watches the workspace how far a report is, or that it is gone. */
export const tellReport = (
  transaction: Transaction,
  row: Pick<ReportRow, 'workspace_id' | 'id' | 'type' | 'format'> & {
    readonly status: ReportRow['status'] | 'deleted';
  },
): Promise<number> =>
  transaction.run(sql`
    select app.add_event(${row.workspace_id}, null, 'report', ${JSON.stringify({
      report_id: row.id,
      type: row.type,
      format: row.format,
      status: row.status,
    })}::jsonb)`);

/** Keeps and tells how far a report is. After a worker died it begins again, but never looks as if it went back. */
export async function tellProgress(
  transaction: Transaction,
  row: Pick<ReportRow, 'workspace_id' | 'id' | 'attempt'>,
  { stage, percent }: { readonly stage: string; readonly percent: number },
): Promise<void> {
  const shown = await transaction.maybeOne<{ percent: number }>(sql`
    update reports set stage = ${stage}, percent = greatest(percent, ${percent})
    where workspace_id = ${row.workspace_id} and id = ${row.id} and attempt = ${row.attempt} and status = 'running'
    returning percent`);
  if (!shown) return;
  await tellWorkspace(transaction, row.workspace_id, {
    event: 'report_progress',
    data: { report_id: row.id, stage, percent: shown.percent },
  });
}

/** Ids of reports with words of a standard that has to be forgotten; nobody gets their files from now on. */
export async function withdrawWords(
  transaction: Transaction,
  standard: { readonly workspace_id: string; readonly id: string },
): Promise<readonly string[]> {
  const rows = await transaction.many<{ id: string }>(sql`
    update reports set words_withdrawn_at = now(), attempt = attempt + 1
    where workspace_id = ${standard.workspace_id} and ${standard.id}::uuid = any (standard_ids) returning id`);
  return rows.map(({ id }) => id);
}

/** The rendition without the words takes the place of the one before. */
export const replaceFile = (
  transaction: Transaction,
  row: ReportRow,
  file: {
    readonly sha256: string;
    readonly size: number;
    readonly objectKey: string;
    readonly modelKey: string;
  },
): Promise<number> =>
  transaction.run(sql`
    update reports
    set original_sha256 = coalesce(original_sha256, sha256), sha256 = ${file.sha256}, file_size = ${file.size},
        object_key = ${file.objectKey}, model_key = ${file.modelKey}, standard_ids = '{}'
    where workspace_id = ${row.workspace_id} and id = ${row.id} and attempt = ${row.attempt}`);
