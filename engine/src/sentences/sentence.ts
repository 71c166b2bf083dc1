import type { SentenceTexts } from './keys.js';

/** Languages that every text has. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What is said, without its words: which text, and what stands in its placeholders. Plain JSON. */
export interface Sentence {
  /** File and path of the text in `data/texts`: `contradictions.other-build.title`. */
  readonly key: string;
  readonly values?: Readonly<Record<string, Value>>;
}

/** What stands in a placeholder: words of the documents or the standard, a number, another sentence, or several of them. */
export type Value = string | number | boolean | Sentence | LocalWords | readonly Value[] | undefined;

/** Words of our own data that have more than one language. */
export interface LocalWords {
  readonly en: string;
  readonly de?: string;
}

export type SentenceKey = keyof SentenceTexts;

type Given<Key extends SentenceKey> = [SentenceTexts[Key]] extends [never]
  ? []
  : [values: Readonly<Record<SentenceTexts[Key], Value>>];

/** A sentence; a key that no text has, or a placeholder that is not given, does not compile. */
export function say<Key extends SentenceKey>(key: Key, ...[values]: Given<Key>): Sentence {
  return values === undefined ? { key } : { key, values };
}

/** Words as somebody wrote them: of a person, of a document, of a version that kept no keys. The same in every language. */
export const written = (text: string | LocalWords): Sentence => say('general.written', { text });

/** The words of what is nothing but words (`written`), to stand in another sentence. */
export const wordsOf = (sentence: Sentence): Value =>
  sentence.key === 'general.written' ? sentence.values?.text : sentence;

/** What is said, or words of a document or person as they are. */
export type Prose = Sentence | string;

export const asSentence = (prose: Prose): Sentence => (typeof prose === 'string' ? written(prose) : prose);

export const isSentence = (value: unknown): value is Sentence =>
  typeof value === 'object' && value !== null && typeof (value as Sentence).key === 'string';
