/** A list marker at the start of a line. */
export interface ListMarker {
  readonly kind: 'bullet' | 'number';
  /** Characters up to the text of the item. */
  readonly length: number;
}

const BULLET = /^[•●○◦■□▪▫◾◽‣⁃∙·➢➤►▶✓✔❖◆◇*](?:\s+|$)/u;
const DASH = /^[-–—]\s+/u;
const ENUMERATOR =
  /^(?:\(?\p{Ll}\)|\(?\p{Lu}\)|\(?\d{1,3}\)|\d{1,3}\.|\p{Ll}\.|\(?[ivx]{1,5}\)|[ivx]{2,5}\.)\s+/u;

/** `weak` markers (dashes, numbers, letters) also begin wrapped lines; the caller looks at what stands before. */
export function listMarker(text: string): (ListMarker & { readonly weak: boolean }) | undefined {
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
  /^(\[?)(\p{Lu}[\p{Lu}\p{N}]{0,9}(?:[-_./][\p{L}\p{N}]{1,12}){0,4}?)[-_ .]?(\d{1,6}(?:[-.]\d+)*\p{Ll}?)(\]?)(\s*[:–—)|]|\s+[-–—]\s|\s|$)/u;

export function leadingId(text: string): LeadingId | undefined {
  const match = LEADING_ID.exec(text);
  if (!match) return undefined;
  const [, opening, prefix, number, closing, after] = match;
  return {
    prefix: prefix!,
    number: number!,
    setOff: after!.trim() !== '' || (opening !== '' && closing !== ''),
  };
}

/** `3`, `3.2`, `3.2.1.`, `A.1`: how deep a section number is; `1.0` counts as 1. */
export function sectionDepth(text: string): number | undefined {
  const match =
    /^(?:(?:chapter|section|part|annex|appendix|kapitel|abschnitt|teil|anhang)\s+)?((?:\d{1,3}|\p{Lu}(?=[.\s:]))(?:\.\d{1,3})*)[.:)]?\s+[^\s\d.,;:=<>|+*/-]/iu.exec(
      text,
    );
  if (!match) return undefined;
  const number = match[1]!;
  if (
    /^\p{L}/u.test(number) &&
    !number.includes('.') &&
    !/^(?:annex|appendix|anhang|teil|part)/i.test(text)
  ) {
    return undefined;
  }
  const parts = number.split('.');
  if (parts.length === 2 && parts[1] === '0') return 1;
  return parts.length;
}
