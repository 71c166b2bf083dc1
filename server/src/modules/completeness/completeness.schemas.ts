import { COMPLETENESS_STATES } from '@normtrace/engine';
import { z } from 'zod';
import { Id, text } from '../../platform/http/schemas.js';
import { Evidence, Severity } from '../gaps/gaps.schemas.js';
import { AnalysisOptions, StartAnalysis } from '../runs/analyses.schemas.js';
import { Need, TemplateId } from '../templates/templates.schemas.js';

const QualitySeverity = z.enum(['low', 'medium', 'high']);
const Confidence = z.enum(['high', 'medium', 'low']);
const evidence = z.array(Evidence);

export const CompletenessOptions = AnalysisOptions.pick({
  conditions: true,
  item: true,
  variant: true,
  aliases: true,
  phase: true,
  tailored_out: true,
}).extend({
  today: z.iso.date().optional().meta({
    description:
      'A date after it lies in the future, which is a problem of a document. Default: the day of the start.',
  }),
  requirement_quality: z
    .strictObject({
      without: z.array(z.string().max(20)).max(100).default([]).meta({
        description: 'Rules that are switched off: `RQQ-05`.',
      }),
      glossary: z
        .array(text({ min: 1, max: 100 }))
        .max(500)
        .default([])
        .meta({
          description: 'Words that the project defines: they are neither vague nor unknown.',
        }),
      least: QualitySeverity.default('medium').meta({ description: 'Observations below it are not listed.' }),
    })
    .prefault({}),
});
export type CompletenessOptions = z.output<typeof CompletenessOptions>;

export const StartCompleteness = StartAnalysis.extend({
  template_id: TemplateId.optional().meta({
    description:
      'UUID of a template of the workspace, or a built-in type. All documents are checked against it; without it, each ' +
      'against the templates of what it is recognised as.',
  }),
  options: CompletenessOptions.prefault({}),
}).meta({ id: 'StartCompleteness' });

/** What a run keeps of its start. */
export const StoredCompletenessOptions = CompletenessOptions.extend({
  today: z.iso.date(),
  template_id: TemplateId.nullable(),
  /** Templates of the workspace that took part, as they were. */
  templates: z.array(z.strictObject({ id: Id, type: z.string(), revision: z.int() })),
});
export type StoredCompletenessOptions = z.output<typeof StoredCompletenessOptions>;

const CompletenessState = z.enum(COMPLETENESS_STATES).meta({
  id: 'CompletenessState',
  description:
    '`thin`: too few words, half-filled rows, or a figure without words. `placeholder`: open points only. `empty`: ' +
    'nothing, or the instructions of the template. `by_reference`: points to another document. `tailored_out`: not ' +
    'applicable, with a reason. `present_unlabelled`: the content is there under another heading.',
});

const CompletenessScore = z
  .object({
    value: z.number().nullable().meta({ description: '0 to 100; null when nothing is demanded.' }),
    states: z.record(CompletenessState, z.int()).meta({ description: 'Demanded sections by state.' }),
    unknown: z.int().meta({
      description: 'Sections whose condition a person has to answer; no part of the value.',
    }),
  })
  .meta({ id: 'CompletenessScore', description: 'Never to be shown without the counts.' });

const Section = z
  .object({
    key: z.string(),
    title: z.string(),
    need: Need,
    applies: z.enum(['yes', 'no', 'unknown']).meta({
      description: '`unknown`: a person has to answer the condition.',
    }),
    condition: z.object({ id: z.string(), question: z.string(), reason: z.string() }).nullable(),
    severity: Severity,
    critical: z.boolean(),
    state: CompletenessState,
    reason: z.string(),
    needs_person: z.boolean().meta({
      description: 'A figure that cannot be read, or a reference that cannot be followed.',
    }),
    heading: z.string().nullable().meta({ description: 'As it stands in the document.' }),
    words: z.int(),
    rows: z.int(),
    instructions: z.int().meta({ description: 'Instructions of the template that are still there.' }),
    reference: z
      .object({
        name: z.string(),
        target: z.enum(['provided', 'not_provided', 'lacks_content']),
        work_product_id: Id.nullable(),
      })
      .nullable(),
    evidence,
    search: z.record(z.string(), z.unknown()).nullable().meta({ description: 'What was searched.' }),
  })
  .meta({ id: 'SectionResult' });

