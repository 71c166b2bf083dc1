import { describe, expect, it } from 'vitest';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import type { Criterion, Standard } from '../standards/criterion.js';
import { analysedDocument } from '../testing/document-fixture.js';

const clause = (id: string, text: string): Criterion => ({
  id,
  kind: 'clause',
  clause: id,
  title: text,
  text,
  severity: 'high',
  obligation: 'shall',
});
const standard: Standard = {
  id: 'own',
  designation: 'Own rules',
  title: 'Own rules',
  edition: '1',
  source: 'uploaded',
  criteria: [
    clause('R1', 'The project shall have a safety plan that names the safety activities.'),
    clause('R2', 'The vendor shall certify the cooling pumps of the reactor every year.'),
    clause('R3', 'Suppliers shall be audited before their parts are released.'),
  ],
};

const verdictsOn = async (...lines: string[]): Promise<Record<string, string>> => {
  const { verdicts } = await analyseGaps({
    standard,
    documents: [analysedDocument('plan.md', ['# Plan', ...lines])],
  });
  return Object.fromEntries(verdicts.map(({ criterionId, verdict }) => [criterionId, verdict]));
};

describe('a criterion that is known by its text only', () => {
  it('is left to a person where a statement has most of its words, and missing where nothing has', async () => {
    const verdicts = await verdictsOn(
      'The safety plan of the project names all safety activities with owner and date.',
      'The door control unit drives the motor through a half bridge.',
      'Weather on the test track was dry during all measurements.',
    );
    expect(verdicts).toMatchObject({ R1: 'needs_review', R2: 'missing' });
  });

  it('is never covered by similar words alone', async () => {
    const verdicts = await verdictsOn('Suppliers are audited before their parts are released to the line.');
    expect(verdicts.R3).toBe('needs_review');
  });
});
