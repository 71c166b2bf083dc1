import { expect, it } from 'vitest';
import { corpusOf } from '../corpus/corpus-of.js';
import { indexPhrases } from '../corpus/mentions.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { agreementOf } from './agreement.js';
import { consistencyPhrases } from './consistency.js';

const HARA = [
  '# Hazard analysis and risk assessment of the seat heater',
  '| ID | Operational situation | Hazardous event description | S | S rationale | E | E rationale | C | C rationale | ASIL |',
  '| HE-1 | Driving on a motorway | Seat burns the driver | S2 | Severe burns of occupants | E4 | On most trips | C3 | Nobody can leave the seat | C |',
  '| HE-2 | Vehicle parked, child on the seat | Child is burnt | S3 | Burns of a child can be fatal | E3 | A few times a month | C3 | A child cannot leave | C |',
  '',
  '## Safety goals',
  '| ID | Safety goal | ASIL | FTTI | Safe state |',
  '| SG-1 | The seat surface shall not exceed 45 °C. | C | 10 s | heater off |',
  '| SG-2 | The heater shall not run in a parked vehicle. | C | 30 s | heater off |',
];
const CONCEPT = [
  '# Functional safety concept of the seat heater',
  '## Requirements',
  '| ID | Requirement | Safety goal | ASIL | FTTI | Allocated to |',
  '| FSR-1 | The seat module shall switch the heater off above 44 °C. | SG-1 | C | 8 s | Seat module |',
  '| FSR-2 | The seat module shall switch the heater off when the ignition is off. | SG-2 | C | 20 s | Seat module |',
  '| FSR-3 | The door module shall report an open door to the seat module. | SG-2 | C | 20 s | Door module |',
];

/** Single defects in other words and of other things than any judged project has. */
const DEFECTS: readonly (readonly [RegExp, string])[] = [
  [/\| 8 s \|/, '| 12 s |'],
  [/Severe burns of occupants/, 'The surface has 80 °C'],
  [/FSR-1 \| The seat module/, 'FSR-1 | The door module'],
  [/On most trips/, 'On a rural road'],
  [/not exceed 45 °C/, 'stay at a sufficiently low temperature'],
  [/parked vehicle\. \| C \| 30 s/, 'parked vehicle. | C | 15 s'],
];

async function valueWith(defects: readonly (readonly [RegExp, string])[]): Promise<number> {
  const lines = (text: readonly string[]) =>
    defects.reduce((all, [from, to]) => all.replace(from, to), text.join('\n')).split('\n');
  const documents = [analysedDocument('HARA.md', lines(HARA)), analysedDocument('FSC.md', lines(CONCEPT))];
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const index = await indexPhrases(corpus, consistencyPhrases(), async () => {});
  return agreementOf(corpus, index, []).value;
}

it('is whole without defects and falls with each of them', async () => {
  const values = [];
  for (let count = 0; count <= DEFECTS.length; count++) values.push(await valueWith(DEFECTS.slice(0, count)));
  expect(values[0]).toBe(100);
  for (const [at, value] of values.entries()) if (at > 0) expect(value).toBeLessThan(values[at - 1]!);
});

it('weighs by severity over what was there to judge', async () => {
  const documents = [analysedDocument('HARA.md', HARA), analysedDocument('FSC.md', CONCEPT)];
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const index = await indexPhrases(corpus, consistencyPhrases(), async () => {});
  const one = (severity: 'critical' | 'low') => agreementOf(corpus, index, [{ severity }]);
  // Few statements count as twenty: 8 / 20 and 1 / 20.
  expect(one('critical')).toEqual({ value: 71.4, defects: 1, weight: 8, statements: 7 });
  expect(one('low').value).toBe(95.2);
});
