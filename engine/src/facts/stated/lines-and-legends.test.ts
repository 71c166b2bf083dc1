import { expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedFacts } from './stated-facts.js';

/** What is stated of an id in a document of lines, by kind. */
async function stated(id: string, lines: readonly string[]) {
  const documents = [analysedDocument('Document.md', lines)];
  const { byKey } = statedFacts(await corpusOf({ documents, scope: {} }, async () => {}));
  const values = (byKey.get(id) ?? []).flatMap((item) => {
    for (const { text, start, end } of item.values.values())
      expect(item.document.read.document.text.slice(start, end)).toBe(text);
    return [...item.values].map(([kind, { text }]) => [kind, text]);
  });
  return Object.fromEntries(values);
}

it('reads classes in lines of their own below the heading of an event, whatever stands between', async () => {
  const lines = [
    '# Events',
    '## EV-1 Lamp goes out',
    'M3 in an unlit bend, 90 km/h.',
    '- S3 – run-off against a tree; may be fatal.',
    '- E3 – unlit roads take between 1 and 10 % of the driving time.',
    '- C2: most drivers keep the line.',
    '- Result: ASIL B',
  ];
  expect(await stated('EV-1', lines)).toMatchObject({
    severity: 'S3',
    severity_rationale: 'run-off against a tree; may be fatal.',
    exposure: 'E3',
    controllability: 'C2',
    controllability_rationale: 'most drivers keep the line.',
    asil: 'ASIL B',
  });
});

it('reads fields in a list right below the paragraph of an id, and not as parameters', async () => {
  const lines = [
    '# Goals',
    'SG-1 The lamp shall not go out.',
    '- ASIL: B',
    '- FTTI: 400 ms',
    '- Safe state: SS2',
    'SG-2 The lamp shall not flicker.',
    '- FTTI: 900 ms',
    '- Safe state: SS1',
  ];
  expect(await stated('SG-1', lines)).toMatchObject({ asil: 'B', interval: '400 ms', safe_state: 'SS2' });
  expect(await stated('SG-2', lines)).toMatchObject({ interval: '900 ms', safe_state: 'SS1' });
  const documents = [analysedDocument('Document.md', lines)];
  const { items } = statedFacts(await corpusOf({ documents, scope: {} }, async () => {}));
  expect(items.filter(({ values }) => values.has('parameter'))).toEqual([]);
});

it('reads columns under what the legend of the document says', async () => {
  const table = [
    '# Requirements',
    '| Nr | Anf | Lvl | v.FS | Trg | tE |',
    '| TA_101 | The pump shall stop. | B(D) | FSR-1 | STE | 60 |',
    '| TA_102 | The pump shall start. | D | FSR-2 | LST | 80 |',
  ];
  const legend = [
    '# Legend',
    '| Short | Meaning |',
    '| Anf | Description |',
    '| Lvl | ASIL, with the parent level in brackets |',
    '| v.FS | from functional safety requirement |',
    '| Trg | Carrier (Traeger) |',
    '| tE | Detection time at most, ms |',
  ];
  expect(await stated('TA-101', [...legend, ...table])).toMatchObject({
    text: 'The pump shall stop.',
    asil: 'B(D)',
    parent: 'FSR-1',
    allocation: 'STE',
    detection: '60',
  });
  expect(await stated('TA-101', table)).not.toHaveProperty('detection');
});

it('takes no value of a card for the meaning of a title', async () => {
  const lines = [
    '# Card',
    '| Hazard | Haz-1 |',
    '| ASIL | C |',
    '| Status | open |',
    '# Goals',
    '| Goal | Wording | ASIL | Status |',
    '| SG1 | The window shall not move. | B | open |',
  ];
  expect(await stated('SG-1', lines)).toMatchObject({ asil: 'B' });
});
