import { describe, expect, it } from 'vitest';
import { corpusOf } from '../corpus/corpus-of.js';
import { indexPhrases } from '../corpus/mentions.js';
import { recordsOf } from '../facts/artifacts/records.js';
import { verifyEvidence } from '../findings/verify-evidence.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { sameIdOtherAsil } from './asil-rules.js';
import { consistencyPhrases } from './consistency.js';

/** Ids that have two levels; quotes are checked on the way. */
async function differing(...texts: readonly (readonly string[])[]): Promise<readonly string[]> {
  const documents = texts.map((lines, at) => analysedDocument(`${at + 1}_Document.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const index = await indexPhrases(corpus, consistencyPhrases(), async () => {});
  const found = sameIdOtherAsil({ corpus, records: recordsOf(corpus), index });
  for (const { evidence } of found) {
    expect(evidence.length).toBe(2);
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  }
  return found.flatMap(({ affectedItems }) => affectedItems);
}

const GOALS = [
  '# Hazard analysis of the seat',
  '| Goal | Text | ASIL | FTTI |',
  '| Goal 1 | The mat shall not burn the occupant. | B | 30 s |',
  '| Goal 2 | The mat shall not heat without request. | A | 60 s |',
];

describe('one id with two levels', () => {
  it.each([
    [
      'a table of the concept without texts',
      ['# 2 Overview', '| Goal | ASIL |', '| Goal 1 | A |', '| Goal 2 | A |'],
    ],
    [
      'a record of fields',
      ['# Goals', '### Goal 1', 'ASIL: A', 'Text: The mat shall not burn the occupant.'],
    ],
  ])('tells %s', async (_, concept) => {
    expect(await differing(GOALS, concept)).toEqual(['Goal 1']);
  });

  it('tells German goals', async () => {
    const ziele = ['# Ziele', '| Ziel | Text | ASIL |', '| Ziel 3 | Die Tür bleibt zu. | C |'];
    const konzept = ['# Zeiten', '| Ziel | ASIL | Fehlertoleranzzeit |', '| Ziel 3 | D | 20 ms |'];
    expect(await differing(ziele, konzept)).toEqual(['Ziel 3']);
  });

  it('tells parts of a table of decompositions with a level behind each', async () => {
    const concept = ['# Requirements', '### FSR-1', 'Text: The pump shall stop.', 'ASIL: B(D)'];
    const table = [
      '# Decomposition',
      '| Goal | ASIL | Part 1 | ASIL |',
      '| Goal 1 | D | FSR-1 (pump) | A(D) |',
    ];
    expect(await differing(concept, table)).toEqual(['FSR-1']);
  });

  it('says nothing where the levels are the same or the ids number different things', async () => {
    expect(await differing(GOALS, ['# 2 Overview', '| Goal | ASIL |', '| Goal 1 | B |'])).toEqual([]);
    const split = ['# Requirements', '### FSR-1', 'Text: The pump shall stop.', 'ASIL: B(D)'];
    expect(await differing(split, ['# Times', '| FSR | ASIL | FTTI |', '| FSR-1 | D | 20 ms |'])).toEqual([]);
    const other = ['# Goals of the mirror', '| Goal | Text | ASIL |', '| Goal 1 | No glare at night. | A |'];
    expect(await differing(GOALS, other)).toEqual([]);
  });
});
