import { beforeAll, describe, expect, it } from 'vitest';
import { loadTraceabilityRules, type TraceabilityRules } from './rules.js';
import { examineTraceability } from './run.js';
import { buildSmall, type SmallTrace } from './testing/small-traces.js';

let rules: TraceabilityRules;
beforeAll(async () => {
  rules = await loadTraceabilityRules();
});

const examine = (trace: SmallTrace) => examineTraceability({ ...buildSmall(trace), rules });

describe('trace matrix', () => {
  const artifacts = 'SG-1 D, FSR-1 D, FSR-2 D, FSR-3 D, FSR-4 D, FSR-5 D, ARC-1 D, TC-1, TC-2, EV-1, EV-2';
  const links =
    'FSR-1 ^ SG-1, FSR-2 ^ SG-1, FSR-3 ^ SG-1, FSR-5 ^ SG-1, FSR-1 > ARC-1, FSR-2 > ARC-1, FSR-5 > ARC-1, ' +
    'FSR-1 ? TC-1, FSR-5 ? TC-2, TC-1 ! EV-1, TC-2 ! EV-2';

  it('tells complete, partial, missing and orphan apart', () => {
    const more = { 'EV-2': { result: 'fail' as const } };
    const { matrixLength, matrixRows } = examine({ artifacts, links, more });
    const rows = [...matrixRows()];
    expect(matrixLength).toBe(6);
    expect(rows.map(({ requirementId, status }) => `${requirementId} ${status}`)).toEqual([
      'SG-1 complete',
      'FSR-1 complete',
      'FSR-2 partial',
      'FSR-3 missing',
      'FSR-4 orphan',
      'FSR-5 partial',
    ]);
  });

  it('names requirements that no test reaches, directly or through what is below', () => {
    const trace = {
      artifacts: 'SG-1 D, FSR-1 D, FSR-2 D, TSR-1 D, ARC-1 D, TC-1',
      links: 'FSR-1 ^ SG-1, FSR-2 ^ SG-1, TSR-1 ^ FSR-1, TSR-1 > ARC-1, TSR-1 ? TC-1',
    };
    expect(examine(trace).withoutTest()).toEqual(['FSR-2']);
  });

  it('lists the neighbours with the link as it was stated', () => {
    const { matrixRows } = examine({ artifacts, links, more: { 'TC-1': { name: 'Brake test' } } });
    const [row] = [...matrixRows({ offset: 1, limit: 1 })];
    expect(row).toMatchObject({
      requirementId: 'FSR-1',
      requirementText: 'Text of FSR-1.',
      integrity: 'ASIL D',
      upstreamLinks: [{ artifactId: 'SG-1', linkType: 'derives_from' }],
      downstreamLinks: [
        { artifactId: 'ARC-1', artifactName: 'Text of ARC-1.', linkType: 'allocated_to' },
        { artifactId: 'TC-1', artifactName: 'Brake test', linkType: 'verified_by' },
      ],
    });
  });

  it('makes only the rows of a page', () => {
    const { matrixRows } = examine({ artifacts, links });
    expect([...matrixRows({ offset: 4, limit: 10 })].map(({ requirementId }) => requirementId)).toEqual([
      'FSR-4',
      'FSR-5',
    ]);
    expect([...matrixRows({ offset: 9 })]).toEqual([]);
  });

  it('counts what a row reaches through others once', () => {
    const pairs = examine({ artifacts, links: `${links}, FSR-1 ? TC-2` }).pairs({
      rows: ['safety_goal', 'functional_safety_requirement'],
      columns: ['test'],
    });
    const reached = [...pairs.rows()].map((columns) => [...columns].map((column) => pairs.columnIds[column]));
    expect(pairs.rowIds[0]).toBe('SG-1');
    expect(reached).toEqual([['TC-1', 'TC-2'], ['TC-1', 'TC-2'], [], [], [], ['TC-2']]);
  });
});
