import type {
  ChapterOpinion,
  CheckedDocument,
  CompletenessAnalysis,
  DocumentType,
  RequirementOpinion,
} from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { scopeOf } from '../gap-analysis/gap-analysis.kind.js';
import { type KeptOpinion, storeOpinions, usedModel } from '../gap-analysis/opinions.repository.js';
import { storeEvidence } from '../gaps/store-evidence.js';
import { storeGaps } from '../gaps/store-gaps.js';
import type { NoModelBecause } from '../models/decide-mode.js';
import { withRunModel } from '../models/run-model.js';
import { type AnalysisKind, RunFailed, type TakenRun } from '../runs/analysis-kind.js';
import { toNotDue } from '../runs/project-scope.js';
import { loadDocuments } from '../runs/run-inputs.js';
import { findTemplatesOf } from '../templates/templates.repository.js';
import * as repository from './completeness.repository.js';
import {
  StoredCompletenessOptions as Stored,
  type StoredCompletenessOptions,
} from './completeness.schemas.js';
import { evidenceOf, toDocument, toQuestion } from './completeness-result.js';
import type { CompletenessTaskInput } from './completeness-task.js';
import { checkCompletenessTask } from './completeness-task.js';

/** Work products against the templates of their document types. */
export const completeness: AnalysisKind<
  Omit<CompletenessTaskInput, 'model'>,
  CompletenessAnalysis & { readonly alone?: NoModelBecause },
  CheckedDocument
> = {
  type: 'completeness',
  stages: {
    packed: 'Loading documents',
    passages: 'Finding sections, tables and statements',
    conditions: 'Finding out what applies',
    documents: 'Checking documents',
    opinions: 'Asking the language model',
    findings: 'Writing findings',
  },

  async load(tools, run, signal) {
    const input = await tools.database.withWorkspace(run.workspaceId, (transaction) =>
      loadCompletenessInput(transaction, run.workspaceId, Stored.parse(run.options)),
    );
    return input(await loadDocuments(tools, run, signal));
  },

  analyse: (engine, input, { tools, run, known, options }) =>
    withRunModel(tools, { run, documents: input.documents, signal: options.signal }, (model, answers) =>
      engine.run(checkCompletenessTask, { ...input, known, model }, { ...options, answers }),
    ),

  async store(transaction, run, { result }) {
    const { templates } = Stored.parse(run.options);
    const templateIds = new Map(templates.map(({ id, type }) => [type, id]));
    await repository.insertDocuments(
      transaction,
      run,
      result.documents.map((document) => toDocument(document, templateIds)),
    );
    // Of a document in several formats that of the first one.
    const documentOf = new Map(
      result.documents
        .flatMap(({ id, findings }) => findings.map((fingerprint) => [fingerprint, id] as const))
        .reverse(),
    );
    const changes = await storeGaps(
      transaction,
      run,
      result.findings.map((finding) => {
        const workProductId = documentOf.get(finding.fingerprint);
        return { finding, ...(workProductId === undefined ? {} : { workProductId }) };
      }),
    );
    await storeEvidence(transaction, run, [...result.documents.flatMap(evidenceOf), ...result.findings]);
    await storeOpinions(transaction, run, [
      ...(result.chapters ?? []).map(ofChapter),
      ...ofRequirements(result.opinions ?? []),
    ]);
    const { value, states, unknown } = result.score;
    return {
      score: value,
      units: result.documents.length,
      counts: {
        documents: result.documents.length,
        states,
        unknown,
        severities: result.counts.severities,
        gaps: result.findings.length,
        changes,
      },
      details: {
        questions: result.questions.map(toQuestion),
        not_due: toNotDue(result.notDue),
        method: result.method,
        score: { agreement: result.score.agreement },
        ...(result.looked ? { requirements_looked_at: result.looked } : {}),
        ...(run.mode === 'ai'
          ? {
              model: await usedModel(transaction, run, {
                ...result,
                opinions: [],
                units: result.documents.length,
              }),
            }
          : {}),
      },
    };
  },
};

const SCORES = ['unusable', 'weak', 'fair', 'good'] as const;

/** What a model takes a chapter for; named by ids, so that no words of the document stay when it goes. */
const ofChapter = ({ documentId, block, typeId, evidence, because }: ChapterOpinion): KeptOpinion => ({
  criterion_id: `chapter ${documentId} ${block ?? '-'}`,
  clause: typeId ?? '',
  by_rules: 'unrated',
  by_model: typeId === undefined ? null : 'yes',
  critic_agrees: null,
  settled: 'unrated',
  settled_by: 'rules',
  outcome: typeId === undefined ? 'abstained' : 'listed',
  because: because ?? null,
  confirm: typeId !== undefined,
  parts: typeId === undefined ? [] : [{ part: 'chapter', state: 'yes', because: '', evidence }],
  missing: '',
  rules: [],
});

/** What a model said of the wording of requirements, each by requirement and axis; rules rate no requirement so. */
function ofRequirements(opinions: readonly RequirementOpinion[]): readonly KeptOpinion[] {
  const seen = new Map<string, number>();
  return opinions.map(({ requirementId, axis, score, reason, evidence, because }) => {
    const name = `${requirementId} ${axis}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const rating = score === undefined ? null : SCORES[score];
    return {
      // The same id may stand in several documents.
      criterion_id: count === 1 ? name : `${name} (${count})`,
      clause: '',
      by_rules: 'unrated',
      by_model: rating,
      critic_agrees: null,
      settled: 'unrated',
      settled_by: 'rules',
      outcome: rating === null ? 'abstained' : rating === 'good' ? 'same' : 'listed',
      because: because ?? null,
      confirm: false,
      parts: rating === null ? [] : [{ part: axis, state: rating, because: reason ?? '', evidence }],
      missing: '',
      rules: [],
    };
  });
}

/** What a run compares documents with, and how. */
export async function loadCompletenessInput(
  transaction: Transaction,
  workspaceId: string,
  options: StoredCompletenessOptions,
): Promise<(documents: CompletenessTaskInput['documents']) => Omit<CompletenessTaskInput, 'model'>> {
  const templates = await loadTemplates(transaction, { workspaceId }, options);
  const { template_id: only, conditions, today, requirement_quality: requirementQuality } = options;
  const type = only === null ? undefined : (options.templates.find(({ id }) => id === only)?.type ?? only);
  return (documents) => ({
    documents: type === undefined ? documents : documents.map((one) => ({ ...one, documentType: type })),
    templates,
    scope: scopeOf(options),
    options: { conditions, today, requirementQuality },
  });
}

/** The templates that the run was started with, as they were then. */
export async function loadTemplates(
  transaction: Transaction,
  { workspaceId }: Pick<TakenRun, 'workspaceId'>,
  { templates }: Pick<StoredCompletenessOptions, 'templates'>,
): Promise<readonly DocumentType[]> {
  const rows = await findTemplatesOf(transaction, workspaceId);
  return templates.map(({ id, type, revision }) => {
    const row = rows.find((one) => one.id === id);
    if (row?.revision === revision) return row.definition;
    throw new RunFailed(
      `The template of the type ${type} was ${row ? 'changed' : 'deleted'} after this analysis was started. Start a new analysis.`,
    );
  });
}
