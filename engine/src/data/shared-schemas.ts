import { z } from 'zod';

/** Ids of data: they stand in dotted references, so they hold no dot. */
export const keySchema = z.string().regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*$/, 'Ids are lower case words');

/** Words as authors write them; base forms, the matcher knows inflections. */
export const phraseSchema = z.string().trim().min(3, 'A phrase has at least three letters');

/** Equivalent phrases for one part of a demand, by language. */
export const phrasesSchema = z.strictObject({
  en: z.array(phraseSchema).min(1),
  de: z.array(phraseSchema).default([]),
});
export type Phrases = z.output<typeof phrasesSchema>;

/** All languages together, in the order of the file, each phrase once whatever its case. */
export function everyPhrase(phrases: Phrases): readonly string[] {
  const seen = new Set<string>();
  return [...phrases.en, ...phrases.de].filter((phrase) => {
    const plain = phrase.toLowerCase();
    return !seen.has(plain) && seen.add(plain);
  });
}

/** Words of our own for a person, in both languages. */
export interface BothLanguages {
  readonly en: string;
  readonly de: string;
}
