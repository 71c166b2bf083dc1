import {
  type Checklist,
  type ChecklistAnalysis,
  findingOfItem,
  type ItemResult,
  loadChecklist,
  type SettledItem,
} from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { loadTemplates } from '../completeness/completeness.kind.js';
import { scopeOf } from '../gap-analysis/gap-analysis.kind.js';
import { type KeptOpinion, storeOpinions, usedModel } from '../gap-analysis/opinions.repository.js';
import { storeEvidence } from '../gaps/store-evidence.js';
import { storeGaps } from '../gaps/store-gaps.js';
import type { NoModelBecause } from '../models/decide-mode.js';
import { withRunModel } from '../models/run-model.js';
import { isUuid } from '../own-definitions/own-or-built-in.js';
import { type AnalysisKind, RunFailed } from '../runs/analysis-kind.js';
import { toNotDue } from '../runs/project-scope.js';
import { loadDocuments } from '../runs/run-inputs.js';
import { insertChecklistResults } from './checklist-analysis.repository.js';
import {
  StoredChecklistOptions as Stored,
  type StoredChecklistOptions,
} from './checklist-analysis.schemas.js';
import type { ChecklistTaskInput } from './checklist-analysis-task.js';
import { checkChecklistTask } from './checklist-analysis-task.js';
import { saysState, settleGaps } from './checklist-answers.repository.js';
import { findChecklist } from './checklists.repository.js';
import { findManualTrace } from './manual-trace.js';

/** Runs of one checklist are compared with each other. */
export const checklistSeries = (checklistId: string): string => `checklist:${checklistId}`;

/** Work products against the items of a checklist. */
export const checklistAnalysis: AnalysisKind<
  Omit<ChecklistTaskInput, 'model'>,
  ChecklistAnalysis & { readonly alone?: NoModelBecause },
  ItemResult
> = {
  type: 'checklist',
  stages: {
    packed: 'Loading documents',
    passages: 'Finding sections, tables and statements',
    artifacts: 'Finding artifacts and links',
    words: 'Looking for words',
    items: 'Answering items',
    opinions: 'Asking the language model',
  },

  async load(tools, run, signal) {
    const options = Stored.parse(run.options);
    return {
      ...(await tools.database.withWorkspace(run.workspaceId, (transaction) =>
        loadChecklistInput(transaction, run.workspaceId, options),
      )),
      documents: await loadDocuments(tools, run, signal),
    };
  },

  analyse: (engine, input, { tools, run, known, options }) =>
    withRunModel(tools, { run, documents: input.documents, signal: options.signal }, (model, answers) =>
      engine.run(checkChecklistTask, { ...input, known, model }, { ...options, answers }),
    ),

  async store(transaction, run, { input, result }) {
    const items = new Map(input.checklist.items.map((item) => [item.id, item]));
    const found = result.items.map((answer) => {
      const { checks: _checks, ...item } = items.get(answer.itemId)!;
      const { evidence: _evidence, ...said } = answer;
      return { item, result: said, finding: findingOfItem(items.get(answer.itemId)!, answer) };
    });
    await insertChecklistResults(transaction, run, found);
    // A run over a part of what another one read says nothing about the gaps of the whole.
    const isWhole = await saysState(transaction, run);
    const findings = isWhole ? found.flatMap(({ finding }) => (finding ? [{ finding }] : [])) : [];
    const changes = await storeGaps(transaction, run, findings, isWhole ? undefined : []);
    await storeEvidence(
      transaction,
      run,
      result.items.map(({ itemId, verdict, fingerprint, severity, evidence }) => ({
        criterionId: itemId,
        answer: verdict,
        evidence,
        ...(severity === undefined || !isWhole ? {} : { fingerprint }),
      })),
    );
    await storeOpinions(transaction, run, (result.opinions ?? []).map(ofItem));
    await settleGaps(transaction, run, { checklistId: Stored.parse(run.options).checklist.id });
    const { verdicts, needsConfirmation, severities } = result.counts;
    return {
      score: scoreOf(verdicts),
      units: result.items.length,
      counts: {
        verdicts,
        needs_confirmation: needsConfirmation,
        severities,
        gaps: findings.length,
        changes,
      },
      details: {
        questions: result.questions,
        not_due: toNotDue(result.notDue),
        method: result.method,
        ...(run.mode === 'ai'
          ? { model: await usedModel(transaction, run, { ...result, units: result.items.length }) }
          : {}),
      },
    };
  },
};

/** Everything that a run of a checklist needs beside its documents. */
export async function loadChecklistInput(
  transaction: Transaction,
  workspaceId: string,
  options: StoredChecklistOptions,
): Promise<Omit<ChecklistTaskInput, 'documents' | 'known' | 'model'>> {
  return {
    checklist: await loadRunChecklist(transaction, workspaceId, options),
    templates: await loadTemplates(transaction, { workspaceId }, options),
    trace: await findManualTrace(transaction, workspaceId),
    scope: scopeOf(options),
    options: { conditions: options.conditions, today: options.today },
  };
}

/** What rules and a model said of an item. Nothing passes by a model: what it would raise waits for a person. */
function ofItem({ itemId, byRules, byModel, criticAgrees, outcome, because }: SettledItem): KeptOpinion {
  const isLowered = outcome === 'lowered';
  return {
    criterion_id: itemId,
    clause: '',
    by_rules: byRules.verdict,
    by_model: byModel ? BY_MODEL[byModel.state] : null,
    critic_agrees: criticAgrees ?? null,
    settled: isLowered ? (byModel!.state === 'fail' ? 'fail' : 'missing') : byRules.verdict,
    settled_by: isLowered ? 'model' : outcome === 'same' ? 'both' : outcome === 'raised' ? 'person' : 'rules',
    outcome,
    because: because ?? null,
    confirm: outcome === 'raised',
    parts: byModel ? [{ part: 'a', ...byModel }] : [],
    missing: '',
    rules: byModel?.rules ?? [],
  };
}

const BY_MODEL = { pass: 'pass', fail: 'fail', missing: 'missing', not_applicable: 'NA', cannot_tell: null };

/** Share of what passes among what applies, 0 to 100; null when nothing applies. */
export function scoreOf({ pass, fail, missing }: Readonly<Record<string, number>>): number | null {
  const applies = pass! + fail! + missing!;
  return applies === 0 ? null : Math.round((10_000 * pass!) / applies) / 100;
}

/** The checklist that the run was started with, as it was then. */
async function loadRunChecklist(
  transaction: Transaction,
  workspaceId: string,
  { checklist: { id, revision } }: StoredChecklistOptions,
): Promise<Checklist> {
  if (!isUuid(id)) return loadChecklist(id);
  const row = await findChecklist(transaction, workspaceId, id);
  if (row?.revision === revision) return row.definition;
  throw new RunFailed(
    `The checklist was ${row ? 'changed' : 'deleted'} after this analysis was started. Start a new analysis.`,
  );
}
