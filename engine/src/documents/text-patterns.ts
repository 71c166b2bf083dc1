const CAPTION =
  /^(?:table|figure|fig\.|listing|diagram|tabelle|abbildung|abb\.|bild)\s*[A-Z]?\d+(?:[.\-–]\d+)*\s*(?:[:.–—-]\s|$)/i;
/** Without a separator only a short title in capitals counts: `Table 1-1 Diagram Notation`, not `Table 1 shows …`. */
const CAPTION_TITLE =
  /^(?:Table|Figure|Fig\.|Tabelle|Abbildung|Abb\.|Bild)\s*[A-Z]?\d+(?:[.\-–]\d+)*\s+\p{Ll}?\p{Lu}[^.;]{0,120}$/u;
const LEADER = /(?:\.{4,}|(?:\. ){4,}|…{2,})\s*(?:\d{1,4}|[ivxlc]{1,6})$/;
const NUMBERED_HEADING = /^(\d{1,2}(?:\.\d{1,3}){0,5})\.?\s+(\p{Lu}.*)$/u;

/** A verb that makes a line a sentence. */
const DEMAND = /\b(?:shall|must|should|will|is|are|muss|müssen|soll|sollen|darf|wird|werden|ist|sind)\b/i;
const STATEMENT_START =
  /^(?:\d{1,2}(?:\.\d{1,3}){1,5}\.?|\(?[a-z][.)]|\(?[ivx]{1,4}\)|\(\d{1,2}\)|\d{1,2}[.)])\s+\S/;

/** `Table 3: …`, `Abbildung 2 – …`: the title of a table or figure, English or German. */
export function isCaption(text: string): boolean {
  return text.length <= 300 && (CAPTION.test(text) || CAPTION_TITLE.test(text));
}

/** `4.2 Timing ........ 17`: an entry of a table of contents. */
export function isTocEntry(text: string): boolean {
  return LEADER.test(text);
}

/** Level of a line like `4.2 Timing` by its number; undefined for sentences and other text. */
export function numberedHeadingLevel(text: string): number | undefined {
  const match = NUMBERED_HEADING.exec(text);
  if (!match || text.length > 100 || /[.;:,!?]$/.test(text) || DEMAND.test(text)) return undefined;
  return match[1]!.split('.').length;
}

/** `4.1.2 The …`, `a. …`, `(2) …`: a line that begins a statement of its own although no empty line is above it. */
export function startsStatement(line: string): boolean {
  return STATEMENT_START.test(line);
}

/** An item of a list or quote so far to the right that it must be very deep. */
export const FAR_ITEM = /^[ \t]{100,}[-+*>\d]/;

/**
 * `type~name~revision`: the id of a specification item of OpenFastTrace, as the source of a pattern: letters of ASCII; a
 * name of letters, digits, `_` and `-` in parts with single dots between them; a whole number.
 */
export const SPECIFICATION_ID = String.raw`[A-Za-z]{1,40}~\p{L}[\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*~\d{1,9}`;

/** A line that begins a specification item, or that one of its one-line fields is. */
const ITEM_LINE = new RegExp(
  `^(?:\`?${SPECIFICATION_ID}\`?(?![\\p{L}\\p{N}_~-]).*|(?:Needs|Tags|Status): ?\\S.*)$`,
  'u',
);
/** A line that begins a part of a specification item. */
const ITEM_PART = /^(?:Covers|Depends|Description|Rationale|Comment|Needs|Tags):(?:\s|$)/;

/** What a line says in a specification item: all of a statement, the beginning of one, or neither. */
export function itemLine(line: string): 'whole' | 'beginning' | undefined {
  if (ITEM_LINE.test(line)) return 'whole';
  return ITEM_PART.test(line) ? 'beginning' : undefined;
}
