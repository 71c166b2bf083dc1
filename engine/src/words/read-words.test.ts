import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DataError } from '../data/data-error.js';
import { byLanguageSchema, parseTable } from './read-words.js';

const schema = z.strictObject({ before: byLanguageSchema });
const refused = (text: string): string => {
  try {
    parseTable('words/negation.yaml', text, schema);
  } catch (error) {
    if (error instanceof DataError) return error.message;
    throw error;
  }
  return 'nothing';
};

describe('word lists', () => {
  it('are read', () => {
    expect(parseTable('a.yaml', 'before: { en: [no], de: [kein] }', schema).before.de).toEqual(['kein']);
  });

  it.each([
    ['an unknown key', 'before:\n  en: [no]\n  de: [kein]\n  fr: [pas]', 4, 'Unknown key "fr"'],
    ['a missing language', 'before:\n  en: [no]', 1, '(before.de)'],
    ['an empty word', 'before:\n  en: [no]\n  de:\n    - kein\n    - ""', 5, '(before.de.1)'],
    ['what is no YAML', 'before:\n  en: [no', 2, 'This is not valid YAML'],
  ])('name file and line of %s', (_, text, line, says) => {
    const message = refused(text);
    expect(message).toContain(`words/negation.yaml:${line}: `);
    expect(message).toContain(says);
  });
});
