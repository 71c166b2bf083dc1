import { expect, it } from 'vitest';
import { kindsOfTitle } from '../facts/stated/stated-columns.js';
import { columnWords, compactTitle, meaningOfTitles, meaningsIn, titleInFull } from './column-titles.js';

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

it.each([
  ['Begr. S', 'severity_rationale'],
  ['Verantw.', 'owner'],
  ['Geford. Unabh.', 'required_independence'],
])('"%s" is a known title with a point', (short, meaning) => {
  expect(meaningOfTitles().get(compactTitle(titleInFull(short)!))).toBe(meaning);
});

it.each(['Nr. of rows', 'Sum.', 'S', 'Re. S'])('"%s" is no title in short', (title) => {
  expect(titleInFull(title)).toBeUndefined();
});
