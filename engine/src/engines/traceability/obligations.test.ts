import { beforeAll, describe, expect, it } from 'vitest';
import type { TraceLink } from '../../facts/artifacts/trace-link.js';
import { loadTraceabilityRules, type RemarkKind, type TraceabilityRules } from './rules.js';
import { analyseTraceability } from './run.js';
import { analyseSmall, buildSmall, type SmallTrace, told } from './testing/small-traces.js';

let rules: TraceabilityRules;
beforeAll(async () => {
  rules = await loadTraceabilityRules();
});

const says = (trace: SmallTrace, of?: string) => told(analyseSmall(rules, trace), of);
const remarks = (trace: SmallTrace, kind: RemarkKind) =>
  analyseSmall(rules, trace).remarks.find((remark) => remark.kind === kind);

/** A requirement that owes nothing but what a case takes away. */
const COMPLETE = 'FSR-1 ^ SG-1, FSR-1 > ARC-1, FSR-1 ? TC-1, TC-1 ! EV-1';
const ARTIFACTS = 'SG-1 D, FSR-1 D, ARC-1 D, TC-1, EV-1';

describe('obligations', () => {
  const cases: readonly (readonly [name: string, trace: SmallTrace, gaps: readonly string[]])[] = [
    ['all met', { artifacts: ARTIFACTS, links: COMPLETE }, []],
    [
      'no parent',
      { artifacts: ARTIFACTS.replace('SG-1 D, ', ''), links: COMPLETE.replace('FSR-1 ^ SG-1,', '') },
      ['no_parent FSR-1 high'],
    ],
    ['a design element without requirement', { artifacts: 'ARC-1 D' }, ['no_requirement ARC-1 medium']],
    [
      'a sub-element is realised',
      { artifacts: 'TSR-1 QM, ARC-1, ARC-2', links: 'TSR-1 > ARC-1, ARC-1 = ARC-2' },
      ['no_parent TSR-1 low', 'none TSR-1 low'],
    ],
    ['evidence without source', { artifacts: 'EV-1' }, ['evidence_without_source EV-1 low']],
    ['a goal without requirement', { artifacts: 'SG-1 D' }, ['no_fsr SG-1 critical']],
    [
      'a goal that nothing below verifies',
      { artifacts: 'SG-1 D, FSR-1 D, ARC-1 D', links: 'FSR-1 ^ SG-1, FSR-1 > ARC-1' },
      ['no_validation SG-1 critical', 'none FSR-1 critical'],
    ],
    [
      'unknown level counts as B',
      { artifacts: 'FSR-1, ARC-1', links: 'FSR-1 > ARC-1' },
      ['no_parent FSR-1 medium', 'none FSR-1 high'],
    ],
    [
      'QM(D) counts as A',
      { artifacts: 'FSR-1 QM(D), ARC-1', links: 'FSR-1 > ARC-1' },
      ['AI-12 FSR-1 high', 'no_parent FSR-1 medium', 'none FSR-1 medium'],
    ],
    ['headings owe nothing', { artifacts: 'FSR-1 D', more: { 'FSR-1': { informational: true } } }, []],
    [
      'rejected artifacts owe nothing',
      { artifacts: 'FSR-1 D', more: { 'FSR-1': { status: 'Rejected' } } },
      [],
    ],
    ['artifacts outside owe nothing', { artifacts: 'FSR-1 D', more: { 'FSR-1': { external: true } } }, []],
    [
      'artifacts of unknown type owe nothing',
      { artifacts: 'XX-1, TC-1', links: 'XX-1 ? TC-1, XX-1 ^ GONE-1, XX-1 ^ XX-1' },
      ['test_without_requirement TC-1 low'],
    ],
    ['a QM hazard needs no goal', { artifacts: 'HE-1 QM' }, []],
    [
      'hazards are known and a goal answers none',
      { artifacts: 'HE-1 QM, SG-1 QM, FSR-1 QM, ARC-1, TC-1, EV-1', links: COMPLETE },
      ['no_parent SG-1 low'],
    ],
    [
      'a design element needs a test when asked for',
      { artifacts: ARTIFACTS, links: COMPLETE, options: { requireDesignTest: true } },
      ['none ARC-1 critical'],
    ],
  ];
  for (const [name, trace, gaps] of cases) it(name, () => expect(says(trace)).toEqual(gaps));

  it('caps drafts at high and keeps what it would be', () => {
    const found = analyseSmall(rules, { artifacts: 'SG-1 D', more: { 'SG-1': { status: 'Draft' } } });
    expect(found.gaps[0]).toMatchObject({ severity: 'high', severityIfReleased: 'critical' });
    expect(found.severityCounts).toEqual({ critical: 0, high: 1, medium: 0, low: 0 });
  });

  it('marks an assumed level', () => {
    const [gap] = analyseSmall(rules, { artifacts: 'FSR-1' }).gaps;
    expect(gap).toMatchObject({ integrityAssumed: true });
    expect(gap).not.toHaveProperty('integrity');
  });

  it('says that a method is planned where no measure is linked', () => {
    const found = analyseSmall(rules, {
      artifacts: 'FSR-1 D',
      more: { 'FSR-1': { verificationMethod: 'Analysis' } },
    });
    expect(found.gaps.find(({ kind }) => kind === 'none')!.note).toBe(
      'Method planned (Analysis), no measure linked.',
    );
  });
});

