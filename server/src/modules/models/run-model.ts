import {
  answerKey,
  estimateTokens,
  type LanguageModel,
  limitTime,
  type ModelAnswer,
  type ModelRequest,
  openModel,
  type StoredAnswer,
} from '@normtrace/engine';
import { recordAudit } from '../../platform/audit/audit.js';
import type { ModelConfiguration } from '../../platform/configuration/configuration.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { createModelLimiter } from '../../platform/models/limiter.js';
import { type Answerer, answering } from '../engine/engine-question.js';
import {
  type AskingRun,
  type CallRow,
  findAnswers,
  insertAnswer,
  insertCalls,
  readAsked,
  type SentDocument,
} from './answers.repository.js';
import { leftInMonth, type NoModelBecause } from './decide-mode.js';
import { askModel, type TaskModel } from './model-question.js';
import { costOf, hostOfModel, providerSettings } from './model-settings.js';
import { probe } from './models.service.js';
import { findExcluded, mayReach, maySendWords, type PolicyRow, readPolicy } from './policy.repository.js';
import { findProbe } from './probes.repository.js';
import { redactRequest, restore } from './redact.js';
import { addSpent, addSpentOfAll, monthOf } from './spend.repository.js';

type Tools = Pick<Dependencies, 'database' | 'configuration' | 'clock'>;

/** A run that asks a model. */
interface ModelRun extends AskingRun {
  readonly standardId: string | null;
  /** Asks again what is kept from other runs. */
  readonly freshAnswers: boolean;
  /** Until the run has to end. */
  readonly millisecondsLeft: number;
  /** When it was taken, in milliseconds of `performance.now()`. */
  readonly takenAt: number;
  readonly documents: readonly { readonly id: string; readonly version: number }[];
}

/** The model of one run, in the hands of its worker. */
interface RunModel {
  readonly task: TaskModel;
  /** Answers what the task asks. Ends with the signal. */
  answerer(signal: AbortSignal): Answerer;
  /** Writes into the audit log what was sent. To be called however the run went. */
  end(): Promise<void>;
}

/** So much of the time of a run may go by while a model is asked; the rest is judged by rules. */
const SHARE_OF_TIME = 0.8;

/**
 * Opens the model for a run, or says why it is judged by rules: settings or policy may have changed since it was started. With new
 * settings the server is looked at first.
 */
async function openRunModel(
  tools: Tools,
  run: ModelRun,
  signal: AbortSignal,
): Promise<RunModel | { readonly because: NoModelBecause }> {
  const { database, configuration } = tools;
  const { model: settings } = configuration;
  if (!settings) return { because: 'not_configured' };
  const { workspaceId, standardId } = run;
  const ids = run.documents.map(({ id }) => id);
  const allowed = await database.withWorkspace(workspaceId, async (transaction) => ({
    row: await readPolicy(transaction, workspaceId),
    withheld: await findExcluded(transaction, workspaceId, ids),
    sendsStandard: standardId === null || (await maySendWords(transaction, standardId, settings.place)),
  }));
  if (!mayReach(allowed.row.policy, settings.place)) return { because: 'policy' };
  if (!allowed.sendsStandard) return { because: 'licence' };
  const kept = await findProbe(database, settings);
  const found = kept?.probe.usable ? kept.probe : await probe(tools, settings, signal);
  if (!found.usable) return { because: 'probe' };

  const limiter = createModelLimiter(database, settings);
  const model = openModel(providerSettings(settings, found.structured), { gate: limiter });
  const { id, contextTokens, sampling } = model;
  const asksUntil = run.takenAt + run.millisecondsLeft * SHARE_OF_TIME;
  const timeLeft = () => asksUntil - performance.now();
  return {
    task: { id, contextTokens, sampling, withheld: allowed.withheld, sendsStandard: allowed.sendsStandard },
    answerer: (stop) =>
      answering(askModel, (requests) => answerAll(tools, { run, settings, model, timeLeft, stop }, requests)),
    end: () => auditAsked(tools, run, settings),
  };
}

