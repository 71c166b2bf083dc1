const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * One spelling of a word for comparing: compatibility forms resolved (NFKC), lower case, `ß` as `ss`,
 * umlauts and other diacritics folded to their base letter, soft hyphens removed.
 */
export function normaliseWord(word: string): string {
  if (!BEYOND_ASCII.test(word)) return word.toLowerCase();
  return word
    .replaceAll('\u00ad', '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC');
}

/** Anything but single spaces between words. */
const UNEVEN = /[^\S ]| {2}|^ | $/;

/** `normaliseWord` for running text, with every run of white space as one space and none at the ends. */
export function normaliseText(text: string): string {
  const folded = normaliseWord(text);
  return UNEVEN.test(folded) ? folded.replace(/\s+/g, ' ').trim() : folded;
}