describe('verification', () => {
  const chain = 'FSR-1 ^ SG-1, TSR-1 ^ FSR-1, TSR-2 ^ FSR-1, TSR-1 > ARC-1, TSR-2 > ARC-1';
  const artifacts = 'SG-1 D, FSR-1 D, TSR-1 D, TSR-2 D, ARC-1 D, TC-1, EV-1';
  const cases: readonly (readonly [name: string, trace: SmallTrace, gaps: readonly string[]])[] = [
    [
      'every child',
      { artifacts, links: `${chain}, TSR-1 ? TC-1, TSR-2 ? TC-1` },
      ['indirect_only FSR-1 high'],
    ],
    [
      'one child only',
      { artifacts, links: `${chain}, TSR-1 ? TC-1` },
      ['none FSR-1 critical', 'none TSR-2 critical'],
    ],
    [
      'the design element',
      { artifacts, links: `${chain}, ARC-1 ? TC-1` },
      ['indirect_only FSR-1 high', 'indirect_only TSR-1 high', 'indirect_only TSR-2 high'],
    ],
    [
      'every child, accepted',
      {
        artifacts,
        links: `${chain}, TSR-1 ? TC-1, TSR-2 ? TC-1`,
        options: { indirectVerification: 'accept' },
      },
      [],
    ],
    [
      'every child, ignored',
      {
        artifacts,
        links: `${chain}, TSR-1 ? TC-1, TSR-2 ? TC-1`,
        options: { indirectVerification: 'ignore' },
      },
      ['none FSR-1 critical'],
    ],
  ];
  for (const [name, trace, gaps] of cases) {
    it(name, () => expect(says(trace, 'missing_verification')).toEqual(gaps));
  }

  it('takes a child that is reached twice as verified once and for all', () => {
    const diamond = 'TSR-1 ^ FSR-1, TSR-2 ^ FSR-1, SW-1 ^ TSR-1, SW-1 ^ TSR-2, SW-1 > ARC-1, ARC-1 ? TC-1';
    const found = says(
      { artifacts: 'FSR-1 D, TSR-1 D, TSR-2 D, SW-1 D, ARC-1 D, TC-1', links: diamond },
      'missing_verification',
    );
    expect(found).toEqual(['FSR-1', 'SW-1', 'TSR-1', 'TSR-2'].map((id) => `indirect_only ${id} high`));
  });

  for (const [kind, verifies] of [
    ['review', true],
    ['Inspection', true],
    ['measurement', true],
    ['dfa', false],
    ['test_result', false],
    [undefined, true],
  ] as const) {
    it(`evidence of ${kind ?? 'no stated kind'} ${verifies ? 'verifies' : 'does not verify'} without a test`, () => {
      const more = { 'EV-1': kind === undefined ? {} : { kind } };
      const trace = { artifacts: 'SW-1 D, ARC-1 D, EV-1', links: 'SW-1 > ARC-1, SW-1 ! EV-1', more };
      expect(says(trace, 'missing_verification')).toEqual(verifies ? [] : ['none SW-1 critical']);
      expect(remarks(trace, 'no_dynamic_test')?.count).toBe(verifies ? 1 : undefined);
    });
  }
});

