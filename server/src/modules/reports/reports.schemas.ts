import { REPORT_FORMATS, REPORT_LANGUAGES, reportSchema, SEVERITIES } from '@normtrace/engine';
import { z } from 'zod';
import {
  Id,
  listOf,
  PageQuery,
  SearchQuery,
  several,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
} from '../../platform/http/schemas.js';
import { refsAnswer, refsQuery } from '../names/names.js';
import { ANALYSIS_TYPES } from '../runs/analysis-type.js';

export const REPORT_TYPES = [...ANALYSIS_TYPES, 'full'] as const;
export const REPORT_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;

const Format = z.enum(REPORT_FORMATS);
const Language = z.enum(REPORT_LANGUAGES).default('en').meta({
  description:
    'Of the report’s own words, and of findings, reasons and notes where the run kept what they say; quotes keep that of the document.',
});
const FailOn = z.enum(SEVERITIES).default('high').meta({
  description: 'JUnit: findings from this severity on are failures.',
});

export const ReportOptions = z.strictObject({ language: Language, fail_on: FailOn });
export type ReportOptions = z.output<typeof ReportOptions>;

export const NewReport = z
  .strictObject({
    workspace_id: Id,
    type: z.enum(REPORT_TYPES).meta({
      description: 'The type of the analyses; `full` puts analyses of any type into one report.',
    }),
    analysis_ids: z.array(Id).min(1).max(20).meta({
      description: 'Completed analyses of the workspace, each once; chapters follow this order.',
    }),
    format: Format,
    title: text({ min: 1, max: 300 }).optional().meta({ description: 'Default: made of type and subject.' }),
    options: ReportOptions.prefault({}),
  })
  .meta({ id: 'NewReport' });

/** What a report would be about, in a query. */
export const NewReportPreview = z.strictObject({
  workspace_id: Id,
  type: NewReport.shape.type,
  analysis_ids: several(Id).unwrap().pipe(NewReport.shape.analysis_ids).meta({
    description:
      'Completed analyses of the workspace, each once, separated by commas; chapters follow this order.',
  }),
  title: NewReport.shape.title,
  language: Language,
});

export const Report = z
  .object({
    id: Id,
    workspace_id: Id,
    type: z.enum(REPORT_TYPES),
    format: Format,
    title: z.string(),
    options: ReportOptions,
    status: z.enum(REPORT_STATUSES),
    error: z.string().nullable(),
    analysis_ids: z.array(Id),
    content_hash: z.string().nullable().meta({
      description: 'SHA-256 of what is reported: the same for every format. Printed on the cover.',
    }),
    sha256: z.string().nullable().meta({ description: 'Of the file.' }),
    file_size: z.int().nullable(),
    file_name: z.string(),
    media_type: z.string(),
    tool_version: z.string(),
    words_withdrawn_at: Timestamp.nullable().meta({
      description:
        'When words of an uploaded standard were taken out of the file, because its attestation was withdrawn.',
    }),
    original_sha256: z.string().nullable().meta({ description: 'Of the file before words were taken out.' }),
    created_by: Id,
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
    updated_at: Timestamp,
  })
  .meta({ id: 'Report', description: 'A file that was rendered once and does not change.' });
export type Report = z.output<typeof Report>;

export const ReportParams = z.strictObject({ id: Id });
export const ReportList = listOf('ReportList', Report, refsAnswer);
export const ReportQuery = PageQuery.extend({
  ...refsQuery,
  ...sortedBy('created_at', 'updated_at', 'title'),
  updated_since: UpdatedSince,
  workspace_id: Id.optional(),
  analysis_id: Id.optional().meta({ description: 'Reports about this analysis.' }),
  type: several(z.enum(REPORT_TYPES)),
  format: several(Format),
  status: several(z.enum(REPORT_STATUSES)),
  search: SearchQuery,
});

/** Made at once; the formats that take longer are reports. */
export const EXPORT_FORMATS = ['html', 'csv', 'json', 'xlsx', 'sarif', 'junit'] as const;

/** A report as JSON (`docs/report.schema.json`). */
export const ReportFile = reportSchema.meta({
  id: 'ReportFile',
  description: 'A report as JSON; its schema alone is `docs/report.schema.json`.',
});
export const SarifLog = z
  .looseObject({
    $schema: z.string().optional().meta({ description: 'Address of the schema of SARIF.' }),
    version: z.literal('2.1.0').meta({ description: 'Version of SARIF.' }),
    runs: z
      .array(z.looseObject({}))
      .meta({ description: 'The findings, by the standard SARIF 2.1.0 of OASIS.' }),
  })
  .meta({ id: 'SarifLog', description: 'Findings as SARIF 2.1.0.' });

export const ExportQuery = z.strictObject({
  workspace_id: Id,
  analysis_id: Id.optional().meta({ description: 'Default: the newest completed one.' }),
  standard_id: Id.optional().meta({ description: 'The newest completed one of this standard.' }),
  format: z.enum(EXPORT_FORMATS).default('html'),
  language: Language,
  fail_on: FailOn,
});
