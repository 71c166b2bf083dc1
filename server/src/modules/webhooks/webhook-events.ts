import { z } from 'zod';
import type { DescribedWebhook } from '../../platform/http/openapi/document.js';
import { Id, Timestamp } from '../../platform/http/schemas.js';
import { AnalysisType, GapStatus } from '../gaps/gaps.schemas.js';
import { REPORT_TYPES } from '../reports/reports.schemas.js';

/** Every kind of event, with what it says. */
export const WEBHOOK_EVENTS = {
  'analysis.completed': 'An analysis has its result; with its counts.',
  'analysis.failed': 'An analysis ended without a result: an error, or the time limit.',
  'gap.status_changed':
    'A person changed the status of a gap, its acceptance ended, or a run opened it again. What else a run changes is told ' +
    'by its counts.',
  'document.processed': 'A version of a work product was read, or could not be.',
  'report.completed': 'A report can be downloaded.',
} as const;
export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

const ofWorkspace = z.object({
  workspace_id: Id,
  url: z.string().meta({ description: 'Where more is to be had, with a token.' }),
});
const ofRun = ofWorkspace.extend({ analysis_id: Id, analysis_type: AnalysisType });

/** `data` of every event. Ids, counts, closed words and a link. */
export const WEBHOOK_DATA = {
  'analysis.completed': ofRun.extend({
    status: z.literal('completed'),
    score: z.number().nullable(),
    counts: z.record(z.string(), z.unknown()).meta({ description: 'As in `summary` of the analysis.' }),
  }),
  'analysis.failed': ofRun.extend({ status: z.enum(['failed', 'timed_out']) }),
  'gap.status_changed': ofWorkspace.extend({
    gap_id: Id,
    analysis_id: Id,
    from: GapStatus.meta({ description: 'Before.' }),
    to: GapStatus.meta({ description: 'Now.' }),
  }),
  'document.processed': ofWorkspace.extend({
    work_product_id: Id,
    version: z.int(),
    processing_status: z.enum(['completed', 'failed']),
    error_code: z.string().optional().meta({ description: 'Why it could not be read.' }),
  }),
  'report.completed': ofWorkspace.extend({
    report_id: Id,
    type: z.enum(REPORT_TYPES),
    format: z.string(),
  }),
} as const satisfies Readonly<Record<WebhookEventType, z.ZodType>>;

const base = 'https://normtrace.example.org/api/v1';
const workspace_id = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
const id = '3a1f8c55-7d1e-4d5b-8a77-9c6f5b1f8e11';
const analysis = { workspace_id, analysis_id: id, analysis_type: 'gap_analysis' };
const EXAMPLES: Readonly<Record<WebhookEventType, object>> = {
  'analysis.completed': {
    ...analysis,
    status: 'completed',
    score: 62.5,
    counts: { gaps: 17 },
    url: `${base}/analysis/analyses/${id}`,
  },
  'analysis.failed': { ...analysis, status: 'timed_out', url: `${base}/analysis/analyses/${id}` },
  'gap.status_changed': {
    workspace_id,
    gap_id: '9a4d5cc5-1a49-4e6b-b1d9-2e2f5f7c1b77',
    analysis_id: id,
    from: 'open',
    to: 'in_progress',
    url: `${base}/analysis/gaps/9a4d5cc5-1a49-4e6b-b1d9-2e2f5f7c1b77`,
  },
  'document.processed': {
    workspace_id,
    work_product_id: id,
    version: 2,
    processing_status: 'completed',
    url: `${base}/work-products/${id}`,
  },
  'report.completed': {
    workspace_id,
    report_id: id,
    type: 'gap_analysis',
    format: 'pdf',
    url: `${base}/reports/${id}`,
  },
};

const nameOf = (event: string): string =>
  event.replaceAll(/(?:^|[._])(.)/g, (_, first) => first.toUpperCase());

/** What every kind of event looks like when it is sent, for the API description. */
export const describedWebhooks: Readonly<Record<string, DescribedWebhook>> = Object.fromEntries(
  (Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]).map((type) => [
    type,
    {
      summary: `Event ${type}`,
      description: WEBHOOK_EVENTS[type],
      body: z
        .object({
          type: z.literal(type).meta({ description: 'Which event it is.' }),
          timestamp: Timestamp.meta({ description: 'When it happened.' }),
          data: WEBHOOK_DATA[type].meta({ description: 'What happened, in ids, counts and closed words.' }),
        })
        .meta({ id: `${nameOf(type)}Webhook` }),
      example: { type, timestamp: '2026-01-31T09:30:00.000Z', data: EXAMPLES[type] },
    },
  ]),
);
