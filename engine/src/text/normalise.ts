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

/** `normaliseWord` for running text, with every run of white space as one space and none at the ends. */
export function normaliseText(text: string): string {
  return normaliseWord(text).replace(/\s+/g, ' ').trim();
}
