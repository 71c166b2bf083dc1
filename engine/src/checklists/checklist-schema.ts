import { z } from 'zod';
import { keySchema, phrasesSchema } from '../data/shared-schemas.js';
import { checkSchema } from '../engines/checklist/check.js';
import { AUTOMATION, CHECKLIST_DOMAINS } from '../engines/checklist/question.js';
import { severitySchema } from '../findings/severity-schema.js';

const textSchema = z.strictObject({ en: z.string().min(3), de: z.string().min(3) });

const itemSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]+(?:-[A-Z0-9]+)+-\d{2,4}$/, 'Write <domain>-<list>-<number>: FS-HARA-05'),
  text: textSchema,
  refs: z.array(z.string().min(3)).default([]),
  /** Condition ids. */
  applies_when: z.array(keySchema).default([]),
  na: z
    .strictObject({
      text: textSchema,
      when: z.array(keySchema).default([]),
      unless: z.array(keySchema).default([]),
      draft: z.boolean().default(false),
      stated: phrasesSchema.optional(),
    })
    .optional(),
  pass: textSchema,
  fail: textSchema,
  severity: severitySchema,
  /** Where it is not the same as of a fail. */
  missing_severity: severitySchema.optional(),
  document_types: z.array(keySchema).default([]),
  auto: z.enum(AUTOMATION),
  question: textSchema.optional(),
  status: z.enum(['active', 'withdrawn']).default('active'),
  revision: z.int().min(1).default(1),
  checks: z.array(checkSchema).default([]),
});
export type ItemEntry = z.output<typeof itemSchema>;

/** A file of `data/checklists`. */
export const checklistFileSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]+(?:-[A-Z0-9]+)+$/, 'Write <domain>-<list>: FS-HARA'),
  title: textSchema,
  domain: z.enum(CHECKLIST_DOMAINS),
  about: z.strictObject({ document_types: z.array(keySchema).min(1), names: phrasesSchema }),
  items: z.array(itemSchema).min(1),
});
export type ChecklistFile = z.output<typeof checklistFileSchema>;
