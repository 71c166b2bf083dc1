import { describe, expect, it } from 'vitest';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';

const REVIEW = [
  '# Verification report of the hazard analysis',
  '## Object and version',
  'The review covered version 2.1 of the HARA of the electric parking brake; the reviewed version is baselined.',
  '## Method and criteria',
  'The inspection checked the completeness of the operational situations and of all hazards with checklist CL-07.',
  '## Participants and independence',
  'Dr. Wolf of another department moderated the inspection together with two engineers of the brake team.',
  '## Findings',
  '| Finding ID | Location | Description | Severity | Owner | Due date | Status |',
  '| B1 | HE-02 | The rationale for C2 is too short | minor | Huber | 2026-05-20 | closed |',
  '## Verdict',
  'The team decided that the hazard analysis is accepted with conditions that were closed in May.',
];

const planWith = (section: readonly string[]) => [
  '# Safety plan of the electric parking brake',
  '## Scope and item',
  'This safety plan covers the electric parking brake of the vehicle line X7 over all phases of its development.',
  '## Roles and responsibilities',
  'The safety manager of the project is Dr. Keller, who reports to the head of development on safety matters.',
  '## Safety activities and schedule',
  '| Activity | Responsible | Input | Output | Method | Date | Status |',
  '| Hazard analysis | Keller | Item definition | HARA | HAZOP | 2026-03-01 | done |',
  ...section,
];

const verdicts = async (standard: string, name: string, lines: readonly string[]) => {
  const documents = [analysedDocument(name, lines)];
  const result = await analyseGaps({ standard: await loadStandard(standard), documents });
  return new Map(result.verdicts.map((one) => [one.criterionId, one]));
};

describe('a work product that shares its document type with others', () => {
  it('is the one that the document names, and so are its expectations', async () => {
    const found = await verdicts('iso-26262-3-2018', 'review.md', REVIEW);
    expect(found.get('26262-3:6.5.2')?.verdict).toBe('covered');
    expect(found.get('26262-3:6.5.2-6')?.verdict).toBe('covered');
  });

  it('is not another one, and what the document says is no evidence for the other', async () => {
    const found = await verdicts('iso-26262-3-2018', 'review.md', REVIEW);
    expect(found.get('26262-3:7.5.2')?.verdict).toBe('needs_review');
    expect(found.get('26262-3:7.5.2-4')?.verdict).not.toBe('covered');
    expect(found.get('26262-3:7.5.2-5')?.verdict).not.toBe('covered');
  });
});

describe('a work product that may stand in another document', () => {
  it('is found as its section', async () => {
    const section = [
      '## Impact analysis',
      'The parking brake is a modified item: the controller is new, all other parts come from the vehicle line X6.',
    ];
    const found = await verdicts('iso-26262-2-2018', 'plan.md', planWith(section));
    expect(found.get('26262-2:6.5.1')).toMatchObject({ verdict: 'covered', confidence: 'medium' });
  });

  it('is missing where the other document has no such section', async () => {
    const found = await verdicts('iso-26262-2-2018', 'plan.md', planWith([]));
    expect(found.get('26262-2:6.5.3')?.verdict).not.toBe('missing');
    expect(found.get('26262-2:6.5.1')?.verdict).toBe('missing');
  });

  it('is missing where its section is empty', async () => {
    const found = await verdicts(
      'iso-26262-2-2018',
      'plan.md',
      planWith(['## Impact analysis', '## Tailoring']),
    );
    expect(found.get('26262-2:6.5.1')?.verdict).toBe('missing');
  });
});