describe('a functional requirement that is allocated only', () => {
  const artifacts = 'SG-1 D, FSR-1 D, FSR-2 D, FSR-3 D, TSR-1 D, ARC-1 D';
  const links = 'FSR-1 ^ SG-1, FSR-2 ^ SG-1, FSR-3 ^ SG-1, FSR-2 > ARC-1';
  it('owes nothing more, but is named where others are refined', () => {
    const refined = { artifacts, links: `${links}, TSR-1 ^ FSR-1` };
    const remark = remarks(refined, 'allocated_not_refined');
    expect(remark?.listed.map(({ artifactId }) => artifactId)).toEqual(['FSR-2']);
    expect(says(refined, 'orphan_downstream').filter((gap) => gap.includes('FSR'))).toEqual([
      'not_refined_nor_allocated FSR-3 high',
    ]);
    expect(remarks({ artifacts, links }, 'allocated_not_refined')).toBeUndefined();
  });
});

describe('results of a test', () => {
  const links = 'FSR-1 ? TC-1, TC-1 ! EV-1, TC-1 ! EV-2';
  const result = (first: object, second: object, options = {}) =>
    says(
      { artifacts: 'FSR-1 D, TC-1, EV-1, EV-2', links, more: { 'EV-1': first, 'EV-2': second }, options },
      'missing_evidence',
    );
  it('newest version wins over older ones', () => {
    expect(result({ result: 'pass', version: '1.9' }, { result: 'fail', version: '1.10' })).toEqual([
      'negative_result TC-1 critical',
    ]);
    expect(result({ result: 'fail', version: '1.9' }, { result: 'pass', version: '1.10' })).toEqual([]);
    expect(result({ result: 'pass', version: '1' }, { result: 'blocked', version: '2' })).toEqual([
      'inconclusive TC-1 high',
    ]);
  });
  it('any failure wins within a version', () => {
    expect(result({ result: 'pass' }, { result: 'fail' })).toEqual(['negative_result TC-1 critical']);
    expect(result({ result: 'fail' }, { result: 'pass' })).toEqual(['negative_result TC-1 critical']);
    expect(result({ result: 'pass' }, { result: 'not_run' })).toEqual([]);
  });
  it('older evidence does not count', () => {
    expect(result({ result: 'pass', stale: true }, { result: 'pass', stale: true })).toEqual([
      'stale TC-1 high',
    ]);
    expect(result({ result: 'fail', stale: true }, { result: 'pass' })).toEqual([]);
  });
  it('another configuration does not count', () => {
    const options = { configuration: 'variant A' };
    const other = { result: 'pass', configuration: 'variant B' };
    expect(result(other, { ...other, result: 'fail' }, options)).toEqual(['stale TC-1 high']);
    expect(result(other, { result: 'pass', configuration: 'variant A' }, options)).toEqual([]);
    expect(result(other, other)).toEqual([]);
    const trace = {
      artifacts: 'FSR-1 D, TC-1, EV-1',
      links: 'FSR-1 ? TC-1, TC-1 ! EV-1',
      more: { 'EV-1': other },
      options,
    } as SmallTrace;
    expect(analyseSmall(rules, trace).gaps.find(({ kind }) => kind === 'stale')).toMatchObject({
      note: 'Other configuration.',
    });
  });
  it('passed with remarks is passed, with a remark', () => {
    expect(result({ result: 'pass_with_remarks' }, { result: 'pass' })).toEqual([]);
  });
  it('a test without result', () => {
    expect(says({ artifacts: 'FSR-1 B, TC-1', links: 'FSR-1 ? TC-1' }, 'missing_evidence')).toEqual([
      'none TC-1 medium',
    ]);
  });
});

