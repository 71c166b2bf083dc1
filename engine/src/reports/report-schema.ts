import { z } from 'zod';
import { LINK_TYPES } from '../facts/artifacts/trace-link.js';
import { MODEL_MARKS, SEVERITIES } from '../findings/finding.js';
import {
  ADVICE_KINDS,
  ADVICE_SAYS,
  OPINION_DECISIONS,
  REPORT_CHAPTERS,
  REPORT_LANGUAGES,
  REPORTED_TYPES,
  RESULT_STATES,
  TRACE_METRICS,
} from './report.js';

const severity = z.enum(SEVERITIES);
const confidence = z.enum(['high', 'medium', 'low']);
const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const counts = <const Key extends string>(keys: readonly Key[]) => z.record(z.enum(keys), count);
const MATRIX_STATES = ['complete', 'partial', 'missing', 'orphan'] as const;

const location = z.strictObject({
  page: z.int().min(1).optional(),
  section: z.array(z.string()).optional(),
  sheet: z.string().optional(),
  cell: z.string().optional(),
  line: z.int().min(1).optional(),
  requirementId: z.string().optional(),
});

const evidence = z.strictObject({
  documentId: z.string(),
  document: z.string(),
  version: z.string().optional(),
  location,
  quote: z.string().describe('Exact words of the document.'),
  role: z.enum(['support', 'counter', 'context']),
  note: z.string().optional(),
});

const finding = z.strictObject({
  fingerprint: z.string().describe('The same from run to run.'),
  group: z.string(),
  kind: z.string(),
  criterionId: z.string(),
  clause: z.string(),
  title: z.string(),
  standardRef: z.string(),
  severity,
  originalSeverity: severity.optional(),
  confidence,
  severityReasons: z.array(z.string()),
  asil: z.string().optional(),
  expected: z.string(),
  observed: z.string(),
  whyItMatters: z.string(),
  recommendation: z.string(),
  effortHint: z.enum(['minutes', 'hours', 'days']).optional(),
  affectedItems: z.array(z.string()),
  affected: z
    .array(
      z.strictObject({
        id: z.string(),
        title: z.string().optional().describe('Of a section or field that is not there.'),
        kind: z.string().describe('That of the finding; another one where it follows from it.'),
        severity,
        causedBy: z
          .string()
          .optional()
          .describe('Kind of the finding that it follows from; absent: it is what the finding is about.'),
        documentId: z.string().optional(),
        location: location.optional(),
        searched: z.string().optional().describe('What was searched for it and not found.'),
      }),
    )
    .optional()
    .describe('Of a cause that several artifacts have, or of what a document lacks: all of them.'),
  evidence: z.array(evidence),
  search: z.string().optional(),
  byModel: z.enum(MODEL_MARKS).optional().describe('What a language model had to do with it.'),
  subject: z.string().optional().describe('What it is about, where several analyses may tell it.'),
  remedy: z
    .strictObject({
      language: z.enum(REPORT_LANGUAGES),
      steps: z
        .array(z.string())
        .describe('In words of a language model, checked for what is not in the finding.'),
      effort: z.enum(['minutes', 'hours', 'days']).optional().describe('As the model guesses it.'),
    })
    .optional()
    .describe('Steps that a language model wrote, beside the recommendation of the rules.'),
  status: z.enum(['open', 'in_progress', 'resolved', 'accepted']).optional(),
  change: z.enum(['new', 'unchanged', 'updated', 'absent']).optional(),
  assignee: z.string().optional(),
  dueDate: z.string().optional(),
  note: z.string().optional(),
  unconfirmed: z.literal(true).optional(),
  waits: z.literal(true).optional().describe('It holds only under a condition that nobody has answered.'),
  waiver: z
    .strictObject({ owner: z.string().optional(), reason: z.string(), until: z.string().optional() })
    .optional(),
});

const decision = z.strictObject({
  decision: z.enum(OPINION_DECISIONS),
  by: z.string(),
  at: z.string(),
  reason: z.string(),
});

/** What a language model wrote. */
const written = z.strictObject({
  model: z.string(),
  sentences: z
    .array(
      z.strictObject({
        text: z.string(),
        findings: z.array(z.string()).describe('Fingerprints of the findings that it rests on.'),
      }),
    )
    .describe('Each with what it rests on; those that did not stand the checks are left out.'),
});

