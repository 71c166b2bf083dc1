import { z } from 'zod';
import { listSchema, readWords } from './read-words.js';

/** What the ids in a column, after a key or after a phrase are to the artifact that holds them (domain E.8). */
export const LINK_ROLES = [
  ...(['up', 'down', 'decomposition', 'allocation', 'implementation', 'verification'] as const),
  ...(['verifies', 'evidence', 'evidence_for', 'any', 'weak'] as const),
] as const;
export type LinkRole = (typeof LINK_ROLES)[number];

/** What a column or key says about the artifact itself. */
export const ATTRIBUTE_ROLES = [
  ...(['id', 'text', 'name', 'asil', 'cal', 'risk', 'status', 'version', 'type'] as const),
  ...(['severity', 'exposure', 'controllability', 'method', 'result', 'steps', 'expected'] as const),
  ...(['configuration', 'safe_state', 'ftti', 'rationale', 'owner'] as const),
] as const;
export type AttributeRole = (typeof ATTRIBUTE_ROLES)[number];

export type ColumnRole =
  | { readonly attribute: AttributeRole; readonly link?: undefined }
  | { readonly link: LinkRole; readonly attribute?: undefined };

export const phraseRoles = [
  'up',
  'down',
  'allocation',
  'implementation',
  'verification',
  'verifies',
  'evidence',
] as const;
export const columnsSchema = z.strictObject({
  shared: z.array(z.enum(ATTRIBUTE_ROLES)),
  attributes: z.strictObject(forEach(ATTRIBUTE_ROLES, listSchema)),
  links: z.strictObject(forEach(LINK_ROLES, listSchema)),
  phrases: z.strictObject(forEach(phraseRoles, listSchema)),
  contexts: listSchema,
  allocationHeadings: listSchema,
  tags: z.strictObject({ up: listSchema, verifies: listSchema }),
  ranges: listSchema,
});

/** The word list `columns`: titles of columns and keys by what they mean, for every engine. */
export const columnWords = () => readWords('columns', columnsSchema);

/** Titles that columns of templates with one of the shared keys have beside their own, by key. */
export function sharedTitles(): ReadonlyMap<string, readonly string[]> {
  const { shared, attributes } = columnWords();
  return new Map(shared.map((key) => [key, attributes[key]]));
}

/** A title for comparing: letters and digits only, so that line breaks inside words do not matter. */
export function compactTitle(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** A schema for each of the keys. */
export function forEach<Key extends string, Schema extends z.ZodType>(
  keys: readonly Key[],
  one: Schema,
): Record<Key, Schema> {
  return Object.fromEntries(keys.map((key) => [key, one])) as Record<Key, Schema>;
}
