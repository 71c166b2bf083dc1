import { SPECIFICATION_ID } from '../../documents/text-patterns.js';
import { extractionWords } from './extraction-words.js';
import { identifierWords, letteredId, lowercaseId, wordedId } from './identifiers.js';

/** An id as it stands in a text; half-open range. */
export interface IdPlace {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** By its beginning; false for ids made of words (`Safety Goal 01`). */
  readonly coded: boolean;
}

/** Prefix, up to four groups, number, `.n` suffixes, a letter (domain E.7). */
const KNOWN_TAIL =
  '[-_. ]?(?:[A-Z][A-Z0-9]{0,11}[-_.]){0,4}\\d{1,6}(?:[.\\-_]\\d{1,4}){0,4}[a-z]?(?![\\p{L}\\p{N}_])';
const ASPICE =
  '(?<![\\p{L}\\p{N}_])(?:SYS|SWE|HWE|MLE|VAL|SEC)\\.\\d[-_](?:REQ|R|TC|ARCH|DD|ITEM)[-_]?\\d{1,6}(?![\\p{L}\\p{N}_])';
/** `type~name~revision` of OpenFastTrace. */
const SPECIFICATION_ITEM = `(?<![\\p{L}\\p{N}_])${SPECIFICATION_ID}(?![\\p{L}\\p{N}_])`;
/** Two groups in capitals, a number at the end: `SYSREQ_VDC_01`. */
const GROUPED =
  '(?<![\\p{L}\\p{N}_./-])[A-Z][A-Z0-9]{1,11}(?:[-_][A-Z][A-Z0-9]{0,11}){1,4}[-_]\\d{1,6}(?![\\p{L}\\p{N}_])';

interface Patterns {
  /** At the place where a word begins. */
  readonly coded: RegExp;
  /** `SG-OVERTEMP`, at the place where a word begins. */
  readonly worded: RegExp;
  /** `Goal A`. */
  readonly lettered: RegExp;
  readonly named: RegExp;
  readonly stop: RegExp;
  readonly prefixes: ReadonlySet<string>;
  /** Last words of the names of types. */
  readonly nameEnds: ReadonlySet<string>;
  /** `endOf` of all these. */
  readonly wordEnds: ReadonlySet<number>;
}

let compiled: Patterns | undefined;

function patterns(): Patterns {
  if (compiled) return compiled;
  const { further, stop } = identifierWords();
  const words = extractionWords();
  const prefixes = new Set([
    ...Object.values(further).flat(),
    ...words.typeOfPrefix.keys(),
    ...words.typeOfWeakPrefix.keys(),
  ]);
  const longestFirst = (a: string, b: string) => b.length - a.length;
  const nameEnds = new Set(words.names.map((name) => /[\p{L}]+$/u.exec(name)![0].toLowerCase()));
  // Names in lower and upper case alike.
  const ends = [...prefixes, ...nameEnds, ...[...nameEnds].map((name) => name.toUpperCase())];
  const names = [...words.names].sort(longestFirst).map((name) => name.replace(/[\s-]+/g, '[\\s_-]{0,3}'));
  compiled = {
    coded: new RegExp(
      `${ASPICE}|${SPECIFICATION_ITEM}|(?<![\\p{L}\\p{N}_./-])(?:${lowercaseId()}|(?:${[...prefixes].sort(longestFirst).join('|')})${KNOWN_TAIL}|${GROUPED})`,
      'uy',
    ),
    worded: new RegExp(`(?<![\\p{L}\\p{N}_./-])${wordedId()}`, 'uy'),
    lettered: new RegExp(`(?<![\\p{L}\\p{N}_])${letteredId()}`, 'u'),
    named: new RegExp(
      `(?<![\\p{L}\\p{N}_])(?:${names.map(anyCase).join('|')})[\\s_-]{0,2}(?:No\\.?|Nr\\.?)?\\s?\\d{1,6}(?:[.\\-_]\\d{1,4}){0,5}(?![\\p{L}\\p{N}_])`,
      'gu',
    ),
    stop: new RegExp(stop, 'iu'),
    prefixes,
    nameEnds,
    wordEnds: new Set(ends.map((word) => endOf(word, 0, word.length))),
  };
  return compiled;
}

/** Last letter and length of a word, in one number: most words are neither prefix nor name by that alone. */
function endOf(text: string, start: number, end: number): number {
  return (end - start) * 65536 + text.charCodeAt(end - 1);
}

