/** The value of a field at its place. */
export interface Found {
  readonly block: number;
  readonly start: number;
  readonly end: number;
  readonly value: string;
  /** Label and value. */
  readonly around: string;
}

/** A day as it is written. */
export const WRITTEN_DAY =
  '(?:\\d{4}-\\d{1,2}-\\d{1,2}|\\d{4}\\.\\d{1,2}\\.\\d{1,2}|\\d{4}/\\d{1,2}/\\d{1,2}|\\d{1,2}[./]\\s?\\d{1,2}[./]\\s?\\d{4}|\\d{1,2}\\.?\\s\\p{Lu}\\p{L}{2,8}\\.?\\s\\d{4}|\\p{Lu}\\p{L}{2,8}\\.?\\s\\d{1,2}(?:st|nd|rd|th)?,?\\s\\d{4})';

const NUMBER = '(?:v\\.?\\s?)?\\d+(?:\\.\\d+){0,3}[a-z]?|[A-Z]';
const CALLED = '(?:version|revision|rev\\.?|issue|edition|ausgabe|fassung|stand)';
/** "1.4 vom 17.04.2025", "1.1 of 2024.05.27 (1.0 was of …)", "B, 12.03.2024". */
const WITH_DAY = new RegExp(
  `^(?:${CALLED}\\s)?(?<version>${NUMBER})(?:\\s(?:vom|of|from|dated|as\\sof|am)\\s|[,;]\\s?|\\s\\(?)(?<day>${WRITTEN_DAY})(?!\\d)`,
  'iu',
);
/** "GM-01, Ausgabe B": number and version of a document in one cell. */
const WITH_VERSION = new RegExp(
  `^(?<number>\\S*\\d\\S*?)[,;]?\\s(?:${CALLED})\\s(?<version>${NUMBER})(?=$|[\\s,;(])`,
  'iu',
);

/** What a field holds of another one beside it: the version before its day, the number before the version. */
const PARTS: Readonly<Record<string, readonly (readonly [RegExp, string])[] | undefined>> = {
  version: [
    [WITH_DAY, 'version'],
    [WITH_VERSION, 'version'],
  ],
  date: [[WITH_DAY, 'day']],
  document_id: [[WITH_VERSION, 'number']],
};

/** Whose field may hold the value of another one. */
export const HELD_BY: Readonly<Record<string, string | undefined>> = {
  version: 'document_id',
  date: 'version',
};

/** The part of a value that is the value of the field; undefined where it does not hold several. */
export function partOfField(key: string, found: Found, text: string): Found | undefined {
  for (const [pattern, name] of PARTS[key] ?? []) {
    const value = pattern.exec(found.value)?.groups?.[name];
    if (value === undefined) continue;
    const from = text.indexOf(found.value, found.start);
    if (from < 0 || from + found.value.length > found.end) return undefined;
    const at =
      name === 'day'
        ? found.value.indexOf(value)
        : found.value.search(new RegExp(`(?<!\\S)${escaped(value)}(?!\\p{L})`, 'u'));
    const start = from + at;
    return { block: found.block, start, end: start + value.length, value, around: `x: ${value}` };
  }
  return undefined;
}

const escaped = (value: string) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
