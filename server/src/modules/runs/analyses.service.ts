import { createHash, randomUUID } from 'node:crypto';
import { engineIdentity, wordsOnly } from '@normtrace/engine';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import type { Caller } from '../../platform/identity/callers.js';
import type { ModelDecision } from '../models/decide-mode.js';
import { countAnalysis } from '../payments/plan-limits.js';
import { runAnalysisJob } from './analyses.jobs.js';
import * as repository from './analyses.repository.js';
import type { Analysis, StartedAnalysis } from './analyses.schemas.js';
import type { AnalysisType } from './analysis-type.js';

/** Whoever starts a run, in a request or by an import of theirs. */
export type Starting = Pick<WriteContext, 'transaction' | 'dependencies'> & {
  readonly caller: Pick<Caller, 'userId' | 'subscription'>;
};

/** A run; what its summary says in sentences in a language. */
export const toAnalysis = (row: repository.AnalysisRow, language: Language = 'en'): Analysis => ({
  id: row.id,
  workspace_id: row.workspace_id,
  type: row.type,
  status: row.status,
  mode: row.mode,
  fresh_answers: row.fresh_answers,
  standard_id: row.standard_id,
  standard_name: row.standard_name,
  work_products: row.work_products.map((input) => ({ ...input })),
  options: row.options,
  engine_version: row.engine_version,
  attempt: row.attempt,
  progress: {
    stage: row.stage,
    percent: row.percent,
    done: row.done,
    total: row.total,
    message: row.message,
    eta_seconds: row.eta_seconds,
  },
  score: row.score === null ? null : Number(row.score),
  score_is_partial: row.score_is_partial,
  unread_work_products: row.unread.map((one) => ({ ...one })),
  summary: wordsOnly(row.summary, language),
  error: row.error,
  previous_analysis_id: row.previous_analysis_id,
  created_by: row.created_by,
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
  started_at: timestampOrNull(row.started_at),
  finished_at: timestampOrNull(row.finished_at),
});

/** A run to be started, whatever its type. */
export interface AnalysisRequest {
  readonly type: AnalysisType;
  /** What it is compared with: the run before is the newest one with a result in the same series. */
  readonly series: string;
  readonly workspace_id: string;
  /** Default: all that have been read. Each must have been read, and there must be one at least. */
  readonly work_product_ids?: readonly string[] | undefined;
  /** Instead of those: what was found usable already. */
  readonly inputs?: readonly repository.InputRow[];
  readonly mode: 'rules' | 'ai' | 'auto';
  readonly force: boolean;
  readonly fresh_answers?: boolean;
  /** Of a type that asks a language model: how it decided about the mode. Others run by rules. */
  readonly model?: ModelDecision | undefined;
  readonly standard?: { readonly id: string; readonly name: string };
  /** As its kind reads them again. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Everything else that the result depends on, as JSON. */
  readonly dependsOn: unknown;
}

/**
 * Queues a run in the transaction that makes its row. The same inputs, engine, options and whatever else the result
 * depends on are answered with the run that is there, unless `force`. Throws 402 when the caller's plan has no
 * analysis left in this month.
 */
export async function startAnalysis(
  { transaction, caller, dependencies }: Starting,
  request: AnalysisRequest,
): Promise<StartedAnalysis> {
  const mode = request.model?.mode ?? 'rules';
  if (request.mode === 'ai' && mode === 'rules') throw noModel(dependencies);
  const { type, series, options, workspace_id: workspaceId } = request;
  const inputs = request.inputs ?? (await usableInputs(transaction, request));
  const unread = request.work_product_ids ? [] : await repository.findUnread(transaction, workspaceId);
  const engineVersion = await engineIdentity();
  const inputHash = hashOf({
    type,
    series,
    mode,
    engineVersion,
    ...(request.model ? { model: request.model.dependsOn } : {}),
    options,
    dependsOn: request.dependsOn,
    documents: inputs.map((one) => [
      one.id,
      one.version,
      one.sha256,
      one.file_name,
      one.category_chosen ? one.category : null,
    ]),
    ...(unread.length > 0 ? { unread } : {}),
  });
  await repository.lockInput(transaction, inputHash);
  const isNew = request.force || request.fresh_answers;
  const same = isNew ? undefined : await repository.findSame(transaction, workspaceId, inputHash);
  if (same) return { ...toAnalysis(same), from_store: true };
  await countAnalysis({ transaction, caller, dependencies });
  const row = await repository.insertAnalysis(transaction, {
    workspaceId,
    id: randomUUID(),
    type,
    series,
    mode,
    freshAnswers: (request.fresh_answers ?? false) && mode === 'ai',
    standard: request.standard,
    options,
    inputHash,
    engineVersion,
    createdBy: caller.userId,
    inputs,
    unread,
  });
  await enqueue(dependencies, transaction, row);
  return { ...toAnalysis(row), from_store: false };
}

