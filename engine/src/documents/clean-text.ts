import { type DocumentError, fileTooComplex } from './document-error.js';

/** Longer paragraphs, cells and lines are data, not text that can be cited. */
export const MAX_BLOCK_CHARACTERS = 2_000_000;
/**
 * Characters that no reader sees and that would break comparison: controls, soft hyphen, zero-width space,
 * direction marks and overrides, byte order mark. Tab, line feed and carriage return are white space, not listed.
 */
const INVISIBLE = /[^\P{Cc}\t\n\r]|[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu;
/** Controls where Windows-1252 has its dashes and quotation marks: in a text they stand for a sign between two words. */
const LOST_SIGN = /[\u0080-\u009F]/g;
/**
 * Anything that makes work: runs of spaces, space at an end, other characters than printable ASCII, the letters and
 * signs of Latin-1, dashes and quotation marks (none of which changes in composed form unless a mark follows).
 */
const TO_CLEAN = /[^ -~\u00A1-\u00AC\u00AE-\u00FF\u2010-\u2027]| {2}|^ | $/;

/**
 * Text of one paragraph or cell: runs of white space become one space, invisible characters go, composed form (NFC).
 * Everything else stays as in the file, because quotes are checked against it. Throws `DocumentError` past two million
 * characters.
 */
export function cleanText(text: string): string {
  checkLength(text);
  if (!TO_CLEAN.test(text)) return text;
  return wellFormed(text).replace(/\s+/g, ' ').trim();
}

/** Text of a code or literal block: lines and indentation stay, ends of lines become line feeds. */
export function cleanCode(text: string): string {
  checkLength(text);
  return wellFormed(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');
}

/**
 * Composed form without invisible characters; a lost sign becomes a space, halves of a character outside the basic plane
 * U+FFFD.
 */
export function wellFormed(text: string): string {
  return text
    .normalize('NFC')
    .replace(LOST_SIGN, ' ')
    .replace(INVISIBLE, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD');
}

function checkLength(text: string): void {
  if (text.length > MAX_BLOCK_CHARACTERS) throw paragraphTooLong();
}

/** Also for readers that would otherwise collect such a paragraph first. */
export function paragraphTooLong(): DocumentError {
  return fileTooComplex(
    `A paragraph or line has more than ${MAX_BLOCK_CHARACTERS} characters.`,
    'Upload the document in a format that keeps its paragraphs.',
  );
}
