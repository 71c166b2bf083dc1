import type { Language } from './language.js';

/**
 * The stem of a normalised word: what inflected and derived forms of it share. Not a word of the language.
 * Words with digits and words of up to three letters stay as they are.
 */
export function stem(word: string, language: Language): string {
  if (word.length <= 3) return word;
  const stems = language === 'de' ? known.german : known.english;
  let found = stems.get(word);
  if (found === undefined) {
    found = makeStem(word, language);
    if (stems.size >= MOST_KNOWN) stems.clear();
    stems.set(word, found);
  }
  return found;
}

/** Texts repeat their words: stems are made once for the most recent ones. */
const known = { english: new Map<string, string>(), german: new Map<string, string>() };
const MOST_KNOWN = 50_000;

function makeStem(word: string, language: Language): string {
  if (/[^a-z]/.test(word)) return word;
  const stemmed = language === 'de' ? stemGerman(word) : stemEnglish(word);
  // German written without umlauts (`pruefung`) meets the folded spelling (`prufung`).
  return stemmed.replace(/(?<![aeiouq])([aou])e(?=[^aeiou])/g, '$1');
}

/** Endings with what replaces them, longest first, and the syllables that must remain. */
const ENGLISH_ENDINGS: readonly (readonly [ending: string, replacement: string, syllables: number])[] = [
  ['ization', '', 2],
  ['isation', '', 2],
  ['ability', 'able', 1],
  ['ibility', 'ible', 1],
  ['fulness', 'ful', 1],
  ['iveness', 'ive', 1],
  ['ation', 'ate', 1],
  ['ement', '', 2],
  ['ingly', '', 1],
  ['edly', '', 1],
  ['ment', '', 2],
  ['ness', '', 1],
  ['ance', '', 2],
  ['ence', '', 2],
  ['able', '', 2],
  ['ible', '', 2],
  ['ally', 'al', 1],
  ['ize', '', 2],
  ['ise', '', 2],
  ['ity', '', 2],
  ['ful', '', 1],
  ['ion', '', 2],
  ['ly', '', 1],
  ['er', '', 2],
  ['or', '', 2],
];

function stemEnglish(word: string): string {
  let stemmed = withoutInflection(withoutPlural(word));
  for (const [ending, replacement, minimum] of ENGLISH_ENDINGS) {
    if (!stemmed.endsWith(ending)) continue;
    const rest = stemmed.slice(0, -ending.length);
    if (syllables(rest) >= minimum) stemmed = rest + replacement;
    break;
  }
  if (stemmed.endsWith('ate') && syllables(stemmed.slice(0, -3)) >= 2) stemmed = stemmed.slice(0, -3);
  else if (stemmed.endsWith('at') && syllables(stemmed.slice(0, -2)) >= 2) stemmed = stemmed.slice(0, -2);
  else if (stemmed.endsWith('e') && stemmed.length > 3) stemmed = stemmed.slice(0, -1);
  if (stemmed.endsWith('y') && stemmed.length > 3) stemmed = `${stemmed.slice(0, -1)}i`;
  return stemmed;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:[sz]|[cs]h|x)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutInflection(word: string): string {
  if (word.endsWith('ied')) return word.length > 4 ? `${word.slice(0, -3)}y` : word;
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') && !word.endsWith('eed') ? 2 : 0;
  if (ending === 0) return word;
  const rest = word.slice(0, -ending);
  if (rest.length < 3 || !/[aeiouy]/.test(rest)) return word;
  if (/([^aeioulsz])\1$/.test(rest)) return rest.slice(0, -1);
  return /(?:at|bl|iz|is)$/.test(rest) ? `${rest}e` : rest;
}

/** Number of vowel groups that a consonant follows. */
function syllables(word: string): number {
  return word.match(/[aeiouy]+(?=[^aeiouy])/g)?.length ?? 0;
}

const GERMAN_ENDINGS: readonly string[] = [
  'ungen',
  'heiten',
  'keiten',
  'ung',
  'heit',
  'keit',
  'lichen',
  'licher',
  'liches',
  'liche',
  'lich',
  'ern',
  'end',
  'est',
  'en',
  'er',
  'em',
  'es',
  'et',
  'e',
  'n',
  's',
  't',
];

function stemGerman(word: string): string {
  for (const ending of GERMAN_ENDINGS) {
    if (word.length - ending.length < 3 || !word.endsWith(ending)) continue;
    const rest = word.slice(0, -ending.length);
    if (/[aeiouy]/.test(rest)) return rest;
  }
  return word;
}
