import { expect, it } from 'vitest';
import { corpusOf } from '../corpus/corpus-of.js';
import { indexPhrases } from '../corpus/mentions.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { consistencyPhrases, inconsistencies } from './consistency.js';

const CONCEPT = [
  '# Functional safety concept',
  '| ID | Requirement | ASIL | Goal |',
  '| FSR-1 | The drive shall stop the drum. | A(C) | SG-1 |',
  '| FSR-2 | The guard shall cut the supply. | B(C) | SG-1 |',
];
const rows = (title: string) => [
  `| No | ${title} | What could happen | What prevents it |`,
  '| 1 | Supply | both parts fail | separate regulators |',
  '| 2 | Clock | both run wrong | own quartz for each |',
  '| 3 | Software | same mistake | different persons |',
];

async function isMissed(...files: readonly { readonly name: string; readonly lines: readonly string[] }[]) {
  const documents = [{ name: '1_Functional_Safety_Concept.md', lines: CONCEPT }, ...files].map(
    ({ name, lines }) => analysedDocument(name, lines),
  );
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const index = await indexPhrases(corpus, consistencyPhrases(), async () => {});
  return inconsistencies(corpus, index).some(({ rule }) => rule === 'decomposition-without-dfa');
}

it('an analysis of dependent failures is one by whatever name its heading or a column has', async () => {
  expect(await isMissed()).toBe(true);
  for (const heading of [
    'Dependent failures',
    'Common causes',
    'Abhängigkeitsanalyse',
    'Gemeinsame Ursachen',
  ])
    expect(await isMissed({ name: '2.md', lines: [`# ${heading}`, ...rows('Subject')] })).toBe(false);
  expect(await isMissed({ name: '2.md', lines: ['# Sheet 4', ...rows('Common cause')] })).toBe(false);
});

it('a coupling of the vehicle is none, nor is a plan of it, nor a heading with nothing below', async () => {
  expect(await isMissed({ name: '2.md', lines: ['# Coupling', ...rows('Coupling')] })).toBe(true);
  expect(
    await isMissed({
      name: 'Safety_Plan.md',
      lines: ['# Safety plan', '## Dependent failures', ...rows('Work')],
    }),
  ).toBe(true);
  expect(
    await isMissed({ name: '2.md', lines: ['# Dependent failures', 'There is nothing here yet.'] }),
  ).toBe(true);
});
