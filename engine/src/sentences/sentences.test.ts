import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { english, fillTemplate } from './render.js';
import { LANGUAGES, say, written } from './sentence.js';
import { namesIn, parseTemplate } from './template.js';
import { checkTexts, keysIn, templateOf, textProblems } from './texts.js';
import { inLanguage, worded } from './worded.js';

describe('texts', () => {
  it('have the same keys and placeholders in every language', () => {
    const [first, ...others] = LANGUAGES.map(keysIn);
    expect(first!.length).toBeGreaterThan(100);
    for (const other of others) expect(other).toEqual(first);
    expect(textProblems()).toEqual([]);
  });

  it('are typed: rules can name their keys and placeholders, and no others', async () => {
    const script = new URL('../../scripts/sentence-keys.mjs', import.meta.url).href;
    const { sentenceKeys } = (await import(script)) as { readonly sentenceKeys: () => string };
    const keys = readFileSync(new URL('../../src/sentences/keys.ts', import.meta.url), 'utf8');
    expect(keys).toBe(sentenceKeys());
    for (const key of keysIn('en')) {
      for (const name of namesIn(templateOf(key, 'en')!)) expect(keys, key).toContain(`'${name}'`);
    }
  });

  it.each([
    ['a text that one language lacks', { 'x.a': 'A' }, {}, 'Not in'],
    ['a placeholder that one language lacks', { 'x.a': 'A {b}' }, { 'x.a': 'A' }, 'Placeholders b'],
    ['braces that nothing closes', { 'x.a': 'A {b' }, { 'x.a': 'A {b}' }, 'no placeholder'],
    ['a choice with one side', { 'x.a': '{b:one}' }, { 'x.a': '{b}' }, 'two sides'],
  ])('refuse %s', (_name, texts, theirs, problem) => {
    const problems = checkTexts(new Map(Object.entries(texts)), 'x.de.yaml', new Map(Object.entries(theirs)));
    expect(problems.map((one) => one.problem).join()).toContain(problem);
  });
});

describe('a template', () => {
  it.each([
    ['{a} and {b}', { a: 'x', b: 2 }, 'x and 2'],
    ['{a}', { a: ['x', 'y'] }, 'x, y'],
    ['{a* or }', { a: ['x', 'y', 'z'] }, 'x or y or z'],
    ['{a} {a:item is|items are}', { a: 1 }, '1 item is'],
    ['{a:one|{a}}', { a: ['x', 'y'] }, 'x, y'],
    ['x{a? ({a})}', { a: 'y' }, 'x (y)'],
    ['x{a? ({a})|!}', { a: undefined }, 'x!'],
    ['so {a~}', { a: written('The end.') }, 'so the end'],
    ['{a^2}', { a: 'one two three' }, 'one two …'],
    ['{a}', { a: { en: 'plan', de: 'Plan' } }, 'plan'],
  ] as const)('%s', (text, values, expected) => {
    expect(fillTemplate(parseTemplate(text), values, 'en')).toBe(expected);
  });
});

describe('a result', () => {
  const sentence = say('contradictions.same-id-other-asil.title', { id: 'SG-01', levels: ['A', 'B'] });

  it('has its words in English, and key and values for other languages', () => {
    const result = worded({ title: sentence, reasons: [sentence, written('as it is')] });
    expect(result.title).toBe('SG-01 has two ASILs: A and B');
    expect(result.reasons).toEqual([result.title, 'as it is']);
    const inside = { one: [{ ...result, severity: 'high' }] };
    expect(inLanguage(inside, 'de').one[0]).toEqual({
      title: 'SG-01 hat zwei ASIL: A und B',
      reasons: ['SG-01 hat zwei ASIL: A und B', 'as it is'],
      severity: 'high',
      said: result.said,
    });
    expect(inLanguage(inside, 'en')).toEqual(inside);
  });

  it('keeps the words that were stored where this version knows the key no more', () => {
    const stored = { title: 'As it was', said: { title: { key: 'contradictions.gone', values: {} } } };
    expect(inLanguage(stored, 'de')).toEqual(stored);
  });

  it('is refused where it says what has no text', () => {
    expect(() => english({ key: 'contradictions.gone' })).toThrow('contradictions.gone');
  });
});
