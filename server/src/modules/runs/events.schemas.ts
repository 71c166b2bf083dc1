import { SEVERITIES } from '@normtrace/engine';
import { z } from 'zod';
import { Id } from '../../platform/http/schemas.js';
import { Progress } from './analyses.schemas.js';

/** One event of a stream as its lines `id`, `event` and `data` say it. */
const eventOf = <const Name extends string, Data extends z.ZodType>(name: Name, id: string, data: Data) =>
  z
    .object({
      id: z.string().meta({ description: 'Rises from event to event; send it back as `Last-Event-ID`.' }),
      event: z.literal(name).meta({ description: 'What happened.' }),
      data: data.meta({ description: 'What is told about it.' }),
    })
    .meta({ id });

const ofRun = z.object({ analysis_id: Id });

const progress = eventOf('progress', 'ProgressEvent', ofRun.extend(Progress.shape));
const finding = eventOf(
  'finding',
  'FindingEvent',
  ofRun.extend({
    fingerprint: z.string(),
    type: z.string().meta({ description: 'Kind of finding.' }),
    criterion_id: z.string(),
    title: z.string(),
    standard_ref: z.string(),
    severity: z.enum(SEVERITIES),
    confidence: z.enum(['high', 'medium', 'low']),
  }),
);
const completed = eventOf(
  'completed',
  'CompletedEvent',
  ofRun
    .extend({ status: z.literal('completed'), score: z.number().nullable() })
    .catchall(z.unknown().meta({ description: 'Counts of the result, as in `summary` of the analysis.' })),
);
const failed = eventOf(
  'failed',
  'FailedEvent',
  ofRun.extend({ status: z.enum(['failed', 'timed_out']), error: z.string() }),
);
const cancelled = eventOf('cancelled', 'CancelledEvent', ofRun.extend({ status: z.literal('cancelled') }));

/** What a stream of one analysis sends. */
export const AnalysisEvent = z
  .discriminatedUnion('event', [progress, finding, completed, failed, cancelled])
  .meta({ id: 'AnalysisEvent', description: 'One event of the stream of an analysis.' });

const document = eventOf(
  'document',
  'DocumentEvent',
  z.object({
    work_product_id: Id.optional(),
    version: z.int().optional(),
    standard_id: Id.optional().meta({
      description: 'Instead of `work_product_id` for the file of a standard.',
    }),
    processing_status: z.string(),
    percent: z.int().min(0).max(100).optional().meta({ description: 'Of an archive: entries unpacked.' }),
    done: z.int().optional(),
    total: z.int().optional(),
  }),
);
const traceability = eventOf(
  'traceability',
  'TraceabilityEvent',
  z.object({
    status: z.string(),
    stage: z.string().optional(),
    percent: z.number().optional(),
    artifacts: z.int().optional(),
    links: z.int().optional(),
    error: z.string().optional(),
  }),
);
const gapsChanged = eventOf(
  'gaps_changed',
  'GapsChangedEvent',
  z.object({
    gap_ids: z.array(Id),
    actions: z.array(z.string()).meta({ description: 'What was done, as in the audit log.' }),
  }),
);

const commentsChanged = eventOf(
  'comments_changed',
  'CommentsChangedEvent',
  z.object({
    comment_id: Id,
    about: z.string().meta({ description: 'What kind of thing it is about.' }),
    gap_id: Id.nullable().meta({ description: 'The gap; null: it is about something else.' }),
  }),
);

const report = eventOf(
  'report',
  'ReportEvent',
  z.object({
    report_id: Id,
    type: z.string(),
    format: z.string(),
    status: z
      .enum(['queued', 'running', 'completed', 'failed', 'deleted'])
      .meta({ description: 'How far it is.' }),
  }),
);

const reportProgress = eventOf(
  'report_progress',
  'ReportProgressEvent',
  z.object({
    report_id: Id,
    stage: z.string().meta({ description: 'The step that it is at, as `stage` of the report.' }),
    percent: z.int().min(0).max(100).meta({ description: 'How much of it is made.' }),
  }),
);

const checklistAnswer = eventOf(
  'checklist_answer',
  'ChecklistAnswerEvent',
  z.object({
    checklist_id: z.string(),
    item_ids: z
      .array(z.string())
      .meta({ description: 'Items that were answered or whose answer was taken back.' }),
  }),
);

const link = eventOf(
  'link',
  'LinkEvent',
  z.object({
    count: z.int().meta({ description: 'Links that were added, removed, rejected or confirmed.' }),
    link_ids: z.array(Id).meta({ description: 'Their ids, the first 100 of them.' }),
  }),
);

const member = eventOf(
  'member',
  'MemberEvent',
  z.object({
    user_id: Id.meta({ description: 'Who joined, has another role or the workspace, or is gone.' }),
  }),
);

const exported = eventOf(
  'export',
  'ExportEvent',
  z.object({
    export_id: Id,
    status: z
      .enum(['queued', 'running', 'completed', 'failed', 'deleted'])
      .meta({ description: 'How far the archive of the workspace is.' }),
  }),
);

const standard = eventOf(
  'standard',
  'StandardEvent',
  z.object({
    standard_id: Id.meta({
      description:
        'Added, given a file, read again, attested, without its attestation, or deleted. `document` tells how far its file is read.',
    }),
  }),
);

/** What people do in a workspace, as `tellWorkspace` tells it. */
export const ToldEvent = z.discriminatedUnion('event', [
  reportProgress,
  checklistAnswer,
  link,
  member,
  exported,
  standard,
]);

/** What a stream of a workspace sends. */
export const WorkspaceEvent = z
  .discriminatedUnion('event', [
    progress,
    finding,
    completed,
    failed,
    cancelled,
    document,
    traceability,
    gapsChanged,
    commentsChanged,
    report,
    reportProgress,
    checklistAnswer,
    link,
    member,
    exported,
    standard,
  ])
  .meta({ id: 'WorkspaceEvent', description: 'One event of the stream of a workspace.' });
