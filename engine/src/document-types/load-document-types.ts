import { z } from 'zod';
import { loadConditions } from '../conditions/load-conditions.js';
import type { DataProblem } from '../data/data-error.js';
import { BUILT_IN_DATA, type DataFolder, once, readDataFile } from '../data/load-data.js';
import { keySchema, phraseSchema, severitySchema } from '../data/shared-schemas.js';
import type { DocumentType } from './document-type.js';
import { listDocumentTypeIds } from './list-document-types.js';

const sectionSchema = z.strictObject({
  key: keySchema,
  heading: z.strictObject({ en: phraseSchema, de: phraseSchema }),
  synonyms: z.array(z.string().min(1)).default([]),
  need: z.enum(['required', 'conditional', 'optional']),
  condition: keySchema.optional(),
  severity: severitySchema,
  critical: z.boolean().default(false),
  accepts_by_reference: z.boolean().optional(),
});

const columnSchema = z.strictObject({
  key: keySchema,
  names: z.array(z.string().min(1)).min(1),
  required: z.boolean().default(true),
});

const tableSchema = z.strictObject({
  key: keySchema,
  title: z.string().min(1),
  min_rows: z.int().min(0).default(1),
  columns: z.array(columnSchema).min(1),
});

const documentTypeSchema = z.strictObject({
  id: keySchema,
  name: z.strictObject({ en: phraseSchema, de: phraseSchema }),
  aliases: z.array(z.string().min(2)).min(1),
  sections: z.array(sectionSchema).min(1),
  tables: z.array(tableSchema).default([]),
  traps: z.array(z.string().min(1)).default([]),
});
type DocumentTypeEntry = z.output<typeof documentTypeSchema>;

/** All document types with their templates, by id. Throws `DataError` for a file that cannot be used. */
export async function loadDocumentTypes(
  data: DataFolder = BUILT_IN_DATA,
): Promise<ReadonlyMap<string, DocumentType>> {
  const ids = [...(await listDocumentTypeIds(data))];
  const types = await Promise.all(ids.map((id) => loadDocumentType(id, data)));
  return new Map(types.map((type) => [type.id, type]));
}

/** One document type; reads its own file and the conditions only. */
export function loadDocumentType(id: string, data: DataFolder = BUILT_IN_DATA): Promise<DocumentType> {
  return once(data, `document type ${id}`, async () => {
    const [file, conditions] = await Promise.all([
      readDataFile(data, `document-types/${id}.yaml`, documentTypeSchema),
      loadConditions(data),
    ]);
    await file.refuse(problemsOf(file.value, id, new Set(conditions.keys())));
    return {
      id,
      name: file.value.name,
      aliases: file.value.aliases,
      sections: file.value.sections.map(({ condition, accepts_by_reference, ...section }) => ({
        ...section,
        ...(condition ? { condition: conditions.get(condition)!.label, conditionId: condition } : {}),
        ...(accepts_by_reference ? { acceptsByReference: true } : {}),
      })),
      tables: file.value.tables.map(({ min_rows, ...table }) => ({ ...table, minRows: min_rows })),
      traps: file.value.traps,
    };
  });
}

function problemsOf(entry: DocumentTypeEntry, id: string, conditions: ReadonlySet<string>): DataProblem[] {
  const problems: DataProblem[] = [];
  if (entry.id !== id) {
    const problem = `The id "${entry.id}" differs from the file name`;
    problems.push({ path: ['id'], problem, remedy: `Write "${id}" or rename the file.` });
  }
  entry.sections.forEach((section, index) => {
    const path = ['sections', index, 'condition'];
    if ((section.need === 'conditional') !== (section.condition !== undefined)) {
      const problem = `The section "${section.key}" is ${section.need} and has ${section.condition ? 'a' : 'no'} condition`;
      const remedy = 'A conditional section names its condition, the others have none.';
      problems.push({ path: ['sections', index, 'need'], problem, remedy });
    }
    if (section.condition && !conditions.has(section.condition)) {
      const problem = `There is no condition "${section.condition}"`;
      problems.push({ path, problem, remedy: 'Use an id of conditions.yaml or add the condition there.' });
    }
  });
  problems.push(...duplicates(entry.sections, ['sections']), ...duplicates(entry.tables, ['tables']));
  entry.tables.forEach((table, index) => {
    problems.push(...duplicates(table.columns, ['tables', index, 'columns']));
  });
  return problems;
}

function duplicates(
  entries: readonly { readonly key: string }[],
  path: readonly (string | number)[],
): DataProblem[] {
  const seen = new Set<string>();
  return entries.flatMap(({ key }, index) => {
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const problem = `The key "${key}" is there twice`;
    return [{ path: [...path, index, 'key'], problem, remedy: 'Merge the two or rename one.' }];
  });
}
