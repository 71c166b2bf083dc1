import { talksToAuthor } from '../../corpus/passages/guidance.js';
import { roleOfText } from '../../corpus/passages/passages-of.js';
import { LONGEST_KEY, roleOfKey } from './prose-statements.js';
import { addRange } from './reference-ranges.js';
import { locationOf, type Paragraph, passText, type Scan } from './scan-state.js';
import { putAttribute, refer } from './statement-reading.js';

/**
 * Reads an item that is nothing but a known key with its value, `Derived from: SG-01`, as most items of exports are,
 * without making a block of it: what `readProse` would state. False, and nothing is read, for any other.
 */
export function readField(scan: Scan, { from, end, number }: Paragraph): boolean {
  const { text, state, reading, titles } = scan;
  const { open } = state;
  if (!open || state.pending !== undefined || scan.silent) return false;
  const colon = colonOfField(text, from, end);
  if (colon < 0) return false;
  const title = text.slice(from, colon);
  const role = roleOfKey(reading.words, title);
  if (!role || role.attribute === 'text') return false;
  const whole = text.slice(from, end);
  if (talksToAuthor(whole) || roleOfText(whole)) return false;
  const start = colon + 2;
  if (role.attribute !== undefined) {
    const quote = { start, end, location: locationOf(scan, number) };
    putAttribute(reading, open, { attribute: role.attribute, value: text.slice(start, end), quote });
  } else {
    const range = { role: role.link, source: title, start, end, line: number, section: titles };
    if (!reading.ranges || !addRange(reading.ranges, open, range)) {
      const quote = { start, end, location: locationOf(scan, number) };
      refer(open, { role: role.link, written: text.slice(start, end), quote, source: title });
    }
  }
  open.end = Math.max(open.end, end);
  passText(scan, { from, end, number });
  return true;
}

/**
 * Where the only colon is, with letters before it and one space and a plain value behind it; -1 for all else. Plain is
 * what inline Markdown and cleaning surely leave as it is.
 */
function colonOfField(text: string, from: number, end: number): number {
  let at = from;
  for (; at < end; at++) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === LETTER) continue;
    if (kind !== BLANK || text.charCodeAt(at - 1) === 32) break;
  }
  const colon = at;
  const isKey = colon > from && colon - from <= LONGEST_KEY && text.charCodeAt(colon) === 58;
  if (!isKey || text.charCodeAt(colon + 1) !== 32) return -1;
  let before = BLANK;
  for (at = colon + 2; at < end; at++) {
    const kind = kindOf(text.charCodeAt(at));
    // Signs stand behind a letter or digit; a space may stand behind a comma, too.
    const fits = kind <= DIGIT || before <= DIGIT || (kind === BLANK && before === COMMA);
    if (kind === OTHER || !fits) return -1;
    before = kind;
  }
  return before <= DIGIT ? colon : -1;
}

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
const COMMA = 3;
const BLANK = 4;
/** What stands between letters or digits in ids. */
const JOINT = 5;

const KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]/.test(sign)) return LETTER;
  if (/\d/.test(sign)) return DIGIT;
  if (sign === ',') return COMMA;
  if (sign === ' ') return BLANK;
  return '-_./+'.includes(sign) ? JOINT : OTHER;
});

function kindOf(code: number): number {
  return code < 256 ? KINDS[code]! : OTHER;
}