const result = z.strictObject({
  id: z.string(),
  group: z.string(),
  label: z.string(),
  title: z.string(),
  state: z.enum(RESULT_STATES),
  confidence: confidence.optional(),
  reason: z.string(),
  evidence: z.array(evidence),
  needsPerson: z.boolean(),
  opinions: z
    .strictObject({
      byRules: z.enum(RESULT_STATES).describe('What rules alone say.'),
      byModel: z
        .enum([...RESULT_STATES, 'none'])
        .optional()
        .describe('What the model said, after all checks; absent where it was not asked.'),
      outcome: z
        .enum(['same', 'raised', 'lowered', 'listed', 'abstained'])
        .describe('What became of the verdict of the rules; listed: the model differs and changes nothing.'),
      confirm: z.literal(true).optional().describe('A person has to confirm it before it counts.'),
      because: z.string().optional().describe('Why rules decided alone.'),
      decision: decision.optional().describe('Who was right, as a person said.'),
    })
    .optional()
    .describe('What rules and a language model said, where one was asked.'),
  instances: z.strictObject({ met: count, of: count }).optional(),
  override: z
    .strictObject({ state: z.enum(RESULT_STATES), by: z.string(), at: z.string(), reason: z.string() })
    .optional(),
});

const share = z.strictObject({ numerator: count, denominator: count, percentage: z.number().nullable() });
const links = z.array(z.strictObject({ artifactId: z.string(), linkType: z.enum(LINK_TYPES) }));
const trace = z.strictObject({
  artifacts: count,
  links: count,
  assumed: count
    .optional()
    .describe('Of the links: those that nothing states and nobody confirmed; they count like the others.'),
  coverage: z.array(z.strictObject({ metric: z.enum(TRACE_METRICS), share })),
  byIntegrity: z.array(z.strictObject({ level: z.string(), share })),
  levels: z.array(z.strictObject({ type: z.string(), counts: counts(MATRIX_STATES) })),
  matrix: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      type: z.string(),
      integrity: z.string().optional(),
      integrityFrom: z.string().optional().describe('The artifact that it inherits the level from.'),
      upstream: links,
      downstream: links,
      status: z.enum(MATRIX_STATES),
    }),
  ),
  matrixTotal: count,
  unlisted: count,
});

const part = z.strictObject({
  id: z.string(),
  type: z.enum(REPORTED_TYPES),
  subject: z.string(),
  standard: z
    .strictObject({
      id: z.string(),
      designation: z.string(),
      title: z.string(),
      edition: z.string(),
      source: z.enum(['catalog', 'uploaded']),
    })
    .optional(),
  engine: z.strictObject({ name: z.string(), version: z.string() }),
  mode: z.enum(['rules', 'ai']),
  finishedAt: z.string().optional(),
  method: z.strictObject({
    passages: count.optional(),
    embedding: z
      .union([z.strictObject({ model: z.string() }), z.strictObject({ lexicalOnly: z.string() })])
      .optional(),
    conditions: z.record(z.string(), z.boolean()),
    model: z
      .strictObject({
        id: z.string(),
        asked: count.describe('Questions to the model.'),
        answered: count.describe('Questions with an answer that could be read.'),
        inputTokens: count,
        outputTokens: count,
        byRulesBecause: z.record(z.string(), count).describe('What rules decided alone, counted by reason.'),
        answeredAs: z
          .array(z.string())
          .optional()
          .describe('Names under which the server answered, where they are not that of the model.'),
      })
      .optional()
      .describe('The language model that was asked beside the rules.'),
  }),
  score: z.strictObject({
    value: z.number().nullable(),
    upTo: z.number().nullable().optional(),
    agreement: z
      .strictObject({ value: z.number(), defects: z.int(), weight: z.number(), statements: z.int() })
      .optional(),
  }),
  severities: counts(SEVERITIES),
  changes: counts(['new', 'unchanged', 'updated', 'absent']).optional(),
  gone: z
    .array(z.strictObject({ severity: z.enum(SEVERITIES), title: z.string() }))
    .optional()
    .describe('Findings of the earlier report that are not found any more.'),
  groups: z.array(z.strictObject({ key: z.string(), title: z.string() })),
  results: z.array(result),
  findings: z.array(finding),
  questions: z.array(z.strictObject({ subject: z.string(), text: z.string() })),
  notAssessed: z.array(z.strictObject({ subject: z.string(), reason: z.string() })),
  notDue: z
    .array(
      z.strictObject({
        because: z
          .enum(['phase', 'person', 'plan', 'planned'])
          .describe('Who says so: the phase or a person told it, a plan leaves it out, or has it for later.'),
        reason: z.string(),
        items: z.array(z.string()).describe('Ids of criteria, items of checklists, sections or artifacts.'),
      }),
    )
    .optional()
    .describe(
      'Not due in the phase of the project, or not done in it: no findings, in no score and no count.',
    ),
  trace: trace.optional(),
  advice: z
    .array(
      z.strictObject({
        kind: z.enum(ADVICE_KINDS).describe('What was asked.'),
        subject: z
          .string()
          .describe('The requirement, both ends of the link, the document with the heading.'),
        about: z.string().describe('Axis of wording, type of link, type of document.'),
        says: z.enum(ADVICE_SAYS).describe('What the model answered.'),
        because: z.string().describe('In words of the model.'),
        quotes: z.array(z.string()).describe('The words of documents that are meant.'),
        decision: decision.optional().describe('Who was right, as a person said.'),
      }),
    )
    .optional()
    .describe('What a language model said that is no verdict: no finding and no score follows from it.'),
  written: written
    .optional()
    .describe('Written about this result by a language model; numbers in it are put in by code.'),
});

