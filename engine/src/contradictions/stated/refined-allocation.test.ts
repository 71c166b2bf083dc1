import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

async function told(...files: readonly (readonly string[])[]): Promise<readonly string[]> {
  const documents = files.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus).filter(({ rule }) => rule === 'allocated-off-parent');
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found.map(({ item, words }) => `${item}: ${words.item} in ${words.element}, above ${words.other}`);
}

/** A concept of a winch with two channels. */
const concept = (...more: readonly string[]) => [
  '# Functional safety concept',
  '| ID | Requirement | ASIL | Goal | Allocated to |',
  '| FSR-10 | The drum shall not turn without a request. | C | SG-1 | Winch controller |',
  '| FSR-11 | The drive channel shall stop the drum. | A(C) | FSR-10 | Drive channel |',
  '| FSR-12 | The guard channel shall cut the supply. | B(C) | FSR-10 | Guard channel |',
  '| FSR-13 | The guard channel shall watch the rope. | B | SG-2 | Guard channel |',
  '| FSR-14 | The drive channel shall limit the speed. | B | SG-2 | Drive channel |',
  '| FSR-15 | Both channels shall report faults. | B | SG-2 | Drive channel and guard channel |',
  ...more,
];

const technical = (title: string, of11: string, of13: string, ...more: readonly string[]) => [
  '# Technical safety concept',
  `| ID | From | What it does | ASIL | ${title} |`,
  `| TSR-111 | FSR-11 | The bridge is opened within 20 ms after a fault of the request. | A(C) | ${of11} |`,
  '| TSR-121 | FSR-12 | The supply relay is opened within 20 ms after a deviation. | B(C) | Guard channel |',
  `| TSR-131 | FSR-13 | The rope force is compared with its limit every 10 ms. | B | ${of13} |`,
  '| TSR-141 | FSR-14 | The speed is held below the limit by the drive itself. | B | Drive channel |',
  '| TSR-151 | FSR-15 | The state of the bridge is reported every 100 ms to the vehicle. | B | Drive channel |',
  '| TSR-152 | FSR-15 | The state of the relay is reported every 100 ms to the vehicle. | B | Guard channel |',
  ...more,
];

describe('a requirement is allocated to another element than what it refines', () => {
  it.each(['Allocated to', 'Place'])('under the title %s', async (title) => {
    expect(await told(concept(), technical(title, 'Drive channel', 'Guard channel'))).toEqual([]);
    expect(await told(concept(), technical(title, 'Guard channel', 'Guard channel'))).toEqual([
      'FSR-11: TSR-111 in Guard channel, above Drive channel',
    ]);
    expect(await told(concept(), technical(title, 'Drive channel', 'Drive channel'))).toEqual([
      'FSR-13: TSR-131 in Drive channel, above Guard channel',
    ]);
  });

  it('is not told of the parts of a decomposition, nor of an element that does something for several others', async () => {
    const logger = (of14: string) => [
      `| TSR-142 | FSR-14 | The stopping of the drum is tried at each start of the winch. | B | ${of14} |`,
      `| TSR-122 | FSR-12 | The opening of the relay is tried at each start of the winch. | B | Start test |`,
      `| TSR-161 | FSR-16 | The result of the trials is kept until the next start of it. | B | Start test |`,
    ];
    const above = concept('| FSR-16 | Trials shall be done at each start. | B | SG-2 | Start test |');
    expect(
      await told(above, technical('Allocated to', 'Drive channel', 'Guard channel', ...logger('Start test'))),
    ).toEqual([]);
  });

  it('is not told where the element above has parts with names of their own', async () => {
    const parts = [
      '# Technical safety concept',
      '| ID | From | Requirement | ASIL | Allocated to |',
      '| TSR-1 | FSR-11 | The bridge driver shall open. | A(C) | Bridge driver |',
      '| TSR-2 | FSR-14 | The speed loop shall limit the speed. | B | Speed loop |',
      '| TSR-3 | FSR-15 | The watch core shall report. | B | Watch core |',
      '| TSR-4 | FSR-12 | The watch core shall open the relay. | B(C) | Watch core |',
      '| TSR-5 | FSR-13 | The watch core shall compare forces. | B | Watch core |',
      '| TSR-6 | FSR-14 | The watch core shall stop a wrong speed. | B | Watch core |',
    ];
    expect(await told(concept(), parts)).toEqual([]);
  });
});
