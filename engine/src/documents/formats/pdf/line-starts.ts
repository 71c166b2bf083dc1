/** A list marker at the start of a line. */
export interface ListMarker {
  readonly kind: 'bullet' | 'number';
  /** Characters up to the text of the item. */
  readonly length: number;
  /** Wrapped lines begin like this as well; the caller looks at what stands before. */
  readonly weak: boolean;
}

/** Signs that nothing but a list begins with: bullets, squares, arrows, ticks, hands. */
const BULLET =
  /^[\u2022-\u2024\u2043\u2219\u25a0-\u25ff\u2605\u2606\u2610-\u2612\u261b-\u261e\u26aa\u26ab\u2700-\u2767\u2794-\u27be\u2b1b-\u2b1e\u2b24\u2b25\u2b2a\u2b2b·*](?:\s+|$)/u;
const DASH = /^[-–—]\s+(?=.*[^-–—\s]\s*$)(?!.*\s[-–—]$)/u;
const ENUMERATOR =
  /^(?:\(?\p{Ll}\)|\(?\p{Lu}\)|\(?\d{1,3}\)|\d{1,3}\.|\p{Ll}\.|\(?[ivx]{1,5}\)|[ivx]{2,5}\.)\s+/u;

/** Most lines begin with a word of two letters or more that is no Roman number: no marker, and quick to see. */
const PLAIN_START = /^[A-Za-z](?:[a-hj-uwyzA-Z]|[ivx][a-hj-uwyz])/;

/** Bullets are strong markers; dashes, numbers and letters are weak ones. */
export function listMarker(text: string): ListMarker | undefined {
  if (PLAIN_START.test(text)) return undefined;
  const bullet = BULLET.exec(text);
  if (bullet) return { kind: 'bullet', length: bullet[0].length, weak: false };
  const dash = DASH.exec(text);
  if (dash) return { kind: 'bullet', length: dash[0].length, weak: true };
  const enumerator = ENUMERATOR.exec(text);
  return enumerator ? { kind: 'number', length: enumerator[0].length, weak: true } : undefined;
}

/** An identifier at the start of a line: `FR 1`, `SRS-12`, `[TSR-04.1]`, `HDTN-SCH-003`. */
export interface LeadingId {
  readonly prefix: string;
  readonly number: string;
  /** Set off by a colon, dash, bracket or tab: no prose goes on like that. */
  readonly setOff: boolean;
}

const LEADING_ID =
  /^(\[?)(\p{Lu}[\p{Lu}\p{N}]{0,9}(?:[-_./][\p{L}\p{N}]{1,12}){0,4}?)[-_ .]?(\d{1,6}(?:[-.]\d+)*\p{Ll}?)(\]?)(\s*[:–—)|]|\s+[-–—]\s|\.(?=\s\p{Lu})|\s|$)/u;

export function leadingId(text: string): LeadingId | undefined {
  if (!/^\[?\p{Lu}/u.test(text)) return undefined;
  const match = LEADING_ID.exec(text);
  if (!match) return undefined;
  const [, opening, prefix, number, closing, after] = match;
  return {
    prefix: prefix!,
    number: number!,
    // A sentence may end with an id.
    setOff: (after!.trim() !== '' && after !== '.') || (opening !== '' && closing !== ''),
  };
}

const SECTION_NUMBER = /^(\d{1,3}(?:\.\d{1,3})*|\p{Lu}(?:\.\d{1,3})+)[.:)]?\s+[^\s\d.,;:=<>|+*/-]/u;
const NAMED_SECTION =
  /^(?:chapter|section|part|annex|appendix|kapitel|abschnitt|teil|anhang)\s+((?:\d{1,3}|\p{L}|[ivx]{2,5})(?:\.\d{1,3})*)(?:[.:)]|\s*[-–—])?\s+\S/iu;

/** `3`, `3.2`, `3.2.1.`, `A.1`, `Annex B –`: how deep the section number before a title is; `1.0` counts as 1. */
export function sectionDepth(text: string): number | undefined {
  const number = (SECTION_NUMBER.exec(text) ?? NAMED_SECTION.exec(text))?.[1];
  if (number === undefined) return undefined;
  const parts = number.split('.');
  if (parts.length === 2 && parts[1] === '0') return 1;
  return parts.length;
}
