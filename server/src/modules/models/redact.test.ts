import { describe, expect, test } from 'vitest';
import { redact, restore } from './redact.js';

const WORKSPACE = '0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10';
const redaction = { addresses: true, words: ['Aurora', 'Nova Motors', 'A+'] };
const of = (text: string, words = redaction.words) => redact(text, { addresses: true, words }, WORKSPACE);

describe('what must not leave', () => {
  test('is replaced, in every case, across lines and at the beginning of longer words', () => {
    const { text } = of(
      'aurora and AURORA-Projekt for nova\n  motors; Auroras grade is A+. ask jo.doe@example.org',
    );
    expect(text).not.toMatch(/aurora|nova|motors|A\+|jo\.doe|example/i);
    expect(text).toMatch(
      /^\[name-\w{6}\] and \[name-\w{6}\]-Projekt for \[name-\w{6}\]; \[name-\w{6}\]s grade/,
    );
  });

  test('is replaced by the same everywhere in a workspace, by another one elsewhere', () => {
    const [first] = of('Aurora').placeholders.keys();
    const [again] = of('before aurora').placeholders.keys();
    const [other] = redact('Aurora', redaction, WORKSPACE.replace('0', '1')).placeholders.keys();
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test('stays where nothing is named, and inside of other words', () => {
    expect(redact('Aurora, jo@example.org', { addresses: false, words: [] }, WORKSPACE).text).toBe(
      'Aurora, jo@example.org',
    );
    expect(of('The laurora of p7.2').text).toBe('The laurora of p7.2');
  });

  test('comes back in the answer, and only what was sent does', () => {
    const { text, placeholders } = of('The safe state of "Aurora" is off.', ['"Aurora"', 'Aurora']);
    expect(restore(JSON.stringify({ because: text }), placeholders)).toBe(
      JSON.stringify({ because: 'The safe state of "Aurora" is off.' }),
    );
    expect(restore('[name-000000] is unknown', placeholders)).toBe('[name-000000] is unknown');
  });
});
