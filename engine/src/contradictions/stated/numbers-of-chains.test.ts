import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

/** What is told of numbers that differ, as rule, item and both numbers. */
async function told(...files: readonly (readonly string[])[]): Promise<readonly string[]> {
  const documents = files.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus).filter(({ rule }) => RULES.has(rule));
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found.map(
    ({ words }) => `${words.item}: ${words.own ?? words.one} or ${words.expected ?? words.other}`,
  );
}
const RULES = new Set(['odd-number', 'text-differs', 'time-differs', 'test-other-value', 'limit-differs']);

describe('an id that two documents state with another number', () => {
  const assumptions = (time: string) => [
    '# Item definition',
    '| ID | Assumption |',
    `| A-1 | The battery keeps the board net above 9.5 V for at least ${time} at 180 A. |`,
    '| A-2 | The gateway sends the vehicle speed every 20 ms. |',
  ];
  const agreement = (time: string) => [
    '# Interface agreement',
    '| Item | What is promised | ASIL |',
    `| A-1 | Battery keeps the board net above 9.5 V at 180 A for ${time} or more; ageing is watched | B |`,
    '| A-2 | Speed every 20 ms, with counter | B |',
  ];

  it('is told with both', async () => {
    expect(await told(assumptions('60 s'), agreement('60 s'))).toEqual([]);
    expect(await told(assumptions('60 s'), agreement('30 s'))).toEqual(['A-1: 60 s or 30 s']);
  });

  it('is not told where the two speak of different things', async () => {
    const degradation = [
      '# Degradation',
      '| Goal | Warning | Effect |',
      '| A-1 | yellow lamp | current held at 90 A for 5 s |',
    ];
    expect(await told(assumptions('60 s'), degradation)).toEqual([]);
  });
});

describe('a number that requirement and test agree on and what stands between them does not', () => {
  const chain = (functional: string, technical: string, test: string) =>
    [
      [
        '# Functional safety concept',
        '| ID | Requirement | ASIL | Goal |',
        `| FSR-11 | The heater shall recognise a plate temperature from ${functional} and cut the circuit. | B | SG-1 |`,
        '| FSR-12 | The heater shall tell the driver that heating is off. | A | SG-1 |',
      ],
      [
        '# Technical safety concept',
        '| ID | From | Requirement | ASIL |',
        `| TSR-111 | FSR-11 | The computer shall read the sensor and from ${technical} on give the command to cut. | B |`,
        '| TSR-121 | FSR-12 | The computer shall send the message of the closed state. | A |',
      ],
      [
        '# Test specification',
        '| Test | Verifies | Stimulus | Expected result |',
        `| T-1 | TSR-111 | ramp of 15 K per second | command to cut after ${test} |`,
        '| T-2 | TSR-121 | heating off | message is sent |',
      ],
    ] as const;

  it('is told with both sides', async () => {
    expect(await told(...chain('165 °C', '165 °C', '165 °C'))).toEqual([]);
    expect(await told(...chain('165 °C', '175 °C', '165 °C'))).toEqual(['TSR-111: 175 °C or 165 °C']);
  });

  it('is not told of a test that goes beyond a limit', async () => {
    const [functional, technical, [title, header, , other]] = chain('165 °C', '165 °C', '165 °C');
    const beyond = '| T-1 | TSR-111 | sensor held at 190 °C | command to cut |';
    expect(await told(functional, technical, [title, header, beyond, other])).toEqual([]);
  });
});
