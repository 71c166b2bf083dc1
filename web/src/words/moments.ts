import { type Language, look } from '../look/look.ts';

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** "3 hours ago", "yesterday"; "now" for less than a minute. */
export function ago(moment: string, language: Language, now: number = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return format.format(0, 'second');
}

export const dateAndTime = (moment: string, language: Language): string =>
  new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: look().timeZone ?? undefined,
  }).format(new Date(moment));

/** A calendar date stays the same day in every time zone. */
export const calendarDate = (date: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${date.slice(0, 10)}T00:00:00Z`),
  );

export const number = (value: number, language: Language): string =>
  new Intl.NumberFormat(language).format(value);

/** A share of 0 to 100 as the language writes it. */
export const percent = (value: number, language: Language): string =>
  new Intl.NumberFormat(language, { style: 'percent' }).format(Math.round(value) / 100);

const SIZES = [
  ['gigabyte', 1_000_000_000],
  ['megabyte', 1_000_000],
  ['kilobyte', 1000],
] as const;

/** Bytes in the largest unit that leaves a whole number in front. */
export function fileSize(bytes: number, language: Language): string {
  const [unit, divisor] = SIZES.find(([, least]) => bytes >= least) ?? (['byte', 1] as const);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: divisor >= 1_000_000 ? 1 : 0,
  }).format(bytes / divisor);
}
