const ENGLISH = new Set(
  'the of and to in is for that shall be by are with as on this or from an it not must which has have can will if when'.split(
    ' ',
  ),
);
const GERMAN = new Set(
  'der die das und ist zu den von mit für im nicht ein eine auf des dem werden wird sich bei aus oder als nach muss soll sind einer wenn'.split(
    ' ',
  ),
);
const LOOKED_AT = 200_000;
const LONGEST = Math.max(...[...ENGLISH, ...GERMAN].map(({ length }) => length));
const LETTER = /\p{L}/u;
/** Whether a word with this `hashOf` may be one of them; most words are none by that alone, and no text is made of them. */
const MAY_BE = new Uint8Array(1024);
for (const word of [...ENGLISH, ...GERMAN])
  MAY_BE[[...word].reduce((hash, letter) => hashOf(hash, letter.codePointAt(0)!), 0)] = 1;

/** Of a word and one letter more. */
function hashOf(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) & 1023;
}

/**
 * Language of running text by its most common function words. `unknown` where there are too few of them
 * (tables of numbers, code, other languages) or neither language clearly leads.
 */
export function detectLanguage(text: string): 'en' | 'de' | 'unknown' {
  let english = 0;
  let german = 0;
  let words = 0;
  const looked = text.slice(0, LOOKED_AT).toLowerCase();
  let hash = 0;
  const end = (start: number, at: number): void => {
    words++;
    if (at - start > LONGEST || MAY_BE[hash] === 0) return;
    const word = looked.slice(start, at);
    if (ENGLISH.has(word)) english++;
    if (GERMAN.has(word)) german++;
  };
  let start = -1;
  for (let at = 0; at < looked.length; at++) {
    const code = looked.codePointAt(at)!;
    const isLetter = code < 0x80 ? code >= 0x61 && code <= 0x7a : LETTER.test(String.fromCodePoint(code));
    if (isLetter) {
      if (start < 0) {
        start = at;
        hash = 0;
      }
      hash = hashOf(hash, code);
    } else if (start >= 0) {
      end(start, at);
      start = -1;
    }
    if (code > 0xffff) at++;
  }
  if (start >= 0) end(start, looked.length);
  const leader = Math.max(english, german);
  if (leader < 3 || leader / words < 0.04) return 'unknown';
  if (english > german * 1.5) return 'en';
  return german > english * 1.5 ? 'de' : 'unknown';
}
