import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { REPORT_FILES, type ReportFormat } from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import { matchesNone } from '../../platform/http/etag.js';
import type { GuardedContext, ReadContext, WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { attachmentDisposition, cleanFileName } from '../uploads/file-name.js';
import { deleteObjects } from '../uploads/uploads.jobs.js';
import { folderOf, mediaTypeOf, sourceOf, statedIn } from './render-report.js';
import { renderReportTask } from './render-report-task.js';
import type { PartRows } from './report-rows.js';
import {
  readPart,
  readWanted,
  type SinceRow,
  selectNewest,
  selectSince,
  uploadedStandards,
} from './report-rows.repository.js';
import { renderReportJob } from './reports.jobs.js';
import * as repository from './reports.repository.js';
import type { ExportQuery, NewReport, NewReportPreview, Report } from './reports.schemas.js';

type Writing = Pick<
  WriteContext,
  'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies' | 'grant'
>;

/** Stands for words that the reader of a copy may not read. */
const HIDDEN = 'Only the holder of its licence may read the words of this standard.';
/** Copies and exports that take longer are given up. */
const PATIENCE_MILLISECONDS = 120_000;

export const toReport = (row: repository.ReportRow): Report => ({
  id: row.id,
  workspace_id: row.workspace_id,
  type: row.type,
  format: row.format,
  title: row.title,
  options: row.options,
  status: row.status,
  stage: row.status === 'completed' ? null : row.stage,
  percent: row.status === 'completed' ? 100 : row.percent,
  error: row.error,
  analysis_ids: [...row.analysis_ids],
  content_hash: row.content_hash,
  sha256: row.sha256,
  file_size: row.file_size === null ? null : Number(row.file_size),
  file_name: fileNameOf(row.title, row.format),
  media_type: mediaTypeOf(row.format),
  tool_version: row.tool_version,
  words_withdrawn_at: timestampOrNull(row.words_withdrawn_at),
  original_sha256: row.original_sha256,
  created_by: row.created_by,
  created_at: timestamp(row.created_at),
  finished_at: timestampOrNull(row.completed_at),
  updated_at: timestamp(row.updated_at),
});

interface ReportedAnalysis {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly standard_name: string;
}

type Asked = Pick<z.output<typeof NewReport>, 'workspace_id' | 'type' | 'analysis_ids'>;

const selectReported = ({ workspace_id, analysis_ids }: Asked) => sql`
  select id, type, status, standard_name from analyses
  where workspace_id = ${workspace_id} and id = any (${analysis_ids}::uuid[])`;

/** Names of what the analyses are about. Throws where they make no report of the type; `at`: where they are named. */
function subjectsOf(
  analyses: readonly ReportedAnalysis[],
  { type, analysis_ids: ids }: Asked,
  at: string,
): string[] {
  if (new Set(ids).size < ids.length) {
    throw invalid(at, 'Name each analysis once.', 'duplicate');
  }
  const byId = new Map(analyses.map((one) => [one.id, one]));
  for (const [index, id] of ids.entries()) {
    const path = `${at}.${index}`;
    const analysis = byId.get(id);
    if (!analysis) throw invalid(path, 'There is no such analysis in this workspace.', 'unknown');
    if (type !== 'full' && analysis.type !== type) {
      throw invalid(
        path,
        `This analysis is of type ${analysis.type}. Use it or "full" as type.`,
        'other_type',
      );
    }
    if (analysis.status !== 'completed') {
      throw invalid(path, `This analysis has no result: it is ${analysis.status}.`, 'not_completed');
    }
  }
  return [...new Set(ids.map((id) => byId.get(id)!.standard_name))].filter((one) => one !== '');
}

/** Throws where findings are wanted since a run that none of the analyses can be compared with. */
async function checkSince(
  read: <Row>(statement: Statement) => Promise<Row[]>,
  asked: Pick<Asked, 'workspace_id' | 'analysis_ids'> & { readonly since?: string | undefined },
  at: string,
): Promise<void> {
  if (asked.since === undefined) return;
  const place = { workspaceId: asked.workspace_id, since: asked.since, analysisIds: asked.analysis_ids };
  const [run] = await read<SinceRow>(selectSince(place));
  if (!run) throw invalid(at, 'There is no such run with a result in this workspace.', 'unknown');
  if (run.comparable.length === 0) {
    throw invalid(
      at,
      'Name an earlier run of the same kind and subject as one of the analyses.',
      'other_series',
    );
  }
}

/** Queues a report in the transaction that makes its row. */
export async function createReport(context: Writing, input: z.output<typeof NewReport>): Promise<Report> {
  const { transaction, caller, dependencies, request } = context;
  const ids = input.analysis_ids;
  const subjects = subjectsOf(
    await transaction.many<ReportedAnalysis>(selectReported(input)),
    input,
    'body.analysis_ids',
  );
  await checkSince(
    (statement) => transaction.many(statement),
    { ...input, ...input.options },
    'body.options.since',
  );
  const row = await repository.insertReport(transaction, {
    workspace_id: input.workspace_id,
    id: randomUUID(),
    type: input.type,
    format: input.format,
    title: input.title ?? titleOf(input.type, subjects),
    options: input.options,
    analysis_ids: ids,
    created_by: caller.userId,
  });
  await dependencies.queue.enqueue(transaction, renderReportJob, {
    workspaceId: row.workspace_id,
    reportId: row.id,
  });
  await repository.tellReport(transaction, row);
  await recordAudit(transaction, {
    ...about(row),
    action: 'report.created',
    actorId: caller.userId,
    after: { type: row.type, format: row.format, analysis_ids: ids },
    requestId: request.id,
  });
  return toReport(row);
}

/** Renders a failed report once more. Any other stays as it is. */
export async function retryReport({ transaction, dependencies }: Writing, id: string): Promise<Report> {
  const row = await repository.lockReport(transaction, id);
  if (!row) throw notFound('report');
  if (row.status === 'completed') {
    throw new ApiError('CONFLICT', 'This report is complete and does not change. Make a new one.');
  }
  if (row.status !== 'failed') return toReport(row);
  await repository.requeueReport(transaction, row);
  await repository.tellReport(transaction, { ...row, status: 'queued' });
  await dependencies.queue.enqueue(transaction, renderReportJob, {
    workspaceId: row.workspace_id,
    reportId: id,
  });
  return toReport(await transaction.one(repository.selectReport(id)));
}

/** Deletes a report; its objects are deleted by a job of the same transaction. */
export async function removeReport(
  { transaction, precondition, caller, request, dependencies, grant }: Writing,
  id: string,
): Promise<void> {
  const row = await repository.lockReport(transaction, id);
  if (!row) throw notFound('report');
  if (grant.kind === 'own' && row.created_by !== caller.userId) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Engineers may delete the reports that they made.');
  }
  precondition.check(toReport(row));
  await repository.deleteReport(transaction, row);
  await repository.tellReport(transaction, { ...row, status: 'deleted' });
  await dependencies.queue.enqueue(transaction, deleteObjects, {
    workspaceId: row.workspace_id,
    prefix: `${folderOf(row)}/`,
  });
  await recordAudit(transaction, {
    ...about(row),
    action: 'report.deleted',
    actorId: caller.userId,
    before: { type: row.type, format: row.format, sha256: row.sha256 },
    requestId: request.id,
  });
}

