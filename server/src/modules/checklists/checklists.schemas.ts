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
import { isUuid } from '../own-definitions/own-or-built-in.js';

/** Ten times the longest of the built-in ones. */
const LONGEST_YAML = 200_000;

/** Two languages, one where there is no other. */
export const ChecklistText = z.object({ en: z.string(), de: z.string().nullable() }).meta({
  id: 'ChecklistText',
  description: 'Texts of own checklists stand in `en`, whatever their language.',
});

export const ChecklistGroup = z.enum(['process', 'functional_safety', 'cybersecurity', 'own']);
const Language = z.enum(['en', 'de']);

export const ChecklistItem = z
  .object({
    id: z.string(),
    text: ChecklistText,
    refs: z.array(z.string()).meta({ description: 'Standard and clause.' }),
    severity: Severity.meta({ description: 'Of a `fail`.' }),
    missing_severity: Severity,
    automation: z.enum(['full', 'assisted', 'manual']).meta({
      description:
        '`assisted`: a person confirms what is not decisive. `manual`: only a person can answer it.',
    }),
    question: ChecklistText.nullable().meta({ description: 'What a person has to answer.' }),
    pass: ChecklistText.nullable(),
    fail: ChecklistText.nullable(),
    document_types: z.array(z.string()).meta({ description: 'Where it is looked for; empty: everywhere.' }),
    applies_when: z.array(z.string()).meta({ description: 'Conditions.' }),
    not_applicable: ChecklistText.nullable().meta({ description: 'When it does not apply.' }),
    status: z.enum(['active', 'withdrawn']),
    revision: z.int().meta({ description: 'Rises when the item is changed.' }),
    claimed: z
      .object({ result: z.string(), remark: z.string().nullable(), evidence: z.string().nullable() })
      .nullable()
      .meta({ description: 'What the uploaded file said already: a claim, no evidence.' }),
  })
  .meta({ id: 'ChecklistItem' });
export type ChecklistItem = z.output<typeof ChecklistItem>;

export const Checklist = z
  .object({
    id: z.string().meta({ description: 'UUID of a checklist of a workspace; `FS-HARA` of a built-in one.' }),
    workspace_id: Id.nullable().meta({ description: 'Null for built-in ones.' }),
    built_in: z.boolean(),
    key: z.string().meta({ description: 'What its items begin with; of own ones `USR-…`.' }),
    title: ChecklistText,
    group: ChecklistGroup,
    languages: z.array(Language).meta({ description: 'Of its texts, as far as they are known.' }),
    item_count: z.int().meta({ description: 'Items that are asked.' }),
    taken_from: z
      .object({ work_product_id: Id, version: z.int() })
      .nullable()
      .meta({ description: 'The file that it was read from.' }),
    revision: z.int().meta({ description: 'Rises with every change; runs say which one they used.' }),
    created_by: Id.nullable(),
    created_at: Timestamp.nullable(),
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: 'Checklist', description: 'Questions about work products.' });
export type Checklist = z.output<typeof Checklist>;

export const ChecklistDetail = Checklist.extend({
  items: z.array(ChecklistItem),
  yaml: z.string().nullable().meta({
    description: 'An own checklist as a file, for a person to correct; null for built-in ones.',
  }),
}).meta({ id: 'ChecklistDetail' });
export type ChecklistDetail = z.output<typeof ChecklistDetail>;

const verdicts = { pass: z.int(), fail: z.int(), missing: z.int(), NA: z.int(), to_be_reviewed: z.int() };
export const ListedChecklist = Checklist.extend({
  state: z
    .object({
      needed: z.int().meta({ description: 'Items that a person has to look at, or has.' }),
      done: z.int().meta({ description: 'Those that a person has.' }),
      percent: z.number().nullable().meta({ description: '0 to 100; null: nothing has to be reviewed.' }),
      released: z.boolean().meta({ description: 'A manager approved what stands there now.' }),
      counts: z.object(verdicts).meta({ description: 'Items by the verdict that counts.' }),
      finished_at: Timestamp.meta({ description: 'Of the run that says it.' }),
    })
    .nullable()
    .optional()
    .meta({ description: 'Where `include` asks for it; null: no run has judged it in the workspace.' }),
}).meta({ id: 'ListedChecklist' });
export type ListedChecklist = z.output<typeof ListedChecklist>;

export const ChecklistList = listOf('ChecklistList', ListedChecklist);
export const ChecklistQuery = PageQuery.extend({
  ...sortedBy('created_at', 'updated_at', 'key'),
  updated_since: UpdatedSince,
  search: SearchQuery,
  workspace_id: Id.optional().meta({
    description: 'Own checklists of this workspace, beside the built-in ones.',
  }),
  built_in: flag().optional(),
  group: ChecklistGroup.optional(),
  language: Language.optional().meta({ description: 'Checklists that have their texts in it.' }),
  include: z.enum(['state']).optional().meta({
    description: '`state`: how far the review of each is in the workspace, which is to be named then.',
  }),
});

/** A UUID, or the id of a built-in one in any spelling. */
export const ChecklistId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,79}$/, 'The id of a checklist: a UUID, or that of a built-in one.')
  .overwrite((id) => (isUuid(id) ? id.toLowerCase() : id.toUpperCase()));
export const ChecklistParams = z.strictObject({ id: ChecklistId });
export const OwnChecklistParams = z.strictObject({ id: Id });

const yaml = z
  .string()
  .min(1)
  .max(LONGEST_YAML)
  .meta({
    description:
      '`checklist: {title}` and `items:` with `id` and `text`, optionally `reference`, `severity`, `guidance`, `result`, ' +
      '`remark` and `evidence`; or the form of the built-in ones, with ids that begin with `USR-`.',
  });

export const NewChecklist = z
  .union([
    z.strictObject({ workspace_id: Id, yaml }),
    z.strictObject({
      workspace_id: Id,
      work_product_id: Id.meta({
        description: 'A table (CSV, XLSX, ODS) with a column of questions, or a YAML file, of the workspace.',
      }),
      name: text({ min: 3, max: 200 }).meta({ description: 'What the checklist is called.' }),
    }),
  ])
  .meta({ id: 'NewChecklist' });
export const ChecklistChange = z.strictObject({ yaml }).meta({ id: 'ChecklistChange' });
