const LIGATURES = ['ff', 'fi', 'fl', 'ffi', 'ffl', 'st', 'st'];

/** Bullets that symbol fonts keep in the private use area. */
const SYMBOL_BULLETS = /[\uf0b7\uf0a7\uf0d8\uf0a8\uf076\uf0fc]/g;

/** Accents that are drawn as signs of their own before their letter, as TeX does, and their combining forms. */
const DRAWN_ACCENT = /([\u00a8\u00b4\u02c6\u02c7\u02d8\u02da\u02dc\u02dd])([\p{L}\u0131])/gu;
const COMBINING: Readonly<Record<string, string>> = {
  '\u00a8': '\u0308',
  '\u00b4': '\u0301',
  '\u02c6': '\u0302',
  '\u02c7': '\u030c',
  '\u02d8': '\u0306',
  '\u02da': '\u030a',
  '\u02dc': '\u0303',
  '\u02dd': '\u030b',
};

/**
 * Ligatures written out, composed letters (NFC), characters without meaning dropped: controls, zero-width
 * marks, byte-order marks, non-characters, icons of the private use area; a soft hyphen inside of a segment. Controls
 * of the range that dashes and quotation marks have in Windows-1252 stand for a sign and become a blank.
 */
export function normaliseCharacters(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  return text
    .replace(/[\ufb00-\ufb06]/g, (ligature) => LIGATURES[ligature.charCodeAt(0) - 0xfb00]!)
    .replace(SYMBOL_BULLETS, '•')
    .replace(/\u00ad$/, '-')
    .replace(/ ?[\u0080-\u009f]+ ?/g, ' ')
    .replace(/[\p{Cc}\u00ad\u200b-\u200d\u2060\ufeff\ufffd-\uffff\ue000-\uf8ff]/gu, '')
    .replace(DRAWN_ACCENT, composed)
    .normalize('NFC')
    .trim();
}

/**
 * Left edges for the letters of a normalised text, given those of the text as it was drawn: both are gone through group by group,
 * a letter with its accents or a ligature. Undefined where that does not make the same text.
 */
export function leftsOf(raw: string, text: string, lefts: string): string | undefined {
  if (raw === text) return lefts;
  let made = '';
  let edges = '';
  for (const { 0: group, index } of raw.matchAll(LETTER)) {
    const part = group === '\u00ad' && index < raw.length - 1 ? '' : written(group);
    made += part;
    const left = lefts.charCodeAt(index);
    const next = index + group.length;
    const right = next < lefts.length ? Math.max(left, lefts.charCodeAt(next)) : left;
    // The letters of a ligature share its width.
    for (let at = 0; at < part.length; at++) {
      edges += String.fromCharCode(left + Math.round(((right - left) * at) / part.length));
    }
  }
  const skipped = made.length - made.trimStart().length;
  return made.trim() === text ? edges.slice(skipped, skipped + text.length) : undefined;
}

/** What becomes one letter, as `normaliseCharacters` sees it. */
const LETTER = /[\u00a8\u00b4\u02c6\u02c7\u02d8\u02da\u02dc\u02dd]?[^\p{M}]\p{M}*|\p{M}+/gsu;

const written = (group: string): string => (/^\s+$/.test(group) ? group : normaliseCharacters(group));

function composed(drawn: string, accent: string, letter: string): string {
  const whole = `${letter === '\u0131' ? 'i' : letter}${COMBINING[accent]}`.normalize('NFC');
  return [...whole].length === 1 ? whole : drawn;
}

/** Words after which a hyphen at a line end is kept: "Ein- und Ausgang", "pre- and post-conditions". */
const CONJUNCTION = /^(?:und|oder|bzw|sowie|and|or|to|bis)\b/;

/**
 * Puts the next line of a paragraph or cell behind the text so far. A word parted at the line end is joined:
 * without its hyphen when it goes on in lower case, with it before a capital or a digit (`SRS-` + `12`).
 */
export function appendLine(text: string, line: string): string {
  if (text === '') return line;
  if (line === '') return text;
  const last = text.charCodeAt(text.length - 1);
  if (
    (last === 0x2d || last === 0x2010) &&
    /[\p{L}\p{N}].$/u.test(text.slice(-2)) &&
    !CONJUNCTION.test(line)
  ) {
    if (/^\p{Ll}/u.test(line))
      return /\p{L}.$/u.test(text.slice(-2)) ? text.slice(0, -1) + line : text + line;
    if (/^[\p{Lu}\p{N}]/u.test(line)) return text + line;
  }
  return `${text} ${line}`;
}
