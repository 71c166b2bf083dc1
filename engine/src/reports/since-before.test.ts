import { expect, test } from 'vitest';
import { makeReport } from './make-report.js';
import type { ReportFinding, ReportPart } from './report.js';
import { sinceBefore } from './since-before.js';
import { samplePart, sampleReport } from './testing/sample-report.js';

const part = (findings: readonly ReportFinding[], rest: Partial<ReportPart> = {}): ReportPart => ({
  ...samplePart(3),
  findings,
  ...rest,
});
const [first, second, third] = samplePart(3).findings as [ReportFinding, ReportFinding, ReportFinding];

test('what is new, changed, the same and gone is told by fingerprint, in words of another language too', () => {
  const before = sampleReport(3, {
    parts: [part([first, second, { ...third, fingerprint: 'gone', title: 'What is gone' }])],
  });
  const german = { ...first, title: 'Anderer Titel', observed: 'Andere Worte' };
  const worse = { ...second, severity: second.severity === 'critical' ? 'high' : 'critical' } as const;
  const [now] = sinceBefore([part([german, worse, third])], before);
  expect(now!.findings.map(({ change }) => change)).toEqual(['unchanged', 'updated', 'new']);
  expect(now!.changes).toEqual({ new: 1, unchanged: 1, updated: 1, absent: 1 });
  expect(now!.gone).toEqual([{ severity: third.severity, title: 'What is gone' }]);
  // Still a report that its schema takes.
  expect(makeReport({ ...sampleReport(3), parts: [now!] }).parts[0]!.gone).toHaveLength(1);
});

test('a part that the earlier report has not is compared with nothing', () => {
  const before = sampleReport(3, { parts: [part([first], { subject: 'Another standard' })] });
  const [now] = sinceBefore([part([first])], before);
  expect(now!.changes).toBeUndefined();
  expect(now!.findings[0]!.change).toBe(first.change);
});
