import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { allocatedKeys } from './allocated.js';
import { statedFacts } from './stated-facts.js';

async function allocatedIn(...lines: readonly string[]): Promise<readonly string[]> {
  const documents = [analysedDocument('concept.md', lines)];
  return [...allocatedKeys(statedFacts(await corpusOf({ documents, scope: {} }, async () => {})))].sort();
}

describe('requirements that an element has', () => {
  it.each([
    [
      'a column',
      ['| ID | Requirement | Allocated to |', '| FSR-1 | It stops. | Pump |', '| FSR-2 | It warns. | - |'],
    ],
    ['crosses', ['| Requirement | CH1 | CH2 | Pump |', '| FSR-1 | X | X | |', '| FSR-2 | | | |']],
    ['a list of each element', ['| Element | Requirements |', '| Pump | FSR-1 |', '| Lamp | |']],
    ['a German list', ['| Komponente | Anforderungen |', '| Pumpe | FSR-1 |']],
  ])('are told by %s', async (_, lines) => {
    expect(await allocatedIn(...lines)).toEqual(['FSR-1']);
  });

  it.each([
    [
      'crosses below goals',
      [
        '| ID | Goal |',
        '| SG-1 | No stop. |',
        '',
        '| Requirement | SG-1 |',
        '| FSR-1 | X |',
        '| FSR-2 | X |',
      ],
    ],
    ['tests', ['| Test | Verifies | Result |', '| T-1 | FSR-1 | pass |']],
    ['goals', ['| Goal | Requirements |', '| SG-1 | FSR-1 |']],
  ])('are not told by %s', async (_, lines) => {
    expect(await allocatedIn(...lines)).toEqual([]);
  });
});
