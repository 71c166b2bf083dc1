import { checkChecklistTask } from './modules/checklists/checklist-analysis-task.js';
import { checkCompletenessTask } from './modules/completeness/completeness-task.js';
import { compareArtifactsTask } from './modules/document-view/compare-artifacts-task.js';
import { compareVersionsTask } from './modules/document-view/compare-versions-task.js';
import { placePagesTask } from './modules/document-view/place-pages-task.js';
import { serveEngineTasks } from './modules/engine/engine-task.js';
import { analyseGapsTask, estimateGapsTask } from './modules/gap-analysis/gap-analysis-task.js';
import { firstPageTask } from './modules/reports/first-page-task.js';
import { renderReportTask } from './modules/reports/render-report-task.js';
import { readStandardTask } from './modules/standards/read-standard-task.js';
import { traceMatrixTask } from './modules/traceability/examine-trace-task.js';
import { extractEditedTask } from './modules/traceability/extract-edited-task.js';
import { extractTraceTask } from './modules/traceability/extract-trace-task.js';
import { findInTraceTask } from './modules/traceability/find-in-trace-task.js';
import { judgeLinksTask } from './modules/traceability/judge-links-task.js';
import { listGapsTask } from './modules/traceability/list-gaps-task.js';
import { makeViewsTask } from './modules/traceability/make-views-task.js';
import { suggestLinksTask } from './modules/traceability/suggest-links-task.js';
import { traceMapTask } from './modules/traceability/trace-map-task.js';
import { embedAheadTask } from './modules/vectors/embed-ahead-task.js';
import { findPassagesTask } from './modules/work-products/find-passages-task.js';
import { readDocumentTask } from './modules/work-products/read-document-task.js';
import { unpackArchiveTask } from './modules/work-products/unpack-archive-task.js';

/** What runs beside the event loop, in processes of the engine: a new task is a value in its module and a line here. */
serveEngineTasks([
  readDocumentTask,
  placePagesTask,
  compareVersionsTask,
  compareArtifactsTask,
  readStandardTask,
  unpackArchiveTask,
  analyseGapsTask,
  estimateGapsTask,
  checkCompletenessTask,
  checkChecklistTask,
  extractTraceTask,
  extractEditedTask,
  findInTraceTask,
  listGapsTask,
  traceMatrixTask,
  traceMapTask,
  makeViewsTask,
  suggestLinksTask,
  judgeLinksTask,
  renderReportTask,
  firstPageTask,
  findPassagesTask,
  embedAheadTask,
]);
