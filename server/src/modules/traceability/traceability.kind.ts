import { setTimeout as delay } from 'node:timers/promises';
import { countSeverities } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { storeEvidence } from '../gaps/store-evidence.js';
import { storeGaps } from '../gaps/store-gaps.js';
import { type AnalysisKind, RunFailed, type RunTools, type TakenRun } from '../runs/analysis-kind.js';
import { projectScopeOf, toNotDue } from '../runs/project-scope.js';
import { examineStoredTrace } from './examine-trace.js';
import { type ExtractionRow, selectExtraction } from './extraction.repository.js';
import type { FoundInTrace } from './find-in-trace-task.js';
import { findInTraceTask } from './find-in-trace-task.js';
import type { StoredExtraction } from './trace.repository.js';
import { TraceOptions } from './trace-views.schemas.js';
import { toEngineOptions, toExtraction, toMetrics } from './trace-views.service.js';

/** How often a run looks whether the extraction that it waits for has ended. */
const LOOK_MILLISECONDS = 500;
/** Findings told while the run goes on: the most severe ones. */
const TOLD = 20;

interface Found extends FoundInTrace {
  readonly extraction: StoredExtraction | null;
}

/** The trace of a workspace, as all its documents and people together state it. */
export const traceability: AnalysisKind<TraceOptions, Found> = {
  type: 'traceability',
  stages: { extraction: 'Waiting for the documents to be read', trace: 'Examining the trace' },

  async load(tools, run, signal) {
    await extracted(tools, run, signal);
    return TraceOptions.parse(run.options);
  },

  async analyse(engine, input, { tools, run, options: { signal, onNews } }) {
    const read = <Row>(statement: Statement) =>
      tools.database.withWorkspace(run.workspaceId, (transaction) => transaction.many<Row>(statement));
    const { extraction, result } = await examineStoredTrace(read, engine, {
      task: findInTraceTask,
      input: {
        workspaceId: run.workspaceId,
        options: toEngineOptions(input),
        scope: projectScopeOf(input),
      },
      signal,
    });
    for (const finding of result.findings.slice(0, TOLD)) onNews({ kind: 'finding', finding });
    return { ...result, extraction };
  },

  async store(transaction, run, { result: { analysis, extraction, findings, notDue } }) {
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
      },
    };
  },
};

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