type Reading = Pick<ReadContext, 'read' | 'caller' | 'grant' | 'reply' | 'request' | 'dependencies' | 'now'>;

/**
 * Sends the file as it was stored; to a viewer, and to whoever may not read the words of a standard in it, a copy
 * without them, rendered from the same model and marked with name and time for a viewer (domain I.3).
 */
export async function downloadReport(context: Reading, id: string): Promise<unknown> {
  const { grant, reply, request, dependencies } = context;
  const row = await finishedReport(context, id);
  offer(reply, fileNameOf(row.title, row.format), row.format);
  if (row.readable && !isMarkedCopy(grant)) {
    const tag = `"${row.sha256}"`;
    reply.header('etag', tag);
    if (matchesNone(request.headers['if-none-match'], tag)) return reply.code(304).send();
    reply.header('content-length', String(row.file_size));
    return reply.send(await dependencies.storage.within(row.workspace_id).read(row.object_key));
  }
  return reply.send(await renderAgain(context, row, row.format));
}

/** What a page may do that shows a report: nothing but its own style and pictures, in a frame of ours. */
const PREVIEW_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; sandbox; frame-ancestors 'self'";

/** A report of any format as a page, with the words that the caller may read. */
export async function previewReport(context: Reading, id: string): Promise<unknown> {
  const row = await finishedReport(context, id);
  return sendPreview(context, await renderAgain(context, row, 'html'));
}

