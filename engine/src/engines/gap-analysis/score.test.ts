import { describe, expect, it } from 'vitest';
import type { CriterionVerdict } from '../../findings/finding.js';
import type { Criterion } from '../../standards/criterion.js';
import { scoreOf } from './score.js';

const criteria = new Map([['A', { id: 'A', severity: 'high' } as Criterion]]);
const verdict = (value: CriterionVerdict['verdict'], ...rules: string[]) =>
  [
    { criterionId: 'A', verdict: value, confidence: 'high', rules, evidence: [] },
  ] as unknown as CriterionVerdict[];
const against = (count: number) => Array.from({ length: count }, () => ({ criterionId: 'A' }));

describe('score', () => {
  it('falls with every contradiction about a criterion', () => {
    const scores = [0, 1, 2, 3].map((count) => {
      const found = count === 0 ? verdict('covered') : verdict('partial', 'inconsistent');
      return scoreOf(found, criteria, against(count)).value;
    });
    expect(scores).toEqual([100, 50, 33.3, 25]);
  });

  it('falls with contradictions about what is shown in part, and leaves what is missing at nothing', () => {
    expect(scoreOf(verdict('partial', 'table-column'), criteria).value).toBe(50);
    expect(scoreOf(verdict('partial', 'table-column'), criteria, against(1)).value).toBe(25);
    expect(scoreOf(verdict('missing', 'nothing-found'), criteria, against(2)).value).toBe(0);
  });
});
