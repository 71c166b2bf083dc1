import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

async function told(...files: readonly (readonly string[])[]): Promise<readonly string[]> {
  const documents = files.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus).filter(({ rule }) => rule === 'test-of-other');
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found.map(({ words }) => `${words.test}: ${words.own}, counted on by ${words.other}`);
}

const NUMBERS = [1, 2, 3, 4, 5, 6, 7];
const requirements = (testOf = (number: number) => `T-${number}`) => [
  '# Technical requirements',
  '| ID | Requirement | ASIL | Verified by |',
  ...NUMBERS.map(
    (n) => `| TSR-${n} | The winch shall do the thing number ${n} in time. | B | ${testOf(n)} |`,
  ),
];
const tests = (verifies: (number: number) => string) => [
  '# Test specification',
  '| Test | Verifies | Stimulus | Expected result |',
  ...NUMBERS.map((n) => `| T-${n} | ${verifies(n)} | thing ${n} is asked for | thing ${n} is done |`),
];
const own = (n: number) => `TSR-${n}`;

describe('a test that verifies another requirement than the one that counts on it', () => {
  it('is told where all other pairs name each other', async () => {
    expect(await told(requirements(), tests(own))).toEqual([]);
    expect(
      await told(
        requirements(),
        tests((n) => own(n === 5 ? 4 : n)),
      ),
    ).toEqual(['T-5: TSR-4, counted on by TSR-5']);
  });

  it('is not told of a test that verifies more than counts on it', async () => {
    expect(
      await told(
        requirements(),
        tests((n) => (n === 5 ? 'TSR-5, TSR-4' : own(n))),
      ),
    ).toEqual([]);
  });

  it('is not told where links of one side are rarely those of the other', async () => {
    expect(
      await told(
        requirements(),
        tests((n) => own((n % 7) + 1)),
      ),
    ).toEqual([]);
  });
});
