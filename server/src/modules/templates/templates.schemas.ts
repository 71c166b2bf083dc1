import { z } from 'zod';
import {
  flag,
  Id,
  listOf,
  PageQuery,
  SearchQuery,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
} from '../../platform/http/schemas.js';
import { Severity } from '../gaps/gaps.schemas.js';

/** The longest of the built-in ones has a tenth of it. */
const LONGEST_YAML = 100_000;

export const Need = z.enum(['required', 'conditional', 'optional']);
const BothLanguages = z.object({ en: z.string(), de: z.string() });

export const TemplateSection = z
  .object({
    key: z.string(),
    heading: BothLanguages,
    synonyms: z.array(z.string()).meta({ description: 'Other headings that mean the same.' }),
    need: Need,
    condition: z.string().nullable().meta({ description: 'What makes a conditional section required.' }),
    condition_id: z.string().nullable(),
    severity: Severity,
    critical: z.boolean().meta({ description: 'Empty, it is as bad as missing.' }),
    min_words: z.int().nullable().meta({ description: 'Fewer words are thin; null: the usual number.' }),
    accepts_by_reference: z.boolean().meta({ description: 'The content may stand in another document.' }),
  })
  .meta({ id: 'TemplateSection' });

export const TemplateTable = z
  .object({
    key: z.string(),
    title: z.string(),
    min_rows: z.int(),
    columns: z.array(z.object({ key: z.string(), names: z.array(z.string()), required: z.boolean() })),
  })
  .meta({ id: 'TemplateTable' });

export const Template = z
  .object({
    id: z.string().meta({ description: 'UUID of a template of a workspace; the type of a built-in one.' }),
    workspace_id: Id.nullable().meta({ description: 'Null for built-in ones.' }),
    built_in: z.boolean(),
    replaces_built_in: z.boolean().meta({
      description: 'It is of a built-in type, and taken instead of the built-in template in its workspace.',
    }),
    type: z.string().meta({ description: 'The document type that it is the template of.' }),
    name: BothLanguages,
    aliases: z.array(z.string()).meta({ description: 'Titles and file names that tell such a document.' }),
    sections: z.array(TemplateSection),
    tables: z.array(TemplateTable),
    learned_from: z
      .object({ work_product_id: Id, version: z.int() })
      .nullable()
      .meta({ description: 'The empty template document that it was made from.' }),
    revision: z.int().meta({ description: 'Rises with every change; runs say which one they used.' }),
    created_by: Id.nullable(),
    created_at: Timestamp.nullable(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'Template', description: 'What documents of one type have to hold.' });
export type Template = z.output<typeof Template>;

export const TemplateDetail = Template.extend({
  yaml: z.string().meta({ description: 'The template as a file, for a person to correct.' }),
}).meta({ id: 'TemplateDetail' });
export type TemplateDetail = z.output<typeof TemplateDetail>;

export const TemplateList = listOf('TemplateList', Template);
export const TemplateQuery = PageQuery.extend({
  ...sortedBy('created_at', 'updated_at', 'type'),
  updated_since: UpdatedSince,
  search: SearchQuery,
  workspace_id: Id.optional().meta({
    description: 'Own templates of this workspace, beside the built-in ones.',
  }),
  built_in: flag().optional(),
  type: z.string().max(80).optional(),
});

/** Built-in types are words, and no UUID is one. */
export const TemplateId = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9_-]{0,79}$/, 'The id of a template: a UUID, or a built-in document type.');
export const TemplateParams = z.strictObject({ id: TemplateId });
export const OwnTemplateParams = z.strictObject({ id: Id });

const yaml = z.string().min(1).max(LONGEST_YAML).meta({
  description: 'A template in the form of the built-in ones; `GET` of any template shows it.',
});

export const NewTemplate = z
  .union([
    z.strictObject({ workspace_id: Id, yaml }),
    z.strictObject({
      workspace_id: Id,
      work_product_id: Id.meta({
        description: 'An empty template document; its headings become sections, its tables required tables.',
      }),
      name: text({ min: 3, max: 200 }).meta({ description: 'What documents of the type are called.' }),
    }),
  ])
  .meta({ id: 'NewTemplate' });
export const TemplateChange = z.strictObject({ yaml }).meta({ id: 'TemplateChange' });
