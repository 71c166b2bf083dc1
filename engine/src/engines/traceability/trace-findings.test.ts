import { expect, it } from 'vitest';
import { NOT_GIVEN } from '../../findings/subject.js';
import { loadTraceabilityRules } from './rules.js';
import { analyseTraceability } from './run.js';
import { buildSmall } from './testing/small-traces.js';
import { traceFindings } from './trace-findings.js';

it('gives every defect a finding of its own that keeps its fingerprint while other things change', async () => {
  const rules = await loadTraceabilityRules();
  const findingsOf = (artifacts: string, links: string) => {
    const { gaps } = analyseTraceability({ ...buildSmall({ artifacts, links }), rules });
    return traceFindings(gaps, () => []);
  };
  const before = findingsOf(
    'SG-1 D, FSR-1 D, TSR-1 C, TC-1',
    'FSR-1 ^ SG-1, TSR-1 ^ FSR-1, TSR-1 ^ FSR-8, TSR-1 ^ FSR-9, TSR-1 ? TC-1',
  );
  // Two ids of one series that nothing defines: one document is not there.
  expect(before.filter(({ kind }) => kind === 'dangling_target')).toMatchObject([
    { title: 'Not defined: FSR-8, FSR-9', affectedItems: ['TSR-1'] },
  ]);
  expect(new Set(before.map(({ fingerprint }) => fingerprint)).size).toBe(before.length);
  expect(before.find(({ kind }) => kind === 'AI-02')).toMatchObject({
    title: 'TSR-1: a lower level than its parent',
    severity: 'critical',
    confidence: 'high',
    asil: 'ASIL C',
    affectedItems: ['TSR-1', 'FSR-1'],
  });
  const after = findingsOf(
    'SG-1 D, FSR-1 D, FSR-8 D, TSR-1 C, TC-1',
    'FSR-1 ^ SG-1, FSR-8 ^ SG-1, TSR-1 ^ FSR-1, TSR-1 ^ FSR-9, TSR-1 ? TC-1',
  );
  const dangling = (findings: typeof before) => findings.find(({ kind }) => kind === 'dangling_target');
  expect(dangling(after)?.fingerprint).toBe(dangling(before)?.fingerprint);
  expect(dangling(after)?.observed).toContain('FSR-9, which is not defined');
});

it('tells a cause once, with all artifacts that have it, and keeps it while they come and go', async () => {
  const rules = await loadTraceabilityRules();
  const findingsOf = (artifacts: string, links: string) => {
    const { gaps } = analyseTraceability({ ...buildSmall({ artifacts, links }), rules });
    return traceFindings(gaps, () => []).filter(({ criterionId }) => criterionId === 'missing_evidence');
  };
  const links = 'FSR-1 ^ SG-1, FSR-2 ^ SG-1, FSR-1 ? TC-1, FSR-2 ? TC-2';
  const both = findingsOf('SG-1 D, FSR-1 D, FSR-2 B, TC-1, TC-2', links);
  expect(both).toHaveLength(1);
  expect(both[0]).toMatchObject({
    title: 'No results given for 2 tests',
    affectedItems: ['TC-1', 'TC-2'],
    affected: [
      { id: 'TC-1', kind: 'none', severity: 'high' },
      { id: 'TC-2', kind: 'none', severity: 'medium' },
    ],
    severity: 'medium',
    defects: ['none: TC-1', 'none: TC-2'],
  });
  const one = findingsOf('SG-1 D, FSR-1 D, TC-1', 'FSR-1 ^ SG-1, FSR-1 ? TC-1');
  expect(one).toMatchObject([{ title: 'No results given for 1 test', affectedItems: ['TC-1'] }]);
  expect(one[0]!.fingerprint).toBe(both[0]!.fingerprint);
});

it('puts what follows below its cause: goals without requirements and requirements without goals are one question', async () => {
  const rules = await loadTraceabilityRules();
  const artifacts = 'SG-1 A, FSR-1 D, FSR-2 D';
  const { gaps } = analyseTraceability({ ...buildSmall({ artifacts, links: '' }), rules });
  const findings = traceFindings(gaps, () => []);
  expect(gaps.filter(({ kind }) => kind === 'no_parent' || kind === 'no_fsr')).toHaveLength(3);
  const cause = findings.find(({ kind }) => kind === 'no_fsr');
  expect(cause?.observed).toContain(
    'The same cause concerns 2 functional safety requirements: FSR-1, FSR-2.',
  );
  expect(cause?.affected?.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
    'SG-1 no_fsr',
    'FSR-1 no_parent',
    'FSR-2 no_parent',
  ]);
  expect(findings.filter(({ kind }) => kind === 'no_parent')).toEqual([]);
  // What follows may weigh more than its cause: it is counted nowhere else.
  const severities = ['critical', 'high', 'medium', 'low'];
  const worst = Math.min(...cause!.affected!.map(({ severity }) => severities.indexOf(severity)));
  expect(cause?.severity).toBe(severities[worst]);
});