/** What `createReport` would make, as a page, as the caller may read it. Nothing is kept. */
export async function previewNewReport(
  context: Reading,
  input: z.output<typeof NewReportPreview>,
): Promise<unknown> {
  const { read, caller, request, now } = context;
  const subjects = subjectsOf(
    await read<ReportedAnalysis>(selectReported(input)),
    input,
    'query.analysis_ids',
  );
  await checkSince(read, input, 'query.since');
  const parts: PartRows[] = [];
  for (const id of input.analysis_ids) {
    const part = await readPart(read, id, caller.userId);
    if (!part) throw notFound('analysis');
    parts.push(part);
  }
  const names = await namesOf(context, input.workspace_id);
  const wanted = await readWanted(read, input, {
    workspaceId: input.workspace_id,
    analysisIds: input.analysis_ids,
  });
  const { bytes } = await request.server.engine.run(
    renderReportTask,
    {
      format: 'html',
      options: {},
      source: sourceOf(parts, {
        title: input.title ?? titleOf(input.type, subjects),
        language: input.language,
        ...names,
        createdAt: now.toISOString(),
        stated: statedIn(input),
        ...(wanted ? { wanted } : {}),
      }),
    },
    { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS), group: input.workspace_id },
  );
  return sendPreview(context, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

const sendPreview = ({ reply }: Reading, page: Buffer): unknown =>
  reply
    .type('text/html; charset=utf-8')
    .header('content-disposition', 'inline')
    .header('content-security-policy', PREVIEW_POLICY)
    .send(page);

/** Of the workspace, and of the caller as author. */
async function namesOf(
  { read, caller }: Reading,
  workspaceId: string,
): Promise<{ readonly workspace: string; readonly author: string }> {
  const [names] = await read<{ workspace: string; author: string }>(sql`
    select w.name as workspace, coalesce((select p.name from profiles p where p.id = ${caller.userId}), '') as author
    from workspaces w where w.id = ${workspaceId}`);
  return names ?? { workspace: '', author: '' };
}

type FinishedReport = repository.ReadableReportRow & {
  readonly object_key: string;
  readonly model_key: string;
};

async function finishedReport({ read, caller }: Reading, id: string): Promise<FinishedReport> {
  const [row] = await read<repository.ReadableReportRow>(repository.selectReportFor(id, caller.userId));
  if (!row) throw notFound('report');
  const { object_key, model_key } = row;
  if (row.status !== 'completed' || object_key === null || model_key === null) {
    throw new ApiError('CONFLICT', `The report is ${row.status}. Wait until it is completed.`);
  }
  if (row.words_withdrawn_at !== null && row.standard_ids.length > 0) {
    throw new ApiError(
      'CONFLICT',
      'Words of a standard are being taken out of this report, because its attestation was withdrawn. Try again in a moment.',
    );
  }
  return { ...row, object_key, model_key };
}

/** From what it was made of, for this reader: without words that they may not read, a viewer's copy marked as such. */
async function renderAgain(
  { grant, request, dependencies, now }: Reading,
  row: FinishedReport,
  format: ReportFormat,
): Promise<Buffer> {
  const { bytes } = await request.server.engine.run(
    renderReportTask,
    {
      format,
      options: { failOn: row.options.fail_on },
      source: {
        kind: 'model',
        packed: new Uint8Array(
          await buffer(await dependencies.storage.within(row.workspace_id).read(row.model_key)),
        ),
      },
      ...(row.readable && !isMarkedCopy(grant)
        ? {}
        : { without: { standardIds: row.standard_ids, instead: HIDDEN } }),
      ...(isMarkedCopy(grant) ? { copyFor: { name: row.reader_name, at: now.toISOString() } } : {}),
    },
    { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) },
  );
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const EXPORTED = {
  gap_analysis: 'Gap analysis',
  checklist: 'Checklist',
  completeness: 'Completeness',
  traceability: 'Traceability',
} as const;

/** Renders an analysis at once, as the caller may read it. */
export async function exportAnalysis(
  context: Reading,
  type: keyof typeof EXPORTED,
  query: z.output<typeof ExportQuery>,
): Promise<unknown> {
  const { read, caller, grant, reply, request, now } = context;
  const id = query.analysis_id ?? (await newest(context, type, query));
  const part = id === undefined ? undefined : await readPart(read, id, caller.userId);
  if (part?.analysis.workspace_id !== query.workspace_id || part.analysis.type !== type) {
    throw notFound('analysis');
  }
  if (part.analysis.status !== 'completed') {
    throw new ApiError('CONFLICT', `The analysis has no result: it is ${part.analysis.status}.`);
  }
  const names = await namesOf(context, query.workspace_id);
  const title = titleOf(
    type,
    [part.analysis.standard_name].filter((one) => one !== ''),
  );
  const { bytes } = await request.server.engine.run(
    renderReportTask,
    {
      format: query.format,
      options: { failOn: query.fail_on },
      source: sourceOf([part], {
        title,
        language: query.language,
        ...names,
        createdAt: now.toISOString(),
      }),
      ...(isMarkedCopy(grant)
        ? {
            without: { standardIds: uploadedStandards([part]), instead: HIDDEN },
            copyFor: { name: names.author, at: now.toISOString() },
          }
        : {}),
    },
    { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) },
  );
  offer(reply, fileNameOf(title, query.format), query.format);
  return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

async function newest(
  { read }: Reading,
  type: string,
  { workspace_id: workspaceId, standard_id: standardId }: z.output<typeof ExportQuery>,
): Promise<string | undefined> {
  const [row] = await read<{ id: string }>(selectNewest({ workspaceId, type, standardId }));
  return row?.id;
}

const isMarkedCopy = ({ kind }: GuardedContext['grant']): boolean => kind === 'when';

/** Headers of a file that nobody's browser shall run or guess about. */
function offer(reply: ReadContext['reply'], fileName: string, format: ReportFormat): void {
  reply
    .header('content-disposition', attachmentDisposition(fileName))
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .type(mediaTypeOf(format));
}

const fileNameOf = (title: string, format: ReportFormat): string =>
  `${cleanFileName(title.replace(/[/\\]/g, '-')) ?? 'report'}.${REPORT_FILES[format].extension}`;

const titleOf = (type: Report['type'], subjects: readonly string[]): string => {
  const kind = type === 'full' ? 'Compliance report' : EXPORTED[type];
  return (subjects.length === 0 ? kind : `${kind} – ${subjects.join(', ')}`).slice(0, 300);
};

const about = (row: repository.ReportRow) => ({
  workspaceId: row.workspace_id,
  targetType: 'report',
  targetId: row.id,
});
