import { describe, expect, test } from 'vitest';
import type { Evidence } from '../findings/finding.js';
import { analysedDocument } from '../testing/document-fixture.js';
import type { CheckedDocument } from './completeness/completeness.js';
import { checkCompleteness } from './completeness/run.js';
import { isVerified, withhold, withoutUnverified } from './withhold.js';

const { id, document } = analysedDocument('Plan.md', ['# Plan', 'The plan is approved.']);
const documents = new Map([[id, document]]);
const start = document.text.indexOf('approved');
const right: Evidence = {
  ...{ documentId: id, quote: 'approved', start, end: start + 8, role: 'support' },
  location: { kind: 'text', line: 3 } as never,
};
const wrong: Evidence = { ...right, quote: 'rejected' };

describe('a quote that does not stand in its document', () => {
  test('withholds what rests on it, and nothing else', () => {
    const found = [
      { title: 'a', evidence: [right] },
      { title: 'b', evidence: [right, wrong] },
    ];
    expect(withhold(found, documents)).toEqual({ kept: [found[0]], withheld: 1 });
    expect(isVerified([wrong], documents)).toBe(false);
  });
  test('is left out at any depth', () => {
    const section = { key: 's', tables: [{ evidence: [wrong, right] }] };
    expect(withoutUnverified(section, documents)).toEqual({ key: 's', tables: [{ evidence: [right] }] });
  });
  test('other errors are told', () => {
    expect(() => isVerified([right], undefined as never)).toThrow(TypeError);
  });
});

test('a run goes on without a finding of an earlier one whose quote does not stand there, and counts it', async () => {
  const plan = analysedDocument('Safety_Plan.md', [
    '# Safety plan',
    '## Roles and responsibilities',
    'TBD: who does what in this project is open.',
  ]);
  const known: CheckedDocument[] = [];
  const whole = await checkCompleteness({
    documents: [plan],
    onProgress: (event) => event.type === 'unit' && known.push(event.unit),
  });
  const corrupted = known.map(({ findings, ...rest }) => ({
    ...rest,
    findings: findings.map((one, at) =>
      at === findings.findIndex((each) => each.evidence.length > 0)
        ? { ...one, evidence: one.evidence.map((place) => ({ ...place, quote: 'never written' })) }
        : one,
    ),
  }));
  const { findings, method } = await checkCompleteness({ documents: [plan], known: corrupted });
  expect(method.withheld).toBe(1);
  expect(findings).toHaveLength(whole.findings.length - 1);
});
