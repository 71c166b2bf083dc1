import { buffer } from 'node:stream/consumers';
import { REPORT_FILES, type ReportFormat } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import type { JobHandler } from '../../platform/queue/queue.js';
import type { Engine } from '../engine/engine.js';
import { writeNewest } from '../engine/newest-progress.js';
import { parkAfterDeaths } from '../engine/park.js';
import { progressOf } from '../engine/run-news.js';
import type { AnalysisRow } from '../runs/analyses.repository.js';
import { announce } from '../webhooks/announce.js';
import type { RenderedReport, RenderReportInput } from './render-report-task.js';
import { renderReportTask } from './render-report-task.js';
import { RENDERING_SHARES } from './rendering-stages.js';
import type { PartRows } from './report-rows.js';
import { readPart, readWanted, uploadedStandards } from './report-rows.repository.js';
import type { OfReport } from './reports.jobs.js';
import * as repository from './reports.repository.js';
import type { ReportOptions } from './reports.schemas.js';

type Tools = Pick<Dependencies, 'database' | 'storage' | 'queue' | 'configuration'>;

/** Stands where words of a standard stood whose attestation was withdrawn. */
export const REMOVED = 'Removed with the text of the standard.';

/** Renders a report in a process and stores file and model; whoever lost the report to another worker stores nothing. */
export const renderReport =
  (tools: Tools, engine: Engine): JobHandler<OfReport> =>
  async (payload, { signal }) => {
    const { database, storage } = tools;
    const inWorkspace = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.withWorkspace(payload.workspaceId, work);
    const row = await inWorkspace(async (transaction) => {
      const taken = await repository.takeReport(transaction, payload);
      if (taken) await repository.tellReport(transaction, taken);
      return taken;
    });
    if (!row) return;
    const fail = (error: string): Promise<number> =>
      inWorkspace((transaction) => failAndTell(transaction, { ...payload, attempt: row.attempt }, error));
    const at = progressOf(RENDERING_SHARES);
    const progress = writeNewest((far) =>
      inWorkspace((transaction) => repository.tellProgress(transaction, row, far)),
    );
    const parts = await readParts(
      row,
      (statement) => inWorkspace((transaction) => transaction.many(statement)),
      (done) => progress.report(at('reading', done, row.analysis_ids.length)),
    );
    const wanted = await readWanted(
      (statement) => inWorkspace((transaction) => transaction.many(statement)),
      row.options,
      { workspaceId: row.workspace_id, analysisIds: row.analysis_ids },
    );
    if (!parts || !wanted) {
      await fail(GONE);
      return;
    }
    const workspace = await inWorkspace((transaction) =>
      transaction.one<{ name: string }>(sql`select name from workspaces where id = ${row.workspace_id}`),
    );
    const source = sourceOf(parts, {
      title: row.title,
      language: row.options.language,
      workspace: workspace.name,
      author: row.author_name,
      createdAt: new Date(row.created_at).toISOString(),
      stated: statedIn(row.options),
      wanted,
    });
    const options = { failOn: row.options.fail_on };
    let rendered: RenderedReport;
    try {
      const input = { format: row.format, options, source, keepModel: true };
      rendered = await engine.run(renderReportTask, input, {
        signal,
        group: row.workspace_id,
        onNews: (news) => {
          if (news.kind === 'progress') progress.report(news.progress);
        },
      });
    } catch (error) {
      await progress.finish();
      const parked = await parkAfterDeaths(error, inWorkspace, {
        table: sql`reports`,
        where: sql`workspace_id = ${row.workspace_id} and id = ${row.id} and attempt = ${row.attempt}`,
        what: 'The report',
        hint: 'Choose another format, or fewer analyses.',
      });
      if (!parked) throw error;
      await fail(parked.text);
      return;
    }
    progress.report(at('storing', 0, 1));
    const keys = await storeRendition(storage, row, rendered);
    await progress.finish();
    const isKept = await inWorkspace(async (transaction) => {
      const { contentHash, sha256, toolVersion, bytes } = rendered;
      const file = { ...keys, contentHash, sha256, toolVersion, size: bytes.byteLength };
      const standardIds = uploadedStandards(parts);
      if ((await repository.finishReport(transaction, row, { ...file, standardIds })) === 0) return false;
      await repository.tellReport(transaction, { ...row, status: 'completed' });
      await announce(tools, transaction, {
        workspaceId: row.workspace_id,
        type: 'report.completed',
        data: { report_id: row.id, type: row.type, format: row.format },
        path: `/api/v1/reports/${row.id}`,
      });
      return true;
    });
    // Deleted or taken over meanwhile: nobody else would delete what was written here.
    if (isKept) return;
    const objects = storage.within(row.workspace_id);
    await Promise.all([objects.delete(keys.objectKey), objects.delete(keys.modelKey)]);
  };