describe('root causes', () => {
  it('(a) below C a loose requirement is reported once, from C on twice', () => {
    for (const [level, count] of [
      ['QM', 1],
      ['A', 1],
      ['B', 1],
      ['C', 2],
      ['D', 2],
      ['A(D)', 2],
    ] as const) {
      const found = analyseSmall(rules, {
        artifacts: `SG-1 ${level}, FSR-1 ${level}`,
        links: 'FSR-1 ^ SG-1',
      });
      const own = found.gaps.filter(
        ({ artifactId, gapType }) => artifactId === 'FSR-1' && gapType !== 'asil_inconsistency',
      );
      expect([level, own.length]).toEqual([level, count]);
    }
  });
  it('(b) below an artifact without parent no path is missed', () => {
    const found = says({
      artifacts: 'FSR-1 QM, TSR-1 QM, ARC-1, TC-1, EV-1',
      links: 'TSR-1 ^ FSR-1, TSR-1 > ARC-1, TSR-1 ? TC-1',
    });
    expect(found.filter((gap) => gap.startsWith('chain_gap'))).toEqual([]);
  });
  it('(c) a missing only parent is a broken chain and nothing else', () => {
    const trace = { artifacts: ARTIFACTS, links: COMPLETE.replace('FSR-1 ^ SG-1', 'FSR-1 ^ SG-77') };
    expect(says(trace).filter((gap) => gap.includes('FSR-1'))).toEqual(['dangling_target FSR-1 high']);
    expect(analyseSmall(rules, trace).gaps.find(({ kind }) => kind === 'dangling_target')).toMatchObject({
      missing: 'SG-77',
      note: 'No other parent.',
    });
    expect(analyseSmall(rules, trace).coverage.upstream).toMatchObject({ numerator: 2, denominator: 3 });
  });
  it('(c) holds for what a test verifies too, and not for what is missing below', () => {
    expect(says({ artifacts: 'TC-1', links: 'TC-1 ^ FSR-9' })).toEqual(['dangling_target TC-1 medium']);
    expect(says({ artifacts: 'SG-1 D', links: 'SG-1 / FSR-9' })).toEqual([
      'dangling_target SG-1 high',
      'no_fsr SG-1 critical',
    ]);
  });
  it('a loop is the cause of what its members lack', () => {
    expect(
      says(
        { artifacts: 'FSR-1 QM, FSR-2 QM, FSR-3 D', links: 'FSR-1 ^ FSR-2, FSR-2 ^ FSR-3, FSR-3 ^ FSR-1' },
        'broken_chain',
      ),
    ).toEqual(['cycle FSR-1 high']);
  });
});

