import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

/** What the boundary rules tell of documents made of lines. */
async function told(...files: readonly (readonly string[])[]): Promise<readonly string[]> {
  const documents = files.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus).filter(({ rule }) => BOUNDARY.has(rule));
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found.map(({ rule, item }) => `${rule} ${item}`);
}
const BOUNDARY = new Set(['boundary-differs', 'boundary-doubted', 'allocated-outside']);

/** Parts of a winch with the side of its rope sensor and who answers for it. */
const parts = (side: string, party = 'Lindwurm', remark = 'counts turns') => [
  '# What belongs to us',
  '| Part | Where | By | Remark |',
  '| Drum motor | inside | Lindwurm | pulls |',
  '| Control unit (WCU) | inside | Lindwurm | decides |',
  `| Rope sensor | ${side} | ${party} | ${remark} |`,
  '| Vehicle gateway | outside | Hallmann | sends speed |',
  '| Battery | outside | Hallmann | 24 V |',
];

describe('an element is told to lie on the other side than its row says', () => {
  it.each([
    ['a sentence of another document', 'The rope sensor and the gateway lie outside the item; see 4.'],
    ['a sentence with other words before the side', 'The rope sensor is bought and not a piece of our item.'],
    ['a clause of a sentence', 'Vehicle gateway lies inside, the rope sensor lies outside the item.'],
  ])('%s', async (_, line) => {
    expect(await told(parts('inside'), ['# Concept', line])).toContain('boundary-differs ropesensor');
    expect(await told(parts('outside', 'Hallmann'), ['# Concept', line])).not.toContain(
      'boundary-differs ropesensor',
    );
  });

  it('a list of what the customer supplies', async () => {
    const list = ['# Agreement', 'Customer-supplied parts: vehicle gateway, rope sensor.'];
    expect(await told(parts('inside'), list)).toEqual(['boundary-doubted ropesensor']);
    expect(await told(parts('outside', 'Hallmann'), list)).toEqual([]);
  });

  it('a German list of what is supplied', async () => {
    const lines = (list: string) => ['# Schnittstelle', `Der Kunde stellt bei: Batterie, ${list}.`];
    const german = [
      '# Was dazugehört',
      '| Teil | Lage |',
      '| Trommelmotor | innerhalb |',
      '| Seilgeber, drehzahlfest | innerhalb |',
      '| Batterie | außerhalb |',
    ];
    expect(await told(german, lines('Seilgeber'))).toEqual(['boundary-doubted seilgeberdrehzahlfest']);
    expect(await told(german, lines('Leitungssatz'))).toEqual([]);
  });

  it('an assumption that begins with it, where the others begin with elements outside', async () => {
    const assumptions = (subject: string) => [
      '# Assumptions',
      '| No. | Assumption |',
      '| AS-1 | Vehicle gateway sends the speed every 20 ms |',
      '| AS-2 | Battery holds 18 V while winding |',
      `| AS-3 | ${subject} counts each turn |`,
    ];
    expect(await told(parts('inside'), assumptions('Rope sensor'))).toEqual(['boundary-doubted ropesensor']);
    expect(await told(parts('inside'), assumptions('The driver'))).toEqual([]);
  });

  it('its row says that it lies in a part that is inside', async () => {
    expect(await told(parts('outside', 'Hallmann', 'in the housing of the WCU'))).toEqual([
      'boundary-doubted ropesensor',
    ]);
    expect(await told(parts('outside', 'Hallmann', 'at the gateway'))).toEqual([]);
  });

  it('whoever answers for all others of the other side answers for it', async () => {
    expect(await told(parts('inside', 'Hallmann'))).toEqual(['boundary-doubted ropesensor']);
    // A third party answers for one part of many.
    expect(await told(parts('inside', 'Sensorik AG'))).toEqual([]);
  });
});

describe('a requirement is allocated outside', () => {
  const requirement = (element: string) => [
    '# Functional safety requirements',
    '| ID | Requirement | Allocated to | ASIL |',
    `| FSR-1 | The turns shall be counted within 20 ms. | ${element} | B |`,
  ];
  it('to an element that its row describes with more words', async () => {
    const rows = [...parts('inside'), '| Buzzer with driver | outside | Hallmann | at the dash |'];
    expect(await told(rows, requirement('Buzzer'))).toEqual(['allocated-outside FSR-1']);
  });
  it('unless the allocation says itself whose it is', async () => {
    expect(await told(parts('inside'), requirement('Battery (Hallmann)'))).toEqual([]);
    expect(await told(parts('inside'), requirement('Battery'))).toEqual(['allocated-outside FSR-1']);
  });
  it.each([
    ['a direction', 'Direction', 'in', 'out'],
    ['a mounting', 'Mounting', 'inside', 'outside'],
    ['a direction under a heading of the item', 'Richtung', 'in', 'out'],
  ])('not by %s', async (_, title, one, other) => {
    const signals = [
      '# Interfaces at the boundary',
      `| Signal | ${title} | Partner |`,
      `| Speed | ${one} | ESC |`,
      `| Yaw rate | ${one} | ESC |`,
      `| Torque | ${one} | ECM |`,
      `| Request | ${other} | ECM |`,
      `| Status | ${other} | ECM |`,
    ];
    expect(await told(signals, requirement('Request'))).toEqual([]);
  });
});
