import { expect, it } from 'vitest';
import { kindsOfTitle } from '../facts/stated/stated-columns.js';
import { columnWords, meaningOfTitles, meaningsIn } from './column-titles.js';

it('a title has one meaning in the one list', () => {
  expect(meaningOfTitles().get('fehlertoleranzzeit')).toBe('ftti');
  const { attributes, links } = columnWords();
  const doubled = { links, attributes: { ...attributes, unit: [...attributes.unit, 'F T T I'] } };
  expect(() => meaningsIn(doubled)).toThrow('"F T T I" is both "ftti" and "unit"');
});

it.each([
  ['Fault tolerant time interval (ms)', ['interval']],
  ['Requirement', ['parent', 'text']],
  ['FSR', ['parent']],
  ['Sicherheitsziele', ['parent', 'text']],
  ['Geprüfte Anforderungen', ['verifies', 'text']],
  ['Verification criteria', ['criterion']],
  ['Safety mechanism', ['text']],
  ['Remarks', []],
] as const)('%s states %j', (title, kinds) => {
  expect(kindsOfTitle(title)).toEqual(kinds);
});
