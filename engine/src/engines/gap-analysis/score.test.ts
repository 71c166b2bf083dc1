import { describe, expect, it } from 'vitest';
import type { CriterionVerdict } from '../../findings/finding.js';
import type { Criterion } from '../../standards/criterion.js';
import { scoreOf } from './score.js';

const criteria = new Map([['A', { id: 'A', severity: 'high' } as Criterion]]);
const verdict = (value: CriterionVerdict['verdict'], ...rules: string[]) =>
  [
    { criterionId: 'A', verdict: value, confidence: 'high', rules, evidence: [] },
  ] as unknown as CriterionVerdict[];
const agreement = (value: number) => ({ value, defects: 1, weight: 1, statements: 1 });

describe('score', () => {
  it('is what is shown, as far as the documents agree with themselves', () => {
    const found = verdict('partial', 'inconsistent');
    const scores = [100, 80, 45.5].map((value) => scoreOf(found, criteria, agreement(value)));
    expect(scores.map(({ value, shown }) => [value, shown])).toEqual([
      [100, 100],
      [80, 100],
      [45.5, 100],
    ]);
  });

  it('counts what is shown in part half, and leaves what is missing at nothing', () => {
    expect(scoreOf(verdict('partial', 'table-column'), criteria, agreement(100)).value).toBe(50);
    expect(scoreOf(verdict('partial', 'table-column'), criteria, agreement(50)).value).toBe(25);
    expect(scoreOf(verdict('missing', 'nothing-found'), criteria, agreement(50)).value).toBe(0);
    const open = scoreOf(verdict('needs_review', 'unsure'), criteria, agreement(50));
    expect(open).toMatchObject({ value: 0, upTo: 50, shown: 0 });
  });
});
