import { z } from 'zod';
import { Id, listOf, PageQuery, SearchQuery, Timestamp, text } from '../../platform/http/schemas.js';
import { ANALYSIS_TYPES } from './analysis-type.js';

export const AnalysisType = z.enum(ANALYSIS_TYPES).meta({ id: 'AnalysisType' });
export const Severity = z.enum(['critical', 'high', 'medium', 'low']).meta({ id: 'Severity' });
export const GapStatus = z.enum(['open', 'in_progress', 'resolved', 'accepted']).meta({ id: 'GapStatus' });
export const Change = z.enum(['new', 'unchanged', 'updated', 'absent']).meta({ id: 'Change' });

export const Evidence = z
  .object({
    work_product_id: Id,
    version: z.int(),
    location: z.object({
      page: z.int().optional(),
      section: z.array(z.string()).optional().meta({ description: 'Headings above, outermost first.' }),
      sheet: z.string().optional(),
      cell: z.string().optional(),
      line: z.int().optional(),
      requirement_id: z.string().optional(),
    }),
    quote: z.string().meta({ description: 'Exact words of the parsed document.' }),
    role: z.enum(['support', 'counter', 'context']),
    note: z.string().nullable(),
  })
  .meta({ id: 'Evidence', description: 'A place in a document version and the exact words there.' });
export type Evidence = z.output<typeof Evidence>;

export const Gap = z
  .object({
    id: Id,
    workspace_id: Id,
    analysis_type: AnalysisType,
    standard_id: Id.nullable().meta({ description: 'Null where no standard demands it.' }),
    work_product_id: Id.nullable().meta({
      description: 'The only document that it is about; null: about all that were analysed.',
    }),
    analysis_id: Id.meta({ description: 'The newest run that found it.' }),
    fingerprint: z.string(),
    type: z.string(),
    status: GapStatus,
    change: Change.meta({ description: 'Against the run before.' }),
    severity: Severity,
    severity_reasons: z.array(z.string()),
    confidence: z.enum(['high', 'medium', 'low']),
    asil: z.string().nullable(),
    criterion_id: z.string(),
    clause: z.string(),
    title: z.string(),
    standard_ref: z.string(),
    expected: z.string(),
    observed: z.string(),
    why_it_matters: z.string(),
    recommendation: z.string(),
    recommendations: z.array(z.string()),
    effort_hint: z.enum(['minutes', 'hours', 'days']).nullable(),
    affected_items: z.array(z.string()),
    evidence: z.array(Evidence),
    search: z.record(z.string(), z.unknown()).nullable().meta({ description: 'What was searched.' }),
    assignee: Id.nullable(),
    reason: z.string().nullable().meta({ description: 'Why the status is what it is.' }),
    accepted_until: Timestamp.nullable(),
    note: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Gap', description: 'Something that the documents given do not show.' });
export type Gap = z.output<typeof Gap>;

export const GapList = listOf('GapList', Gap);
export const GapParams = z.strictObject({ gap_id: Id });
export const GapQuery = PageQuery.extend({
  search: SearchQuery,
  workspace_id: Id.optional(),
  standard_id: Id.optional(),
  work_product_id: Id.optional(),
  analysis_type: AnalysisType.optional(),
  analysis_id: Id.optional(),
  severity: Severity.optional(),
  status: GapStatus.optional(),
  change: Change.optional(),
  type: z.string().max(80).optional(),
  clause: z.string().max(80).optional(),
  assignee: Id.optional(),
});

export const GapChange = z
  .strictObject({
    status: GapStatus.optional(),
    reason: text({ min: 1, max: 2000 }).optional().meta({ description: 'Needed for `accepted`.' }),
    accepted_until: z.iso.datetime({ offset: true }).optional(),
    assignee: Id.nullable().optional().meta({ description: 'A member of the workspace.' }),
  })
  .refine((change) => Object.keys(change).length > 0, 'Name at least one field to change.')
  .meta({ id: 'GapChange' });