describe('paths', () => {
  const whole = 'FSR-1 ^ SG-1, TSR-1 ^ FSR-1, TSR-1 > ARC-1, TSR-1 ? TC-1, FSR-1 ? TC-1, TC-1 ! EV-1';
  const artifacts = 'SG-1 D, FSR-1 D, TSR-1 D, ARC-1 D, TC-1, EV-1';
  it('a whole path is no gap', () => {
    const found = analyseSmall(rules, { artifacts, links: whole });
    expect(told(found)).toEqual([]);
    expect(found.coverage.endToEnd).toEqual({ numerator: 1, denominator: 1, percentage: 100 });
  });
  it('a goal whose requirements go to design past the technical level lacks that stage', () => {
    const found = analyseSmall(rules, {
      artifacts: `${artifacts}, SG-2 D, FSR-2 D`,
      links: `${whole}, FSR-2 ^ SG-2, FSR-2 > ARC-1, FSR-2 ? TC-1`,
    });
    expect(told(found)).toEqual(['chain_gap SG-2 high']);
    expect(found.gaps[0]!.description).toContain(
      'the first stage that none reaches is a technical requirement',
    );
    expect(found.coverage.endToEnd).toEqual({ numerator: 1, denominator: 2, percentage: 50 });
  });
  it('a path that is broken for a reported reason is no second gap', () => {
    const found = says({ artifacts, links: whole.replace('TC-1 ! EV-1', '') });
    expect(found).toEqual(['evidence_without_source EV-1 low', 'none TC-1 high']);
  });
  it('a minor gap on the way does not hide a broken path', () => {
    const qm = artifacts.replaceAll(' D', ' QM');
    expect(says({ artifacts: qm, links: whole.replace('TSR-1 > ARC-1,', '') }, 'chain_gap')).toEqual([
      'chain_gap SG-1 low',
    ]);
  });
  it('a skipped level is no path', () => {
    expect(
      says({
        artifacts: 'SG-1 QM, TSR-1 QM, ARC-1, TC-1, EV-1',
        links: 'TSR-1 ^ SG-1, TSR-1 > ARC-1, TSR-1 ? TC-1, TC-1 ! EV-1',
      }),
    ).toEqual(['chain_gap SG-1 low', 'level_skip TSR-1 low']);
  });
  it('the cybersecurity chain by the same machinery', () => {
    const trace: SmallTrace = {
      artifacts: 'CSG-1, CSR-1, CSR-2, ARC-1, TC-1, EV-1',
      links: 'CSR-1 ^ CSG-1, CSR-2 ^ CSR-1, CSR-2 > ARC-1, CSR-1 ? TC-1, CSR-2 ? TC-1, TC-1 ! EV-1',
      more: { 'CSG-1': { cal: 4 }, 'CSR-1': { cal: 4 }, 'CSR-2': { cal: 4 } },
    };
    expect(says(trace)).toEqual([]);
    expect(analyseSmall(rules, trace).coverageByIntegrity.D.endToEnd).toMatchObject({ numerator: 1 });
    expect(says({ artifacts: 'CSG-1', more: { 'CSG-1': { risk: 5 } } })).toEqual(['no_fsr CSG-1 critical']);
    expect(says({ artifacts: 'CSG-1', more: { 'CSG-1': { risk: 1 } } })).toEqual(['no_fsr CSG-1 low']);
    expect(
      analyseSmall(rules, { artifacts: 'CSG-1', more: { 'CSG-1': { risk: 3 } } }).gaps[0]!.integrity,
    ).toBe('risk 3');
  });
});

