import type { Row } from './rows.js';

/** Heading of a table of contents, list of figures or list of tables. */
const TOC_HEADING =
  /^(?:\d+(?:\.\d+)*\.?\s+)?(?:table of contents|contents|list of (?:figures|tables|illustrations|abbildungen)|inhalt|inhaltsverzeichnis|inhaltsübersicht|abbildungsverzeichnis|tabellenverzeichnis)\s*:?$/i;
/** Four or more dots, dashes or underscores, spaced or not, lead the eye to the page number. */
const LEADER = /(?:[.·…_]\s?){4,}/;
/** Cheap to look for; most lines have none. */
const MAYBE_LEADER = /[.·…_] ?[.·…_]/;
const LEADER_AND_NUMBER = /(?:[.·…_]\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]{1,2}-\d{1,3})\s*$/i;
const PAGE_NUMBER_PIECE = /^(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]{1,2}-\d{1,3})$/i;

export function isTocHeading(text: string): boolean {
  return text.length < 60 && TOC_HEADING.test(text.trim());
}

/** A line that leads by dots to a page number is an entry wherever it stands. */
export function isTocRow(row: Row): boolean {
  const text = row.text;
  return hasLeader(text) && LEADER_AND_NUMBER.test(text);
}

/** Under a heading of contents, a line that ends in a page number set apart is an entry as well. */
export function endsInPageNumber(row: Row): boolean {
  const last = row.segments[row.segments.length - 1]!;
  return row.segments.length > 1 && PAGE_NUMBER_PIECE.test(last.text);
}

export function hasLeader(text: string): boolean {
  return MAYBE_LEADER.test(text) && LEADER.test(text);
}