/** What the report is about, as its author may read it; undefined when an analysis is gone. */
async function readParts(
  { analysis_ids, created_by }: repository.ReportRow,
  read: <Row>(statement: Statement) => Promise<Row[]>,
  haveRead: (parts: number) => void,
): Promise<readonly PartRows[] | undefined> {
  const parts: PartRows[] = [];
  for (const id of analysis_ids) {
    const part = await readPart(read, id, created_by);
    if (!part) return undefined;
    parts.push(part);
    haveRead(parts.length);
  }
  return parts;
}

async function failAndTell(
  transaction: Transaction,
  run: OfReport & { readonly attempt?: number },
  error: string,
): Promise<number> {
  const failed = await repository.failReport(transaction, run, error);
  const row = await transaction.maybeOne<repository.ReportRow>(repository.selectReport(run.reportId));
  if (failed > 0 && row) await repository.tellReport(transaction, row);
  return failed;
}

const GONE = 'An analysis of this report was deleted.';
const OUR_FAULT =
  'The report could not be rendered because of an error on our side. Try again; if it fails again, tell the operator.';

/** The last word on a report that no attempt could render. */
export const giveUpReport =
  ({ database }: Pick<Tools, 'database'>): JobHandler<OfReport> =>
  async (payload) => {
    await database.withWorkspace(payload.workspaceId, (transaction) =>
      failAndTell(transaction, payload, OUR_FAULT),
    );
  };

/**
 * Takes the words of standards that have to be forgotten out of a report: a rendition without them replaces file and
 * model, whose objects are deleted.
 */
export const withdrawReport =
  (tools: Tools, engine: Engine): JobHandler<OfReport> =>
  async ({ workspaceId, reportId }, { signal }) => {
    const { database, storage } = tools;
    const objects = storage.within(workspaceId);
    const row = await database.withWorkspace(workspaceId, (transaction) =>
      transaction.maybeOne<repository.ReportRow>(repository.selectReport(reportId)),
    );
    if (!row || row.object_key === null || row.model_key === null || row.standard_ids.length === 0) return;
    const rendered = await engine.run(
      renderReportTask,
      {
        format: row.format,
        options: { failOn: row.options.fail_on },
        source: { kind: 'model', packed: new Uint8Array(await buffer(await objects.read(row.model_key))) },
        without: { standardIds: row.standard_ids, instead: REMOVED },
        keepModel: true,
      },
      { signal, group: workspaceId },
    );
    const keys = await storeRendition(storage, row, rendered);
    const replaced = await database.withWorkspace(workspaceId, (transaction) =>
      repository.replaceFile(transaction, row, {
        ...keys,
        sha256: rendered.sha256,
        size: rendered.bytes.byteLength,
      }),
    );
    const old = replaced > 0 ? [row.object_key, row.model_key] : [keys.objectKey, keys.modelKey];
    await Promise.all(old.map((key) => objects.delete(key)));
  };

/** Writes file and model. Each attempt has its own objects: an abandoned one cannot overwrite a later one. */
async function storeRendition(
  storage: Tools['storage'],
  row: repository.ReportRow,
  { bytes, model }: RenderedReport,
): Promise<{ readonly objectKey: string; readonly modelKey: string }> {
  const folder = `${folderOf(row)}/${row.attempt}`;
  const keys = { objectKey: `${folder}/report`, modelKey: `${folder}/model` };
  const objects = storage.within(row.workspace_id);
  await objects.write(keys.objectKey, asBuffer(bytes), mediaTypeOf(row.format));
  await objects.write(keys.modelKey, asBuffer(model!), 'application/gzip');
  return keys;
}

export const folderOf = ({ workspace_id, id }: Pick<repository.ReportRow, 'workspace_id' | 'id'>): string =>
  `${workspace_id}/reports/${id}`;

export const mediaTypeOf = (format: ReportFormat): string => REPORT_FILES[format].mediaType;

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What the options put on the cover and leave out of print. */
export const statedIn = ({
  chapters,
  confidentiality,
  cover,
}: Pick<ReportOptions, 'chapters' | 'confidentiality' | 'cover'>): NonNullable<
  Extract<RenderReportInput['source'], { kind: 'rows' }>['stated']
> => ({
  ...(chapters ? { chapters } : {}),
  ...(confidentiality === undefined ? {} : { mark: confidentiality }),
  ...(cover ? { cover } : {}),
});

/** What a process makes a report of. The scope is that of the analyses, where they agree. */
export function sourceOf(
  parts: readonly PartRows[],
  about: Omit<Extract<RenderReportInput['source'], { kind: 'rows' }>, 'kind' | 'parts' | 'scope'>,
): RenderReportInput['source'] {
  const scopes = parts.map(({ analysis }) => scopeOf(analysis));
  const [first = {}] = scopes;
  const agree = scopes.every((scope) => scope.item === first.item && scope.variant === first.variant);
  return { kind: 'rows', ...about, scope: agree ? first : {}, parts };
}

function scopeOf({ options }: AnalysisRow): { readonly item?: string; readonly variant?: string } {
  const { item, variant } = options as { readonly item?: string; readonly variant?: string };
  return { ...(item === undefined ? {} : { item }), ...(variant === undefined ? {} : { variant }) };
}
