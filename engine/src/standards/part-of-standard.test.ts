import { describe, expect, it } from 'vitest';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { loadStandard } from './load-standard.js';
import { partOfStandard, UnknownClauseError } from './part-of-standard.js';

const pam = await loadStandard('aspice-pam-4.0');
const concept = await loadStandard('iso-26262-3-2018');

describe('the scope of an assessment', () => {
  it.each([
    { standard: pam, clauses: ['SWE.1'], first: 'aspice-4.0:SWE.1', others: /:(?!SWE\.1(\.|$))/ },
    {
      standard: pam,
      clauses: ['SWE.1', 'SUP.8'],
      first: 'aspice-4.0:SWE.1',
      others: /:(?!(SWE\.1|SUP\.8)(\.|$))/,
    },
    { standard: concept, clauses: ['26262-3:6.5.1'], first: '26262-3:6.5.1', others: /:(?!6\.5\.1(\D|$))/ },
  ])('keeps $clauses with everything below', ({ standard, clauses, first, others }) => {
    const { criteria } = partOfStandard(standard, clauses);
    const judged = criteria.filter(({ kind }) => kind !== 'group').map(({ id }) => id);
    expect(criteria.some(({ id }) => id === first)).toBe(true);
    expect(judged.length).toBeGreaterThan(1);
    expect(judged.filter((id) => others.test(id))).toEqual([]);
  });

  it('does not take SWE.1 for SWE.10 or 6 for 16, and is the whole standard without names', () => {
    expect(partOfStandard(pam)).toBe(pam);
    expect(partOfStandard(concept, ['6']).criteria.every(({ clause }) => /^6(\.|$)/.test(clause))).toBe(true);
  });

  it('names a clause that the standard does not have', () => {
    expect(() => partOfStandard(pam, ['SWE.1', 'SWE.9'])).toThrow(UnknownClauseError);
    expect(() => partOfStandard(pam, ['SWE.9'])).toThrow(/has no SWE\.9/);
  });

  it('judges what is in scope as a run over the whole standard does', async () => {
    const documents = [
      analysedDocument('Software_Requirements_Specification.md', [
        '# Software requirements specification',
        'Status: released',
        '# Requirements',
        '| ID | Requirement | Priority | Release | Derived from |',
        '| SWR-01 | The software shall limit the torque to 3 Nm. | high | R1 | SYS-01 |',
        '| SWR-02 | The software shall monitor the CAN signal every 10 ms. | high | R1 | SYS-02 |',
      ]),
    ];
    const whole = await analyseGaps({ standard: pam, documents });
    const part = await analyseGaps({ standard: pam, documents, options: { clauses: ['SWE.1', 'SUP.8'] } });
    expect(part.verdicts.length).toBeLessThan(whole.verdicts.length / 5);
    expect(part.verdicts).toEqual(
      whole.verdicts.filter(({ criterionId }) => /:(SWE\.1|SUP\.8)\./.test(criterionId)),
    );
    expect(part.method.standard).toMatchObject({ clauses: ['SWE.1', 'SUP.8'] });
  });
});
