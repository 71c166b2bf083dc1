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

describe('a standard of many clauses', () => {
  const topics: readonly (readonly [string, string])[] = [
    [
      'encrypt the backup media with an approved cipher',
      'Backup media are encrypted with an approved cipher before they leave the site.',
    ],
    [
      'train every operator in the use of fire extinguishers',
      'The canteen offers soup on Mondays and fish on Fridays.',
    ],
    [
      'record each login of an administrator in the audit trail',
      'Each login of an administrator is recorded in the audit trail with time and address.',
    ],
    [
      'calibrate torque wrenches once a year',
      'Torque wrenches are calibrated once a year by the metrology laboratory.',
    ],
    ['keep spare lamps in the vehicle', 'Visitors register at the desk and wear a badge.'],
    ['publish the minutes of the shareholder meeting', 'The parking garage closes at ten in the evening.'],
  ];
  const many: Standard = {
    ...standard,
    criteria: topics.map(([demand], at) => clause(`C-${at + 1}`, `The supplier shall ${demand}.`)),
  };
  const analyse = () =>
    analyseGaps({
      standard: many,
      documents: [analysedDocument('manual.md', ['# Manual', ...topics.map(([, statement]) => statement)])],
    });

  it('is one finding for a person, low, outside of counts and score', async () => {
    const { findings, counts, score, verdicts } = await analyse();
    expect(findings.map(({ kind, severity }) => [kind, severity])).toEqual([['clauses_for_a_person', 'low']]);
    const open = verdicts
      .filter(({ verdict }) => verdict !== 'covered')
      .map(({ criterionId }) => criterionId);
    expect(findings[0]!.affectedItems).toEqual(open);
    expect(counts.severities).toEqual({ critical: 0, high: 0, medium: 0, low: 0 });
    expect(score.value === null || score.value > 0).toBe(true);
  });

  it('says what of a clause stands out, and calls what nothing treats missing', async () => {
    const { verdicts } = await analyse();
    const of = (id: string) => verdicts.find(({ criterionId }) => criterionId === id)!;
    for (const id of ['C-2', 'C-5', 'C-6']) expect(of(id).verdict, id).toBe('missing');
    for (const id of ['C-1', 'C-3', 'C-4']) expect(['partial', 'needs_review'], id).toContain(of(id).verdict);
  });
});
