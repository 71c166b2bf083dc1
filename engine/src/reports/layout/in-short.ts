import type { ReportWords } from '../report-words.js';

/** What stands in one line where details stand elsewhere: cut between words, with a sign. */
export function shortened(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).replace(/\s+\S*$/, '')} …` : line;
}

/** The same, cut after a clause where one ends in the second half of what may stand. */
export function clauses(text: string, most: number): string {
  const short = shortened(text, most);
  if (!short.endsWith(' …')) return short;
  const end = Math.max(short.lastIndexOf(', '), short.lastIndexOf('. '));
  return end > most / 2 ? `${short.slice(0, end)} …` : short;
}

/** The first of several, and how many more there are; `letters` is what they may take, and one always stands. */
export function inShort(
  names: readonly string[],
  most: number,
  words: ReportWords,
  { between = ', ', letters = Number.POSITIVE_INFINITY } = {},
): string {
  const shown: string[] = [];
  let length = 0;
  for (const name of names.slice(0, most)) {
    length += name.length + between.length;
    if (shown.length > 0 && length > letters) break;
    shown.push(shortened(name, letters));
  }
  const more = names.length - shown.length;
  const told = shown.join(between);
  return more > 0 ? `${told} ${words.text('and_more', { count: words.number(more) })}` : told;
}
