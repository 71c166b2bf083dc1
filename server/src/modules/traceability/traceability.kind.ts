import { setTimeout as delay } from 'node:timers/promises';
import {
  countSeverities,
  type LinkExample,
  type LinkOpinion,
  type LinkOpinions,
  lifecycle,
} from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { PackedDocument } from '../documents/packed-documents.js';
import { type KeptOpinion, storeOpinions, usedModel } from '../gap-analysis/opinions.repository.js';
import { storeEvidence } from '../gaps/store-evidence.js';
import { storeGaps } from '../gaps/store-gaps.js';
import type { NoModelBecause } from '../models/decide-mode.js';
import { withRunModel } from '../models/run-model.js';
import { type AnalysisKind, RunFailed, type RunTools, type TakenRun } from '../runs/analysis-kind.js';
import { projectScopeOf, toNotDue } from '../runs/project-scope.js';
import { examineStoredTrace } from './examine-trace.js';
import { loadFiles } from './extract-trace.js';
import {
  type ExtractionRow,
  selectExtraction,
  selectTracedFiles,
  type TracedFile,
} from './extraction.repository.js';
import type { FoundInTrace } from './find-in-trace-task.js';
import { findInTraceTask } from './find-in-trace-task.js';
import { type JudgeLinksInput, judgeLinksTask } from './judge-links-task.js';
import { type StoredExtraction, selectTrace, type TraceRow } from './trace.repository.js';
import { TraceOptions } from './trace-views.schemas.js';
import { toEngineOptions, toExtraction, toMetrics } from './trace-views.service.js';

/** How often a run looks whether the extraction that it waits for has ended. */
const LOOK_MILLISECONDS = 500;
/** Findings told while the run goes on: the most severe ones. */
const TOLD = 20;

interface Found extends FoundInTrace {
  readonly extraction: StoredExtraction | null;
  /** Where a language model was asked about proposed links. */
  readonly second?: LinkOpinions;
  readonly alone?: NoModelBecause;
}

/** Options with the documents that may be plans. */
interface Examined {
  readonly options: TraceOptions;
  readonly plans: readonly PackedDocument[];
}

/** The trace of a workspace, as all its documents and people together state it. */
export const traceability: AnalysisKind<Examined, Found> = {
  type: 'traceability',
  stages: {
    extraction: 'Waiting for the documents to be read',
    trace: 'Examining the trace',
    opinions: 'Asking the language model',
  },

  async load(tools, run, signal) {
    await extracted(tools, run, signal);
    const files = await tools.database.withWorkspace(run.workspaceId, (transaction) =>
      transaction.many<TracedFile>(selectTracedFiles(run.workspaceId)),
    );
    const plans = await loadFiles(tools.storage.within(run.workspaceId), files.filter(mayBePlan), signal);
    return { options: TraceOptions.parse(run.options), plans };
  },

  async analyse(engine, { options: input, plans }, { tools, run, options: { signal, onNews } }) {
    const read = <Row>(statement: Statement) =>
      tools.database.withWorkspace(run.workspaceId, (transaction) => transaction.many<Row>(statement));
    const { extraction, result } = await examineStoredTrace(read, engine, {
      task: findInTraceTask,
      input: {
        workspaceId: run.workspaceId,
        options: toEngineOptions(input),
        scope: projectScopeOf(input),
        plans,
      },
      signal,
    });
    for (const finding of result.findings.slice(0, TOLD)) onNews({ kind: 'finding', finding });
    const documents = (extraction?.documents ?? []).map(({ work_product_id: id, version }) => ({
      ...{ id, version: String(version) },
    }));
    const { alone, second } = await withRunModel(
      tools,
      { run, documents, signal },
      async (model, answers): Promise<{ second?: LinkOpinions }> => {
        if (!model) return {};
        const asked = await tools.database.withWorkspace(run.workspaceId, (transaction) =>
          loadProposing(transaction, run.workspaceId),
        );
        const options = toEngineOptions(input);
        return {
          second: await engine.run(
            judgeLinksTask,
            { ...asked, options, model },
            { signal, group: run.workspaceId, answers },
          ),
        };
      },
    );
    return { ...result, extraction, ...(second ? { second } : {}), ...(alone ? { alone } : {}) };
  },

  async store(transaction, run, { result }) {
    const { analysis, extraction, findings, notDue, second } = result;
    await nameInputs(transaction, run, extraction?.documents ?? []);
    const changes = await storeGaps(
      transaction,
      run,
      findings.map((finding) => ({ finding })),
    );
    await storeEvidence(
      transaction,
      run,
      findings.map((finding) => ({ ...finding, answer: finding.kind })),
    );
    await storeOpinions(transaction, run, (second?.links ?? []).map(ofLink));
    const { totalArtifacts, totalLinks, totalGaps, summary, severityCounts, coverage } = analysis;
    return {
      score: coverage.overall.percentage,
      units: totalArtifacts,
      // One for each cause; those of the trace itself are in the details.
      counts: { severities: countSeverities(findings), gaps: findings.length, changes },
      details: {
        not_due: toNotDue(notDue),
        trace: {
          summary,
          severity_counts: severityCounts,
          total_gaps: totalGaps,
          total_artifacts: totalArtifacts,
          total_links: totalLinks,
          coverage: toMetrics(coverage),
          coverage_by_integrity: Object.fromEntries(
            Object.entries(analysis.coverageByIntegrity).map(([level, one]) => [level, toMetrics(one)]),
          ),
          unlisted: analysis.unlisted,
          remarks: analysis.remarks.map(({ kind, grade, count }) => ({ kind, grade, count })),
          extraction: toExtraction(extraction),
        },
        ...(second ? { links_looked_at: second.looked, method: { model: second.statement } } : {}),
        ...(run.mode === 'ai'
          ? {
              model: await usedModel(transaction, run, {
                method: second ? { model: second.statement } : {},
                ...(result.alone ? { alone: result.alone } : {}),
                units: totalArtifacts,
              }),
            }
          : {}),
      },
    };
  },
};

