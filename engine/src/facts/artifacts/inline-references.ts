import type { LinkRole } from '../../words/column-titles.js';
import { type IdPlace, idsInText } from './id-forms.js';
import type { Quote, Reference } from './statement.js';
import { refer, type StatementReading } from './statement-reading.js';

/** Between two ids of one list. */
const LIST_GAP = /^[\])]?\s*(?:[,;/&+]|and|und|or|oder|\.{2,3}|–|-|to|bis|through)?\s*(?:and|und)?\s*[[(]?$/i;
const ARROW_BEFORE = /(?:→|⇒|->|=>|>>)\s*\(?\[?$/;
/** May lead on to a member without prefix. */
const CONTINUES = /^\s*[,/&.–\-autb]/;
/** Longest phrase before an id, with what may stand between. */
const REACH = 48;

/** Ids that follow each other as one list. */
export interface IdRun {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly IdPlace[];
}

/** Runs of ids in a text: `SG-01, SG-02 and SG-03` is one. */
export function idRuns(text: string, ids: readonly IdPlace[] = idsInText(text)): readonly IdRun[] {
  const runs: { start: number; end: number; ids: IdPlace[] }[] = [];
  for (const id of ids) {
    const last = runs.at(-1);
    if (last && LIST_GAP.test(text.slice(last.end, id.start))) {
      last.ids.push(id);
      last.end = id.end;
    } else runs.push({ start: id.start, end: id.end, ids: [id] });
  }
  // Members without prefix: "FR 8-12", "SG-01, 02".
  for (const run of runs) {
    if (!CONTINUES.test(text.slice(run.end, run.end + 4))) continue;
    const rest = /^(?:\s*(?:[,/&]|\.{2,3}|–|-|and|und|to|bis)\s*\d{1,6}(?![\p{L}\p{N}]))+/u.exec(
      text.slice(run.end),
    );
    if (rest) run.end += rest[0].length;
  }
  return runs;
}

/** The link that the words before a place state; undefined for a mere mention. */
export function roleBefore(
  text: string,
  start: number,
  { words }: Pick<StatementReading, 'words'>,
): LinkRole | undefined {
  const before = text
    .slice(Math.max(0, start - REACH), start)
    .toLowerCase()
    .replace(/[\s:[(]+$/u, '');
  const found = words.phrases.find(
    ({ phrase }) =>
      before.endsWith(phrase) && !/\p{L}/u.test(before.charAt(before.length - phrase.length - 1)),
  );
  return found?.role;
}

/**
 * References in the text of an artifact: ids after a phrase ("derived from SG-01"), in square brackets or after an
 * arrow. A mere mention is a weak reference.
 */
export function referencesInText(
  reading: StatementReading,
  statement: { readonly id: string; references: Reference[] },
  { text, quote }: { readonly text: string; readonly quote: Quote },
): void {
  const { id } = statement;
  const ids = idsInText(text);
  const hasBracket = text.includes('[');
  if (!hasBracket && (ids.length === 0 || (ids.length === 1 && ids[0]!.id === id))) return;
  const brackets = hasBracket ? [...text.matchAll(/\[([^[\]]{2,120})\]/g)] : [];
  const runs = idRuns(text, ids);
  const at = (start: number, end: number): Quote => ({
    start: quote.start + start,
    end: quote.start + end,
    location: quote.location,
  });
  // Runs and brackets are both in the order of the text.
  let bracket = 0;
  for (const run of runs) {
    if (run.ids.length === 1 && run.ids[0]!.id === id) continue;
    while (bracket < brackets.length && endOf(brackets[bracket]!) < run.end) bracket++;
    const inBrackets = bracket < brackets.length && brackets[bracket]!.index < run.start;
    const role =
      roleBefore(text, run.start, reading) ??
      (inBrackets || ARROW_BEFORE.test(text.slice(Math.max(0, run.start - REACH), run.start))
        ? 'any'
        : undefined);
    if (!role && !run.ids.some((one) => one.coded)) continue;
    refer(statement, {
      role: role ?? 'weak',
      written: text.slice(run.start, run.end),
      quote: at(run.start, run.end),
    });
  }
  let run = 0;
  for (const match of brackets) {
    const start = match.index + 1;
    const end = start + match[1]!.length;
    while (run < runs.length && runs[run]!.end <= start) run++;
    const holdsId = run < runs.length && runs[run]!.start < end;
    if (holdsId || /\s{2}|[.!?]$/.test(match[1]!)) continue;
    // Ids of no known form: a link only if something with this id is defined.
    refer(statement, { role: 'any', written: match[1]!, quote: at(start, end), source: 'bracket' });
  }
}

function endOf(match: RegExpExecArray): number {
  return match.index + match[0].length;
}
