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

/** A sentence about several ids with the first one and how many more there are. */
export function withFirstId(text: string, ids: readonly string[], words: ReportWords): string {
  const [first, ...others] = ids.filter((id) => text.includes(id));
  const gone = others.filter((id) => text.includes(`, ${id}`));
  if (first === undefined || gone.length === 0) return text;
  const short = gone.reduce((left, id) => left.replace(`, ${id}`, ''), text);
  const more = words.text('and_more', { count: words.number(gone.length) });
  return short.replace(first, `${first} ${more}`);
}

/** A title: of several ids the first one, then the beginning and the end, which says what is wrong. */
export function titleInShort(
  title: string,
  ids: readonly string[],
  most: number,
  words: ReportWords,
): string {
  const line = title.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  const told = withFirstId(line, ids, words);
  if (told.length <= most) return told;
  const half = Math.floor(most / 2);
  const end = told.slice(-half).replace(/^\S*\s/, '');
  return `${told.slice(0, most - half - 3).replace(/\s+\S*$/, '')} … ${end}`;
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
