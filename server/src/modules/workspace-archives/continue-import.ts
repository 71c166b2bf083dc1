import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { ApiError } from '../../platform/http/api-error.js';
import { PaymentRequired } from '../../platform/http/subscription-gate.js';
import type { JobHandler, Queue } from '../../platform/queue/queue.js';
import { StartChecklist } from '../checklists/checklist-analysis.schemas.js';
import { startChecklist } from '../checklists/checklist-analysis.service.js';
import { StartCompleteness } from '../completeness/completeness.schemas.js';
import { startCompleteness } from '../completeness/completeness.service.js';
import { startGapAnalysis } from '../gap-analysis/gap-analysis.service.js';
import { StartGapAnalysis } from '../runs/analyses.schemas.js';
import type { Starting } from '../runs/analyses.service.js';
import { startTraceAnalysis } from '../traceability/trace-analysis.service.js';
import { StartTraceAnalysis } from '../traceability/trace-views.schemas.js';
import type { RowOf } from './archive-rows.schemas.js';
import { type ContinueImport, continueImportJob } from './archives.jobs.js';
import { answerItems } from './imported-answers.js';

interface RunRow {
  readonly id: string;
  readonly series: string;
  readonly content: RowOf<'runs'>;
  readonly outcome: 'started' | null;
  readonly imported_by: string;
  /** Of the run that was started. */
  readonly status: string | null;
  readonly error: string | null;
  readonly analysis_id: string | null;
}

/** How soon it looks again whether documents have been read and runs have ended. */
const AGAIN_SECONDS = 2;

/**
 * Starts the analyses that an archive had, once its documents have been read here, and puts the answers of people beside
 * their results. Looks again until nothing of it is under way; what waits for a standard goes on when that has been read.
 */
export const continueImport =
  (tools: Dependencies): JobHandler<ContinueImport> =>
  async ({ workspaceId }) => {
    const { database, queue } = tools;
    const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.withWorkspace(workspaceId, work);
    const isReading = await within((transaction) => isUnderWay(transaction, workspaceId));
    let isMoving = isReading;
    if (!isReading) {
      const runs = await within((transaction) => selectRuns(transaction, workspaceId));
      for (const run of runs) {
        if (run.outcome === null) isMoving = (await start(tools, workspaceId, run)) || isMoving;
        else if (run.status === 'queued' || run.status === 'running') isMoving = true;
        else await within((transaction) => end(tools, transaction, { workspaceId, run }));
      }
    }
    if (isMoving) {
      await within((transaction) =>
        queue.enqueue(transaction, continueImportJob, { workspaceId }, { afterSeconds: AGAIN_SECONDS }),
      );
    }
  };

/** Lets the rest of an import of this workspace go on, where one waits: something that it needs may be there now. */
export async function resumeImport(
  queue: Queue,
  transaction: Transaction,
  workspaceId: string,
): Promise<void> {
  const waits = await transaction.maybeOne(sql`
    select id from imported_work
    where workspace_id = ${workspaceId} and kind = 'runs' and outcome is null limit 1`);
  if (waits) await queue.enqueue(transaction, continueImportJob, { workspaceId });
}

const isUnderWay = async (transaction: Transaction, workspaceId: string): Promise<boolean> =>
  (await transaction.maybeOne(sql`
    select v.work_product_id from work_product_versions v
    join work_products p on p.workspace_id = v.workspace_id and p.id = v.work_product_id and p.deleted_at is null
    where v.workspace_id = ${workspaceId} and v.version = p.version and v.processing_status in ('queued', 'running')
    limit 1`)) !== undefined;

const selectRuns = (transaction: Transaction, workspaceId: string): Promise<RunRow[]> =>
  transaction.many(sql`
    select w.id, w.series, w.content, w.outcome, w.imported_by, w.analysis_id, a.status, a.error
    from imported_work w
    left join analyses a on a.workspace_id = w.workspace_id and a.id = w.analysis_id
    where w.workspace_id = ${workspaceId} and w.kind = 'runs' and (w.outcome is null or w.outcome = 'started')
    order by w.number`);

