import { z } from 'zod';
import { listSchema, readWords } from '../words/read-words.js';

const schema = z.strictObject({ dates: listSchema, months: z.array(listSchema).length(12) });

let known:
  | { readonly patterns: readonly RegExp[]; readonly months: readonly (readonly string[])[] }
  | undefined;

function dateWords() {
  if (!known) {
    const { dates, months } = readWords('dates', schema);
    known = { patterns: dates.map((source) => new RegExp(source, 'iu')), months };
  }
  return known;
}

/** Which of two small numbers is the day in dates of three numbers, the year last, that are not written with dots. */
export type DateOrder = 'day first' | 'month first' | 'unknown';

/**
 * The first real date in a text as `YYYY-MM-DD`, or undefined. Knows English and German names of months. 03/02/2025 is read by the
 * order; of an unknown one it is no date, so that nothing is compared with a day that was guessed.
 */
export function parseDate(text: string, order: DateOrder = 'month first'): string | undefined {
  if (!/\d/.test(text)) return undefined;
  const { patterns, months } = dateWords();
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (!groups) continue;
    const name = groups.name?.toLowerCase();
    if (name !== undefined) {
      const month = months.findIndex((names) => names.includes(name)) + 1;
      const date = isoDate(Number(groups.year), month, Number(groups.day));
      if (date !== undefined) return date;
      continue;
    }
    const [year, first, second] = [
      groups.year,
      groups.month ?? groups.first,
      groups.day ?? groups.second,
    ].map(Number) as [number, number, number];
    if (groups.first !== undefined && order === 'unknown' && isEither(first, second)) return undefined;
    const dayFirst = groups.first !== undefined && order === 'day first';
    const date = dayFirst ? isoDate(year, second, first) : isoDate(year, first, second);
    // 13/05/2024: the day stands first, whatever the others say.
    const real = date ?? (dayFirst ? isoDate(year, first, second) : isoDate(year, second, first));
    if (real !== undefined) return real;
  }
  return undefined;
}

const isEither = (first: number, second: number) => first <= 12 && second <= 12 && first !== second;

/** The order that dates of texts show: 28/02/2025 can be read in one way only. Unknown where none or both are shown. */
export function dateOrderOf(texts: Iterable<string>): DateOrder {
  let [dayFirst, monthFirst] = [false, false];
  for (const text of texts) {
    for (const { groups } of text.matchAll(NUMBERS)) {
      dayFirst ||= Number(groups!.first) > 12 && Number(groups!.second) <= 12;
      monthFirst ||= Number(groups!.second) > 12 && Number(groups!.first) <= 12;
    }
  }
  return dayFirst === monthFirst ? 'unknown' : dayFirst ? 'day first' : 'month first';
}
const NUMBERS = /(?<![\d/-])(?<first>\d{1,2})([/-])(?<second>\d{1,2})\2(?:\d{4}|\d{2})(?![\d/-])/g;

function isoDate(written: number, month: number, day: number): string | undefined {
  const year = written < 100 ? 2000 + written : written;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}
