import { type Estimate, estimatingModel, openModel, type Standard } from '@normtrace/engine';
import type { z } from 'zod';
import type { ModelConfiguration } from '../../platform/configuration/configuration.js';
import type { Transaction } from '../../platform/database/database.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { GuardedContext } from '../../platform/http/route.js';
import { loadChecklistInput } from '../checklists/checklist-analysis.kind.js';
import { ChecklistOptions } from '../checklists/checklist-analysis.schemas.js';
import { optionsOf } from '../checklists/checklist-analysis.service.js';
import { type ChecklistTaskInput, checkChecklistTask } from '../checklists/checklist-analysis-task.js';
import { answering } from '../engine/engine-question.js';
import { usableEmbeddings } from '../gap-analysis/embeddings.js';
import { findVectors } from '../gap-analysis/embeddings.repository.js';
import { loadRunStandard, scopeOf } from '../gap-analysis/gap-analysis.kind.js';
import { wantedOf } from '../gap-analysis/gap-analysis.service.js';
import {
  estimateGapsTask,
  type GapAnalysisTaskInput,
  keptVectors,
} from '../gap-analysis/gap-analysis-task.js';
import { findAnswers } from '../models/answers.repository.js';
import { leftInMonth, type NoModelBecause, whyNot } from '../models/decide-mode.js';
import { askModel, type TaskModel } from '../models/model-question.js';
import { costOf, hostOfModel, providerSettings } from '../models/model-settings.js';
import { findExcluded, maySendWords, type PolicyRow, readPolicy } from '../models/policy.repository.js';
import { redactRequest, restore } from '../models/redact.js';
import { monthOf } from '../models/spend.repository.js';
import { AnalysisOptions } from '../runs/analyses.schemas.js';
import { usableInputs } from '../runs/analyses.service.js';
import { RunFailed } from '../runs/analysis-kind.js';
import { type InputFile, packed, selectNewestFiles } from '../runs/run-inputs.js';
import type { AnalysisEstimate, EstimateAnalysis } from './estimates.schemas.js';

type Body = z.output<typeof EstimateAnalysis>;
type Asking = GuardedContext<object, object, Body>;

/** Estimates that take longer are given up. */
const PATIENCE_MILLISECONDS = 120_000;

/** What a run needs beside documents and model. */
type Wanted =
  | { readonly gaps: Omit<GapAnalysisTaskInput, 'documents' | 'known' | 'model'> }
  | { readonly checklist: Omit<ChecklistTaskInput, 'documents' | 'known' | 'model'> };

interface Found {
  readonly because: Exclude<NoModelBecause, 'probe'> | undefined;
  readonly policy: PolicyRow;
  /** The words of the standard may leave, or there are none. */
  readonly sendsStandard: boolean;
  readonly budgetLeft: number;
  readonly withheld: readonly string[];
  readonly files: readonly InputFile[];
  readonly wanted: Wanted;
}

/**
 * What a run would ask: the engine judges by rules and puts its questions to somebody who counts them and answers from what is
 * kept. Throws what the start of the run would throw for a body that names what is not there; a model that may not be asked is
 * said instead.
 */
export async function estimateAnalysis(context: Asking): Promise<AnalysisEstimate> {
  const { body, dependencies, caller } = context;
  const { model: settings } = dependencies.configuration;
  const found = await dependencies.database.withActor(caller, (transaction) => find(transaction, context));
  const { because, files, withheld, budgetLeft } = found;
  const estimate =
    settings && found.sendsStandard ? await counted(context, { settings, found }) : NOTHING_ASKED;
  const versions = new Map(files.map(({ id, version }) => [id, version]));
  return {
    workspace_id: body.workspace_id,
    because: because ?? null,
    model: settings?.name ?? null,
    host: settings ? hostOfModel(settings) : null,
    place: settings?.place ?? null,
    ...toTokens(estimate),
    cost: costOf(settings ?? {}, estimate.tokens),
    currency: settings?.price?.currency ?? null,
    budget_left: Number.isFinite(budgetLeft) ? budgetLeft : null,
    tasks: Object.entries(estimate.tasks).map(([task, one]) => ({
      task: task as keyof Estimate['tasks'],
      ...toTokens(one),
    })),
    documents: estimate.documents.map(({ documentId, passages }) => ({
      ...{ work_product_id: documentId, version: versions.get(documentId) ?? 0, passages },
    })),
    withheld_work_products: [...withheld],
    sends_standard: estimate.sendsStandard,
  };
}

const NOTHING_ASKED: Estimate = {
  questions: 0,
  fromStore: 0,
  tokens: { input: 0, output: 0 },
  tasks: {},
  documents: [],
  sendsStandard: false,
};

