import { z } from 'zod';
import {
  flag,
  Id,
  listOf,
  PageQuery,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
  wholeNumber,
  withOneField,
} from '../../platform/http/schemas.js';
import { refsAnswer, refsQuery } from '../names/names.js';

/** Minutes in which a comment is edited; the trigger `not_edited` says the same. */
export const EDITED_MINUTES = 5;
const MOST_MENTIONS = 20;
/** Letters of a range; a comment about more is one about the document. */
export const LONGEST_RANGE = 4_000;

export const SUBJECTS = ['gap', 'criterion', 'artifact', 'checklist_item', 'document'] as const;
type About = (typeof SUBJECTS)[number];

const start = z.int().meta({ description: 'The first letter.' });
const end = z.int().meta({ description: 'Behind the last letter.' });
const Range = z
  .object({ start, end })
  .meta({ id: 'CommentRange', description: 'Half-open range of the text of the document as it was read.' });
const NewRange = z
  .strictObject({ start: start.min(0), end: end.min(1) })
  .refine(({ start, end }) => end > start && end - start <= LONGEST_RANGE, {
    message: `A range has its end behind its start, and ${LONGEST_RANGE} letters at most.`,
  });

const word = (description: string) => text({ min: 1, max: 400 }).optional().meta({ description });
/** What a comment is about: which of these are there follows from `about`. */
const subject = {
  about: z.enum(SUBJECTS).meta({ description: 'What kind of thing the comment is about.' }),
  gap_id: Id.optional().meta({ description: 'The gap.' }),
  standard_id: Id.optional().meta({ description: 'The standard of the criterion.' }),
  criterion_id: word('The criterion.'),
  artifact_id: word('The artifact, as documents name it, such as `SG-01`.'),
  checklist_id: word('The checklist of the item.'),
  item_id: word('The item of the checklist.'),
  work_product_id: Id.optional().meta({ description: 'The document.' }),
  version: wholeNumber({ min: 1 }).optional().meta({ description: 'The version of the document.' }),
};
const NEEDED: Readonly<Record<About, readonly Exclude<keyof typeof subject, 'about'>[]>> = {
  gap: ['gap_id'],
  criterion: ['standard_id', 'criterion_id'],
  artifact: ['artifact_id'],
  checklist_item: ['checklist_id', 'item_id'],
  document: ['work_product_id', 'version'],
};
const OF_SUBJECTS = Object.keys(subject).filter((name) => name !== 'about') as Exclude<
  keyof typeof subject,
  'about'
>[];

/** What names the thing, and nothing else; a list of a document may leave the version out. */
const namesOneThing =
  (optional: readonly string[]) =>
  (value: { readonly about: About } & Readonly<Record<string, unknown>>): boolean =>
    OF_SUBJECTS.every((name) => {
      const needed = NEEDED[value.about].includes(name);
      return (value[name] !== undefined) === needed || (needed && optional.includes(name));
    });
const said =
  'Say what `about` needs, and nothing else: `gap_id`; `standard_id` and `criterion_id`; `artifact_id`; `checklist_id` and `item_id`; `work_product_id` and `version`.';

const Mentions = z.array(Id).max(MOST_MENTIONS).meta({
  description: 'Members of the workspace who are told that they were mentioned.',
});
const Text = text({ min: 1, max: 4000 });

const nullable = (schema: z.ZodType, description: string) => schema.nullable().meta({ description });

export const Comment = z
  .object({
    id: Id,
    workspace_id: Id,
    about: subject.about,
    gap_id: nullable(Id, 'The gap.'),
    standard_id: nullable(Id, 'The standard of the criterion.'),
    criterion_id: nullable(z.string(), 'The criterion.'),
    artifact_id: nullable(z.string(), 'The artifact, as documents name it.'),
    checklist_id: nullable(z.string(), 'The checklist of the item.'),
    item_id: nullable(z.string(), 'The item of the checklist.'),
    work_product_id: nullable(Id, 'The document.'),
    version: nullable(z.int(), 'The version of the document.'),
    range: nullable(Range, 'Where in the document; null: all of it, or it is about something else.'),
    quote: nullable(z.string(), 'The words of the range, as they were read.'),
    author: Id.meta({ description: 'Who wrote it.' }),
    author_name: z.string().nullable().meta({
      description: 'Of somebody in an imported workspace, who has no account here; null otherwise.',
    }),
    text: z.string().nullable().meta({ description: 'Null once its author took it back.' }),
    mentions: Mentions,
    created_at: Timestamp,
    updated_at: Timestamp.meta({ description: 'When it was written, edited, resolved or taken back last.' }),
    edited_at: Timestamp.nullable().meta({ description: 'When its author changed it; null: never.' }),
    resolved_at: Timestamp.nullable().meta({ description: 'When somebody resolved it; null: it is open.' }),
    resolved_by: Id.nullable().meta({ description: 'Who resolved it.' }),
    deleted_at: Timestamp.nullable(),
  })
  .meta({ id: 'Comment', description: 'What a person said about something in a workspace.' });
export type Comment = z.output<typeof Comment>;

export const CommentList = listOf('CommentList', Comment, refsAnswer);
export const CommentParams = z.strictObject({ id: Id });
export const CommentsQuery = PageQuery.extend({
  ...refsQuery,
  ...sortedBy('created_at', 'updated_at'),
  updated_since: UpdatedSince,
  workspace_id: Id,
  ...subject,
  resolved: flag().optional().meta({ description: 'Those that are resolved, or that are not.' }),
}).refine(namesOneThing(['version']), { message: said, path: ['about'] });
export type Subject = Pick<z.output<typeof CommentsQuery>, keyof typeof subject>;

export const NewComment = z
  .strictObject({
    workspace_id: Id,
    ...subject,
    range: NewRange.optional().meta({ description: 'Of a document: what the comment is about.' }),
    text: Text,
    mentions: Mentions.optional(),
  })
  .refine(namesOneThing([]), { message: said, path: ['about'] })
  .refine(({ about, range }) => range === undefined || about === 'document', {
    message: 'Only documents have ranges.',
    path: ['range'],
  })
  .meta({ id: 'NewComment' });
export type NewComment = z.output<typeof NewComment>;

export const CommentChange = withOneField(
  z.strictObject({
    text: Text.optional().meta({
      description: `What it says instead, within ${EDITED_MINUTES} minutes, by its author.`,
    }),
    mentions: Mentions.optional(),
    resolved: z.boolean().optional().meta({ description: 'Resolves it, or opens it again.' }),
  }),
).meta({ id: 'CommentChange' });
export type CommentChange = z.output<typeof CommentChange>;
