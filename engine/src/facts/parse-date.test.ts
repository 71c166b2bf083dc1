import { expect, it } from 'vitest';
import { corpusOf } from '../corpus/corpus-of.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { dayOf } from './day-of.js';
import { dateOrderOf, parseDate } from './parse-date.js';

it.each([
  ['2025-02-03', '2025-02-03'],
  ['3.2.2025', '2025-02-03'],
  ['3 February 2025', '2025-02-03'],
  ['03-Feb-2025', '2025-02-03'],
  ['03/02/2025', undefined],
  ['03-02-2025', undefined],
  ['28/02/2025', '2025-02-28'],
  ['02/28/2025', '2025-02-28'],
  ['04/04/2025', '2025-04-04'],
  ['31/02/2025', undefined],
])('reads %s without knowing which number is the day as %s', (written, day) => {
  expect(parseDate(written, 'unknown')).toBe(day);
});

it.each([
  ['day first', '2025-02-03'],
  ['month first', '2025-03-02'],
] as const)('reads 03/02/2025, %s, as %s', (order, day) => {
  expect(parseDate('03/02/2025', order)).toBe(day);
});

it('learns the order from dates that can be read in one way only', () => {
  expect(dateOrderOf(['from 03/02/2025', 'to 28/02/2025'])).toBe('day first');
  expect(dateOrderOf(['2/28/25 and 3/9/18'])).toBe('month first');
  expect(dateOrderOf(['28/02/2025', '02/28/2025'])).toBe('unknown');
  expect(dateOrderOf(['03/02/2025', '1/2/3/4', 'km/h 30/40/2025'])).toBe('unknown');
});

it('takes the order of the document, else that of all documents that show one', async () => {
  const documents = [
    analysedDocument('Plan.md', ['# Plan', 'Begins on 03/02/2025 and ends on 28/02/2025.']),
    analysedDocument('Report.md', ['# Report', 'Made on 04/05/2025.']),
  ];
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const days = corpus.documents.map((document) => dayOf('04/05/2025', document, corpus));
  expect(days).toEqual(['2025-05-04', '2025-05-04']);
});