/** By what a person said it is, else by its name; what it is in truth the engine tells from its words. */
const mayBePlan = ({ category, name }: TracedFile): boolean =>
  category === null ? /plan/iu.test(name) : lifecycle().plans.types.includes(category);

/** What a model said of a proposed link. It makes none: a person does. */
const ofLink = ({ artifactId, proposed, answer, shared, because }: LinkOpinion): KeptOpinion => ({
  criterion_id: `${artifactId} ${proposed.link.type} ${proposed.artifactId}`.slice(0, MOST_CHARACTERS),
  clause: proposed.link.type,
  by_rules: 'proposed',
  by_model: answer === undefined || answer === 'cannot_tell' ? null : answer,
  critic_agrees: null,
  settled: 'proposed',
  settled_by: 'rules',
  outcome: answer === 'yes' || answer === 'no' ? 'listed' : 'abstained',
  because: because ?? null,
  confirm: answer === 'yes',
  parts:
    answer === 'yes' || answer === 'no'
      ? [{ part: 'link', state: answer, because: shared ?? '', evidence: [] }]
      : [],
  missing: '',
  rules: [],
});

/** As long as a path may name it. */
const MOST_CHARACTERS = 300;

/** What links are proposed from, and links that people decided with the words of both ends. */
export async function loadProposing(
  transaction: Transaction,
  workspaceId: string,
): Promise<Pick<JudgeLinksInput, 'columns' | 'documents' | 'examples'>> {
  const { extraction: _, ...columns } = await transaction.one<TraceRow>(
    selectTrace(workspaceId, { texts: true }),
  );
  const places = await transaction.many<{ artifact_id: string; work_product_id: string }>(sql`
    select distinct on (artifact_id) artifact_id, work_product_id from artifacts
    where workspace_id = ${workspaceId} and work_product_id is not null order by artifact_id, ordinal`);
  const examples = await transaction.many<LinkExample>(sql`
    select s.text as "from", t.text as "to", r.verdict = 'confirmed' as "isRight",
           array_remove(array[s.work_product_id, t.work_product_id], null) as "documentIds"
    from trace_link_reviews r
    join lateral (select text, work_product_id from artifacts
                  where workspace_id = r.workspace_id and artifact_id = r.source_id order by ordinal limit 1) s on true
    join lateral (select text, work_product_id from artifacts
                  where workspace_id = r.workspace_id and artifact_id = r.target_id order by ordinal limit 1) t on true
    where r.workspace_id = ${workspaceId}
    order by r.source_id, r.target_id, r.link_type limit 50`);
  return {
    columns,
    documents: Object.fromEntries(places.map((one) => [one.artifact_id, one.work_product_id])),
    examples,
  };
}

/** Waits until the trace is that of the documents as they are now. */
async function extracted({ database }: RunTools, run: TakenRun, signal: AbortSignal): Promise<void> {
  for (;;) {
    const row = await database.withWorkspace(run.workspaceId, (transaction) =>
      transaction.one<ExtractionRow>(selectExtraction(run.workspaceId)),
    );
    if (row.status === 'failed') {
      throw new RunFailed(row.error ?? 'The trace could not be taken out of the documents.');
    }
    if (row.status !== 'queued' && row.status !== 'running') return;
    await delay(LOOK_MILLISECONDS, undefined, { signal });
  }
}

/** The run names the versions that the trace is from: one may have been replaced since the run was started. */
async function nameInputs(
  transaction: Transaction,
  { workspaceId, id }: TakenRun,
  documents: readonly { readonly work_product_id: string; readonly version: number }[],
): Promise<void> {
  await transaction.run(sql`
    delete from analysis_inputs where workspace_id = ${workspaceId} and analysis_id = ${id}`);
  await transaction.run(sql`
    insert into analysis_inputs (workspace_id, analysis_id, work_product_id, version)
    select ${workspaceId}, ${id}, d.work_product_id, d.version
    from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) as d (work_product_id uuid, version integer)`);
}