/** A run of any type as its worker took it. */
interface Taken extends AskingRun {
  readonly standard_id: string | null;
  readonly mode: 'rules' | 'ai';
  readonly fresh_answers: boolean;
  readonly milliseconds_left: number;
  readonly takenAt: number;
}

/**
 * Lets a task ask the model of its run, where the run is to ask one and may; else `alone` says why rules judge alone. What was
 * sent is in the audit log however the work ends.
 */
export async function withRunModel<Result extends object>(
  tools: Tools,
  {
    run,
    documents,
    signal,
  }: {
    readonly run: Taken;
    readonly documents: readonly { readonly id: string; readonly version: string }[];
    readonly signal: AbortSignal;
  },
  work: (model: TaskModel | undefined, answers: readonly Answerer[]) => Promise<Result>,
): Promise<Result & { readonly alone?: NoModelBecause }> {
  if (run.mode !== 'ai') return work(undefined, []);
  const { workspaceId, id, attempt, standard_id: standardId, fresh_answers: freshAnswers } = run;
  const model = await openRunModel(
    tools,
    {
      ...{ workspaceId, id, attempt, standardId, freshAnswers },
      ...{ millisecondsLeft: run.milliseconds_left, takenAt: run.takenAt },
      documents: documents.map((one) => ({ id: one.id, version: Number(one.version) })),
    },
    signal,
  );
  if ('because' in model) return { ...(await work(undefined, [])), alone: model.because };
  try {
    return await work(model.task, [model.answerer(signal)]);
  } finally {
    await model.end();
  }
}

interface Answering {
  readonly run: ModelRun;
  readonly settings: ModelConfiguration;
  readonly model: LanguageModel;
  readonly timeLeft: () => number;
  readonly stop: AbortSignal;
}

/** A question as it is sent, with what its placeholders stand for. */
interface Prepared {
  readonly key: string;
  readonly request: ModelRequest;
  readonly placeholders: ReadonlyMap<string, string>;
  readonly documents: readonly SentDocument[];
}

async function answerAll(
  tools: Tools,
  answering: Answering,
  requests: readonly ModelRequest[],
): Promise<readonly ModelAnswer[]> {
  const { run, settings, model } = answering;
  const { workspaceId } = run;
  const month = monthOf(tools.clock());
  const { row, excluded, kept, prepared, left } = await tools.database.withWorkspace(
    workspaceId,
    async (transaction) => {
      const policy = await readPolicy(transaction, workspaceId);
      const questions = requests.map((request) => prepare(request, { policy, run, model }));
      const keys = questions.map(({ key }) => key);
      return {
        row: policy,
        prepared: questions,
        excluded: await findExcluded(
          transaction,
          workspaceId,
          run.documents.map(({ id }) => id),
        ),
        kept: await findAnswers(transaction, {
          workspaceId,
          keys,
          askedBy: run.freshAnswers ? run.id : undefined,
        }),
        left: await leftInMonth(
          { transaction, database: tools.database },
          { model: settings, row: policy, workspaceId, month },
        ),
      };
    },
  );
  // Each time: what was allowed when the run began may have been forbidden since.
  const isAllowed = mayReach(row.policy, settings.place);
  let budget = left;
  const asking = new Map<string, Promise<ModelAnswer>>();
  const answerOf = (question: Prepared): Promise<ModelAnswer> => {
    const stored = kept.get(question.key);
    if (stored) return Promise.resolve({ ...stored, from: 'store' });
    if (!isAllowed || question.documents.some(({ work_product_id }) => excluded.includes(work_product_id))) {
      return Promise.resolve({ failed: 'policy' });
    }
    const { request } = question;
    budget -= costOf(settings, { input: inputOf(request), output: request.maxOutputTokens });
    if (budget < 0) return Promise.resolve({ failed: 'budget_ended' });
    return askAndKeep(tools, answering, { question, month });
  };
  const answers = await Promise.all(
    prepared.map((question) => {
      const answer = asking.get(question.key) ?? answerOf(question);
      asking.set(question.key, answer);
      return answer;
    }),
  );
  // What was sent is written down as it comes; here what was not.
  const calls = new Map<string, CallRow>();
  prepared.forEach((question, at) => {
    const answer = answers[at]!;
    const outcome = 'failed' in answer ? answer.failed : answer.from;
    if (outcome === 'model') return;
    calls.set(question.key, { ...question, outcome, input: 0, output: 0, milliseconds: null });
  });
  await tools.database.withWorkspace(workspaceId, (transaction) =>
    insertCalls(transaction, run, [...calls.values()]),
  );
  return prepared.map(({ placeholders }, at) => {
    const answer = answers[at]!;
    return 'failed' in answer ? answer : { ...answer, text: restore(answer.text, placeholders) };
  });
}

