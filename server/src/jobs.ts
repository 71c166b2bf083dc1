import { availableParallelism } from 'node:os';
import { checklistAnalysis } from './modules/checklists/checklist-analysis.kind.js';
import { mailMentionJob } from './modules/comments/comments.jobs.js';
import { mailMention } from './modules/comments/mail-mention.js';
import { completeness } from './modules/completeness/completeness.kind.js';
import { createEngine, type Engine } from './modules/engine/engine.js';
import { gapAnalysis } from './modules/gap-analysis/gap-analysis.kind.js';
import { endAcceptancesJob } from './modules/gaps/acceptances.jobs.js';
import { changeManyGaps, giveUpManyGaps } from './modules/gaps/change-many-gaps.js';
import { endAcceptances, giveUpEndingAcceptances } from './modules/gaps/end-acceptances.js';
import { changeManyGapsJob } from './modules/gaps/many-gaps.jobs.js';
import { mailInvitationJob, sendMailJob } from './modules/mails/mails.jobs.js';
import { mailInvitation, sendMail } from './modules/mails/send-mail.js';
import { giveUpReport, renderReport, withdrawReport } from './modules/reports/render-report.js';
import { renderReportJob, withdrawReportJob } from './modules/reports/reports.jobs.js';
import { eraseExpired, giveUpErasing } from './modules/retention/erase-expired.js';
import { giveUpPurge, purge } from './modules/retention/purge.js';
import { eraseExpiredJob, purgeJob } from './modules/retention/retention.jobs.js';
import { runAnalysisJob } from './modules/runs/analyses.jobs.js';
import type { AnalysisKind } from './modules/runs/analysis-kind.js';
import { giveUpAnalysis, runAnalysis } from './modules/runs/run-analysis.js';
import { giveUpStandard, readStandardCriteria } from './modules/standards/process-standard.js';
import { extractTrace, giveUpExtraction } from './modules/traceability/extract-trace.js';
import { extractTraceJob } from './modules/traceability/extraction.jobs.js';
import { makeViewsJob } from './modules/traceability/made-views.jobs.js';
import { giveUpViews, makeViewsAhead } from './modules/traceability/made-views.js';
import { traceability } from './modules/traceability/traceability.kind.js';
import {
  deleteObjects,
  discardUpload,
  processDocument,
  processStandard,
} from './modules/uploads/uploads.jobs.js';
import { uploadKey } from './modules/uploads/uploads.service.js';
import { embedAheadJob } from './modules/vectors/embed-ahead.jobs.js';
import { embedAhead, giveUpEmbeddingAhead } from './modules/vectors/embed-ahead.js';
import { deliverWebhook, giveUpWebhook } from './modules/webhooks/deliver.js';
import { deliverWebhookJob } from './modules/webhooks/webhooks.jobs.js';
import { storePassagesJob } from './modules/work-products/passages.jobs.js';
import { giveUpVersion, readVersion } from './modules/work-products/process-document.js';
import { giveUpPassages, storeWantedPassages } from './modules/work-products/store-passages.js';
import {
  continueImportJob,
  exportWorkspaceJob,
  importWorkspaceJob,
} from './modules/workspace-archives/archives.jobs.js';
import { continueImport } from './modules/workspace-archives/continue-import.js';
import { exportWorkspace, giveUpExport } from './modules/workspace-archives/export-workspace.js';
import { giveUpImport, importWorkspace } from './modules/workspace-archives/import-workspace.js';
import type { Dependencies } from './platform/dependencies.js';
import { handleJob, type JobDefinition, logGivenUp, type RegisteredHandler } from './platform/queue/queue.js';

/** Every kind of job. What enqueues needs these; what works needs a handler for each. */
export const jobDefinitions: readonly JobDefinition<Readonly<Record<string, string>>>[] = [
  processDocument,
  processStandard,
  extractTraceJob,
  makeViewsJob,
  storePassagesJob,
  embedAheadJob,
  runAnalysisJob,
  endAcceptancesJob,
  changeManyGapsJob,
  renderReportJob,
  withdrawReportJob,
  deleteObjects,
  discardUpload,
  deliverWebhookJob,
  purgeJob,
  eraseExpiredJob,
  exportWorkspaceJob,
  importWorkspaceJob,
  continueImportJob,
  sendMailJob,
  mailInvitationJob,
  mailMentionJob,
];