describe('links', () => {
  const cases: readonly (readonly [name: string, trace: SmallTrace, gaps: readonly string[]])[] = [
    [
      'to nothing',
      { artifacts: ARTIFACTS, links: `${COMPLETE}, FSR-1 ^ GONE-1` },
      ['dangling_target FSR-1 high'],
    ],
    [
      'to nothing, stated twice',
      { artifacts: ARTIFACTS, links: `${COMPLETE}, FSR-1 ^ GONE-1, FSR-1 ~ GONE-1` },
      ['dangling_target FSR-1 high'],
    ],
    [
      'from nothing',
      { artifacts: ARTIFACTS, links: `${COMPLETE}, GONE-1 ? TC-1` },
      ['dangling_target TC-1 high'],
    ],
    ['from nothing to nothing', { artifacts: ARTIFACTS, links: `${COMPLETE}, GONE-1 ? GONE-2` }, []],
    ['to itself', { artifacts: ARTIFACTS, links: `${COMPLETE}, FSR-1 ^ FSR-1` }, ['self_link FSR-1 medium']],
    [
      'to an obsolete test',
      {
        artifacts: `${ARTIFACTS}, TC-2`,
        links: `${COMPLETE}, FSR-1 ? TC-2`,
        more: { 'TC-2': { status: 'obsolete' } },
      },
      ['obsolete_target FSR-1 high'],
    ],
    [
      'from a rejected requirement',
      {
        artifacts: `${ARTIFACTS}, FSR-2 D`,
        links: `${COMPLETE}, FSR-2 ? TC-1`,
        more: { 'FSR-2': { status: 'rejected' } },
      },
      ['obsolete_target TC-1 high'],
    ],
    [
      'between two that are obsolete',
      {
        artifacts: 'FSR-1 D, TC-1',
        links: 'FSR-1 ? TC-1',
        more: { 'FSR-1': { status: 'obsolete' }, 'TC-1': { status: 'deleted' } },
      },
      [],
    ],
    [
      'a requirement verified by evidence',
      { artifacts: ARTIFACTS, links: `${COMPLETE}, FSR-1 ? EV-1` },
      ['illegal_pair FSR-1 high'],
    ],
    [
      'a test verified by a requirement',
      { artifacts: ARTIFACTS, links: `${COMPLETE}, TC-1 ? FSR-1` },
      ['illegal_pair TC-1 high'],
    ],
    [
      'a requirement derived from a test',
      { artifacts: ARTIFACTS, links: `${COMPLETE}, FSR-1 ^ TC-1` },
      ['illegal_pair FSR-1 high'],
    ],
    [
      'a goal allocated to design',
      { artifacts: ARTIFACTS, links: `${COMPLETE}, SG-1 > ARC-1` },
      ['level_skip SG-1 high'],
    ],
    [
      'a design element satisfies a requirement',
      { artifacts: ARTIFACTS, links: COMPLETE.replace('FSR-1 > ARC-1', 'ARC-1 ~ FSR-1') },
      [],
    ],
    [
      'a test derives from a requirement',
      { artifacts: ARTIFACTS, links: COMPLETE.replace('FSR-1 ? TC-1', 'TC-1 ^ FSR-1') },
      [],
    ],
    [
      'evidence derives from a test',
      { artifacts: ARTIFACTS, links: COMPLETE.replace('TC-1 ! EV-1', 'EV-1 ^ TC-1') },
      [],
    ],
    [
      'stated from the parent to the child',
      { artifacts: ARTIFACTS, links: COMPLETE.replace('FSR-1 ^ SG-1', 'SG-1 ^ FSR-1') },
      [],
    ],
    ['stated many times', { artifacts: ARTIFACTS, links: `${COMPLETE}, ${COMPLETE}, SG-1 / FSR-1` }, []],
  ];
  for (const [name, trace, gaps] of cases) it(name, () => expect(says(trace)).toEqual(gaps));

  it('reads a software requirement below a functional one as a skipped level and keeps the edge', () => {
    const trace = { artifacts: 'FSR-1 D, SW-1 D', links: 'SW-1 ^ FSR-1' };
    expect(says(trace, 'broken_chain')).toEqual(['level_skip SW-1 high']);
    expect(analyseSmall(rules, trace).coverage.upstream).toMatchObject({ numerator: 1, denominator: 2 });
  });

  it('remarks on corrected directions and on links stated on one side', () => {
    expect(
      remarks({ artifacts: ARTIFACTS, links: 'SG-1 ^ FSR-1' }, 'direction_corrected')!.listed[0],
    ).toMatchObject({ artifactId: 'FSR-1', related: ['SG-1'] });
    expect(remarks({ artifacts: ARTIFACTS, links: 'FSR-1 ^ SG-1' }, 'asymmetric_link')!.count).toBe(1);
    expect(
      remarks({ artifacts: ARTIFACTS, links: 'FSR-1 ^ SG-1, SG-1 / FSR-1' }, 'asymmetric_link'),
    ).toBeUndefined();
    const artifacts = buildSmall({ artifacts: ARTIFACTS }).artifacts;
    const link: TraceLink = { sourceId: 'FSR-1', type: 'derives_from', targetId: 'SG-1', statedAt: 'both' };
    expect(
      analyseTraceability({ artifacts, links: [link], rules }).remarks.map(({ kind }) => kind),
    ).not.toContain('asymmetric_link');
  });

  it('finds ids that differ in spelling only, unless two would fit', () => {
    const near = { artifacts: 'SG-01 D, FSR-1 D', links: 'FSR-1 ^ sg_1' };
    expect(says(near, 'broken_chain')).toEqual([]);
    expect(remarks(near, 'id_normalised')!.listed).toMatchObject([
      { artifactId: 'FSR-1', related: ['SG-01'] },
    ]);
    for (const spelling of ['[SG-01]', 'SG-01~2', 'SG-01@3', 'SG-01[version==1]', 'ＳＧ-01', 'SG.1']) {
      expect([
        spelling,
        says({ artifacts: 'SG-01 D, FSR-1 D', links: `FSR-1 ^ ${spelling}` }, 'broken_chain'),
      ]).toEqual([spelling, []]);
    }
    expect(says({ artifacts: 'SG-01 D, SG-1 D, FSR-1 D', links: 'FSR-1 ^ sg_1' }, 'broken_chain')).toEqual([
      'dangling_target FSR-1 high',
    ]);
    expect(says({ artifacts: 'SG-10 D, FSR-1 D', links: 'FSR-1 ^ SG-1' }, 'broken_chain')).toEqual([
      'dangling_target FSR-1 high',
    ]);
  });

  it('takes registered prefixes for something outside', () => {
    const trace = {
      artifacts: 'FSR-1 QM, TC-1',
      links: 'FSR-1 ^ CUST-12, FSR-1 > SUP-3, FSR-1 ? TC-1, TC-1 ! SUP-9',
      options: { externalPrefixes: ['cust-', 'SUP-'] },
    };
    expect(says(trace)).toEqual(['inconclusive TC-1 low']);
    expect(remarks(trace, 'external_reference')!.count).toBe(3);
    expect(remarks(trace, 'external_element')!.listed).toMatchObject([
      { artifactId: 'FSR-1', related: ['SUP-3'] },
    ]);
    expect(analyseSmall(rules, trace).totalArtifacts).toBe(2);
  });

  it('treats another workspace as if it did not exist', () => {
    const { artifacts, links } = buildSmall({
      artifacts: 'SG-1 D, FSR-1 D, FSR-1 A',
      links: 'FSR-1 ^ SG-1, SG-1 ^ SG-1',
    });
    const placed = [
      { ...artifacts[0]!, workspaceId: 'other', text: 'Secret.' },
      { ...artifacts[1]!, workspaceId: 'own' },
      { ...artifacts[2]!, workspaceId: 'other' },
    ];
    const found = analyseTraceability({
      artifacts: placed,
      links: [
        { ...links[0]!, workspaceId: 'own' },
        { ...links[1]!, workspaceId: 'other' },
      ],
      rules,
      workspaceId: 'own',
    });
    expect(found.gaps.find(({ kind }) => kind === 'dangling_target')).toMatchObject({
      artifactId: 'FSR-1',
      missing: 'SG-1',
    });
    expect([found.totalArtifacts, found.totalLinks]).toEqual([1, 1]);
    const without = analyseTraceability({
      artifacts: [placed[1]!],
      links: [{ ...links[0]!, workspaceId: 'own' }],
      rules,
      workspaceId: 'own',
    });
    expect(found).toEqual(without);
  });
});

