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

/** The first real date in a text as `YYYY-MM-DD`, or undefined. Knows English and German names of months. */
export function parseDate(text: string): string | undefined {
  if (!/\d/.test(text)) return undefined;
  const { patterns, months } = dateWords();
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (!groups) continue;
    const name = groups.name?.toLowerCase();
    const month =
      name === undefined ? Number(groups.month) : months.findIndex((names) => names.includes(name)) + 1;
    const date = isoDate(Number(groups.year), month, Number(groups.day));
    if (date !== undefined) return date;
    // 13/05/2024: the day stands first.
    const swapped = name === undefined ? isoDate(Number(groups.year), Number(groups.day), month) : undefined;
    if (swapped !== undefined) return swapped;
  }
  return undefined;
}

function isoDate(written: number, month: number, day: number): string | undefined {
  const year = written < 100 ? 2000 + written : written;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}
