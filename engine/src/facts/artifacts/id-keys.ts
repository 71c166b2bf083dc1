/**
 * For joining spellings of one id: case, blanks and separators do not count, zeros do.
 */
export function separatorKey(id: string): string {
  if (isItsOwnKey(id)) return id;
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

/** Sketch of an id that has none: it may be the same as any. */
export const NO_SKETCH = -1;

/**
 * A number that is the same for ids with the same `looseKey` or `separatorKey`; other ids may share it. Far cheaper
 * than the keys: for leaving out what cannot match.
 */
export function looseSketch(id: string): number {
  let sketch = 0;
  let begun = false;
  for (let at = 0; at < id.length; at++) {
    let code = id.charCodeAt(at);
    if (code > 127) return NO_SKETCH;
    // Versions come after one of these.
    if (code === TILDE || code === AT || (code === BRACKET && begun)) break;
    if (code >= 97 && code <= 122) code -= 32;
    if ((code < 65 || code > 90) && (code < 48 || code > 57)) continue;
    begun = true;
    if (code !== ZERO) sketch = (Math.imul(sketch, 31) + code) | 0;
  }
  return sketch >>> 1;
}

const TILDE = 126;
const AT = 64;
const BRACKET = 91;
const ZERO = 48;

/** Capitals and digits with single hyphens between them and at every change from letter to digit, as most ids have. */
function isItsOwnKey(id: string): boolean {
  let before = HYPHEN;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      if (before >= 65) return false;
    } else if (code === HYPHEN) {
      if (before === HYPHEN && at > 0) return false;
    } else if (code < 65 || code > 90) return false;
    before = code;
  }
  return true;
}

const HYPHEN = 45;
