import { expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedAsils } from '../asil-of-documents.js';
import { statedDocuments } from './stated-documents.js';
import { statedFacts } from './stated-facts.js';

const read = (lines: readonly string[]) =>
  corpusOf({ documents: [analysedDocument('D.md', lines)], scope: {} }, async () => {});

const stated = async (lines: readonly string[]) => {
  const corpus = await read(lines);
  const [document] = statedDocuments(corpus, statedFacts(corpus));
  const { number, version, date, author, dateOf } = document!;
  return [number?.value, version?.value, date?.iso, author?.value, Object.fromEntries(dateOf)];
};

it('reads number, version, date and author of fronts of any form', async () => {
  expect(
    await stated([
      '# Concept',
      'Document: QX-FSC / Issue: 1.1 / Date: 2024/06/21 / Status: released',
      'Prepared: Ann Lee / Checked: Tom Berg / Approved: Ida Holm',
      '1.0 (2024/05/03) first issue, 1.1 (2024/06/21) times.',
    ]),
  ).toEqual(['QX-FSC', '1.1', '2024-06-21', 'Ann Lee', { '1.0': '2024-05-03', '1.1': '2024-06-21' }]);
  expect(
    await stated([
      '# Konzept',
      'QX-04, Ausgabe 3 vom 28. April 2023, freigegeben.',
      'Verfasser: Jan Roth. Prüfer: Eva Kern. Freigabe: Uwe Lang.',
      'Ausgabe 2 vom 14. April 2023: Zeiten. Ausgabe 3 vom 28. April 2023: nach Review.',
    ]),
  ).toEqual(['QX-04', '3', '2023-04-28', 'Jan Roth', { 2: '2023-04-14', 3: '2023-04-28' }]);
  expect(
    await stated([
      '# Concept',
      '| Document No. | QX-F01 |',
      '| Revision | B |',
      '| Issue date | 2024/08/02 |',
      '| Made by | M. Sato |',
      '',
      '| Rev. | Date | Contents |',
      '| A | 2024/07/05 | New issue |',
      '| B | 2024/08/02 | Times |',
    ]),
  ).toEqual(['QX-F01', 'B', '2024-08-02', 'M. Sato', { A: '2024-07-05', B: '2024-08-02' }]);
});

it('takes no versions of other documents for its own', async () => {
  const [, , , , dateOf] = await stated([
    '# Minutes',
    'Document: QX-MIN / Issue: B / Date: 2024-06-21',
    'Seen: Item definition Issue A of 3 May 2024, hazard analysis Issue B of 10 May 2024.',
  ]);
  expect(dateOf).toEqual({ B: '2024-06-21' });
});

it('takes a word with a number of a sentence for no id, and what a person has done for no level', async () => {
  const corpus = await read([
    '# Requirements',
    'Above 60 km/h the unit replaces the angle by zero.',
    'After 2 (N_MSG) missing messages the speed is invalid.',
    'The safety manager has led four projects up to ASIL D.',
    'The pump control is an item of ASIL B.',
  ]);
  expect(statedFacts(corpus).items.filter(({ hasId }) => hasId)).toEqual([]);
  expect(statedAsils(corpus).highest).toBe('B');
});

it('reads a review under its heading', async () => {
  const corpus = await read([
    '# Review von QX-04 Ausgabe 3',
    '- Verfasser: Jan Roth',
    '- Prüfer: Eva Kern',
    '- Datum: 28. April 2023',
    '- Ergebnis: ohne Befund',
  ]);
  const review = statedFacts(corpus).items.find(({ values }) => values.has('work_product'));
  expect(
    ['work_product', 'person', 'date', 'result'].map((kind) => review?.values.get(kind as 'date')?.text),
  ).toEqual(['Review von QX-04 Ausgabe 3', 'Eva Kern', '28. April 2023', 'ohne Befund']);
});

it('parts a version from its day, and the number of a document from its version', async () => {
  expect(
    await stated([
      '# Konzept',
      '| Angabe | Eintrag |',
      '| Stand | 1.4 vom 17.04.2025 |',
      '| Verfasst | Jan Roth |',
    ]),
  ).toEqual([undefined, '1.4', '2025-04-17', 'Jan Roth', { '1.4': '2025-04-17' }]);
  expect(
    await stated([
      '# Concept',
      '| Field | Entry |',
      '| Issue | 1.1 of 2024.05.27 (1.0 was of 2024.02.19) |',
      '| Author | Ann Lee |',
    ]),
  ).toEqual([undefined, '1.1', '2024-05-27', 'Ann Lee', expect.objectContaining({ '1.1': '2024-05-27' })]);
  expect(
    await stated([
      '# Blatt',
      '| Angabe | Inhalt |',
      '| Unterlage | GM-QX3-01, Ausgabe B |',
      '| Datum | 24.01.2025 |',
      '| Erstellt | Jan Roth |',
    ]),
  ).toEqual(['GM-QX3-01', 'B', '2025-01-24', 'Jan Roth', { B: '2025-01-24' }]);
});
