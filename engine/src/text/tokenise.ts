import { characterClasses, DIGIT, LETTER, MARK, OTHER, UPPER } from './characters.js';
import { normaliseWord } from './normalise.js';

/** A word of a text, or the whole of an identifier whose parts are words as well. */
export interface Token {
  /** Normalised spelling (`normaliseWord`), not stemmed. */
  readonly word: string;
  /** Half-open range in the text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** True for a whole identifier or hyphenated word, which overlaps the tokens of its parts. */
  readonly whole: boolean;
}

const HYPHEN = 0x2d;
const FULL_STOP = 0x2e;
const UNDERSCORE = 0x5f;
const SOFT_HYPHEN = 0xad;
const UNICODE_HYPHEN = 0x2010;
const NON_BREAKING_HYPHEN = 0x2011;

/** Longer chunks are cut here: no word is that long, and data pasted into a document must cost nothing. */
const LONGEST_CHUNK = 200;

/**
 * Words in reading order. Identifiers give their parts (`ccmCtrlTask` → `ccm`, `ctrl`, `task`) and then
 * themselves (`ccmctrltask`); `FR-01`, `FR_01` and `FR01` are the same whole (`fr01`). A word hyphenated at a
 * line break is one word. Linear in the length of the text, whatever it holds.
 */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  forEachChunk(text, (start, end) => {
    for (const part of splitChunk(text.slice(start, Math.min(end, start + LONGEST_CHUNK)))) {
      tokens.push({ ...part, start: start + part.start, end: start + part.end });
    }
  });
  return tokens;
}

/**
 * Calls `visit` with the range of every chunk: letters and digits with the hyphens, full stops and underscores
 * that stand between them. `splitChunk` turns a chunk into tokens.
 */
export function forEachChunk(text: string, visit: (start: number, end: number) => void): void {
  const classes = characterClasses();
  const length = text.length;
  let position = 0;
  while (position < length) {
    const first = classes[text.charCodeAt(position)]!;
    if (first === OTHER || first === MARK) {
      position++;
      continue;
    }
    const start = position;
    while (position < length) {
      const code = text.charCodeAt(position);
      if (classes[code] !== OTHER) {
        if (code === SOFT_HYPHEN) {
          const next = afterLineBreak(text, position + 1);
          if (next > 0) {
            position = next;
            continue;
          }
        }
        position++;
        continue;
      }
      if (!isConnector(code)) break;
      const following = position + 1 < length ? classes[text.charCodeAt(position + 1)]! : OTHER;
      if (following === LETTER || following === UPPER || following === DIGIT) {
        position++;
        continue;
      }
      const next = isHyphen(code) ? afterLineBreak(text, position + 1) : 0;
      if (next === 0) break;
      position = next;
    }
    visit(start, position);
  }
}

/** Tokens of one chunk, their ranges relative to it; chunks past 200 code units are cut. */
export function splitChunk(chunk: string): Token[] {
  const raw = chunk.length > LONGEST_CHUNK ? chunk.slice(0, LONGEST_CHUNK) : chunk;
  const lineBroken = LINE_BREAK.test(raw);
  const text = lineBroken ? raw.replace(LINE_BREAK_ALL, '') : raw;
  const parts = splitParts(text);
  const tokens: Token[] = [];
  for (const { start, end } of parts) {
    const word = normalisePart(text.slice(start, end));
    if (word === '') continue;
    tokens.push(
      lineBroken ? { word, start: 0, end: raw.length, whole: false } : { word, start, end, whole: false },
    );
  }
  if (parts.length > 1) {
    const whole = normaliseWord(text.replace(/[-_\u2010\u2011]/g, ''));
    tokens.push({ word: whole, start: 0, end: raw.length, whole: true });
  }
  return tokens;
}

const LINE_BREAK = /[-\u00ad\u2010]\s*\n\s*/;
const LINE_BREAK_ALL = new RegExp(LINE_BREAK, 'g');

/** Splits at connectors, at a change between letters and digits, and at the humps of camel case. */
function splitParts(text: string): { start: number; end: number }[] {
  const classes = characterClasses();
  const parts: { start: number; end: number }[] = [];
  let start = -1;
  let previous = OTHER;
  for (let position = 0; position < text.length; position++) {
    const own = classes[text.charCodeAt(position)]!;
    if (own === MARK) continue;
    if (own === OTHER) {
      if (start >= 0) parts.push({ start, end: position });
      start = -1;
    } else if (start < 0) {
      start = position;
    } else {
      const hump = own === UPPER && previous === LETTER;
      const endOfCapitals =
        own === LETTER && previous === UPPER && position - start > 1 && !isPluralOfCapitals(text, position);
      if (hump || (own === DIGIT) !== (previous === DIGIT)) {
        parts.push({ start, end: position });
        start = position;
      } else if (endOfCapitals) {
        parts.push({ start, end: position - 1 });
        start = position - 1;
      }
    }
    previous = own;
  }
  if (start >= 0) parts.push({ start, end: text.length });
  return parts;
}

/** The `s` of `FTAs`, which is no hump. */
function isPluralOfCapitals(text: string, position: number): boolean {
  if (text[position] !== 's') return false;
  const next = position + 1 < text.length ? characterClasses()[text.charCodeAt(position + 1)]! : OTHER;
  return next !== LETTER && next !== MARK;
}

function normalisePart(part: string): string {
  const word = normaliseWord(part);
  return /^0+\d/.test(word) ? word.replace(/^0+(?=\d)/, '') : word;
}

/** Where a word goes on after a line break, or 0 when none stands here or no lower-case letter follows. */
function afterLineBreak(text: string, position: number): number {
  let at = position;
  let lineFeeds = 0;
  // A hyphen is followed by one line break and the indentation of the next line, not by half a page of space.
  while (at < text.length && at - position < 40) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) lineFeeds++;
    else if (code !== 0x20 && code !== 0x09 && code !== 0x0d) break;
    at++;
  }
  if (lineFeeds !== 1 || at >= text.length) return 0;
  return characterClasses()[text.charCodeAt(at)] === LETTER ? at : 0;
}

function isHyphen(code: number): boolean {
  return code === HYPHEN || code === UNICODE_HYPHEN || code === NON_BREAKING_HYPHEN;
}

function isConnector(code: number): boolean {
  return isHyphen(code) || code === FULL_STOP || code === UNDERSCORE;
}
