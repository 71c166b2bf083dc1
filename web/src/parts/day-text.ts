import type { Language } from '../look/look.ts';

const MILLISECONDS = 86_400_000;

/** A day as the language writes it in a field: `2026-03-31`, in German `31.03.2026`; nothing for what is no day. */
export function dayText(day: string, language: Language): string {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (!found) return '';
  return language === 'de' ? `${found[3]}.${found[2]}.${found[1]}` : day;
}

/** The day of a text, `YYYY-MM-DD`: both ways of writing it in either language; undefined for anything else. */
export function dayOf(text: string): string | undefined {
  const found =
    /^\s*(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})\s*$/.exec(text) ??
    /^\s*(?<day>\d{1,2})\.\s*(?<month>\d{1,2})\.\s*(?<year>\d{4})\s*$/.exec(text);
  if (!found) return undefined;
  const { year, month, day } = found.groups as { year: string; month: string; day: string };
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(`${iso}T00:00:00Z`);
  // What the calendar moves on, such as the 31st of June, is no day.
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso ? undefined : iso;
}

/** So many days later. */
export const dayAway = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * MILLISECONDS).toISOString().slice(0, 10);
