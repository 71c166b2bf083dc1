import { extractionWords } from './extraction-words.js';
import { identifierWords } from './identifiers.js';

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
const SPECIFICATION_ITEM = '(?<![\\p{L}\\p{N}_])[a-z]{2,12}~[A-Za-z][\\w.-]*~\\d+(?![\\p{L}\\p{N}_])';
/** Two groups in capitals, a number at the end: `SYSREQ_VDC_01`. */
const GROUPED =
  '(?<![\\p{L}\\p{N}_./-])[A-Z][A-Z0-9]{1,11}(?:[-_][A-Z][A-Z0-9]{0,11}){1,4}[-_]\\d{1,6}(?![\\p{L}\\p{N}_])';

let compiled: { readonly all: RegExp; readonly stop: RegExp } | undefined;

function patterns() {
  if (compiled) return compiled;
  const { families, stop } = identifierWords();
  const words = extractionWords();
  const prefixes = [
    ...new Set([
      ...Object.values(families).flat(),
      ...words.typeOfPrefix.keys(),
      ...words.typeOfWeakPrefix.keys(),
    ]),
  ].sort((a, b) => b.length - a.length);
  const names = [...words.names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[\s-]+/g, '[\\s_-]{0,3}'));
  compiled = {
    all: new RegExp(
      `${ASPICE}|${SPECIFICATION_ITEM}|(?<![\\p{L}\\p{N}_./-])(?:(?:${prefixes.join('|')})${KNOWN_TAIL}|${GROUPED}|(?<named>(?<![\\p{L}\\p{N}_])(?:${names.map(anyCase).join('|')})[\\s_-]{0,2}(?:No\\.?|Nr\\.?)?\\s?\\d{1,6}(?:[.\\-_]\\d{1,4}){0,5}(?![\\p{L}\\p{N}_])))`,
      'gu',
    ),
    stop: new RegExp(stop, 'iu'),
  };
  return compiled;
}

/** Ids of known families and ids made of the names of types, by place; never names of standards, parts and processes. */
export function idsInText(text: string): readonly IdPlace[] {
  // Every form ends in a number.
  if (!/\d/.test(text)) return [];
  const { all, stop } = patterns();
  const found: IdPlace[] = [];
  for (const match of text.matchAll(all)) {
    const id = match[0];
    if (stop.test(id)) continue;
    const named = match.groups?.named !== undefined;
    found.push({ id, start: match.index, end: match.index + id.length, coded: !named });
  }
  return found;
}

/** Whether this is no id, whatever it looks like: `ISO 26262-6`, `SWE.1`, `SHA-256`. */
export function isNoId(written: string): boolean {
  return patterns().stop.test(written);
}

const PLAIN_ID = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._:~@#/+$-]*$/u;
const NO_VALUE =
  /^(?:n\/?a|tbd|tbc|tba|none|keine?|entfällt|open|offen|yes|no|ja|nein|x|-+|–|—|\.+|\?+|all|alle)\.?$/i;

/**
 * Whether a cell under the title of an id column, or the value of an `id` key, is one: a word, or a form of
 * `idsInText` as a whole.
 */
export function isIdCell(text: string): boolean {
  if (text === '' || text.length > 120 || NO_VALUE.test(text)) return false;
  if (PLAIN_ID.test(text)) return !isNoId(text);
  const [only, other] = idsInText(text);
  return only !== undefined && other === undefined && only.start === 0 && only.end === text.length;
}

/** For joining spellings of one id: case, blanks and separators do not count, zeros do. */
export function separatorKey(id: string): string {
  return id
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^[\s[({<]+|[\s\])}>]+$/gu, '')
    .replace(/[\s_.–·-]+/gu, '-')
    .replace(/(?<=\p{L})(?=\d)/gu, '-');
}

/** `separatorKey` without leading zeros and without version at the end. */
export function looseKey(id: string): string {
  return separatorKey(id.replace(/(?:[~@]\d+|\[version==?[^\]]*\])$/u, '')).replace(/(?<=^|-)0+(?=\d)/g, '');
}

/** Groups of letters of an id in order: `SDOC`, `SRS` of `SDOC-SRS-12`. */
export function letterGroups(id: string): readonly string[] {
  return id.match(/[A-Za-z]+/g) ?? [];
}

function anyCase(pattern: string): string {
  return pattern.replace(/(?<!\\)\p{L}/gu, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
