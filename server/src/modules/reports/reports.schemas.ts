import {
  REPORT_CHAPTERS,
  REPORT_FORMATS,
  REPORT_LANGUAGES,
  reportSchema,
  SEVERITIES,
} from '@normtrace/engine';
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
import { GapStatus } from '../gaps/gaps.schemas.js';
import { refsAnswer, refsQuery } from '../names/names.js';
import { ANALYSIS_TYPES } from '../runs/analysis-type.js';
import { RENDERING_STAGES } from './rendering-stages.js';

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

const Chapters = z.array(z.enum(REPORT_CHAPTERS)).min(1).max(REPORT_CHAPTERS.length).meta({
  description:
    'What is printed in HTML, PDF and Word; everything unless told. Cover, overview, scope and method are in each: what was read and how is never left out.',
});
const Severities = z.array(z.enum(SEVERITIES)).min(1).max(SEVERITIES.length).meta({
  description: 'Only findings of these severities. The cover says how many are left out.',
});
const Statuses = z.array(GapStatus).min(1).max(GapStatus.options.length).meta({
  description: 'Only findings with one of these states. The cover says how many are left out.',
});
const Since = Id.meta({
  description:
    'An earlier run of the same kind and subject as one of the analyses: only findings that it did not have. Other analyses stay whole.',
});
const Confidentiality = text({ min: 1, max: 60 }).meta({
  description: 'How confidential the report is: on the cover and at the top of every page.',
  examples: ['Confidential'],
});

const Cover = z
  .array(
    z.strictObject({
      label: text({ min: 1, max: 60 }).meta({ description: 'What it says, such as `Project number`.' }),
      value: text({ min: 1, max: 200 }).meta({ description: 'Of this report.' }),
    }),
  )
  .min(1)
  .max(12)
  .meta({ description: 'Further facts of the cover, in their order.' });

export const ReportOptions = z.strictObject({
  language: Language,
  fail_on: FailOn,
  chapters: Chapters.optional(),
  severities: Severities.optional(),
  statuses: Statuses.optional(),
  since: Since.optional(),
  confidentiality: Confidentiality.optional(),
  cover: Cover.optional(),
});
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

/** Bytes of the facts of a cover in a query, about as many as `cover` of a report can have. */
const LONGEST_COVER = 8000;

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
  chapters: several(z.enum(REPORT_CHAPTERS)).meta({
    description: 'What is printed; everything unless told.',
  }),
  severities: several(z.enum(SEVERITIES)).meta({ description: 'Only findings of these severities.' }),
  statuses: several(GapStatus).meta({ description: 'Only findings with one of these states.' }),
  since: Since.optional(),
  confidentiality: Confidentiality.optional(),
  cover: z
    .string()
    .max(LONGEST_COVER)
    .transform((written, context): unknown => {
      try {
        return JSON.parse(written);
      } catch {
        context.addIssue({ code: 'custom', message: 'Send a JSON array of objects with label and value.' });
        return z.NEVER;
      }
    })
    .pipe(Cover)
    .optional()
    .meta({
      description: 'Further facts of the cover: what `options.cover` of a report is, as JSON.',
      examples: ['[{"label":"Project number","value":"4711"}]'],
    }),
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
    stage: z.enum(RENDERING_STAGES).nullable().meta({
      description: 'The step that it is at while it is `running`, or that it failed at; null: none.',
    }),
    percent: z.int().min(0).max(100).meta({
      description: 'How much of it is made, as `report_progress` of the workspace’s events tells it.',
    }),
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
/** As it is read alone. */
export const NamedReport = Report.extend(refsAnswer).meta({
  id: 'NamedReport',
  description: 'A report, with names where they are asked for.',
});
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