/** Where `No.` or `Nr.` before `end` begins; `end` where neither stands. */
function numberSign(text: string, end: number, from: number): number {
  const at = text.charCodeAt(end - 1) === 46 ? end - 1 : end;
  const last = text.charCodeAt(at - 1);
  const isSign = (last === 111 || last === 114) && text.charCodeAt(at - 2) === 78 && at - 2 >= from;
  return isSign ? at - 2 : end;
}

/** Longest name with its number. */
const NAME_REACH = 80;

/**
 * Ids of known families and ids made of the names of types, by place; never names of standards, parts and processes.
 * Looks at digits and what stands before them, since every form but the worded one ends in a number. Linear.
 */
export function idsInText(text: string): readonly IdPlace[] {
  // The parts of the extraction ask about the same text one after the other.
  if (text === lastText) return lastFound;
  const found = findIds(text);
  lastText = text;
  lastFound = found;
  return found;
}

let lastText = '';
let lastFound: readonly IdPlace[] = [];

function findIds(text: string): readonly IdPlace[] {
  let found: IdPlace[] | undefined;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const worded = isJoiner(code)
      ? wordedAround(text, at, from)
      : code === 32 || code === 160
        ? letteredAround(text, at, from)
        : undefined;
    if (!worded && (code < 48 || code > 57)) continue;
    const place = worded ?? idAround(text, at, from);
    if (place) {
      found ??= [];
      if (!patterns().stop.test(place.id)) found.push(place);
      at = from = place.end;
      at--;
    } else at = endOfToken(text, at) - 1;
  }
  return found ?? NONE;
}

const NONE: readonly IdPlace[] = [];

/**
 * The id that a text begins with, if it does: the first of `idsInText` when it starts at 0. For texts that begin with a
 * letter it is made of words or belongs to the first digit, since ids and names hold no digit before the word that their number follows.
 */
export function idAtStart(text: string): IdPlace | undefined {
  if (!isLetter(text.charCodeAt(0))) {
    const [first] = idsInText(text);
    return first?.start === 0 ? first : undefined;
  }
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const worded = isJoiner(code)
      ? wordedAround(text, at, 0)
      : code === 32 || code === 160
        ? letteredAround(text, at, 0)
        : undefined;
    if (worded) return worded.start === 0 ? worded : undefined;
    if (code < 48 || code > 57) continue;
    const place = idAround(text, at, 0);
    return place?.start === 0 && !patterns().stop.test(place.id) ? place : undefined;
  }
  return undefined;
}

function isJoiner(code: number): boolean {
  return code === 45 || code === 95;
}

/** The id of words that the sign at `at` joins for the first time. */
function wordedAround(text: string, at: number, from: number): IdPlace | undefined {
  if (!isCapital(text.charCodeAt(at + 1)) || at === from || !isCapital(text.charCodeAt(at - 1)))
    return undefined;
  let start = at;
  while (start > from && isCapital(text.charCodeAt(start - 1))) start--;
  const { worded } = patterns();
  worded.lastIndex = start;
  const match = worded.exec(text);
  return match ? { id: match[0], start, end: start + match[0].length, coded: true } : undefined;
}

/** "Goal A": the id whose letter stands behind the blank at `at`. */
function letteredAround(text: string, at: number, from: number): IdPlace | undefined {
  // A capital alone, behind the last letter of one of the names.
  if (!isCapital(text.charCodeAt(at + 1)) || text.charCodeAt(at - 1) !== 108) return undefined;
  const low = Math.max(from, at - LONGEST_LETTERED);
  const match = patterns().lettered.exec(text.slice(low, at + LONGEST_COUNT));
  if (!match || (low > from && match.index === 0) || low + match.index + match[0].length <= at)
    return undefined;
  const start = low + match.index;
  return { id: match[0], start, end: start + match[0].length, coded: true };
}

