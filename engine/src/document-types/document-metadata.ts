import { z } from 'zod';
import { loadConditions } from '../conditions/load-conditions.js';
import type { DataProblem } from '../data/data-error.js';
import { BUILT_IN_DATA, type DataFolder, once, readDataFile } from '../data/load-data.js';
import { type BothLanguages, everyPhrase, keySchema, phrasesSchema } from '../data/shared-schemas.js';
import type { Severity } from '../findings/finding.js';
import { severitySchema } from '../findings/severity-schema.js';

/** A field that every document carries on its cover, in its header or in its front matter (domain D.2). */
export interface MetadataField {
  readonly key: string;
  /** How documents label it, English and German. */
  readonly names: readonly string[];
  /** What a person calls it. */
  readonly label: BothLanguages;
  readonly need: 'required' | 'conditional' | 'optional';
  readonly conditionId?: string;
  /** Required once the document says that it is at least so far. */
  readonly fromStatus?: 'reviewed' | 'approved';
  /** Severity where it is missing; optional fields are never missing. */
  readonly severity: Severity;
  /** Severity in documents of safety and cybersecurity, where it differs. */
  readonly safetySeverity?: Severity;
  /** What a good value looks like, for a person. */
  readonly checks: readonly string[];
}

const fieldSchema = z.strictObject({
  key: keySchema,
  names: phrasesSchema.extend({
    en: z.array(z.string().min(2)).min(1),
    de: z.array(z.string().min(2)).min(1),
  }),
  need: z.enum(['required', 'conditional', 'optional']),
  condition: keySchema.optional(),
  from_status: z.enum(['reviewed', 'approved']).optional(),
  severity: severitySchema,
  safety_severity: severitySchema.optional(),
  checks: z.array(z.string().min(1)).default([]),
});
type Entry = z.output<typeof fieldSchema>;

const fileSchema = z.strictObject({ fields: z.array(fieldSchema) });

/** The common metadata by key. Throws `DataError` for a file that cannot be used. */
export function loadDocumentMetadata(
  data: DataFolder = BUILT_IN_DATA,
): Promise<ReadonlyMap<string, MetadataField>> {
  return once(data, 'document metadata', async () => {
    const [file, conditions] = await Promise.all([
      readDataFile(data, 'document-metadata.yaml', fileSchema),
      loadConditions(data),
    ]);
    await file.refuse(problemsOf(file.value.fields, new Set(conditions.keys())));
    return new Map(file.value.fields.map((entry) => [entry.key, toField(entry)]));
  });
}

function problemsOf(entries: readonly Entry[], conditions: ReadonlySet<string>): DataProblem[] {
  const seen = new Set<string>();
  return entries.flatMap(({ key, condition }, index) => {
    const problems: DataProblem[] = [];
    if (seen.has(key)) {
      const problem = `The field "${key}" is there twice`;
      problems.push({ path: ['fields', index, 'key'], problem, remedy: 'Merge the two.' });
    }
    if (condition && !conditions.has(condition)) {
      const problem = `There is no condition "${condition}"`;
      const remedy = 'Use an id of conditions.yaml or add the condition there.';
      problems.push({ path: ['fields', index, 'condition'], problem, remedy });
    }
    seen.add(key);
    return problems;
  });
}

function toField({ names, condition, from_status, safety_severity, ...rest }: Entry): MetadataField {
  return {
    ...rest,
    names: everyPhrase(names),
    label: { en: names.en[0]!, de: names.de[0]! },
    ...(condition ? { conditionId: condition } : {}),
    ...(from_status ? { fromStatus: from_status } : {}),
    ...(safety_severity ? { safetySeverity: safety_severity } : {}),
  };
}
