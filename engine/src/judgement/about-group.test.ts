import { describe, expect, it } from 'vitest';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';

const reportOf = (title: string, scope: string, test: string) => [
  `# ${title}`,
  '## Scope',
  scope,
  '## Test object and version',
  'The report covers release 1.4.2 of the steering controller, build 1.4.2-rc5, installed on sample C7.',
  '## Results',
  '| Test case ID | Version | Date | Tester | Verdict | Actual result |',
  `| ${test}-001 | 1.4.2 | 2026-03-02 | K. Roth | passed | torque limited to 5 Nm |`,
  `| ${test}-002 | 1.4.2 | 2026-03-02 | K. Roth | passed | lamp on after 90 ms |`,
  '## Conclusion',
  'All test cases of the campaign passed, and the test manager recommends the release of the version.',
];
const UNITS = reportOf('Unit Test Report', 'Results of the component TorqueControl.', 'UT');
const SYSTEM = reportOf('System Test Report', 'Results of the integrated steering system.', 'ST');
const UNTITLED = reportOf('Test Report', 'This report holds the results of the system tests.', 'ST');
const PASSING = [...SYSTEM, 'Defects of the unit tests are handled in another report by the software team.'];

const verdictsOn = async (documents: Readonly<Record<string, readonly string[]>>) => {
  const analysed = Object.entries(documents).map(([name, lines]) => analysedDocument(name, lines));
  const result = await analyseGaps({ standard: await loadStandard('aspice-pam-4.0'), documents: analysed });
  return new Map(result.verdicts.map((one) => [one.criterionId.split(':')[1], one]));
};

describe('practices of one level of verification', () => {
  it('rest on the report of their level', async () => {
    const found = await verdictsOn({ 'a.md': UNITS, 'b.md': SYSTEM });
    expect(found.get('SWE.4.BP3')).toMatchObject({ verdict: 'covered' });
    expect(found.get('SYS.5.BP3')).toMatchObject({ verdict: 'covered' });
    expect(found.get('SWE.4.BP3')!.evidence.every((one) => one.documentId.includes('a.md'))).toBe(true);
    expect(found.get('SYS.5.BP3')!.evidence.every((one) => one.documentId.includes('b.md'))).toBe(true);
  });

  it.each([
    ['alone', SYSTEM],
    ['that mentions the other level', PASSING],
  ])('are not met by the report of another level %s', async (_, lines) => {
    const found = await verdictsOn({ 'b.md': lines });
    expect(found.get('SYS.5.BP3')?.verdict).toBe('covered');
    expect(found.get('SWE.4.BP3')?.verdict).toBe('missing');
    expect(found.get('SWE.4.BP3')?.reason).toContain('Software Unit Verification');
  });

  it('rest on what the scope says where the title names no level', async () => {
    const found = await verdictsOn({ 'c.md': UNTITLED });
    expect(found.get('SYS.5.BP3')?.verdict).toBe('covered');
    expect(found.get('SWE.6.BP3')?.verdict).toBe('missing');
  });
});