function prepare(
  request: ModelRequest,
  {
    policy,
    run,
    model,
  }: { readonly policy: PolicyRow; readonly run: ModelRun; readonly model: LanguageModel },
): Prepared {
  const { request: sent, placeholders } = redactRequest(request, policy, run.workspaceId);
  const versions = new Map(run.documents.map(({ id, version }) => [id, version]));
  const passages = new Map<string, Set<string>>();
  for (const { documentId, passageId } of request.sends) {
    passages.set(documentId, (passages.get(documentId) ?? new Set()).add(passageId));
  }
  return {
    key: answerKey(sent, model),
    request: sent,
    placeholders,
    documents: [...passages].map(([id, ids]) => ({
      work_product_id: id,
      version: versions.get(id) ?? 0,
      passages: [...ids],
    })),
  };
}

const inputOf = ({ fixed, variable }: ModelRequest): number =>
  estimateTokens(fixed) + estimateTokens(variable);

/** Asks one question, and keeps its answer before anything else is done with it: what was answered is not asked again. */
async function askAndKeep(
  { database, configuration }: Tools,
  { run, settings, model, timeLeft, stop }: Answering,
  { question, month }: { readonly question: Prepared; readonly month: string },
): Promise<ModelAnswer> {
  const left = timeLeft();
  if (left <= 0) return { failed: 'time_ended' };
  const limit = limitTime(left, stop);
  let answer: ModelAnswer;
  try {
    answer = (await model.ask([question.request], limit.signal))[0]!;
  } catch (error) {
    if (limit.isOver()) return { failed: 'time_ended' };
    throw error;
  } finally {
    limit.release();
  }
  if ('failed' in answer) return answer;
  const { from: _, ...stored } = answer;
  const spent = spentOf(question.request, stored);
  const { workspaceId } = run;
  await database.withWorkspace(workspaceId, async (transaction) => {
    await insertAnswer(transaction, run, {
      ...question,
      answer: stored,
      model: model.id,
      standardId: run.standardId,
      keepRequest: configuration.model?.keepRequests ?? settings.keepRequests,
    });
    await insertCalls(transaction, run, [
      { ...question, outcome: 'model', ...spent, milliseconds: stored.milliseconds ?? null },
    ]);
    await addSpent(transaction, { workspaceId, month, ...spent });
  });
  await addSpentOfAll(database, { month, ...spent });
  return answer;
}

/** As the provider counted; what it does not tell is estimated. */
const spentOf = (
  request: ModelRequest,
  { usage, text }: StoredAnswer,
): { input: number; output: number } => ({
  input: Math.round(usage.inputTokens ?? inputOf(request)),
  output: Math.round(usage.outputTokens ?? estimateTokens(text)),
});

/** What left the house in this run, whereto and in whose name. */
async function auditAsked(
  { database }: Pick<Tools, 'database'>,
  { workspaceId, id }: ModelRun,
  settings: ModelConfiguration,
): Promise<void> {
  await database.withWorkspace(workspaceId, async (transaction) => {
    const run = await transaction.maybeOne<{ created_by: string }>(
      sql`select created_by from analyses where workspace_id = ${workspaceId} and id = ${id}`,
    );
    const asked = await readAsked(transaction, { workspaceId, id });
    if (!run || asked.asked === 0) return;
    const { name, place } = settings;
    await recordAudit(transaction, {
      workspaceId,
      action: 'model.asked',
      targetType: 'analysis',
      targetId: id,
      // A job acts for nobody: who started the run is told beside.
      actorId: null,
      after: { started_by: run.created_by, host: hostOfModel(settings), model: name, place, ...asked },
    });
  });
}