const Column = z.object({
  key: z.string(),
  title: z.string(),
  required: z.boolean(),
  state: z.enum(['present', 'elsewhere', 'missing']).meta({
    description: '`elsewhere`: no such column, but a section of its own holds the content.',
  }),
  empty_cells: z.int(),
  evidence,
});

const Table = z
  .object({
    key: z.string(),
    title: z.string(),
    state: z.enum(['found', 'no_rows', 'not_found']),
    rows: z.int(),
    columns: z.array(Column),
    evidence,
  })
  .meta({ id: 'TableResult' });

const TemplateCheck = z
  .object({
    type: z.string(),
    template_id: z.string().meta({ description: 'UUID of an own template, else the built-in type.' }),
    name: z.string(),
    part: z.enum(['document', 'section']),
    confidence: Confidence,
    reasons: z.array(z.string()).meta({ description: 'What the document was known by.' }),
    empty_template: z.boolean().meta({ description: 'It holds nothing but the template itself.' }),
    sections: z.array(Section),
    tables: z.array(Table),
    score: CompletenessScore,
  })
  .meta({ id: 'TemplateCheck', description: 'A document, or a part of it, against one template.' });

const MetadataField = z
  .object({
    key: z.string(),
    label: z.string(),
    need: Need,
    applies: z.boolean(),
    state: z.enum(['present', 'open', 'file_property_only', 'missing']),
    value: z.string().nullable(),
    problems: z.array(z.string()),
    severity: Severity,
    evidence,
  })
  .meta({ id: 'MetadataResult' });

const Placeholders = z
  .object({
    pattern: z.string(),
    what: z.string(),
    section: z.string(),
    count: z.int(),
    place: z.enum(['normative', 'metadata', 'other', 'optional']),
    tracked: z.boolean().meta({ description: 'All of them have an owner and a due date.' }),
    severity: Severity,
    confidence: z.number(),
    items: z.array(z.string()),
    evidence,
  })
  .meta({ id: 'PlaceholderResult', description: 'Open content of one section and one pattern.' });

const Observation = z
  .object({
    requirement: z.string(),
    rule: z.string(),
    severity: QualitySeverity,
    finding: z.string(),
    why: z.string(),
    note: z.string().nullable(),
    rewrite: z.string(),
    others: z.array(z.string()),
    evidence: Evidence,
  })
  .meta({ id: 'RequirementObservation' });

const RequirementQuality = z
  .object({
    requirements: z.int(),
    clean: z.number().nullable().meta({
      description: 'Share without an observation of medium or high severity, 0 to 1.',
    }),
    rules: z.array(
      z.object({
        rule: z.string(),
        finding: z.string(),
        requirements: z.int(),
        share: z.number(),
        examples: z.array(z.string()),
        systematic: z.boolean().meta({
          description: 'It fires on more than two fifths: three observations are listed.',
        }),
      }),
    ),
    ears: z.record(z.string(), z.int()).meta({ description: 'Requirements by the shape of their sentence.' }),
    scores: z.array(z.object({ requirement: z.string(), score: z.number() })),
    observations: z.array(Observation),
  })
  .meta({
    id: 'RequirementQuality',
    description: 'Observations on wording; no finding, and no part of the score.',
  });

export const DocumentCompleteness = z
  .object({
    work_product_id: Id,
    name: z.string(),
    version: z.int(),
    sha256: z.string(),
    language: z.string(),
    status: z.string(),
    set_aside: z.string().nullable().meta({ description: 'Why it was not checked.' }),
    templates: z.array(TemplateCheck),
    metadata: z.array(MetadataField),
    placeholders: z.array(Placeholders),
    instructions: z.object({ count: z.int(), evidence }),
    requirement_quality: RequirementQuality,
    score: CompletenessScore,
    gap_fingerprints: z.array(z.string()).meta({ description: 'Of the gaps about this document.' }),
    notes: z.array(z.string()).meta({ description: 'What the reader had to say.' }),
  })
  .meta({ id: 'DocumentCompleteness' });
export type DocumentCompleteness = z.output<typeof DocumentCompleteness>;

export const OpenQuestion = z
  .object({
    condition: z.string(),
    question: z.string(),
    reason: z.string(),
    sections: z.array(z.object({ work_product_id: Id, section: z.string() })),
  })
  .meta({ id: 'OpenQuestion', description: 'A condition that only a person can answer.' });
export type OpenQuestion = z.output<typeof OpenQuestion>;
