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
import { loadCompletenessInput } from '../completeness/completeness.kind.js';
import { CompletenessOptions } from '../completeness/completeness.schemas.js';
import { wantedOptions } from '../completeness/completeness.service.js';
import { checkCompletenessTask } from '../completeness/completeness-task.js';
import { answering } from '../engine/engine-question.js';
import { usableEmbeddings } from '../gap-analysis/embeddings.js';
import { loadRunStandard, scopeOf } from '../gap-analysis/gap-analysis.kind.js';
import { wantedOf } from '../gap-analysis/gap-analysis.service.js';
import { estimateGapsTask, type GapAnalysisTaskInput } from '../gap-analysis/gap-analysis-task.js';
import { findDecided } from '../gap-analysis/opinions.repository.js';
import { findAnswers, findHabits } from '../models/answers.repository.js';
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
import { type JudgeLinksInput, judgeLinksTask } from '../traceability/judge-links-task.js';
import { TraceOptions } from '../traceability/trace-views.schemas.js';
import { toEngineOptions } from '../traceability/trace-views.service.js';
import { loadProposing } from '../traceability/traceability.kind.js';
import { keptVectors } from '../vectors/vector-questions.js';
import { findVectors } from '../vectors/vectors.repository.js';
import type { AnalysisEstimate, EstimateAnalysis } from './estimates.schemas.js';

type Body = z.output<typeof EstimateAnalysis>;
type Asking = GuardedContext<object, object, Body>;

/** Estimates that take longer are given up. */
const PATIENCE_MILLISECONDS = 120_000;

/** What a run needs beside documents and model. */
type Wanted =
  | { readonly gaps: Omit<GapAnalysisTaskInput, 'documents' | 'known' | 'model'> }
  | { readonly checklist: Omit<ChecklistTaskInput, 'documents' | 'known' | 'model'> }
  | { readonly completeness: Awaited<ReturnType<typeof loadCompletenessInput>> }
  | { readonly trace: Omit<JudgeLinksInput, 'model'> };

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
  const inputs = await usableInputs(transaction, body);
  const ids = inputs.map(({ id }) => id);
  const policy = await readPolicy(transaction, workspaceId);
  const about = { transaction, database: dependencies.database };
  const budget = { row: policy, workspaceId, month: monthOf(now) };
  return {
    policy,
    wanted: await wantedBy(transaction, context, ids),
    because: await whyNot(transaction, { model, row: policy, workspaceId, standardId, dependencies }),
    budgetLeft: model ? await leftInMonth(about, { model, ...budget }) : Number.POSITIVE_INFINITY,
    sendsStandard:
      standardId === null || !model || (await maySendWords(transaction, standardId, model.place)),
    withheld: await findExcluded(transaction, workspaceId, ids),
    files: await transaction.many<InputFile>(selectNewestFiles(workspaceId, ids)),
  };
}

async function wantedBy(transaction: Transaction, context: Asking, ids: readonly string[]): Promise<Wanted> {
  const { body, now } = context;
  const { options: given, type, ...named } = body;
  const { workspace_id: workspaceId } = named;
  if (named.standard_id !== undefined)
    return {
      gaps: await gapsOf(transaction, context, { ids, named: { ...named, standard_id: named.standard_id } }),
    };
  if (named.checklist_id !== undefined) {
    const { checklist_id } = named;
    const options = ChecklistOptions.parse(onlyOf(ChecklistOptions.shape, given));
    const wanted = await optionsOf({ transaction, now }, { ...named, checklist_id, options });
    return { checklist: await loadChecklistInput(transaction, workspaceId, wanted) };
  }
  if (type === 'completeness') {
    const options = CompletenessOptions.parse(onlyOf(CompletenessOptions.shape, given));
    const wanted = await wantedOptions({ transaction, now }, { ...named, options });
    return { completeness: await loadCompletenessInput(transaction, workspaceId, wanted) };
  }
  const options = TraceOptions.parse(onlyOf(TraceOptions.shape, given));
  return {
    trace: { ...(await loadProposing(transaction, workspaceId)), options: toEngineOptions(options) },
  };
}

/** What options of a type there are among those that were given. */
const onlyOf = (shape: object, options: object = {}): object =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(shape, name)));

async function gapsOf(
  transaction: Transaction,
  { now, dependencies, body }: Asking,
  { ids, named }: { readonly ids: readonly string[]; readonly named: Parameters<typeof wantedOf>[1] },
): Promise<Extract<Wanted, { gaps: unknown }>['gaps']> {
  const options = AnalysisOptions.parse(onlyOf(AnalysisOptions.shape, body.options));
  const wanted = await wantedOf({ transaction, now }, { ...named, options });
  const { conditions, clauses, embeddings, written_in: writtenIn, ...about } = wanted.options;
  const standard: Standard = await loadRunStandard(transaction, wanted.standard.id);
  return {
    ...{ standard, conditions, clauses, writtenIn, scope: scopeOf(about) },
    decided: await findDecided(transaction, {
      workspaceId: body.workspace_id,
      standardId: wanted.standard.id,
    }),
    embeddings: await usableEmbeddings(transaction, {
      ...{ workspaceId: body.workspace_id, standardId: wanted.standard.id, wanted: embeddings },
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
  const habits = await database.withActor(caller, (transaction) =>
    findHabits(transaction, { workspaceId, model: id }),
  );
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
    habits,
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
  const documents = await packed(
    'trace' in found.wanted ? [] : found.files,
    storage.within(workspaceId),
    signal,
  ).catch((error) => {
    throw error instanceof RunFailed ? new ApiError('CONFLICT', error.message) : error;
  });
  const options = { signal, group: workspaceId, answers };
  const { engine } = request.server;
  try {
    if ('gaps' in found.wanted)
      await engine.run(estimateGapsTask, { ...found.wanted.gaps, documents, model }, options);
    else if ('checklist' in found.wanted)
      await engine.run(checkChecklistTask, { ...found.wanted.checklist, documents, model }, options);
    else if ('completeness' in found.wanted)
      await engine.run(checkCompletenessTask, { ...found.wanted.completeness(documents), model }, options);
    else await engine.run(judgeLinksTask, { ...found.wanted.trace, model }, options);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ApiError(
      'SERVICE_UNAVAILABLE',
      'The estimate takes longer than two minutes. Name fewer work products.',
    );
  }
  return estimating.estimate();
}
