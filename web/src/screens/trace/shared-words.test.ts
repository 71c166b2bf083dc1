import { describe, expect, it } from 'vitest';
import { sharedWords, usualWords } from './shared-words.ts';

const NONE: ReadonlySet<string> = new Set();
const said = (text: string, other: string, usual = NONE): readonly string[] =>
  sharedWords(text, other, usual).map(({ start, end }) => text.slice(start, end));

describe('words that two texts share', () => {
  it.each([
    ['whatever their case', 'Latch closed', 'the LATCH is open', ['Latch']],
    ['each time they stand there', 'Latch on latch', 'latch', ['Latch', 'latch']],
    ['of four letters or more', 'The door is open', 'The door is shut', ['door']],
    ['whole words', 'unlatched doors', 'latch door', []],
    ['of any language', 'Türschloss geprüft', 'das TÜRSCHLOSS', ['Türschloss']],
    ['numbers too', 'within 1000 ms', 'after 1000 ms', ['1000']],
  ] as const)('%s', (_how, text, other, words) => expect(said(text, other)).toEqual(words));

  it('without those that most texts of the page have', () => {
    const texts = ['door', 'latch', 'speed', 'brake', 'light', 'horn'].map((one) => `The ${one} shall work.`);
    const usual = usualWords(texts);
    expect([...usual].sort()).toEqual(['shall', 'work']);
    expect(said('The door shall open.', 'The door shall work.', usual)).toEqual(['door']);
  });

  it('all of them where there are too few texts to tell', () => {
    expect([...usualWords(['It shall open.', 'It shall close.'])]).toEqual([]);
  });
});
