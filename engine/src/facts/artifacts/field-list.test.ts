import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedFacts } from '../stated/stated-facts.js';
import { extractArtifacts } from './extract-artifacts.js';
import { listedFields } from './field-list.js';

const fields = (text: string) => listedFields(text).map(({ kind, value }) => [kind, value]);

describe('fields that a sentence lists behind the level', () => {
  it.each([
    ['ASIL B, Goal 1, allocated to the pump controller.', ['ASIL B', 'Goal 1', 'pump controller']],
    [
      'The pump shall stop. ASIL A(B), from FC-3.1, part: Module Stop.',
      ['ASIL A(B)', 'FC-3.1', 'Module Stop'],
    ],
    ['(QM; SG-1 and SG-2; element: pump)', ['QM', 'SG-1 and SG-2', 'pump']],
    ['ASIL C | Ziel 2 | zugeordnet zum Pumpensteuergerät', ['ASIL C', 'Ziel 2', 'Pumpensteuergerät']],
    [
      'Die Pumpe muss stehen.\n[ASIL B(C) | aus SZ-01 | an Pumpe, Ventil Nord | Nachweis PF-01]',
      ['ASIL B(C)', 'SZ-01', 'Pumpe, Ventil Nord', 'PF-01'],
    ],
    [
      'The pump shall stop. Origin SG-1 by FSR-2, ASIL A(B). Allocated to the pump and the valve. Modes Ready and Road.',
      ['SG-1 by FSR-2', 'ASIL A(B)', 'pump and the valve'],
    ],
    [
      'EXT-4. For EXF-4, ASIL B, pump and valve of the left side: the pump stops within 20 ms. Verified by T3 and T-4.',
      ['EXF-4', 'ASIL B', 'pump and valve of the left side', 'T3 and T-4'],
    ],
  ])('of %j', (text, values) => {
    expect(fields(text).map(([, value]) => value)).toEqual(values);
    for (const { value, start } of listedFields(text))
      expect(text.slice(start, start + value.length)).toBe(value);
  });

  it.each([
    'ASIL B, C and D need an independent review.',
    'ASIL B, as the goal demands, is kept.',
    'For ASIL B, Goal 1 is split.',
    'ASIL D, A and B are the levels of goals 1 to 3.',
    'ASIL B.',
  ])('are not taken from the sentence %j', (text) => expect(fields(text)).toEqual([]));
});

describe('records that end with such a sentence', () => {
  const record = (...lines: readonly string[]) =>
    analysedDocument('3_Concept.md', [
      '# Functional safety concept',
      '| Goal | Text | ASIL |',
      '| Goal 1 | The pump shall not run dry. | B |',
      '',
      '# Requirements',
      ...lines,
    ]);
  const forms: readonly (readonly string[])[] = [
    [
      '### FC-1 Level',
      'The pump shall stop at an empty tank.',
      '',
      'ASIL B, Goal 1, allocated to the pump controller.',
    ],
    ['FSR-1: The pump shall stop at an empty tank. ASIL B, Goal 1, allocated to the pump controller.'],
    ['FSR-1 The pump stops at an empty tank. [ASIL B | from Goal 1 | at pump controller]'],
    ['FSR-1. The pump shall stop at an empty tank. Origin Goal 1, ASIL B. Allocated to the pump controller.'],
    ['FSR-1. For Goal 1, ASIL B, pump controller: The pump shall stop at an empty tank.'],
  ];

  it.each(forms)('have level, goal and element: %j', async (...lines) => {
    const document = record(...lines.filter((line): line is string => typeof line === 'string'));
    const { artifacts, links } = extractArtifacts([
      { id: document.id, document: document.document, documentType: 'functional_safety_concept' },
    ]);
    const own = artifacts.find(({ id }) => id.startsWith('F'))!;
    expect([own.asil, own.text]).toEqual([
      'ASIL B',
      expect.stringMatching(/^The pump (?:shall stop|stops) at an empty tank\.$/),
    ]);
    const ends = links.filter(({ sourceId }) => sourceId === own.id).map(({ targetId }) => targetId);
    expect(ends).toEqual(['Goal 1', 'pump controller']);
    const corpus = await corpusOf({ documents: [document], scope: {} }, async () => {});
    const stated = statedFacts(corpus).items.find(({ id }) => id === own.id)!;
    const values = (['asil', 'parent', 'allocation'] as const).map((kind) => stated.values.get(kind)?.text);
    expect(values).toEqual(['ASIL B', 'Goal 1', 'pump controller']);
  });

  it.each([
    ['TSR.1 (ASIL A(C), limiter logic, from FSR.2). The limiter shall decode each request.', 'ASIL A(C)'],
    ['TSR-7 (ASIL B; from FSR-1; allocated to pump). Every 20 ms the request shall be clipped.', 'ASIL B'],
    ['TSA-3 [QM | aus FSA-2 | an Pumpe]. Die Pumpe muss stehen.', 'QM'],
  ])('may stand before their text: %j', (line, level) => {
    const { document, id } = analysedDocument('tsc.md', ['# Technical safety concept', line]);
    const { artifacts } = extractArtifacts([{ id, document, documentType: 'technical_safety_concept' }]);
    const [own, ...others] = artifacts.filter(({ type }) => type !== 'design');
    expect([own?.asil, own?.type, others]).toEqual([level, 'technical_safety_requirement', []]);
    expect(own!.text).toMatch(/^(?:The limiter|Every 20|Die Pumpe)/);
  });

  it.each([
    'TSR.1 (ASIL A(C), limiter logic) is shared by two teams.',
    'TSR-7 (ASIL B, see FSR-1) and TSR-8 are compared.',
    'Both, TSR-7 (ASIL B, from FSR-1). They are compared.',
  ])('define nothing in %j', (line) => {
    const { document, id } = analysedDocument('tsc.md', ['# Technical safety concept', line]);
    const { artifacts } = extractArtifacts([{ id, document, documentType: 'technical_safety_concept' }]);
    expect(artifacts).toEqual([]);
  });
});