describe('artifacts', () => {
  it('joins definitions with the same id and says when their texts differ', () => {
    const trace = { artifacts: 'FSR-1 D, FSR-1 D' };
    expect(analyseSmall(rules, trace).totalArtifacts).toBe(1);
    expect(remarks(trace, 'duplicate_id')).toBeUndefined();
    const { artifacts } = buildSmall(trace);
    const differing = [artifacts[0]!, { ...artifacts[1]!, text: 'Another text.' }];
    const found = analyseTraceability({ artifacts: differing, links: [], rules });
    expect(found.remarks.find(({ kind }) => kind === 'duplicate_id')).toMatchObject({
      grade: 'medium',
      count: 1,
    });
    const levels = [artifacts[0]!, { ...artifacts[1]!, text: 'Another text.', asil: 'B' }];
    const contradicting = analyseTraceability({ artifacts: levels, links: [], rules });
    expect(contradicting.remarks.find(({ kind }) => kind === 'duplicate_id_other_asil')).toMatchObject({
      grade: 'high',
    });
  });

  it('keeps the definition of the owning document, then of the highest version', () => {
    const base = buildSmall({ artifacts: 'SG-1 D' }).artifacts[0]!;
    const kept = (...more: object[]) => {
      const artifacts = more.map((one, i) => ({ ...base, text: `Text ${i}.`, ...one }));
      const { gaps } = analyseTraceability({ artifacts, links: [], rules });
      return gaps[0]!.documentId;
    };
    expect(kept({ documentId: 'a', version: '2' }, { documentId: 'b', documentType: 'hara' })).toBe('b');
    expect(kept({ documentId: 'a', version: '1.9' }, { documentId: 'b', version: '1.10' })).toBe('b');
    expect(kept({ documentId: 'a' }, { documentId: 'b' })).toBe('a');
  });

  it('remarks on broad tests and on hazards without goal', () => {
    const many = Array.from({ length: 21 }, (_, i) => `SW-${i}`);
    const trace = (ids: string[]) => ({
      artifacts: `${ids.join()}, TC-1`,
      links: ids.map((id) => `${id} ? TC-1`).join(),
    });
    expect(remarks(trace(many), 'broad_test')!.count).toBe(1);
    expect(remarks(trace(many.slice(1)), 'broad_test')).toBeUndefined();
    expect(remarks({ artifacts: 'HE-1 A, HE-2 QM' }, 'hazard_without_goal')).toMatchObject({
      count: 1,
      listed: [{ artifactId: 'HE-1' }],
    });
  });

  it('survives anything', () => {
    expect(analyseTraceability({ artifacts: [], links: [], rules })).toMatchObject({
      totalGaps: 0,
      coverage: { overall: { percentage: null } },
    });
    const odd = ['', ' ', '__proto__', 'constructor', '(a+)+$', '\ud800', 'x'.repeat(100_000)].map((id) => ({
      id,
      type: 'test' as const,
      text: '',
    }));
    const links = odd.flatMap(({ id }) =>
      odd.map((other): TraceLink => ({ sourceId: id, type: 'verified_by', targetId: `${other.id}?` })),
    );
    expect(analyseTraceability({ artifacts: odd, links, rules }).totalArtifacts).toBe(7);
  });

  it('follows a chain of 200 000 levels and a loop of as many', () => {
    const count = 200_000;
    const artifacts = Array.from({ length: count }, (_, i) => ({
      id: `FSR-${i}`,
      type: 'functional_safety_requirement' as const,
      text: '',
      asil: 'D',
    }));
    const links = artifacts
      .slice(1)
      .map(({ id }, i): TraceLink => ({ sourceId: id, type: 'derives_from', targetId: `FSR-${i}` }));
    expect(analyseTraceability({ artifacts, links, rules }).summary.orphan_upstream).toBe(1);
    const loop = [
      ...links,
      { sourceId: 'FSR-0', type: 'derives_from' as const, targetId: `FSR-${count - 1}` },
    ];
    const found = analyseTraceability({ artifacts, links: loop, rules });
    expect(found.summary).toMatchObject({ orphan_upstream: 0, broken_chain: 1 });
    expect(found.gaps.find(({ kind }) => kind === 'cycle')).toMatchObject({ relatedCount: count });
  }, 60_000);

  it('gives the same bytes for the same input, and lists at most what is asked for', () => {
    const trace = buildSmall({ artifacts: 'SG-3 QM, SG-2 A, SG-1 D' });
    const [one, two] = [1, 2].map(() => JSON.stringify(analyseTraceability({ ...trace, rules })));
    expect(one).toBe(two);
    const short = analyseTraceability({ ...trace, rules, options: { listedPerType: 1 } });
    expect(short.gaps.map(({ artifactId }) => artifactId)).toEqual(['SG-1']);
    expect([short.totalGaps, short.unlisted.orphan_downstream]).toEqual([3, 2]);
  });

  it('names similar artifacts in the suggestion only where they are given', () => {
    const candidates = new Map([['FSR-1', ['SG-4', 'SG-2', 'SG-9', 'SG-8']]]);
    const found = analyseSmall(rules, { artifacts: 'FSR-1 D', options: { candidates } });
    expect(found.gaps.find(({ kind }) => kind === 'no_parent')!.suggestedAction).toMatch(
      /Candidates by text similarity: SG-4, SG-2, SG-9\.$/,
    );
    expect(
      analyseSmall(rules, { artifacts: 'FSR-1 D' })
        .gaps.map((gap) => gap.suggestedAction)
        .join(),
    ).not.toContain('Candidates');
  });
});
