import { beforeAll, describe, expect, it } from 'vitest';
import type { Artifact, ArtifactType } from '../../facts/artifacts/artifact.js';
import type { LinkType, TraceLink } from '../../facts/artifacts/trace-link.js';
import { loadTraceabilityRules, type TraceabilityRules } from './rules.js';
import { analyseTraceability } from './run.js';
import type { TraceabilityAnalysis } from './traceability.js';

let rules: TraceabilityRules;
beforeAll(async () => {
  rules = await loadTraceabilityRules();
});

const TYPES: Readonly<Record<string, ArtifactType>> = {
  SG: 'safety_goal',
  FSR: 'functional_safety_requirement',
  TSR: 'technical_safety_requirement',
  SW: 'software_requirement',
  ARC: 'design',
  MCU: 'design',
  TC: 'test',
  EV: 'evidence',
  DFA: 'evidence',
};

/** `FSR-1 D` or `EV-1 =fail`. */
function artifact(line: string): Artifact {
  const [id, value] = line.split(' ') as [string, string?];
  const result = value?.startsWith('=') ? (value.slice(1) as 'pass' | 'fail') : undefined;
  return {
    id,
    type: TYPES[/^[A-Z]+/.exec(id)![0]]!,
    text: `Text of ${id}`,
    ...(result ? { result } : value ? { asil: value } : {}),
    ...(id.startsWith('DFA') ? { kind: 'dfa' } : {}),
  };
}

/** `FSR-1 derives_from SG-01`. */
function link(line: string): TraceLink {
  const [sourceId, type, targetId] = line.split(' ') as [string, LinkType, string];
  return { sourceId, type, targetId };
}

function analyse(artifacts: readonly string[], links: readonly string[]): TraceabilityAnalysis {
  return analyseTraceability({ artifacts: artifacts.map(artifact), links: links.map(link), rules });
}

function gapsOf(analysis: TraceabilityAnalysis): string[] {
  return analysis.gaps
    .map(({ gapType, artifactId, severity, kind }) => `${gapType} ${artifactId} ${severity} ${kind}`)
    .sort();
}

function percentages({ coverage }: TraceabilityAnalysis) {
  return Object.fromEntries(Object.entries(coverage).map(([name, value]) => [name, value.percentage]));
}

const ALL_100 = {
  upstream: 100,
  downstream: 100,
  verification: 100,
  verificationInclIndirect: 100,
  evidence: 100,
  overall: 100,
  endToEnd: 100,
};

