import {
  createDocumentReader,
  DocumentError,
  hasLicenceMark,
  readStandardFile,
  StandardFileError,
} from '@normtrace/engine';
import { serveTasks, type TaskContext, type TaskResult } from '../../platform/processes/serve-tasks.js';
import { renderReportTask } from '../reports/render-report-task.js';
import { findInTraceTask } from '../traceability/find-in-trace-task.js';
import type { ListGapsInput } from '../traceability/list-gaps-task.js';
import { checkChecklistTask } from './checklist-task.js';
import { checkCompletenessTask } from './completeness-task.js';
import { detectCategory } from './detect-category.js';
import type {
  ReadDocumentInput,
  ReadDocumentOutput,
  ReadStandardInput,
  ReadStandardOutput,
} from './engine.js';
import { traceMatrixTask } from './examine-trace-task.js';
import { extractTraceTask } from './extract-trace-task.js';
import { analyseGapsTask } from './gap-analysis-task.js';
import { packDocument } from './parsed-document.js';
import { suggestLinksTask } from './suggest-links-task.js';
import { unpackArchiveTask } from './unpack-archive-task.js';

// What runs beside the event loop: reading (in a limited process of its own) and judging.

const reader = createDocumentReader();

async function readDocument(
  input: ReadDocumentInput,
  context: TaskContext,
): Promise<TaskResult<ReadDocumentOutput>> {
  const { bytes, fileName } = input;
  const document = await reader.read(bytes, {
    fileName,
    signal: context.signal,
    onProgress: (done, total) => context.progress({ done, total }),
  });
  const packed = await packDocument(document);
  const result: ReadDocumentOutput = {
    packed,
    format: document.format,
    language: document.language,
    pageCount: document.pageCount ?? null,
    blockCount: document.blocks.length,
    detectedCategory: await detectCategory(document, fileName),
    notes: document.notes.map(({ code, message }) => ({ code, message })),
  };
  return { result };
}

async function readStandard(
  input: ReadStandardInput,
  context: TaskContext,
): Promise<TaskResult<ReadStandardOutput>> {
  const { bytes, fileName, standardId, identity } = input;
  let licenceMark = false;
  const standard = await readStandardFile(bytes, fileName, {
    id: standardId,
    identity,
    readDocument: async (content, name) => {
      const document = await reader.read(content, { fileName: name, signal: context.signal });
      licenceMark = hasLicenceMark(document.text);
      return document;
    },
  });
  return { result: { criteria: standard.criteria, licenceMark } };
}

/** Loaded when it is asked for: no other task needs the schemas of the API. */
const listGaps = async (input: ListGapsInput, context: TaskContext) =>
  (await import('../traceability/list-gaps-task.js')).listGapsTask(input, context);

/** These errors are written for the person who uploaded the file; anything else is ours. */
function explain(error: unknown): Record<string, unknown> | undefined {
  if (error instanceof DocumentError) return { code: error.code, hint: error.hint };
  if (error instanceof StandardFileError) return { code: 'not_a_standard', hint: error.hint };
  return undefined;
}

/** A new task is a function `(input, context) => TaskResult` and a line here; `Engine.run` takes it by its name. */
const tasks = {
  readDocument,
  readStandard,
  unpackArchive: unpackArchiveTask,
  analyseGaps: analyseGapsTask,
  checkCompleteness: checkCompletenessTask,
  checkChecklist: checkChecklistTask,
  extractTrace: extractTraceTask,
  findInTrace: findInTraceTask,
  listGaps,
  traceMatrix: traceMatrixTask,
  suggestLinks: suggestLinksTask,
  renderReport: renderReportTask,
};
export type EngineTasks = typeof tasks;

serveTasks(tasks, explain);
