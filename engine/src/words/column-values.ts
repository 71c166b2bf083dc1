import { z } from 'zod';
import type { ListedKind } from './artifact-types.js';
import {
  COLUMN_MEANINGS,
  type ColumnMeaning,
  compactTitle,
  forEach,
  meaningOfTitles,
} from './column-titles.js';
import { patternOf, readWords } from './read-words.js';

const ROW_KINDS = ['hazard', 'goal', 'requirement', 'test', 'check', 'parameter'] as const;
/** What the rows of a table are about, as far as the meaning of a column depends on it. */
export type RowKind = (typeof ROW_KINDS)[number];

const ruleSchema = z.strictObject({
  title: z.string(),
  rows: z.array(z.enum(ROW_KINDS)).optional(),
  holds: z.string(),
  not: z.string().optional(),
  says: z.string().optional(),
  instead: z.array(z.enum(COLUMN_MEANINGS)).default([]),
});
type Rule = z.output<typeof ruleSchema>;

const kindSchema = z.strictObject({
  has: z.array(z.enum(COLUMN_MEANINGS)),
  least: z.number().int(),
  holds: z.string().optional(),
  without: z.array(z.enum(COLUMN_MEANINGS)).default([]),
});

const schema = z
  .strictObject({
    values: z.record(z.string(), z.string()),
    columns: z.array(ruleSchema),
    share: z.number(),
    rows: z.strictObject(forEach(ROW_KINDS, kindSchema)),
    classes: z.string(),
    reason: z.string(),
    legend: z.strictObject({ from: z.string(), most: z.string() }),
  })
  .superRefine(({ values, columns, rows }, context) => {
    const forms = [...columns, ...Object.values(rows)].flatMap(({ holds }) => holds ?? []);
    for (const form of [...forms, ...columns.flatMap((one) => one.not ?? [])]) {
      if (!(form in values))
        context.addIssue({ code: 'custom', message: `"${form}" is no form of a value.` });
    }
  });

/** The word list `column-values`: what columns mean by what stands in them. */
export const columnValueWords = () => readWords('column-values', schema);

/** A column with the texts of its filled cells. */
export interface TitledValues {
  readonly title: string;
  readonly texts: readonly string[];
}

/** So many cells tell what a column is; more of them tell nothing new. */
const SAMPLE = 40;

function isOf(form: string, texts: readonly string[], share: number): boolean {
  const pattern = patternOf(columnValueWords().values[form]!, 'u');
  const some = texts.slice(0, SAMPLE);
  return some.length > 0 && some.filter((text) => pattern.test(text)).length >= some.length * share;
}

/** Whether these are ids and nothing else. */
export const areCodes = (texts: readonly string[]): boolean => isOf('codes', texts, columnValueWords().share);

const meaningOf = (title: string) =>
  meaningOfTitles().get(compactTitle(title.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ')));

/** What the rows of a table are about: by what its title says that it lists, else by its columns. */
export function kindOfRows(
  columns: readonly TitledValues[],
  listed: ListedKind | undefined,
): RowKind | undefined {
  const { rows, share } = columnValueWords();
  const meanings = new Set(columns.map(({ title }) => meaningOf(title)));
  const has = (kind: RowKind) => rows[kind].has.filter((one) => meanings.has(one)).length >= rows[kind].least;
  if (has('hazard') || columns.some(({ texts }) => classesIn(texts, share))) return 'hazard';
  const named = listed && ROW_OF_LISTED[listed];
  if (named) return named;
  return ROW_KINDS.find((kind) => {
    const form = rows[kind].without.some((one) => meanings.has(one)) ? undefined : rows[kind].holds;
    return has(kind) || (form !== undefined && columns.some(({ texts }) => isOf(form, texts, share)));
  });
}

const ROW_OF_LISTED: Partial<Record<ListedKind, RowKind>> = {
  hazardous_event: 'hazard',
  safety_goal: 'goal',
  functional_safety_requirement: 'requirement',
  technical_safety_requirement: 'requirement',
  hardware_requirement: 'requirement',
  software_requirement: 'requirement',
  requirement: 'requirement',
  test: 'test',
};

const classesIn = (texts: readonly string[], share: number) =>
  texts.length > 0 && texts.filter((text) => classesOf(text)).length >= texts.length * share;

/**
 * The known title that a column is read under, by its values and the words of its own; undefined where its own is known, or nothing
 * tells. `taken`: meanings that other columns have.
 */
export function titleByValues(
  { title, texts }: TitledValues,
  rows: RowKind | undefined,
  taken: ReadonlySet<ColumnMeaning | string> = new Set(),
): string | undefined {
  const own = meaningOf(title);
  const { columns, share } = columnValueWords();
  const fits = (rule: Rule) =>
    (own === undefined || rule.instead.includes(own)) &&
    (rule.rows === undefined || (rows !== undefined && rule.rows.includes(rows))) &&
    !taken.has(meaningOf(rule.title) ?? rule.title) &&
    (rule.says === undefined || patternOf(`(?<!\\p{L})${rule.says}`).test(title)) &&
    isOf(rule.holds, texts, share) &&
    !(rule.not !== undefined && isOf(rule.not, texts, share));
  return columns.find(fits)?.title;
}

/** A part of a cell, by its place in the text of the cell. */
export interface CellPart {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

/** "S3/E4/C2 → ASIL C": the classes in it. */
export function classesOf(text: string): readonly CellPart[] | undefined {
  const match = patternOf(columnValueWords().classes, 'u').exec(text.trim());
  if (!match) return undefined;
  let from = text.length - text.trimStart().length;
  return Object.entries(match.groups!).flatMap(([title, part]) => {
    if (part === undefined) return [];
    const start = text.indexOf(part, from);
    from = start + part.length;
    return [{ title, start, end: from }];
  });
}

const REASON_TITLES: Readonly<Record<string, string>> = {
  S: 'S rationale',
  E: 'E rationale',
  C: 'C rationale',
  K: 'C rationale',
};

/** "S3: fatal at speed. E4: daily. C3: no time to react.": the reasons in it; undefined where not all three are given once. */
export function reasonsOf(text: string): readonly CellPart[] | undefined {
  const parts = someReasonsOf(text);
  return parts?.length === 3 ? parts : undefined;
}

/** The same of a cell in a column of such cells: "S: nobody is hurt" needs no more. */
export function someReasonsOf(text: string): readonly CellPart[] | undefined {
  const found = [...text.matchAll(patternOf(columnValueWords().reason, 'gu'))];
  const parts = found.map((match, at) => {
    const start = match.index + match[0].length;
    const raw = text.slice(start, found[at + 1]?.index ?? text.length);
    return {
      title: REASON_TITLES[match.groups!.class!]!,
      start,
      end: start + raw.replace(/[\s;,]+$/u, '').length,
    };
  });
  const isOnce = new Set(parts.map(({ title }) => title)).size === parts.length;
  return parts.length > 0 && isOnce && parts.every(({ start, end }) => end > start) ? parts : undefined;
}