const toTokens = ({
  questions,
  fromStore,
  tokens,
}: Pick<Estimate, 'questions' | 'fromStore' | 'tokens'>) => ({
  ...{ questions, from_store: fromStore, input_tokens: tokens.input, output_tokens: tokens.output },
});

async function find(transaction: Transaction, context: Asking): Promise<Found> {
  const { body, dependencies, now } = context;
  const { workspace_id: workspaceId, standard_id: standardId = null } = body;
  const { model } = dependencies.configuration;
  const { options, ...named } = body;
  const inputs = await usableInputs(transaction, body);
  const ids = inputs.map(({ id }) => id);
  const policy = await readPolicy(transaction, workspaceId);
  const about = { transaction, database: dependencies.database };
  const budget = { row: policy, workspaceId, month: monthOf(now) };
  return {
    policy,
    wanted:
      named.checklist_id === undefined
        ? { gaps: await gapsOf(transaction, context, { ids, named: { ...named, standard_id: standardId! } }) }
        : {
            checklist: await loadChecklistInput(
              transaction,
              workspaceId,
              await optionsOf(
                { transaction, now },
                {
                  ...named,
                  checklist_id: named.checklist_id,
                  options: ChecklistOptions.parse(options ?? {}),
                },
              ),
            ),
          },
    because: await whyNot(transaction, { model, row: policy, workspaceId, standardId, dependencies }),
    budgetLeft: model ? await leftInMonth(about, { model, ...budget }) : Number.POSITIVE_INFINITY,
    sendsStandard:
      standardId === null || !model || (await maySendWords(transaction, standardId, model.place)),
    withheld: await findExcluded(transaction, workspaceId, ids),
    files: await transaction.many<InputFile>(selectNewestFiles(workspaceId, ids)),
  };
}

async function gapsOf(
  transaction: Transaction,
  { now, dependencies, body }: Asking,
  { ids, named }: { readonly ids: readonly string[]; readonly named: Parameters<typeof wantedOf>[1] },
): Promise<Extract<Wanted, { gaps: unknown }>['gaps']> {
  const { today: _, ...options } = body.options ?? {};
  const wanted = await wantedOf({ transaction, now }, { ...named, options: AnalysisOptions.parse(options) });
  const { conditions, clauses, embeddings, ...about } = wanted.options;
  const standard: Standard = await loadRunStandard(transaction, wanted.standard.id);
  return {
    ...{ standard, conditions, clauses, scope: scopeOf(about) },
    embeddings: await usableEmbeddings(transaction, {
      ...{ workspaceId: body.workspace_id, standardId: standard.id, wanted: embeddings },
      ...{ configuration: dependencies.configuration, documents: ids },
    }),
  };
}

/** Lets the engine ask somebody who counts. */
async function counted(
  { body, dependencies, caller, request }: Asking,
  { settings, found }: { readonly settings: ModelConfiguration; readonly found: Found },
): Promise<Estimate> {
  const { workspace_id: workspaceId } = body;
  const { database, storage } = dependencies;
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  const { id, contextTokens, sampling } = openModel(providerSettings(settings));
  const estimating = estimatingModel(
    { id, contextTokens, sampling },
    {
      get: async (keys) => {
        if (body.fresh_answers) return keys.map(() => undefined);
        const kept = await database.withActor(caller, (transaction) =>
          findAnswers(transaction, { workspaceId, keys }),
        );
        return keys.map((key) => kept.get(key));
      },
      set: async () => undefined,
    },
  );
  const answers = [
    answering(askModel, async (requests) => {
      const sent = requests.map((one) => redactRequest(one, found.policy, workspaceId));
      const given = await estimating.model.ask(sent.map((one) => one.request));
      return given.map((answer, at) =>
        'failed' in answer ? answer : { ...answer, text: restore(answer.text, sent[at]!.placeholders) },
      );
    }),
    answering(keptVectors, (keys) =>
      database.withActor(caller, (transaction) => findVectors(transaction, workspaceId, keys)),
    ),
  ];
  const model: TaskModel = {
    ...{ id, contextTokens, sampling, withheld: found.withheld, sendsStandard: true },
  };
  const documents = await packed(found.files, storage.within(workspaceId), signal).catch((error) => {
    throw error instanceof RunFailed ? new ApiError('CONFLICT', error.message) : error;
  });
  const options = { signal, group: workspaceId, answers };
  const { engine } = request.server;
  try {
    if ('gaps' in found.wanted)
      await engine.run(estimateGapsTask, { ...found.wanted.gaps, documents, model }, options);
    else await engine.run(checkChecklistTask, { ...found.wanted.checklist, documents, model }, options);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'The estimate takes longer than two minutes. Name fewer work products.',
    );
  }
  return estimating.estimate();
}
