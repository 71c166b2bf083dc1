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
const NO_LETTERS = /\P{L}+/u;

/**
 * Language of running text by its most common function words. `unknown` where there are too few of them
 * (tables of numbers, code, other languages) or neither language clearly leads.
 */
export function detectLanguage(text: string): 'en' | 'de' | 'unknown' {
  let english = 0;
  let german = 0;
  let words = 0;
  for (const word of text.slice(0, LOOKED_AT).toLowerCase().split(NO_LETTERS)) {
    if (word === '') continue;
    words++;
    if (word.length > LONGEST) continue;
    if (ENGLISH.has(word)) english++;
    if (GERMAN.has(word)) german++;
  }
  const leader = Math.max(english, german);
  if (leader < 3 || leader / words < 0.04) return 'unknown';
  if (english > german * 1.5) return 'en';
  return german > english * 1.5 ? 'de' : 'unknown';
}
