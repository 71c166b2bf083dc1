import { z } from 'zod';
import { STATED_KINDS } from '../../facts/stated/stated-columns.js';
import { severitySchema } from '../../findings/severity-schema.js';
import { ARTIFACT_TYPES } from '../../words/artifact-types.js';
import { LINK_ROLES } from '../../words/column-titles.js';
import { listSchema, readTable } from '../../words/read-words.js';

const keys = z.array(z.string());
const share = z.number().min(0).max(1);
const schema = z.strictObject({
  weights: z.record(severitySchema, z.number().positive()),
  values: z.strictObject({
    complete: share,
    by_reference: share,
    tailored_out: share,
    present_unlabelled: share,
    thin: share,
    placeholder: share,
    empty: share,
    missing: share,
  }),
  safetyTypes: keys,
  statusConditions: z.record(z.string(), z.enum(['reviewed', 'released'])),
  keyColumns: keys,
  decidingColumns: keys,
  emptyIsAnswer: z.array(z.strictObject({ column: z.string(), when: z.string(), says: z.string() })),
  fillersAreAnswers: keys,
  sectionColumns: z.record(z.string(), keys),
  sectionFacts: z.record(z.string(), z.array(z.enum(STATED_KINDS))),
  sectionArtifacts: z.record(z.string(), z.array(z.enum(ARTIFACT_TYPES))),
  sectionLinks: z.record(z.string(), z.array(z.enum(LINK_ROLES))),
  sectionRecords: z.record(z.string(), keys),
  sectionStatements: z.record(z.string(), z.string()),
  sectionRows: z.record(z.string(), z.string()),
  shortestKeyword: z.int().positive(),
  figureReference: z.string(),
  figureCaption: z.string(),
  brokenOff: z.string(),
  templateTitle: z.string(),
  appendix: z.string(),
  tailoring: z.string(),
  sameText: share,
  metadata: z.strictObject({
    version: z.string(),
    sections: keys,
    reference: z.string(),
    acronyms: z.int().positive(),
    history: z.strictObject({
      version: listSchema,
      date: listSchema,
      author: listSchema,
      change: listSchema,
    }),
  }),
});

/** What the engine has to know beside the templates, from `data/completeness.yaml`. */
export type CompletenessRules = z.output<typeof schema>;
export const completenessRules = (): CompletenessRules => readTable('completeness', schema);

/** Whether the requirements and results of a document of the type are normative for safety or cybersecurity. */
export function isSafetyType(typeId: string): boolean {
  return completenessRules().safetyTypes.includes(typeId);
}
