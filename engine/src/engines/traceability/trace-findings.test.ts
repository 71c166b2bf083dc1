import { expect, it } from 'vitest';
import { loadTraceabilityRules } from './rules.js';
import { analyseTraceability } from './run.js';
import { buildSmall } from './testing/small-traces.js';
import { traceFindings } from './trace-findings.js';

it('gives every gap a finding of its own that keeps its fingerprint while other things change', async () => {
  const rules = await loadTraceabilityRules();
  const findingsOf = (artifacts: string, links: string) => {
    const { gaps } = analyseTraceability({ ...buildSmall({ artifacts, links }), rules });
    return traceFindings(gaps, () => []);
  };
  const before = findingsOf(
    'SG-1 D, FSR-1 D, TSR-1 C, TC-1',
    'FSR-1 ^ SG-1, TSR-1 ^ FSR-1, TSR-1 ^ FSR-8, TSR-1 ^ FSR-9, TSR-1 ? TC-1',
  );
  expect(before.filter(({ kind }) => kind === 'dangling_target')).toHaveLength(2);
  expect(new Set(before.map(({ fingerprint }) => fingerprint)).size).toBe(before.length);
  expect(before.find(({ kind }) => kind === 'AI-02')).toMatchObject({
    title: 'TSR-1: integrity levels do not fit',
    severity: 'critical',
    confidence: 'high',
    asil: 'ASIL C',
    affectedItems: ['TSR-1', 'FSR-1'],
  });
  const after = findingsOf(
    'SG-1 D, FSR-1 D, FSR-8 D, TSR-1 C, TC-1',
    'FSR-1 ^ SG-1, FSR-8 ^ SG-1, TSR-1 ^ FSR-1, TSR-1 ^ FSR-9, TSR-1 ? TC-1',
  );
  const dangling = (findings: typeof before, missing: string) =>
    findings.find(({ observed }) => observed.includes(missing))?.fingerprint;
  expect(dangling(after, 'FSR-9')).toBe(dangling(before, 'FSR-9'));
  expect(dangling(before, 'FSR-8')).not.toBe(dangling(before, 'FSR-9'));
});