/** What a worker can analyse, one kind for each type. */
const analysisKinds: readonly AnalysisKind[] = [gapAnalysis, completeness, checklistAnalysis, traceability];

/** The engine of a worker. Who goes on after the queue has stopped closes it. */
export const jobEngine = ({ configuration, metrics, traces }: Dependencies): Engine =>
  createEngine({
    // Judging and reading fill a core each: more processes than cores only make all of them slower.
    size: Math.min(configuration.workerConcurrency, availableParallelism()),
    pool: 'jobs',
    metrics,
    traces,
  });

/** What a worker does, one handler for each definition. */
export function jobHandlers(dependencies: Dependencies, engine: Engine): readonly RegisteredHandler[] {
  const { storage, log } = dependencies;
  const couldNotDelete = (definition: { readonly name: string }) =>
    logGivenUp(log, definition, 'objects could not be deleted');
  return [
    handleJob(processDocument, readVersion(dependencies, engine), giveUpVersion(dependencies)),
    handleJob(processStandard, readStandardCriteria(dependencies, engine), giveUpStandard(dependencies)),
    handleJob(extractTraceJob, extractTrace(dependencies, engine), giveUpExtraction(dependencies)),
    handleJob(makeViewsJob, makeViewsAhead(dependencies, engine), giveUpViews(dependencies)),
    handleJob(storePassagesJob, storeWantedPassages(dependencies, engine), giveUpPassages(dependencies)),
    handleJob(embedAheadJob, embedAhead(dependencies, engine), giveUpEmbeddingAhead(dependencies)),
    handleJob(runAnalysisJob, runAnalysis(dependencies, engine, analysisKinds), giveUpAnalysis(dependencies)),
    handleJob(endAcceptancesJob, endAcceptances(dependencies), giveUpEndingAcceptances(dependencies)),
    handleJob(changeManyGapsJob, changeManyGaps(dependencies), giveUpManyGaps(dependencies)),
    handleJob(renderReportJob, renderReport(dependencies, engine), giveUpReport(dependencies)),
    handleJob(withdrawReportJob, withdrawReport(dependencies, engine), couldNotDelete(withdrawReportJob)),
    handleJob(deliverWebhookJob, deliverWebhook(dependencies), giveUpWebhook(dependencies)),
    handleJob(purgeJob, purge(dependencies), giveUpPurge(dependencies)),
    handleJob(eraseExpiredJob, eraseExpired(dependencies), giveUpErasing(dependencies)),
    handleJob(exportWorkspaceJob, exportWorkspace(dependencies), giveUpExport(dependencies)),
    handleJob(importWorkspaceJob, importWorkspace(dependencies), giveUpImport(dependencies)),
    handleJob(sendMailJob, sendMail(dependencies), logGivenUp(log, sendMailJob, 'a mail could not be sent')),
    handleJob(
      mailMentionJob,
      mailMention(dependencies),
      logGivenUp(log, mailMentionJob, 'a mention could not be mailed'),
    ),
    handleJob(
      mailInvitationJob,
      mailInvitation(dependencies),
      logGivenUp(log, mailInvitationJob, 'an invitation could not be mailed'),
    ),
    handleJob(
      continueImportJob,
      continueImport(dependencies),
      logGivenUp(log, continueImportJob, 'an import could not be continued'),
    ),
    handleJob(
      deleteObjects,
      ({ workspaceId, prefix }) => storage.within(workspaceId).deletePrefix(prefix),
      couldNotDelete(deleteObjects),
    ),
    handleJob(
      discardUpload,
      ({ workspaceId, uploadId }) => storage.within(workspaceId).delete(uploadKey(workspaceId, uploadId)),
      couldNotDelete(discardUpload),
    ),
  ];
}