/** The type `Report` for programs that read it; a test holds the two to each other. */
export const reportSchema = z.strictObject({
  schema: z.literal('normtrace.report/1'),
  language: z.enum(REPORT_LANGUAGES),
  title: z.string(),
  workspace: z.string().optional(),
  author: z.string().optional(),
  createdAt: z.string().describe('ISO 8601'),
  tool: z.strictObject({ name: z.string(), version: z.string() }),
  notice: z.string().describe('What the report is not, in its language.'),
  contentHash: sha256.describe('Of what is reported, whatever the format.'),
  scope: z.strictObject({
    item: z.string().optional(),
    variant: z.string().optional(),
    aliases: z.array(z.string()).optional(),
    phase: z
      .string()
      .optional()
      .describe('The phase that the project is in: what is due later is not due yet.'),
    tailoredOut: z
      .array(
        z.strictObject({
          area: z.string().describe('An area of work, or the beginning of ids of criteria.'),
          reason: z.string().describe('Why it is not done.'),
        }),
      )
      .optional()
      .describe('What is not done in this project.'),
  }),
  documents: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      version: z.string(),
      sha256: z.string(),
      types: z.array(z.string()),
      status: z.string().optional(),
      stated: z
        .strictObject({
          version: z.string().optional().describe('Version as the document states it.'),
          date: z.string().optional().describe('Date as the document states it.'),
          status: z.string().optional().describe('Status as the document states it.'),
        })
        .optional()
        .describe('As the document itself states them.'),
      setAside: z.string().optional(),
      notes: z.array(z.string()),
    }),
  ),
  mark: z.string().optional().describe('How confidential it is, as whoever made it says.'),
  cover: z
    .array(
      z.strictObject({
        label: z.string().describe('What it says.'),
        value: z.string().describe('Of this report.'),
      }),
    )
    .optional()
    .describe('Facts that whoever made it added to the cover.'),
  chapters: z
    .array(z.enum(REPORT_CHAPTERS))
    .optional()
    .describe('What is printed beside cover, overview, scope and method; everything where absent.'),
  selection: z
    .strictObject({
      severities: z.array(z.enum(SEVERITIES)).optional().describe('Only findings of these severities.'),
      statuses: z
        .array(z.enum(['open', 'in_progress', 'resolved', 'accepted']))
        .optional()
        .describe('Only findings with one of these states.'),
      since: z.string().optional().describe('Only what the run that ended then did not find.'),
      findings: z.int().describe('How many findings are told.'),
      leftOut: z.int().describe('How many are not.'),
    })
    .optional()
    .describe('Which findings are told, where not all.'),
  parts: z.array(part),
  summary: written.optional().describe('Written by a language model; numbers in it are put in by code.'),
  copyFor: z.strictObject({ name: z.string(), at: z.string() }).optional(),
  wordsRemoved: z.literal(true).optional(),
});

/** JSON Schema of a report, as `docs/report.schema.json` publishes it. */
export const reportJsonSchema = (): object => ({
  title: 'Normtrace report',
  ...z.toJSONSchema(reportSchema, { target: 'draft-2020-12' }),
});
