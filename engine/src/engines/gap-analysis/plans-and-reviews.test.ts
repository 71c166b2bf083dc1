import { describe, expect, it } from 'vitest';
import { loadStandard } from '../../standards/load-standard.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { analyseGaps } from './run.js';

const hara = analysedDocument('BW-HARA.md', [
  '# Hazard analysis and risk assessment of the window lifter',
  'Document ID: BW-HARA-2',
  '# Safety goals',
  '| ID | Safety goal | ASIL | FTTI | Safe state |',
  '| SG-01 | The window shall not trap a limb of a child while it closes. | B | 200 ms | Motor without current |',
]);

const verdictsOf = async (part: number, documents: Parameters<typeof analyseGaps>[0]['documents']) => {
  const { verdicts } = await analyseGaps({
    standard: await loadStandard(`iso-26262-${part}-2018`),
    documents,
  });
  return new Map(verdicts.map((one) => [one.criterionId, one]));
};

describe('a list of reviews', () => {
  const record = (object: string) =>
    analysedDocument('Review record.md', [
      '# Review record',
      'Document ID: BW-RR-9',
      '# Verification reviews',
      '| Review ID | Work product | Version | Date | Reviewer | Result |',
      `| VR-01 | ${object} | 1.1 | 2026-03-24 | Jo Lund | passed with one finding |`,
      '# Findings',
      '| Finding ID | Review | Finding | Responsible | Due | Status |',
      '| RF-01 | VR-01 | The event with an open door was missing; it was added in version 1.1. | Pia Holm | 2026-03-20 | closed |',
    ]);

  it('is the verification of the documents that it names by number, with version, findings and verdict', async () => {
    const found = await verdictsOf(3, [hara, record('BW-HARA-2')]);
    for (const id of ['6.5.2-1', '6.5.2-6', '6.5.2-7'])
      expect([id, found.get(`26262-3:${id}`)!.verdict]).toEqual([id, 'covered']);
  });

  it('is none of a document that it does not name', async () => {
    const found = await verdictsOf(3, [hara, record('BW-ID-1')]);
    expect(found.get('26262-3:6.5.2')!.verdict).not.toBe('covered');
  });
});

describe('a report on one review', () => {
  const report = analysedDocument('Confirmation review.md', [
    '# Confirmation review report',
    'Document ID: BW-CR-3',
    '| Reviewed work product | BW-HARA-2 |',
    '|---|---|',
    '| Reviewed issue | 1.1 |',
    '| Reviewer | Jo Lund |',
    '| Result | accepted |',
    '# Remarks',
    '| No. | Remark | Answer | State |',
    '| 1 | Why is the exposure of the open door no higher? | It was measured in the field study of the year before. | closed |',
  ]);

  it('says in a card what a list says in columns, and of other work products nothing', async () => {
    const found = await verdictsOf(3, [hara, report]);
    for (const id of ['6.5.2-1', '6.5.2-7'])
      expect([id, found.get(`26262-3:${id}`)!.verdict]).toEqual([id, 'covered']);
    const { findings } = await analyseGaps({
      standard: await loadStandard('iso-26262-3-2018'),
      documents: [hara, report],
    });
    const told = findings.flatMap(({ affected = [], criterionId }) => [
      criterionId,
      ...affected.map(({ id }) => id),
    ]);
    expect(told.filter((id) => id.startsWith('26262-3:7.5.2'))).toEqual([]);
  });
});

describe('what the plan says', () => {
  const plan = (status: string) =>
    analysedDocument('Safety plan.md', [
      '# Safety plan of the window lifter',
      'Document ID: BW-SP-1',
      '# Activities',
      '| Activity | Responsible | Input | Work product | Planned | Status |',
      '| Hazard analysis | Pia Holm | BW-ID-1 | BW-HARA-2 | 2026-03-27 | done |',
      `| Safety case | Lena Aas | All work products | Safety case | 2027-01-15 | ${status} |`,
      '| Safety analyses: FMEA and fault tree | Jo Lund | BW-TSC-4 | BW-SA-13 | 2026-06-12 | done |',
    ]);

  it.each(['planned', 'in progress', 'geplant', 'in Arbeit'])(
    'has a work product as %s: it is not due, with the activity as the quote',
    async (status) => {
      const found = (await verdictsOf(2, [hara, plan(status)])).get('26262-2:6.5.4')!;
      expect(found).toMatchObject({ verdict: 'not_applicable', rules: ['not-due-by-the-plan'] });
      expect(found.evidence.map(({ quote }) => quote)).toEqual(['Safety case']);
    },
  );

  it('has it as done: it is missing', async () => {
    expect((await verdictsOf(2, [hara, plan('done')])).get('26262-2:6.5.4')!.verdict).toBe('missing');
  });

  it('keeps a result in a document that was not given: a question, no gap', async () => {
    const found = (await verdictsOf(4, [hara, plan('planned')])).get('26262-4:6.5.7')!;
    expect(found).toMatchObject({ verdict: 'needs_review', rules: ['result-not-among-the-documents'] });
    expect(found.reason).toContain('BW-SA-13');
  });
});

describe('a work product that does not apply', () => {
  const item = (sentence: string) =>
    analysedDocument('Item definition.md', ['# Item definition', '# Purpose and functionality', sentence]);

  it('is no gap where a document says so and why, nor is what it would hold', async () => {
    const found = await verdictsOf(2, [
      item(
        'The window lifter is a new development, nothing is carried over. An impact analysis of a change is therefore not applicable.',
      ),
    ]);
    expect(found.get('26262-2:6.5.1')!.verdict).toBe('not_applicable');
    expect(found.get('26262-2:6.5.1-1')!.verdict).toBe('not_applicable');
  });

  it.each([
    'The item is a new development, there is no predecessor, and therefore no impact analysis of a modification was needed.',
    'Das Item ist eine Neuentwicklung, daher ist keine Auswirkungsanalyse erforderlich.',
  ])('is no gap where one sentence has the reason: %s', async (sentence) => {
    expect((await verdictsOf(2, [item(sentence)])).get('26262-2:6.5.1')!.verdict).toBe('not_applicable');
  });

  it('is a gap where nobody gives a reason', async () => {
    expect(
      (await verdictsOf(2, [item('No impact analysis was needed.')])).get('26262-2:6.5.1')!.verdict,
    ).toBe('missing');
    const found = await verdictsOf(2, [item('Impact analysis: not applicable.')]);
    expect(found.get('26262-2:6.5.1')!.verdict).toBe('missing');
  });
});
