import { render } from './render.js';
import { isSentence, type Language, type Sentence, type Value } from './sentence.js';
import { isKnownKey } from './texts.js';

/** Fields of a result that are words for a person, by name: what they say. */
export type Said = Readonly<Record<string, Sentence | readonly Sentence[] | undefined>>;

/** What is said, in English, with keys and values beside it so that it can be said in other languages. */
export type Worded<S extends Said> = {
  readonly [Name in keyof S]: S[Name] extends readonly Sentence[] ? readonly string[] : string;
} & { readonly said: S };

/** The fields of a result from what they say; each is written in English, and `said` keeps keys and values. */
export function worded<const S extends Said>(said: S): Worded<S> {
  return { ...wordsOf(said, 'en'), said } as Worded<S>;
}

/**
 * A result in the words of a language: every field that a `said` names is written anew, at any depth. In English it is what
 * it was, word for word: results carry their English words. Plain JSON only.
 */
export function inLanguage<T>(value: T, language: Language): T {
  return language === 'en' ? value : rewritten(value, language);
}

/** The same without keys and values: what is told to people and programs that only read. Plain JSON only. */
export function wordsOnly<T>(value: T, language: Language): T {
  return withoutSaid(inLanguage(value, language));
}

function withoutSaid<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutSaid(one)) as T;
  const fields = Object.entries(value).filter(([name]) => name !== 'said');
  return Object.fromEntries(fields.map(([name, one]) => [name, withoutSaid(one)])) as T;
}

function rewritten<T>(value: T, language: Language): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => rewritten(one, language)) as T;
  const { said } = value as { readonly said?: Said | null };
  const fields = Object.entries(value).map(([name, one]) => [
    name,
    name === 'said' ? one : rewritten(one, language),
  ]);
  return { ...Object.fromEntries(fields), ...(said ? wordsOf(said, language) : {}) } as T;
}

/** Keys that this version does not know stay in the words that were stored with them. */
function wordsOf(said: Said, language: Language): Record<string, string | readonly string[]> {
  const words: Record<string, string | readonly string[]> = {};
  for (const name of Object.keys(said)) {
    const one = said[name];
    if (!one) continue;
    if (isSentence(one)) {
      if (isSayable(one)) words[name] = render(one, language);
    } else if (one.every(isSayable)) words[name] = one.map((sentence) => render(sentence, language));
  }
  return words;
}

function isSayable({ key, values }: Sentence): boolean {
  if (!isKnownKey(key)) return false;
  for (const name in values) if (!isSayableInside(values[name])) return false;
  return true;
}

function isSayableInside(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isSayableInside);
  return !isSentence(value) || isSayable(value);
}
