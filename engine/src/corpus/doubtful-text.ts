import { normaliseText } from '../text/normalise.js';
import { brokenPlaces, isKnown, plainWords, tellingWords } from './known-words.js';

/** A paragraph or cell of a document. */
export interface PlacedText {
  readonly text: string;
  /** The column of a cell, the section of a paragraph. */
  readonly field: string;
  readonly isCell: boolean;
  /** `plainWords` of the text. */
  readonly words: readonly string[];
}

/** Fewer words are a name or a value. */
const SHORTEST = 3;
/** A statement is judged by so many words that are about something. */
const STATEMENT = 4;
/** Of a statement about the item more than this share of words is known; of documents of any field, most are. */
const STRANGE_SHARE = 0.25;
/** A document of so many statements is about something else when such a share of them is strange, and its words in the mean. */
const STRANGE_DOCUMENT = { statements: 5, share: 0.45, mean: 0.36 } as const;
/** Where most documents are strange: of a single one less is enough. */
const STRANGE_AMONG_STRANGE = 0.25;
/** What in a strange document is known by half may be about the item. */
const KNOWN_SHARE = 0.5;
/** Sequences that no sentence has, of 100 words: real documents have up to 0.2, words in any order 0.9 to 7. */
const SCRAMBLED = [
  { places: 2, rate: 2 },
  { places: 3, rate: 1 },
] as const;
const SCRAMBLED_TOGETHER = { places: 6, rate: 0.9 } as const;
/** A document of fewer words has none of them by chance; among scrambled ones it is scrambled, too. */
const FEW_WORDS = 250;
/** Words of a statement that are under so many headings and columns of one document are about none of them. */
const STOCK = { words: 5, fields: 5 } as const;

/** What documents as a whole show about each of their texts: whether one of so many words says nothing. */
export type Doubt = (text: string) => boolean;

/**
 * For each document what has to be doubted of its texts, from what most of them are like: statements about anything but
 * vehicles and the work on them, words in any order, the same sentence everywhere. A single text is too short to show it.
 */
export function doubtsOf(documents: readonly (readonly PlacedText[])[]): readonly Doubt[] {
  const strange = strangeDocuments(documents);
  const scrambled = scrambledDocuments(documents);
  const stock = new Set(documents.flatMap(stockTexts));
  return documents.map((_texts, at) => {
    if (!strange[at] && !scrambled[at] && stock.size === 0) return () => false;
    return (text) => {
      const words = plainWords(text);
      if (words.length < SHORTEST) return false;
      if (scrambled[at] || stock.has(normaliseText(text))) return true;
      return strange[at]! && knownShare(words) < KNOWN_SHARE;
    };
  });
}

function knownShare(words: readonly string[]): number {
  const telling = new Set(tellingWords(words));
  return telling.size === 0 ? 0 : [...telling].filter(isKnown).length / telling.size;
}

function strangeDocuments(documents: readonly (readonly PlacedText[])[]): readonly boolean[] {
  const shares = documents.map((texts) =>
    texts.flatMap(({ words }) => (new Set(tellingWords(words)).size < STATEMENT ? [] : [knownShare(words)])),
  );
  const strangeShare = (own: readonly number[]) =>
    own.filter((share) => share <= STRANGE_SHARE).length / own.length;
  const isStrange = (own: readonly number[], share: number) =>
    own.length > 0 &&
    strangeShare(own) >= share &&
    own.reduce((sum, one) => sum + one, 0) / own.length <= STRANGE_DOCUMENT.mean;
  const alone = shares.map(
    (own) => own.length >= STRANGE_DOCUMENT.statements && isStrange(own, STRANGE_DOCUMENT.share),
  );
  const statements = shares.reduce((sum, own) => sum + own.length, 0);
  const inStrange = shares.reduce((sum, own, at) => sum + (alone[at] ? own.length : 0), 0);
  if (inStrange * 2 <= statements) return alone;
  return shares.map((own, at) => alone[at]! || own.length === 0 || isStrange(own, STRANGE_AMONG_STRANGE));
}

function scrambledDocuments(documents: readonly (readonly PlacedText[])[]): readonly boolean[] {
  const counts = documents.map((texts) => ({
    words: texts.reduce((sum, { words }) => sum + words.length, 0),
    places: texts.reduce((sum, one) => sum + brokenPlaces(one.text, one), 0),
  }));
  const isScrambled = (one: (typeof counts)[number], limit: { places: number; rate: number }) =>
    one.places >= limit.places && one.places * 100 >= limit.rate * one.words;
  const alone = counts.map((one) => SCRAMBLED.some((limit) => isScrambled(one, limit)));
  const together = counts.reduce(
    (sum, { words, places }) => ({ words: sum.words + words, places: sum.places + places }),
    { words: 0, places: 0 },
  );
  const touched = counts.filter(({ places }) => places > 0).length;
  if (touched * 2 <= counts.length || !isScrambled(together, SCRAMBLED_TOGETHER)) return alone;
  return counts.map(({ words, places }, at) => alone[at]! || places > 0 || words < FEW_WORDS);
}

/** Statements that stand word for word under several headings and columns. */
function stockTexts(texts: readonly PlacedText[]): readonly string[] {
  const fields = new Map<string, Set<string>>();
  for (const { text, field, words } of texts) {
    if (words.length < STOCK.words || isNames(text)) continue;
    const key = normaliseText(text);
    fields.set(key, (fields.get(key) ?? new Set()).add(field));
  }
  return [...fields].flatMap(([text, own]) => (own.size >= STOCK.fields ? [text] : []));
}

/** The beginning of a word of two letters or more. */
const SMALL_WORD = /(?<!\p{L})(?!\p{Lu})\p{L}{2}/u;

/** People, companies and titles are names however many words they have. */
export function isNames(text: string): boolean {
  return !SMALL_WORD.test(text);
}
