import { isSentence, type Language, type Sentence, type Value } from './sentence.js';
import type { Placeholder, Template } from './template.js';
import { templateOf } from './texts.js';

/** A sentence in the words of a language. Throws for a key that has no text. */
export function render(sentence: Sentence, language: Language): string {
  const template = templateOf(sentence.key, language);
  if (!template) throw new Error(`No text has the key "${sentence.key}".`);
  return fillTemplate(template, sentence.values ?? {}, language);
}

/** A sentence in English, as results carry it beside key and values. */
export const english = (sentence: Sentence): string => render(sentence, 'en');

/** A template with what stands in its placeholders. */
export function fillTemplate(
  template: Template,
  values: NonNullable<Sentence['values']>,
  language: Language,
): string {
  let text = '';
  for (const part of template) text += typeof part === 'string' ? part : placed(part, values, language);
  return text;
}

function placed(
  { name, form }: Placeholder,
  values: NonNullable<Sentence['values']>,
  language: Language,
): string {
  const value = values[name];
  switch (form.is) {
    case 'value':
      return inWords(value, language, form.separator);
    case 'clause':
      return asClause(inWords(value, language, ' '), language);
    case 'beginning':
      return beginning(inWords(value, language, ', '), form.words);
    case 'count':
      return fillTemplate(countOf(value) === 1 ? form.one : form.other, values, language);
    case 'presence':
      return fillTemplate(isGiven(value) ? form.given : form.absent, values, language);
  }
}

function inWords(value: Value, language: Language, separator: string): string {
  if (value === undefined) return '';
  if (isList(value)) return value.map((one) => inWords(one, language, separator)).join(separator);
  if (isSentence(value)) return render(value, language);
  return typeof value === 'object' ? (value[language] ?? value.en) : String(value);
}

function beginning(text: string, most: number): string {
  const words = text.split(/\s+/);
  return words.length <= most ? text : `${words.slice(0, most).join(' ')} …`;
}

/** German sentences begin with nouns too often to be made small. */
function asClause(text: string, language: Language): string {
  const open = text.replace(/\.$/, '');
  return language === 'en' ? lowerFirst(open) : open;
}

/** "ASIL per event", "S, E and C": capitals that are not a sentence's stay. */
export function lowerFirst(text: string): string {
  return /^\p{Lu}[\p{Ll}\s]/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

const countOf = (value: Value): number => (isList(value) ? value.length : Number(value));

const isGiven = (value: Value): boolean =>
  value !== undefined &&
  value !== false &&
  value !== '' &&
  value !== 0 &&
  !(isList(value) && value.length === 0);
