import { z } from 'zod';
import { loadConditions } from '../conditions/load-conditions.js';
import type { DataProblem } from '../data/data-error.js';
import { listDocumentTypeIds } from '../data/list-document-types.js';
import { BUILT_IN_DATA, type DataFolder, once, parseDataText, readDataFile } from '../data/load-data.js';
import { keySchema, phraseSchema } from '../data/shared-schemas.js';
import { severitySchema } from '../findings/severity-schema.js';
import {
  COLUMN_MEANINGS,
  type ColumnMeaning,
  columnWords,
  compactTitle,
  meaningOfTitles,
  titlesOf,
} from '../words/column-titles.js';
import type { DocumentType } from './document-type.js';
import { templateWords } from './template-words.js';

const sectionSchema = z.strictObject({
  key: keySchema,
  heading: z.strictObject({ en: phraseSchema, de: phraseSchema }),
  synonyms: z.array(z.string().min(1)).default([]),
  need: z.enum(['required', 'conditional', 'optional']),
  condition: keySchema.optional(),
  severity: severitySchema,
  critical: z.boolean().default(false),
  min_words: z.int().min(1).optional(),
  accepts_by_reference: z.boolean().optional(),
});

const columnSchema = z
  .strictObject({
    key: keySchema,
    /** Titles of these stand for the column (`words/columns.yaml`). */
    attributes: z.array(z.enum(COLUMN_MEANINGS)).optional(),
    /** Further titles, of this kind of document only. */
    names: z.array(z.string().min(1)).default([]),
    /** `where_present`: a table may do without the column; where it has it, every row has a value. */
    required: z.union([z.boolean(), z.literal('where_present')]).default(true),
    /** `<table key>.<column key>` of this template: the column says what that table would say ("Findings" in a list of reviews). */
    same_as: z
      .string()
      .regex(/^\w+\.\w+$/)
      .optional(),
  })
  .refine((column) => attributesOf(column).length + column.names.length > 0, {
    error: 'A column needs names or attributes',
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
  /** What a whole document of the type may be called, and sections of others are, too. */
  titles: z.array(z.string().min(2)).default([]),
  about_others: z.literal(true).optional(),
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
    const misnamed = file.value.id === id ? [] : [misnamedFile(file.value.id, id)];
    await file.refuse([
      ...misnamed,
      ...problemsOf(file.value, new Set(conditions.keys())),
      ...withoutGerman(file.value),
    ]);
    return toDocumentType(file.value, conditions);
  });
}

/**
 * A document type of one's own from YAML text in the form of the files in `document-types/`. `name` is the file's,
 * for messages. Throws `DataError` with the line of each problem: unknown keys, unknown conditions, and whatever
 * contradicts itself (a heading that means two sections, a title that means two columns).
 */
export async function parseDocumentType(
  text: string,
  name: string,
  data: DataFolder = BUILT_IN_DATA,
): Promise<DocumentType> {
  const [file, conditions] = await Promise.all([
    parseDataText(name, text, documentTypeSchema),
    loadConditions(data),
  ]);
  await file.refuse([...problemsOf(file.value, new Set(conditions.keys())), ...ambiguities(file.value)]);
  return toDocumentType(file.value, conditions);
}

/** What the one list of titles calls the column. */
const attributesOf = ({
  key,
  attributes,
}: {
  readonly key: string;
  readonly attributes?: readonly ColumnMeaning[] | undefined;
}): readonly ColumnMeaning[] => attributes ?? columnWords().shared.filter((shared) => shared === key);

/** Titles of what tools call an attribute. */
const optionsOf = (attribute: ColumnMeaning): readonly string[] => {
  const { options, attributes } = columnWords();
  return options.filter((one) => columnWords().trace[one] === attribute).flatMap((one) => attributes[one]);
};

/** Its titles by the one list, then those of its own. */
function namesOf(column: z.output<typeof columnSchema>): readonly string[] {
  const names = [...attributesOf(column).flatMap(titlesOf), ...column.names];
  return names.filter((name, at) => names.indexOf(name) === at);
}

