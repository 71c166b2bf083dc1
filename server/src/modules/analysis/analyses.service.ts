import { createHash, randomUUID } from 'node:crypto';
import { loadConditions } from '@normtrace/engine';
import type { z } from 'zod';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp, timestampOrNull } from '../../platform/http/schemas.js';
import { engineIdentity } from '../engine/engine-identity.js';
import * as standards from '../standards/standards.repository.js';
import { criteriaOf } from '../standards/standards.service.js';
import { runAnalysisJob } from './analyses.jobs.js';
import * as repository from './analyses.repository.js';
import {
  type Analysis,
  AnalysisOptions,
  type StartedAnalysis,
  type StartGapAnalysis,
} from './analyses.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'dependencies' | 'now'>;

export const toAnalysis = (row: repository.AnalysisRow): Analysis => ({
  id: row.id,
  workspace_id: row.workspace_id,
  type: row.type,
  status: row.status,
  mode: row.mode,
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
  summary: row.summary,
  error: row.error,
  previous_analysis_id: row.previous_analysis_id,
  created_by: row.created_by,
  created_at: timestamp(row.created_at),
  started_at: timestampOrNull(row.started_at),
  finished_at: timestampOrNull(row.finished_at),
});

/**
 * Starts a gap analysis and queues it in the same transaction. The same inputs, standard, engine and options are
 * answered with the run that is there, unless `force`.
 */
export async function startGapAnalysis(
  { transaction, caller, dependencies, now }: Writing,
  input: z.output<typeof StartGapAnalysis>,
): Promise<StartedAnalysis> {
  if (input.mode === 'ai') {
    throw invalid('body.mode', 'No language model is configured. Use rules or auto.', 'not_configured');
  }
  const options = input.options ?? AnalysisOptions.parse({});
  await refuseUnknownConditions(options);
  const standard = await usableStandard(transaction, input, now);
  const inputs = await usableInputs(transaction, input);
  const read = <Row>(statement: Parameters<typeof transaction.many>[0]) => transaction.many<Row>(statement);
  const criteria = await criteriaOf(standard, read);
  const engineVersion = await engineIdentity();
  const inputHash = hashOf({
    type: 'gap_analysis',
    mode: 'rules',
    engineVersion,
    standard: [standard.id, standard.name, standard.version, hashOf(criteria)],
    options,
    embeddings: options.embeddings ? dependencies.configuration.embeddings : 'off',
    documents: inputs.map((one) => [
      one.id,
      one.version,
      one.sha256,
      one.file_name,
      one.category_chosen ? one.category : null,
    ]),
  });
  await repository.lockInput(transaction, inputHash);
  const same = input.force
    ? undefined
    : await repository.findSame(transaction, input.workspace_id, inputHash);
  if (same) return { ...toAnalysis(same), from_store: true };
  const row = await repository.insertAnalysis(transaction, {
    workspaceId: input.workspace_id,
    id: randomUUID(),
    mode: 'rules',
    standardId: standard.id,
    standardName: standard.name,
    options,
    inputHash,
    engineVersion,
    createdBy: caller.userId,
    inputs,
  });
  await enqueue(dependencies, transaction, row);
  return { ...toAnalysis(row), from_store: false };
}

/** Cancels a run that has not ended; a run that has ended stays as it is. */
export async function cancelAnalysis({ transaction }: Writing, id: string): Promise<Analysis> {
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
export async function retryAnalysis({ transaction, dependencies }: Writing, id: string): Promise<Analysis> {
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

async function usableStandard(
  transaction: WriteContext['transaction'],
  input: z.output<typeof StartGapAnalysis>,
  now: Date,
): Promise<standards.StandardRow> {
  const row = await transaction.maybeOne<standards.StandardRow>(standards.selectStandard(input.standard_id));
  if (!row || row.workspace_id !== input.workspace_id) {
    throw invalid('body.standard_id', 'The workspace has no such standard.', 'unknown');
  }
  const hasEnded = row.attestation_expires_at !== null && new Date(row.attestation_expires_at) <= now;
  if (row.requires_attestation && (!row.attested || hasEnded)) {
    throw new ApiError(
      'CONFLICT',
      'The licence of this standard is not attested, or its attestation has ended.',
      {
        reason: 'not_attested',
      },
    );
  }
  if (row.processing_status !== 'completed') {
    throw new ApiError('CONFLICT', `The standard cannot be used yet; it is ${row.processing_status}.`, {
      reason: 'standard_not_ready',
      processing_status: row.processing_status,
    });
  }
  return row;
}

async function usableInputs(
  transaction: WriteContext['transaction'],
  input: z.output<typeof StartGapAnalysis>,
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
  if (found.length === 0) {
    throw new ApiError('CONFLICT', 'There are no work products to analyse. Upload some first.', {
      reason: 'no_work_products',
    });
  }
  return found;
}

async function refuseUnknownConditions({ conditions }: AnalysisOptions): Promise<void> {
  const known = await loadConditions();
  const unknown = Object.keys(conditions).find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw invalid(`body.options.conditions.${unknown}`, 'There is no such condition.', 'unknown');
  }
}

/** Of a value as JSON; object keys of options are written by one schema, so their order is fixed. */
const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');