const noModel = ({ configuration }: Starting['dependencies']): ApiError =>
  configuration.model
    ? invalid('body.mode', 'This type of analysis is judged by rules. Use rules or auto.', 'not_supported')
    : invalid('body.mode', 'No language model is configured. Use rules or auto.', 'not_configured');

/** Cancels a run that has not ended; a run that has ended stays as it is. */
export async function cancelAnalysis({ transaction }: Starting, id: string): Promise<Analysis> {
  const row = await repository.lockAnalysis(transaction, id);
  if (!row) throw notFound('analysis');
  const run = { workspaceId: row.workspace_id, id };
  const end = { status: 'cancelled', error: null } as const;
  if ((await repository.endAnalysis(transaction, run, end)) === 0) {
    if (row.status === 'cancelled') return toAnalysis(row);
    throw new ApiError('CONFLICT', `The analysis has ended: ${row.status}.`, { status: row.status });
  }
  await repository.addEvent(transaction, run, { type: 'cancelled', data: { status: 'cancelled' } });
  return toAnalysis((await repository.lockAnalysis(transaction, id)) ?? row);
}

/** Runs an analysis again that ended without a result. */
export async function retryAnalysis({ transaction, dependencies }: Starting, id: string): Promise<Analysis> {
  const row = await repository.lockAnalysis(transaction, id);
  if (!row) throw notFound('analysis');
  if (!['failed', 'cancelled', 'timed_out'].includes(row.status)) {
    throw new ApiError(
      'CONFLICT',
      `Only an analysis without a result can be run again; this one is ${row.status}.`,
      {
        status: row.status,
      },
    );
  }
  await repository.requeueAnalysis(transaction, row);
  await enqueue(dependencies, transaction, row);
  return toAnalysis((await repository.lockAnalysis(transaction, id)) ?? row);
}

async function enqueue(
  { queue }: WriteContext['dependencies'],
  transaction: WriteContext['transaction'],
  row: repository.AnalysisRow,
): Promise<void> {
  const run = { workspaceId: row.workspace_id, id: row.id };
  await queue.enqueue(transaction, runAnalysisJob, { workspaceId: run.workspaceId, analysisId: run.id });
  const data = {
    stage: 'queued',
    percent: 0,
    done: 0,
    total: 0,
    message: 'Waiting for a worker',
    eta_seconds: null,
  };
  await repository.addEvent(transaction, run, { type: 'progress', data });
}

/** The work products that a request names, or all that have been read, in their newest versions. */
export async function usableInputs(
  transaction: WriteContext['transaction'],
  input: { readonly workspace_id: string; readonly work_product_ids?: readonly string[] | undefined },
): Promise<readonly repository.InputRow[]> {
  const ids = input.work_product_ids && [...new Set(input.work_product_ids.map((id) => id.toLowerCase()))];
  const found = await repository.findInputs(transaction, input.workspace_id, ids);
  const unknown = ids?.find((id) => !found.some((one) => one.id === id));
  if (unknown !== undefined) {
    throw invalid('body.work_product_ids', `The workspace has no work product ${unknown}.`, 'unknown');
  }
  const unread = found.filter((one) => one.processing_status !== 'completed').map((one) => one.id);
  if (unread.length > 0) {
    throw new ApiError('CONFLICT', 'Some work products have not been read.', {
      reason: 'work_products_not_ready',
      work_product_ids: unread,
    });
  }
  const archive = found.find((one) => !one.is_document);
  if (archive) {
    const message = `Work product ${archive.id} is an archive. Name the documents that came out of it instead.`;
    throw invalid('body.work_product_ids', message, 'archive');
  }
  if (found.length === 0) {
    throw new ApiError('CONFLICT', 'There are no work products to analyse. Upload some first.', {
      reason: 'no_work_products',
    });
  }
  return found;
}

/** Of a value as JSON; object keys of options are written by one schema, so their order is fixed. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');
