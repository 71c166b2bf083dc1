import { z } from 'zod';
import { listSchema, readWords } from './read-words.js';

/** What the ids in a column, after a key or after a phrase are to the artifact that holds them (domain E.8). */
export const LINK_ROLES = [
  ...(['up', 'down', 'decomposition', 'allocation', 'implementation', 'verification'] as const),
  ...(['verifies', 'evidence', 'evidence_for', 'any', 'weak'] as const),
] as const;
export type LinkRole = (typeof LINK_ROLES)[number];

/** What a column or key says about the artifact itself, as far as the trace asks for it. */
export const ATTRIBUTE_ROLES = [
  ...(['id', 'text', 'name', 'asil', 'cal', 'risk', 'status', 'version', 'type'] as const),
  ...(['severity', 'exposure', 'controllability', 'method', 'result', 'steps', 'expected'] as const),
  ...(['configuration', 'safe_state', 'ftti', 'rationale', 'owner'] as const),
] as const;
export type AttributeRole = (typeof ATTRIBUTE_ROLES)[number];

/** Everything that a column or key may say about its row. */
const COLUMN_ATTRIBUTES = [
  ...ATTRIBUTE_ROLES,
  ...(['asil_option', 'criterion', 'input', 'precondition', 'measured'] as const),
  ...(['detection', 'reaction', 'handling'] as const),
  ...(['severity_rationale', 'exposure_rationale', 'controllability_rationale', 'note', 'date'] as const),
  ...(['record_id', 'mechanism', 'finding', 'parameter', 'value', 'unit', 'malfunction'] as const),
  ...(['circumstance', 'deviation'] as const),
  ...(['situation', 'inside', 'element', 'decision', 'phase', 'activity', 'measure'] as const),
  ...(['work_product', 'person', 'required_independence', 'planned_independence'] as const),
  ...(['fault_reaction', 'compliance', 'degradation', 'warning'] as const),
] as const;
export type ColumnAttribute = (typeof COLUMN_ATTRIBUTES)[number];
/** What one list of titles means: an attribute or a link. */
export type ColumnMeaning = ColumnAttribute | LinkRole;
export const COLUMN_MEANINGS: readonly ColumnMeaning[] = [...COLUMN_ATTRIBUTES, ...LINK_ROLES];

export type ColumnRole =
  | { readonly attribute: AttributeRole; readonly link?: undefined }
  | { readonly link: LinkRole; readonly attribute?: undefined };

export const phraseRoles = [
  'up',
  'down',
  'decomposition',
  'allocation',
  'implementation',
  'verification',
  'verifies',
  'evidence',
] as const;
export const columnsSchema = z.strictObject({
  trace: z.partialRecord(z.enum(COLUMN_ATTRIBUTES), z.enum(ATTRIBUTE_ROLES)),
  options: z.array(z.enum(COLUMN_ATTRIBUTES)),
  shared: z.array(z.enum(COLUMN_ATTRIBUTES)),
  attributes: z.strictObject(forEach(COLUMN_ATTRIBUTES, listSchema)),
  links: z.strictObject(forEach(LINK_ROLES, listSchema)),
  phrases: z.strictObject(forEach(phraseRoles, listSchema)),
  contexts: listSchema,
  allocationHeadings: listSchema,
  tags: z.strictObject({ up: listSchema, verifies: listSchema }),
  ranges: listSchema,
  checking: listSchema,
  checkingBy: z.strictObject({ verbs: listSchema.min(1), how: listSchema.min(1) }),
  repeated: listSchema,
  fieldList: z.strictObject({ links: listSchema, elements: listSchema, verification: listSchema }),
  everything: listSchema,
  vague: listSchema,
});

/** The word list `columns`: titles of columns and keys by what they mean, for every engine. */
export const columnWords = () => readWords('columns', columnsSchema);

let meanings: ReadonlyMap<string, ColumnMeaning> | undefined;

/** What each title means, by its letters and digits. Throws where one title stands under two of them. */
export function meaningOfTitles(): ReadonlyMap<string, ColumnMeaning> {
  meanings ??= meaningsIn(columnWords());
  return meanings;
}

/** The same of a list; see `meaningOfTitles`. */
export function meaningsIn({
  attributes,
  links,
}: Pick<z.output<typeof columnsSchema>, 'attributes' | 'links'>): ReadonlyMap<string, ColumnMeaning> {
  const known = new Map<string, ColumnMeaning>();
  for (const meaning of COLUMN_MEANINGS) {
    for (const title of { ...attributes, ...links }[meaning]) {
      const other = known.get(compactTitle(title)) ?? meaning;
      if (other !== meaning)
        throw new Error(`In words/columns.yaml, "${title}" is both "${other}" and "${meaning}"; keep one.`);
      known.set(compactTitle(title), meaning);
    }
  }
  return known;
}

/** Titles of an attribute or link. */
export function titlesOf(meaning: ColumnMeaning): readonly string[] {
  const { attributes, links } = columnWords();
  return isLinkRole(meaning) ? links[meaning] : attributes[meaning];
}

/** Shorter beginnings of words are those of many. */
const SHORTEST_BEGINNING = 3;
const inFull = new Map<string, string | undefined>();
const MOST_IN_FULL = 2_000;

/**
 * The known title whose words a title abbreviates with points ("Begr. S", "Verantw.", "Geford. Unabh."), in any order; undefined where there is
 * none, or several with different meanings.
 */
export function titleInFull(title: string): string | undefined {
  if (!title.includes('.') || meaningOfTitles().has(compactTitle(title))) return undefined;
  if (inFull.has(title)) return inFull.get(title);
  const words = wordsOf(title);
  const isShort = words.some((word) => word.endsWith('.') && word.length > SHORTEST_BEGINNING);
  const found = isShort
    ? COLUMN_MEANINGS.filter((meaning) => titlesOf(meaning).some((one) => abbreviates(words, one)))
    : [];
  const full = found.length === 1 ? titlesOf(found[0]!).find((one) => abbreviates(words, one)) : undefined;
  if (inFull.size >= MOST_IN_FULL) inFull.clear();
  inFull.set(title, full);
  return full;
}

const wordsOf = (title: string): readonly string[] => title.toLowerCase().match(/[\p{L}\p{N}]+\.?/gu) ?? [];

function abbreviates(short: readonly string[], title: string): boolean {
  const left = [...wordsOf(title)];
  if (left.length !== short.length) return false;
  return short.every((word) => {
    const bare = word.replace(/\.$/u, '');
    const at = left.findIndex((one) => (word === bare ? one === word : one.startsWith(bare)));
    if (at < 0) return false;
    left.splice(at, 1);
    return true;
  });
}

let vague: ReadonlySet<string> | undefined;

/** Titles that say nothing without the title of their group, by letters and digits. */
export function vagueTitles(): ReadonlySet<string> {
  vague ??= new Set(columnWords().vague.map(compactTitle));
  return vague;
}

/** A title for comparing: letters and digits only, so that line breaks inside words do not matter. */
export function compactTitle(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

export const isLinkRole = (meaning: ColumnMeaning): meaning is LinkRole =>
  LINK_ROLES.some((role) => role === meaning);

/** A schema for each of the keys. */
export function forEach<Key extends string, Schema extends z.ZodType>(
  keys: readonly Key[],
  one: Schema,
): Record<Key, Schema> {
  return Object.fromEntries(keys.map((key) => [key, one])) as Record<Key, Schema>;
}
