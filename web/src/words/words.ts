import { useSyncExternalStore } from 'react';
import { type Language, look, watchLook } from '../look/look.ts';

/** A text may hold `{name}`s. A key with `_one` and `_other` is chosen by a number. */
export type Texts = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;
type CountedKey<Key> = Key extends `${infer Stem}_other` ? Stem : never;

export interface Say<Key extends string> {
  (key: Key, values?: Values): string;
  /** The text for this many: `{count}` is the number as the language writes it. */
  count(stem: CountedKey<Key>, count: number, values?: Values): string;
  /** The text of a key that is only known at run time, such as a severity; the word itself where there is none. */
  named(prefix: string, word: string): string;
  readonly language: Language;
}

export const fill = (text: string, values: Values = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/**
 * The words of one folder in both languages: `const useWords = catalog(en, de)`. The German file must have the keys of the
 * English one; the compiler and a test see to it.
 */
export function catalog<En extends Texts>(en: En, de: Readonly<Record<keyof En, string>>) {
  const texts: Readonly<Record<Language, Texts>> = { en, de };
  const made = new Map<Language, Say<keyof En & string>>();
  return function useWords(): Say<keyof En & string> {
    const { language } = useSyncExternalStore(watchLook, look);
    let say = made.get(language);
    if (!say) {
      say = sayIn(texts[language], language) as Say<keyof En & string>;
      made.set(language, say);
    }
    return say;
  };
}

function sayIn(texts: Texts, language: Language): Say<string> {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const say = (key: string, values?: Values): string => fill(texts[key] ?? key, values);
  return Object.assign(say, {
    language,
    count: (stem: string, count: number, values?: Values): string =>
      say(`${stem}_${rules.select(count) === 'one' ? 'one' : 'other'}`, {
        ...values,
        count: numbers.format(count),
      }),
    named: (prefix: string, word: string): string => texts[`${prefix}_${word}`] ?? word.replaceAll('_', ' '),
  });
}
