import { loadConditions, partOfStandard, type Standard, UnknownClauseError } from '@normtrace/engine';
import type { z } from 'zod';
import { ApiError, invalid } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { decideMode } from '../models/decide-mode.js';
import { AnalysisOptions, type StartedAnalysis, type StartGapAnalysis } from '../runs/analyses.schemas.js';
import { hashOf, type Starting, startAnalysis } from '../runs/analyses.service.js';
import { inProjectScope, rememberScope } from '../runs/project-scope.js';
import * as standards from '../standards/standards.repository.js';
import { criteriaOf } from '../standards/standards.service.js';
import { usableEmbeddings } from './embeddings.js';
import { findDecided } from './opinions.repository.js';

/** Starts a gap analysis, or answers with the run of the same inputs, standard, engine and options that is there. */
export async function startGapAnalysis(
  context: Starting & Pick<WriteContext, 'now'>,
  input: z.output<typeof StartGapAnalysis>,
): Promise<StartedAnalysis> {
  const { transaction, dependencies } = context;
  if (input.mode === 'rules' && input.options?.written_in !== undefined) {
    throw invalid('body.options.written_in', 'Rules alone write nothing: use ai or auto.', 'unused');
  }
  await rememberScope(context, input.workspace_id, input.options ?? {});
  const { options, standard, criteria } = await wantedOf(context, input);
  const model = await decideMode(transaction, {
    ...{ mode: input.mode, workspaceId: input.workspace_id, standardId: standard.id },
    ...{ documents: input.work_product_ids, dependencies },
  });
  const about = { workspaceId: input.workspace_id, standardId: standard.id };
  const decided = model?.mode === 'ai' ? await findDecided(transaction, about) : [];
  return startAnalysis(context, {
    ...input,
    type: 'gap_analysis',
    series: `gap_analysis:${standard.id}`,
    standard,
    options,
    model,
    dependsOn: [
      [standard.id, standard.name, standard.version, hashOf(criteria)],
      await usableEmbeddings(transaction, {
        ...{ workspaceId: input.workspace_id, standardId: standard.id, wanted: options.embeddings },
        ...{ configuration: dependencies.configuration, documents: input.work_product_ids },
      }),
      ...(decided.length > 0 ? [decided] : []),
    ],
  });
}

/** What a gap analysis is to compare with, and how. Throws for a standard, conditions and clauses that cannot be. */
export async function wantedOf(
  { transaction, now }: Pick<WriteContext, 'transaction' | 'now'>,
  input: Pick<z.output<typeof StartGapAnalysis>, 'workspace_id' | 'standard_id' | 'options'>,
) {
  const told = input.options ?? AnalysisOptions.parse({});
  await refuseUnknownConditions(told.conditions);
  const standard = await usableStandard(transaction, input, now);
  const criteria = await criteriaOf(standard, (statement) => transaction.many(statement));
  refuseUnknownClauses({ ...standard, criteria }, told.clauses);
  const options = await inProjectScope(transaction, input.workspace_id, told);
  return { options, standard, criteria };
}

/** Throws 422 for a scope that the standard does not have. */
function refuseUnknownClauses(
  { id, name, version, criteria }: Pick<Standard, 'criteria'> & standards.StandardRow,
  clauses: readonly string[],
): void {
  const standard = {
    id,
    designation: name,
    title: name,
    edition: version,
    source: 'uploaded',
    criteria,
  } as const;
  try {
    partOfStandard(standard, clauses);
  } catch (error) {
    if (!(error instanceof UnknownClauseError)) throw error;
    throw invalid('body.options.clauses', error.message, 'unknown');
  }
}

/** Throws 422 for a condition that the engine does not know. */
export async function refuseUnknownConditions(conditions: Readonly<Record<string, boolean>>): Promise<void> {
  const known = await loadConditions();
  const unknown = Object.keys(conditions).find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw invalid(`body.options.conditions.${unknown}`, 'There is no such condition.', 'unknown');
  }
}

async function usableStandard(
  transaction: WriteContext['transaction'],
  input: Pick<z.output<typeof StartGapAnalysis>, 'workspace_id' | 'standard_id'>,
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
