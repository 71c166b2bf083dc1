import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

async function told(rules: readonly string[], files: Readonly<Record<string, readonly string[]>>) {
  const documents = Object.entries(files).map(([name, lines]) => analysedDocument(name, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus).filter(({ rule }) => rules.includes(rule));
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found.map(({ rule, words }) => `${rule} ${words.test ?? words.item} ${words.day}`);
}

describe('a test that ran outside of the days of its document', () => {
  const report = (third: string, last = '06.09.2024') => ({
    'proof.md': [
      '# Proof book',
      'Change 1.0 of 19.08.2024: cases released. Change 1.1 of 16.09.2024: results entered.',
      '## Results',
      '| Test | Date | Measured | Result |',
      '| PT-01 | 02.09.2024 | 12 ms | passed |',
      '| PT-02 | 03.09.2024 | 14 ms | passed |',
      `| PT-03 | ${third} | 11 ms | passed |`,
      '| PT-04 | 05.09.2024 | 13 ms | passed |',
      `| PT-05 | ${last} | 15 ms | passed |`,
    ],
  });
  const rules = ['run-before-issue', 'run-after-report', 'executed-before-specified', 'report-before-tests'];

  it('before everything that it says of its issue', async () => {
    expect(await told(rules, report('04.09.2024'))).toEqual([]);
    expect(await told(rules, report('04.07.2024'))).toEqual(['run-before-issue PT-03 04.07.2024']);
  });

  it('after the last day that it gives', async () => {
    expect(await told(rules, report('04.09.2024', '06.11.2024'))).toEqual([
      'run-after-report PT-05 06.11.2024',
    ]);
  });
});

describe('a review that is older than the version it looked at', () => {
  const document = (day: string) => [
    '# Concept',
    `Issue C, ${day}. Author: Karin Wetter.`,
    'The winch shall stop.',
  ];
  const files = (day: string) => ({
    'FB-20_Item.md': document('2024-03-08'),
    'FB-40_Concept.md': document('2024-05-17'),
    'FB-50_Requirements.md': document('2024-07-05'),
    'FB-70_Log.md': [
      '# Confirmation reviews',
      '| No | What | Date | By | Result |',
      '| K-01 | FB-20 issue C | 2024-03-19 | Birgit Rask | accepted |',
      '| K-02 | FB-40 issue C | 2024-05-31 | Birgit Rask | accepted |',
      `| K-04 | FB-50 issue C | ${day} | Birgit Rask | accepted |`,
    ],
  });

  it('is told where the others of its table are not', async () => {
    expect(await told(['reviewed-before-written'], files('2024-08-02'))).toEqual([]);
    expect(await told(['reviewed-before-written'], files('2024-06-21'))).toEqual([
      'reviewed-before-written K-04 2024-06-21',
    ]);
  });

  it('is not told of another issue', async () => {
    const { 'FB-70_Log.md': log, ...others } = files('2024-06-21');
    const older = log.map((line) => line.replace('FB-50 issue C', 'FB-50 issue B'));
    expect(await told(['reviewed-before-written'], { ...others, 'FB-70_Log.md': older })).toEqual([]);
  });
});