function toDocumentType(
  entry: DocumentTypeEntry,
  conditions: ReadonlyMap<string, { readonly label: { readonly en: string } }>,
): DocumentType {
  const { id, name, aliases, titles, traps } = entry;
  return {
    id,
    name,
    aliases,
    ...(titles.length > 0 ? { titles } : {}),
    ...(entry.about_others ? { isAboutOthers: true as const } : {}),
    sections: entry.sections.map(({ condition, accepts_by_reference, min_words, ...section }) => ({
      ...section,
      ...(condition ? { condition: conditions.get(condition)!.label.en, conditionId: condition } : {}),
      ...(min_words === undefined ? {} : { minWords: min_words }),
      ...(accepts_by_reference ? { acceptsByReference: true } : {}),
    })),
    tables: entry.tables.map(({ min_rows, columns, ...table }) => ({
      ...table,
      columns: columns.map((column) => {
        const { key, required, same_as } = column;
        const wholeNames = attributesOf(column).flatMap(optionsOf);
        return {
          key,
          names: namesOf(column),
          ...(wholeNames.length > 0 ? { wholeNames } : {}),
          required: required !== false,
          ...(required === 'where_present' ? { mayBeAbsent: true as const } : {}),
          ...(same_as === undefined ? {} : { sameAs: same_as }),
        };
      }),
      minRows: min_rows,
    })),
    traps,
  };
}

/** Tables and columns whose names have no German one. */
function withoutGerman({ tables: entries }: DocumentTypeEntry): DataProblem[] {
  const { tables, columns } = templateWords();
  const problem = (name: string, path: readonly (string | number)[]): DataProblem => ({
    path,
    problem: `"${name}" has no German name`,
    remedy: 'Write it into words/template-words.yaml.',
  });
  return entries.flatMap((table, at) => [
    ...(Object.hasOwn(tables, table.title) ? [] : [problem(table.title, ['tables', at, 'title'])]),
    ...table.columns.flatMap((column, place) => {
      const name = namesOf(column)[0]!;
      return Object.hasOwn(columns, name) ? [] : [problem(name, ['tables', at, 'columns', place])];
    }),
  ]);
}

function misnamedFile(found: string, id: string): DataProblem {
  const problem = `The id "${found}" differs from the file name`;
  return { path: ['id'], problem, remedy: `Write "${id}" or rename the file.` };
}

/** Headings that mean two sections, and titles that mean two columns of one table. */
function ambiguities(entry: DocumentTypeEntry): DataProblem[] {
  const headings = entry.sections.map(({ key, heading, synonyms }, at) => ({
    key,
    names: [heading.en, heading.de, ...synonyms],
    path: ['sections', at],
  }));
  const columns = entry.tables.flatMap((table, at) => [
    table.columns.map((one, column) => ({
      key: one.key,
      names: namesOf(one),
      path: ['tables', at, 'columns', column],
    })),
  ]);
  return [headings, ...columns].flatMap((entries) => {
    const owners = new Map<string, string>();
    return entries.flatMap(({ key, names, path }) =>
      [...new Set(names.map((text) => text.trim().toLowerCase()))].flatMap((text) => {
        const owner = owners.get(text);
        if (owner === undefined) owners.set(text, key);
        if (owner === undefined || owner === key) return [];
        const problem = `"${text}" means both "${owner}" and "${key}"`;
        return [{ path, problem, remedy: 'Leave it with one of the two.' }];
      }),
    );
  });
}

function problemsOf(entry: DocumentTypeEntry, conditions: ReadonlySet<string>): DataProblem[] {
  const problems: DataProblem[] = [];
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
    problems.push(...knownOtherwise(table.columns, ['tables', index, 'columns']));
  });
  return problems;
}

/** Titles of a column of an attribute that every engine knows as another one, or as this one already. */
function knownOtherwise(
  columns: DocumentTypeEntry['tables'][number]['columns'],
  path: readonly (string | number)[],
): DataProblem[] {
  return columns.flatMap((column, at) => {
    const attributes = attributesOf(column);
    return column.names.flatMap((title, name): DataProblem[] => {
      const known = meaningOfTitles().get(compactTitle(title));
      if (known === undefined || attributes.length === 0 || attributes.includes(known)) return [];
      const problem = `"${title}" means "${known}" in words/columns.yaml, here "${attributes.join(', ')}"`;
      return [{ path: [...path, at, 'names', name], problem, remedy: 'Keep it in one of the two.' }];
    });
  });
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
