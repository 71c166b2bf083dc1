import { z } from 'zod';
import type { DataProblem } from '../data/data-error.js';
import { listDocumentTypeIds } from '../data/list-document-types.js';
import { BUILT_IN_DATA, type DataFolder, once, readDataFile } from '../data/load-data.js';
import { everyPhrase, keySchema, phrasesSchema } from '../data/shared-schemas.js';
import type { Condition } from './condition.js';

const conditionSchema = z.strictObject({
  id: keySchema,
  label: z.strictObject({ en: z.string().startsWith('if '), de: z.string().startsWith('wenn ') }),
  question: z.strictObject({ en: z.string().endsWith('?'), de: z.string().endsWith('?') }),
  asserted_by: phrasesSchema.optional(),
  denied_by: phrasesSchema.optional(),
  document_types: z.array(keySchema).default([]),
  asil_at_least: z.enum(['A', 'B', 'C', 'D']).optional(),
  asil_decomposed: z.literal(true).optional(),
  default: z.enum(['assume_true', 'assume_false', 'ask']),
  reason: z.strictObject({ en: z.string().min(1), de: z.string().min(1) }),
});

type Entry = z.output<typeof conditionSchema>;

const fileSchema = z.strictObject({ conditions: z.array(conditionSchema) });

/** All conditions by id, in the order of `conditions.yaml`. Throws `DataError` for a file that cannot be used. */
export function loadConditions(data: DataFolder = BUILT_IN_DATA): Promise<ReadonlyMap<string, Condition>> {
  return once(data, 'conditions', async () => {
    const [file, documentTypes] = await Promise.all([
      readDataFile(data, 'conditions.yaml', fileSchema),
      listDocumentTypeIds(data),
    ]);
    await file.refuse(problemsOf(file.value.conditions, documentTypes));
    return new Map(file.value.conditions.map((entry) => [entry.id, toCondition(entry)]));
  });
}

function problemsOf(entries: readonly Entry[], documentTypes: ReadonlySet<string>): DataProblem[] {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const path = ['conditions', index];
    const problems: DataProblem[] = entry.document_types
      .filter((id) => !documentTypes.has(id))
      .map((id) => ({
        path: [...path, 'document_types'],
        problem: `There is no document type "${id}"`,
        remedy: 'Use the name of a file in document-types/.',
      }));
    if (seen.has(entry.id)) {
      const problem = `The condition "${entry.id}" is there twice`;
      problems.push({ path: [...path, 'id'], problem, remedy: 'Remove one or give it another id.' });
    }
    seen.add(entry.id);
    return problems;
  });
}

function toCondition(entry: Entry): Condition {
  return {
    id: entry.id,
    label: entry.label,
    question: entry.question,
    assertedBy: entry.asserted_by ? everyPhrase(entry.asserted_by) : [],
    deniedBy: entry.denied_by ? everyPhrase(entry.denied_by) : [],
    assertedByDocumentTypes: entry.document_types,
    ...(entry.asil_at_least ? { asilAtLeast: entry.asil_at_least } : {}),
    ...(entry.asil_decomposed ? { asilDecomposed: entry.asil_decomposed } : {}),
    default: entry.default,
    reason: entry.reason,
  };
}