it('tells what was not given apart from what is missing, and holds it', async () => {
  const rules = await loadTraceabilityRules();
  const findingsOf = (artifacts: string, links: string, methods: readonly string[] = []) => {
    const small = buildSmall({ artifacts, links });
    const own = small.artifacts.map((one) =>
      methods.includes(one.id) ? { ...one, verificationMethod: 'Measure the time' } : one,
    );
    const { gaps } = analyseTraceability({ ...small, artifacts: own, rules });
    return traceFindings(gaps, () => []);
  };
  // Nothing is above technical requirements; one that is linked to nothing at all stays a gap of its own.
  const top = findingsOf('TSR-1 D, TSR-2 D, SW-1 D', 'SW-1 ^ TSR-1');
  expect(top.filter(({ criterionId }) => criterionId !== 'missing_verification')).toMatchObject([
    {
      title: 'Nothing given that is above 1 technical safety requirement',
      affectedItems: ['TSR-1'],
      subject: NOT_GIVEN,
      severity: 'medium',
    },
    { kind: 'no_parent', affectedItems: ['TSR-2'], subject: 'trace orphan_upstream/no_parent' },
    { kind: 'not_refined_nor_allocated', affectedItems: ['TSR-2'], severity: 'high' },
    { title: 'Nothing given that is below 1 software requirement', subject: NOT_GIVEN },
  ]);
  // A stated criterion is a plan as long as no test was given.
  const unverified = (...given: Parameters<typeof findingsOf>) =>
    findingsOf(...given).filter(
      ({ criterionId, kind }) => criterionId === 'missing_verification' && kind === 'none',
    );
  const links = 'FSR-1 ^ SG-1, FSR-2 ^ SG-1';
  expect(unverified('SG-1 D, FSR-1 D, FSR-2 D', links, ['FSR-1'])).toMatchObject([
    // Without one nobody can say what is verified: that no test was given is the only thing to tell.
    {
      title: 'No test given for 1 functional safety requirement',
      affectedItems: expect.arrayContaining(['FSR-2']),
      subject: NOT_GIVEN,
      severity: 'medium',
    },
    {
      title: 'No tests given for 1 functional safety requirement that state how they are verified',
      affectedItems: ['FSR-1'],
      subject: NOT_GIVEN,
      severity: 'medium',
    },
  ]);
  const tested = unverified('SG-1 D, FSR-1 D, FSR-2 D, TC-1', `${links}, FSR-2 ? TC-1`, ['FSR-1']);
  expect(tested).toMatchObject([{ severity: 'critical', subject: 'trace missing_verification/none' }]);
  // Only documents tell whether there is such an analysis, where the trace has none at all.
  const split = 'SG-1 D, FSR-1 D, TSR-1 B(D), TSR-2 B(D)';
  const parts = 'FSR-1 ^ SG-1, TSR-1 ^ FSR-1, TSR-2 ^ FSR-1';
  expect(findingsOf(split, parts).find(({ kind }) => kind === 'AI-07')).toMatchObject({ confidence: 'low' });
});

it('doubts the type that was read where several links are wrong in the same way', async () => {
  const rules = await loadTraceabilityRules();
  const findingsOf = (links: string) => {
    const artifacts = 'SG-1 D, FSR-1 D, FSR-2 D, FSR-3 D, TC-1, TC-2, TC-3';
    const { gaps } = analyseTraceability({ ...buildSmall({ artifacts, links }), rules });
    return traceFindings(gaps, () => []).filter(({ kind }) => kind === 'illegal_pair');
  };
  const [one, ...none] = findingsOf('FSR-1 ^ TC-1');
  expect(none).toEqual([]);
  expect(one).toMatchObject({ confidence: 'high', severity: 'high', affectedItems: ['FSR-1'] });
  const many = findingsOf('FSR-1 ^ TC-1, FSR-2 ^ TC-2, FSR-3 ^ TC-3');
  expect(many).toMatchObject([
    {
      title: '3 links lead to what such links cannot lead to: TC-1, TC-2, TC-3',
      confidence: 'low',
      severity: 'medium',
      affectedItems: ['FSR-1', 'FSR-2', 'FSR-3'],
      fingerprint: one!.fingerprint,
    },
  ]);
});
