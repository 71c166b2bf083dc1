import { z } from 'zod';
import type { LocalWords } from '../sentences/sentence.js';
import { readWords } from '../words/read-words.js';

const wordsSchema = z.record(z.string(), z.string().min(1));
const schema = z.strictObject({ tables: wordsSchema, columns: wordsSchema });

/** English names of tables and columns of built-in templates, each with its German one. */
export const templateWords = (): z.output<typeof schema> => readWords('template-words', schema);

/** The name of a table of a template for sentences; those of own templates are as their owner wrote them. */
export const tableWords = (title: string): LocalWords | string => inBoth(title, templateWords().tables);

/** The name of a column of a template for sentences. */
export const columnNames = (title: string): LocalWords | string => inBoth(title, templateWords().columns);

const inBoth = (en: string, words: Readonly<Record<string, string>>): LocalWords | string => {
  const de = Object.hasOwn(words, en) ? words[en] : undefined;
  return de === undefined ? en : { en, de };
};