describe('traceability vectors', () => {
  it('TV-01: a complete chain has no gap', () => {
    const found = analyse(
      ['SG-01 D', 'FSR-1 D', 'TSR-1 D', 'SW-1 D', 'ARC-1 D', 'TC-1', 'TC-2', 'TC-3'].concat([
        ...['EV-1 =pass', 'EV-2 =pass', 'EV-3 =pass'],
      ]),
      [
        ...['FSR-1 derives_from SG-01', 'TSR-1 derives_from FSR-1', 'SW-1 satisfies TSR-1'],
        ...['SW-1 allocated_to ARC-1', 'SW-1 verified_by TC-1', 'TSR-1 verified_by TC-2'],
        ...['FSR-1 verified_by TC-3', 'TC-1 evidenced_by EV-1', 'TC-2 evidenced_by EV-2'],
        'TC-3 evidenced_by EV-3',
      ],
    );
    expect(gapsOf(found)).toEqual([]);
    expect(percentages(found)).toEqual(ALL_100);
    expect(found.totalGaps).toBe(0);
  });

  it('TV-02: typical defects', () => {
    const found = analyse(
      [
        ...['SG-01 D', 'SG-02 B', 'FSR-1 D', 'FSR-2 C', 'TSR-1 D', 'TSR-2 QM', 'ARC-1 B', 'TC-1', 'TC-9'],
        'EV-1 =fail',
      ],
      [
        ...['FSR-1 derives_from SG-01', 'FSR-2 derives_from SG-01', 'TSR-1 derives_from FSR-1'],
        ...['TSR-1 allocated_to ARC-1', 'TSR-1 verified_by TC-1', 'TC-1 evidenced_by EV-1'],
        'TSR-1 derives_from FSR-77',
      ],
    );
    expect(gapsOf(found)).toEqual(
      [
        'broken_chain TSR-1 high dangling_target',
        'orphan_downstream SG-02 high no_fsr',
        'missing_verification FSR-1 high indirect_only',
        'orphan_downstream FSR-2 high not_refined_nor_allocated',
        'missing_verification FSR-2 critical none',
        'asil_inconsistency FSR-2 critical AI-02',
        'orphan_upstream TSR-2 low no_parent',
        // The second follow-up of TSR-2, its missing verification, is suppressed by rule (a).
        'orphan_downstream TSR-2 low not_refined_nor_allocated',
        'asil_inconsistency ARC-1 critical AI-08',
        'missing_evidence TC-1 critical negative_result',
        'orphan_upstream TC-9 low test_without_requirement',
      ].sort(),
    );
    expect(found.coverage.upstream).toEqual({ numerator: 5, denominator: 7, percentage: 71.4 });
    expect(found.coverage.downstream).toEqual({ numerator: 3, denominator: 6, percentage: 50 });
    expect(found.coverage.verification).toEqual({ numerator: 1, denominator: 4, percentage: 25 });
    expect(found.coverage.verificationInclIndirect).toEqual({ numerator: 2, denominator: 4, percentage: 50 });
    expect(found.coverage.evidence).toEqual({ numerator: 0, denominator: 1, percentage: 0 });
    expect(found.coverage.overall).toEqual({ numerator: 9, denominator: 18, percentage: 50 });
    expect(found.coverage.endToEnd).toEqual({ numerator: 0, denominator: 2, percentage: 0 });
    expect(found.summary).toEqual({
      orphan_upstream: 2,
      orphan_downstream: 3,
      missing_verification: 2,
      missing_evidence: 1,
      broken_chain: 1,
      asil_inconsistency: 2,
    });
    expect(found.severityCounts).toEqual({ critical: 4, high: 4, medium: 0, low: 3 });
    expect(found.gaps.find((gap) => gap.kind === 'dangling_target')!.suggestedAction).toBe(
      'TSR-1 refers to FSR-77, which is not defined in this workspace. Correct the id, import the document that defines it, or register the prefix as external.',
    );
  });

  it('TV-03: a valid decomposition has no gap', () => {
    const found = analyse(
      [
        ...['SG-01 D', 'FSR-1 D', 'FSR-1a B(D)', 'FSR-1b B(D)', 'ARC-1 B(D)', 'ARC-2 B(D)', 'DFA-1 =pass'],
        ...['TC-1', 'TC-2', 'TC-3', 'EV-1', 'EV-2', 'EV-3'],
      ],
      [
        ...['FSR-1 derives_from SG-01', 'FSR-1 decomposes_to FSR-1a', 'FSR-1 decomposes_to FSR-1b'],
        ...['FSR-1a allocated_to ARC-1', 'FSR-1b allocated_to ARC-2', 'FSR-1 evidenced_by DFA-1'],
        ...['FSR-1a verified_by TC-1', 'FSR-1b verified_by TC-2', 'FSR-1 verified_by TC-3'],
        ...['TC-1 evidenced_by EV-1', 'TC-2 evidenced_by EV-2', 'TC-3 evidenced_by EV-3'],
      ],
    );
    expect(gapsOf(found)).toEqual([]);
    expect(percentages(found)).toEqual(ALL_100);
  });

  it('TV-05: a loop is one gap', () => {
    const found = analyse(
      ['SG-1 C', 'FSR-1 C', 'FSR-2 C'],
      ['FSR-1 derives_from FSR-2', 'FSR-2 derives_from FSR-1'],
    );
    expect(gapsOf(found)).toEqual([
      'broken_chain FSR-1 high cycle',
      'missing_verification FSR-1 critical none',
      'missing_verification FSR-2 critical none',
      'orphan_downstream SG-1 critical no_fsr',
    ]);
    expect(found.coverage.upstream).toEqual({ numerator: 0, denominator: 2, percentage: 0 });
    expect(found.coverage.evidence.percentage).toBeNull();
    expect(found.gaps.find(({ kind }) => kind === 'cycle')!.related).toEqual(['FSR-1', 'FSR-2']);
  });

  it('TV-06: decomposed parts on one element', () => {
    const found = analyse(
      ['SG-1 D', 'FSR-1 D', 'TSR-1 C(D)', 'TSR-2 A(D)', 'MCU D', 'TC-1', 'EV-1'],
      [
        ...['FSR-1 derives_from SG-1', 'TSR-1 derives_from FSR-1', 'TSR-2 derives_from FSR-1'],
        ...['TSR-1 allocated_to MCU', 'TSR-2 allocated_to MCU', 'TSR-1 verified_by TC-1'],
        ...['TSR-2 verified_by TC-1', 'FSR-1 verified_by TC-1', 'TC-1 evidenced_by EV-1'],
      ],
    );
    expect(gapsOf(found)).toEqual([
      'asil_inconsistency FSR-1 critical AI-06',
      'asil_inconsistency FSR-1 high AI-07',
    ]);
    expect(percentages(found)).toEqual({ ...ALL_100, endToEnd: 0 });
  });
});