const LONGEST_LETTERED = 20;
/** A blank, a Roman number and what follows it. */
const LONGEST_COUNT = 8;

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** The id that the first digit of a word at `digit` belongs to; nothing before `from` counts. */
function idAround(text: string, digit: number, from: number): IdPlace | undefined {
  let start = digit;
  while (start > from && isTokenCharacter(text.charCodeAt(start - 1))) start--;
  const first = text.charCodeAt(start);
  const known = patterns();
  if (isLetter(first)) {
    const { coded } = known;
    coded.lastIndex = start;
    const match = coded.exec(text);
    if (match) return { id: match[0], start, end: start + match[0].length, coded: true };
    let letters = digit;
    while (letters > start && !isLetter(text.charCodeAt(letters - 1))) letters--;
    return namedBefore(text, letters, { digit, from });
  }
  // "SG 1", "Safety goal No. 1": the word before the number.
  let end = start;
  while (end > from && start - end < 2 && isBlank(text.charCodeAt(end - 1))) end--;
  if (end === start && start === digit && start > from && !isBlank(text.charCodeAt(start - 1)))
    return undefined;
  const marked = numberSign(text, end, from);
  if (marked < end) {
    end = marked;
    while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  }
  let word = end;
  while (word > from && isLetter(text.charCodeAt(word - 1))) word--;
  if (word === end || !known.wordEnds.has(endOf(text, word, end))) return undefined;
  if (known.prefixes.has(text.slice(word, end))) {
    // "Safety Goal 01" is more than "Goal 01".
    const longer = namedBefore(text, end, { digit, from });
    if (longer) return longer;
    known.coded.lastIndex = word;
    const match = known.coded.exec(text);
    if (match) return { id: match[0], start: word, end: word + match[0].length, coded: true };
  }
  return namedBefore(text, end, { digit, from });
}

function namedBefore(
  text: string,
  end: number,
  { digit, from }: { readonly digit: number; readonly from: number },
): IdPlace | undefined {
  const { named, nameEnds, wordEnds } = patterns();
  let word = end;
  while (word > from && isLetter(text.charCodeAt(word - 1))) word--;
  if (word === end || !wordEnds.has(endOf(text, word, end))) return undefined;
  if (!nameEnds.has(text.slice(word, end).toLowerCase())) return undefined;
  const low = Math.max(from, digit - NAME_REACH);
  // One character more on the left, so that a word that was cut is no beginning.
  const lead = low > 0 ? 1 : 0;
  const window = text.slice(low - lead, digit + 40);
  for (const match of window.matchAll(named)) {
    const start = low - lead + match.index;
    if (start < low || start + match[0].length <= digit || start > digit) continue;
    return { id: match[0], start, end: start + match[0].length, coded: false };
  }
  return undefined;
}

function endOfToken(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && isTokenCharacter(text.charCodeAt(end))) end++;
  return end;
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code > 191;
}

/** Letters, digits and what joins them in an id. */
function isTokenCharacter(code: number): boolean {
  return (
    (isLetter(code) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 45 ||
      code === 46 ||
      code === 126 ||
      code === 47) &&
    code < 8192
  );
}

function isBlank(code: number): boolean {
  return code === 32 || code === 160 || code === 95 || code === 45;
}

/** Whether this is no id, whatever it looks like: `ISO 26262-6`, `SWE.1`, `SHA-256`. */
export function isNoId(written: string): boolean {
  return patterns().stop.test(written);
}

const PLAIN_ID = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._:~@#/+$-]*$/u;
/** "SPA3_FSK_V1.6": a document in one of its versions. */
const OF_A_VERSION = /\p{L}[-_][Vv]\d{1,3}\.\d{1,3}(?:\.\d{1,3})?$/u;
const NO_VALUE =
  /^(?:n\/?a|tbd|tbc|tba|none|keine?|entfällt|open|offen|yes|no|ja|nein|x|-+|–|—|\.+|\?+|all|alle)\.?$/i;

/**
 * Whether a cell under the title of an id column, or the value of an `id` key, is one: a word, or a form of
 * `idsInText` as a whole.
 */
export function isIdCell(text: string): boolean {
  if (text === '' || text.length > 120 || NO_VALUE.test(text)) return false;
  if (PLAIN_ID.test(text)) return !isNoId(text) && !OF_A_VERSION.test(text);
  const [only, other] = idsInText(text);
  return only !== undefined && other === undefined && only.start === 0 && only.end === text.length;
}

/** Groups of letters of an id in order: `SDOC`, `SRS` of `SDOC-SRS-12`. */
export function letterGroups(id: string): readonly string[] {
  return id.match(/[A-Za-z]+/g) ?? [];
}

function anyCase(pattern: string): string {
  return pattern.replace(/(?<!\\)\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
