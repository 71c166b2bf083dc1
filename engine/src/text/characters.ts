/** Classes of UTF-16 code units, as far as finding words needs them. */
export const OTHER = 0;
/** Lower-case letters, letters without case, surrogates (letters outside the basic plane). */
export const LETTER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** Combining marks and the soft hyphen: part of the word that they stand in. */
export const MARK = 4;

const SOFT_HYPHEN = 0xad;
let classes: Uint8Array | undefined;

/** Class of every code unit of the basic plane, made once (some milliseconds), 64 KiB. */
export function characterClasses(): Uint8Array {
  if (classes) return classes;
  const table = new Uint8Array(0x10000);
  for (let code = 0; code < table.length; code++) {
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    const character = String.fromCharCode(code);
    if (isSurrogate) table[code] = LETTER;
    else if (/\p{Lu}/u.test(character)) table[code] = UPPER;
    else if (/\p{L}/u.test(character)) table[code] = LETTER;
    else if (/\p{N}/u.test(character)) table[code] = DIGIT;
    else if (code === SOFT_HYPHEN || /\p{M}/u.test(character)) table[code] = MARK;
  }
  classes = table;
  return table;
}