/** Starts a run as whoever imported the workspace. True when something is under way now. */
async function start(tools: Dependencies, workspaceId: string, run: RunRow): Promise<boolean> {
  const { database, clock } = tools;
  try {
    return await database.withActor({ userId: run.imported_by }, async (transaction) => {
      // Of two jobs at once, one starts it.
      const isOurs = await transaction.run(sql`
        update imported_work set outcome = 'started'
        where workspace_id = ${workspaceId} and id = ${run.id} and outcome is null`);
      if (isOurs === 0) return true;
      const profile = await transaction.one<{ plan: string | null }>(
        sql`select subscription_plan as plan from profiles where id = ${run.imported_by}`,
      );
      const caller = { userId: run.imported_by, subscription: { active: true, plan: profile.plan } };
      const starting = { transaction, caller, dependencies: tools, now: clock() };
      const { id } = await startRun(starting, workspaceId, run.content);
      await transaction.run(sql`
        update imported_work set analysis_id = ${id} where workspace_id = ${workspaceId} and id = ${run.id}`);
      return true;
    });
  } catch (error) {
    const isWaiting = error instanceof ApiError && isAboutStandard(error);
    if (isWaiting) return false;
    if (!(error instanceof ApiError || error instanceof PaymentRequired)) throw error;
    await database.withWorkspace(workspaceId, (transaction) =>
      giveUp(transaction, workspaceId, run, error.message),
    );
    return false;
  }
}

/** Its standard has to be attested or read first. */
const isAboutStandard = ({ details }: ApiError): boolean =>
  ['not_attested', 'standard_not_ready'].includes(
    String((details as { reason?: unknown } | undefined)?.reason),
  );

async function startRun(
  starting: Starting & { readonly now: Date },
  workspaceId: string,
  run: RowOf<'runs'>,
): Promise<{ readonly id: string }> {
  const request = {
    workspace_id: workspaceId,
    mode: 'auto',
    force: true,
    fresh_answers: false,
    options: run.options,
  };
  if (run.type === 'traceability') return startTraceAnalysis(starting, StartTraceAnalysis.parse(request));
  const ids = await readAmong(starting.transaction, workspaceId, run.work_product_ids);
  const inputs = { ...request, work_product_ids: ids };
  if (run.type === 'gap_analysis') {
    return startGapAnalysis(starting, StartGapAnalysis.parse({ ...inputs, standard_id: run.standard_id }));
  }
  if (run.type === 'checklist') {
    return startChecklist(starting, StartChecklist.parse({ ...inputs, checklist_id: run.checklist_id }));
  }
  return startCompleteness(
    starting,
    StartCompleteness.parse({
      ...inputs,
      ...(run.template_id === null ? {} : { template_id: run.template_id }),
    }),
  );
}

/** Those of the work products that could be read here. */
async function readAmong(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[] | null,
): Promise<readonly string[] | undefined> {
  if (ids === null) return undefined;
  const read = await transaction.many<{ id: string }>(sql`
    select p.id from work_products p
    join work_product_versions v on v.workspace_id = p.workspace_id and v.work_product_id = p.id and v.version = p.version
    where p.workspace_id = ${workspaceId} and p.id = any (${ids}::uuid[]) and p.deleted_at is null
      and p.processing_status = 'completed' and v.format is distinct from 'zip'`);
  return read.length === 0 ? undefined : read.map(({ id }) => id);
}

async function end(
  tools: Dependencies,
  transaction: Transaction,
  { workspaceId, run }: { readonly workspaceId: string; readonly run: RunRow },
): Promise<void> {
  if (run.status !== 'completed' || run.analysis_id === null) {
    await giveUp(
      transaction,
      workspaceId,
      run,
      `The ${run.content.type} ended without a result. ${run.error ?? ''}`,
    );
    return;
  }
  if (run.content.type === 'checklist') {
    await answerItems(
      { transaction, dependencies: tools },
      {
        workspaceId,
        series: run.series,
        checklistId: run.content.checklist_id,
        analysisId: run.analysis_id,
      },
    );
  }
  await transaction.run(sql`
    update imported_work set outcome = 'done' where workspace_id = ${workspaceId} and id = ${run.id}`);
}

const giveUp = (transaction: Transaction, workspaceId: string, run: RunRow, error: string): Promise<number> =>
  transaction.run(sql`
    update imported_work set outcome = 'failed', error = ${error}
    where workspace_id = ${workspaceId} and id = ${run.id}`);
