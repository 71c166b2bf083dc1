import { expect, test } from 'vitest';
import { loadDocumentTypes } from '../document-types/load-document-types.js';
import { readDocument } from '../documents/read-document.js';
import { detectDocumentTypes, typeOfWhole } from './detect-document-types.js';
import { takeApart } from './passages/passages-of.js';

/** Files of one type, of none, and of several between which only sections decide. */
const FILES: readonly (readonly [name: string, text: string])[] = [
  [
    'software-requirements-11.md',
    '# Software requirements\n\n## SWR-1: Limit\n\nThe software shall hold it.\n',
  ],
  ['export.md', '# HARA\n\nText.\n'],
  ['notes.md', '# Notes\n\nNothing of note.\n'],
  ['safety-plan.md', '# Safety plan and safety case\n\n## Scope\n\nA.\n\n## Responsibilities\n\nB.\n'],
  ['hara-safety-plan.md', '# Software requirements and architecture\n\n## Introduction\n\nText.\n'],
  [
    'table.md',
    '# Table\n\n| ID | Hazardous event | S | E | C | ASIL | Safety goal |\n|---|---|---|---|---|---|---|\n| HE-1 | It moves | S3 | E4 | C3 | D | SG-1 |\n',
  ],
];

test('the type of a whole document is the first that all that can be known names', async () => {
  const types = [...(await loadDocumentTypes()).values()];
  const told: (string | undefined)[] = [];
  for (const [fileName, text] of FILES) {
    const read = takeApart(fileName, await readDocument(Buffer.from(text), { fileName }));
    const [first] = detectDocumentTypes({ fileName, read }, types).filter(({ whole }) => whole);
    expect(typeOfWhole({ fileName, read }, types), fileName).toBe(first?.typeId);
    told.push(first?.typeId);
  }
  expect(told[2]).toBeUndefined();
  expect(new Set(told).size).toBeGreaterThan(3);
});

test('the title on a cover names the type', async () => {
  const types = [...(await loadDocumentTypes()).values()];
  const text =
    '| Field | Content |\n|---|---|\n| Title | Hazards and risks of the awning |\n| Number | 7100 |\n';
  const read = takeApart('7100.md', await readDocument(Buffer.from(text), { fileName: '7100.md' }));
  expect(typeOfWhole({ fileName: '7100.md', read }, types)).toBe('hara');
});

test('references of the front matter give no type', async () => {
  const types = [...(await loadDocumentTypes()).values()];
  const text =
    '---\ntitle: Functional safety concept\nbased-on: BMS-HARA 2.0\nreferences:\n  - BMS-TSC 1.0\n---\n\n# Concept\n';
  const read = takeApart('30.md', await readDocument(Buffer.from(text), { fileName: '30.md' }));
  const whole = detectDocumentTypes({ fileName: '30.md', read }, types).filter((part) => part.whole);
  expect(whole.map(({ typeId }) => typeId)).toEqual(['functional_safety_concept']);
});

test.each([
  [
    '05_Test_Specification.md',
    'Test Specification – Functional Safety Concept PSD-4',
    ['test_specification'],
  ],
  ['a.md', 'Funktionales Sicherheitskonzept: Verifikationsbericht', ['verification_report']],
  ['a.md', 'Review Record (Item Definition)', ['review_record']],
  ['a.md', 'ACME Door – Functional Safety Concept', ['functional_safety_concept']],
  ['a.md', 'Item Definition – HARA', ['hara', 'item_definition']],
])('a title that names a topic beside its own kind: %s, %s', async (fileName, title, expected) => {
  const types = [...(await loadDocumentTypes()).values()];
  const text = Buffer.from(`# ${title}\n\nText.\n`);
  const read = takeApart(fileName, await readDocument(text, { fileName }));
  const whole = detectDocumentTypes({ fileName, read }, types).filter((part) => part.whole);
  expect(whole.map(({ typeId }) => typeId).sort()).toEqual(expected);
});

test.each([
  ['BBW_Itemdefinition.docx', 'item_definition'],
  ['Item-Definition_v2.docx', 'item_definition'],
  ['FH_Itemdefinition_Fensterheber.docx', 'item_definition'],
  ['Funktionales_Sicherheitskonzept.docx', 'functional_safety_concept'],
  ['Gefaehrdungsanalyse_und_Risikobewertung.xlsx', 'hara'],
  ['BBW_Pruefspezifikation.xlsx', 'test_specification'],
  ['Prüfspezifikation.xlsx', 'test_specification'],
  ['Sicherheitsplan_Lenkhilfe.docx', 'safety_plan'],
])('names of files as Germans write them: %s', async (fileName, expected) => {
  const types = [...(await loadDocumentTypes()).values()];
  const read = takeApart('a.md', await readDocument(Buffer.from('Text.\n'), { fileName: 'a.md' }));
  expect(typeOfWhole({ fileName, read }, types)).toBe(expected);
});

test('the ids of its rows tell the type of a document that is not named', async () => {
  const types = [...(await loadDocumentTypes()).values()];
  const rows = (prefix: string) =>
    [1, 2, 3, 4, 5].map((at) => `| ${prefix}-${at} | FSR-${at} | It stops the motor | B |`).join('\n');
  const typeOf = async (prefix: string) => {
    const text = `| No. | from | Realisation | Level |\n|---|---|---|---|\n${rows(prefix)}\n`;
    const read = takeApart('50.md', await readDocument(Buffer.from(text), { fileName: '50.md' }));
    return typeOfWhole({ fileName: '50.md', read }, types);
  };
  expect(await typeOf('TSR')).toBe('technical_safety_concept');
  expect(await typeOf('Row')).toBeUndefined();
});
