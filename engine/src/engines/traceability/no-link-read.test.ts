import { beforeAll, describe, expect, it } from 'vitest';
import { loadTraceabilityRules, type TraceabilityRules } from './rules.js';
import { analyseSmall, type SmallTrace } from './testing/small-traces.js';
import { traceFindings } from './trace-findings.js';

let rules: TraceabilityRules;
beforeAll(async () => {
  rules = await loadTraceabilityRules();
});
const told = (trace: SmallTrace) =>
  traceFindings(analyseSmall(rules, trace).gaps, () => []).map(
    ({ kind, severity, confidence, affectedItems }) => [kind, severity, confidence, affectedItems.length],
  );
const ARTIFACTS = 'SG-1 D, SG-2 D, FSR-1 D, FSR-2 D, FSR-3 D, TC-1, TC-2';

describe('artifacts of a type none of which has a link, where the other side is there', () => {
  it('are for a person: goals, requirements and tests', () => {
    const found = told({ artifacts: ARTIFACTS, links: '' });
    expect(found).toContainEqual(['no_fsr', 'medium', 'low', 5]);
    expect(found).toContainEqual(['none', 'medium', 'low', 3]);
  });

  it('are gaps as soon as one of them has a link', () => {
    const found = told({ artifacts: ARTIFACTS, links: 'FSR-1 ^ SG-1, FSR-1 ? TC-1' });
    expect(found).toContainEqual(['no_fsr', 'critical', 'high', 3]);
    expect(found).toContainEqual(['none', 'critical', 'high', 2]);
  });

  it('say nothing of levels that rest on those links', () => {
    const found = told({ artifacts: 'SG-1 D, SG-2 D, FSR-1 B(D), FSR-2 B(D), FSR-3 D', links: '' });
    expect(found.filter(([kind]) => kind === 'AI-12').map(([, , confidence]) => confidence)).not.toContain(
      'high',
    );
  });
});
