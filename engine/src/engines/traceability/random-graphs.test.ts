import { beforeAll, describe, expect, it } from 'vitest';
import { ARTIFACT_TYPES, type Artifact, type ArtifactType } from '../../facts/artifacts/artifact.js';
import { LINK_TYPES, type TraceLink } from '../../facts/artifacts/trace-link.js';
import { ITEM_KINDS, loadTraceabilityRules, type TraceabilityRules } from './rules.js';
import { examineTraceability } from './run.js';
import { askOracle, type OracleOptions } from './testing/oracle.js';

/** `RANDOM_GRAPHS=10000` makes the long run. */
const GRAPHS = Number(process.env.RANDOM_GRAPHS ?? 2_000);

let rules: TraceabilityRules;
beforeAll(async () => {
  rules = await loadTraceabilityRules();
});

/** Numbers from a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const LEVELS = [
  ...['QM', 'A', 'B', 'C', 'D', 'ASIL D', 'C', 'D', 'B(D)', 'A(D)', 'C(D)', 'D(D)', 'QM(D)', 'A(B)', 'B(C)'],
  ...['A(C)', 'A/B', '-', undefined, undefined],
];
const RESULTS = ['pass', 'pass', 'pass_with_remarks', 'fail', 'blocked', 'not_run', undefined] as const;
const KINDS = ['review', 'analysis', 'dfa', 'test_result', undefined] as const;
const STATUSES = ['approved', 'approved', 'approved', undefined, 'draft', 'obsolete', 'rejected'];
const CHAIN: readonly ArtifactType[] = [
  'safety_goal',
  'functional_safety_requirement',
  'technical_safety_requirement',
  'software_requirement',
  'design',
  'test',
  'evidence',
];

interface Case {
  readonly artifacts: readonly Artifact[];
  readonly links: readonly TraceLink[];
  readonly options: OracleOptions;
}

/** Four shapes: anything linked with anything; layers with dense links; decompositions with loops; whole chains with a flaw. */
function randomCase(seed: number): Case {
  return seed % 4 === 3 ? nearlyWholeCase(seed) : messyCase(seed);
}

/** Goals with chains below them in which everything is there, then a link or two is taken away. */
function nearlyWholeCase(seed: number): Case {
  const random = numbersFrom(seed);
  const chance = (share: number) => random() < share;
  const asil = chance(0.5) ? 'QM' : 'D';
  const artifacts: Artifact[] = [{ id: 'TC-1', type: 'test', text: '' }];
  const links: TraceLink[] = [{ sourceId: 'TC-1', type: 'evidenced_by', targetId: 'EV-1' }];
  artifacts.push({ id: 'EV-1', type: 'evidence', text: '' }, { id: 'ARC-1', type: 'design', text: '', asil });
  const goals = 1 + Math.floor(random() * 3);
  for (let goal = 0; goal < goals; goal++) {
    artifacts.push({ id: `SG-${goal}`, type: 'safety_goal', text: '', asil });
    let parent = `SG-${goal}`;
    for (const type of CHAIN.slice(1, 4)) {
      const times = type === 'technical_safety_requirement' && chance(0.2) ? 0 : chance(0.2) ? 2 : 1;
      for (let i = 0; i < times; i++) {
        const id = `${type}-${goal}-${i}`;
        artifacts.push({ id, type, text: '', asil });
        links.push({ sourceId: id, type: 'derives_from', targetId: parent });
        links.push({ sourceId: id, type: 'verified_by', targetId: 'TC-1' });
        if (type !== 'functional_safety_requirement' || chance(0.3)) {
          links.push({ sourceId: id, type: 'allocated_to', targetId: 'ARC-1' });
        }
        if (i === times - 1) parent = id;
      }
    }
  }
  for (let flaws = Math.floor(random() * 3); flaws > 0; flaws--) {
    links.splice(Math.floor(random() * links.length), 1);
  }
  return { artifacts, links, options: chance(0.5) ? { indirectVerification: 'accept' } : {} };
}

function messyCase(seed: number): Case {
  const random = numbersFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
  const chance = (share: number) => random() < share;
  const shape = seed % 3;
  const severalWorkspaces = chance(0.15);
  const workspaceId = severalWorkspaces ? 'w1' : undefined;
  const calm = chance(0.4);
  const levels = calm ? ['D', 'D', 'B(D)', 'B(D)', 'C(D)', 'A(D)', 'QM(D)', 'D(D)'] : LEVELS;
  const count = 3 + below(22);

  const artifacts = Array.from({ length: count }, (_, i): Artifact => {
    const type =
      shape === 0 || (!calm && chance(0.1))
        ? pick(ARTIFACT_TYPES)
        : CHAIN[Math.min(CHAIN.length - 1, Math.floor((i * CHAIN.length) / count))]!;
    const repeats = chance(0.06) && i > 0;
    const asil = type === 'test' || type === 'evidence' ? undefined : pick(levels);
    const status = calm ? 'approved' : pick(STATUSES);
    const kind = type === 'evidence' ? pick(KINDS) : undefined;
    const result = type === 'evidence' ? (calm ? 'pass' : pick(RESULTS)) : undefined;
    const version = chance(0.3) ? pick(['1', '2', '10']) : undefined;
    return {
      id: `X-${repeats ? below(i) : i}`,
      type,
      text: chance(0.8) ? 'Text.' : 'Other text.',
      ...(asil !== undefined ? { asil } : {}),
      ...(status !== undefined ? { status } : {}),
      ...(kind !== undefined ? { kind } : {}),
      ...(result !== undefined ? { result } : {}),
      ...(version !== undefined ? { version } : {}),
      ...(type === 'evidence' && chance(0.1) ? { stale: true } : {}),
      ...(type === 'evidence' && chance(0.2) ? { configuration: pick(['base', 'other']) } : {}),
      ...(type.startsWith('cyber') && chance(0.6) ? { cal: 1 + below(4) } : {}),
      ...(type === 'hazardous_event' && chance(0.7)
        ? { ratings: { severity: below(4), exposure: below(5), controllability: below(4) } }
        : {}),
      ...(chance(0.05) ? { informational: true } : {}),
      ...(chance(0.04) ? { external: true } : {}),
      ...(chance(0.2) ? { documentType: pick(['hara', 'functional_safety_concept']) } : {}),
      ...(severalWorkspaces ? { workspaceId: chance(0.8) ? 'w1' : 'w2' } : {}),
    };
  });
  const idOf = () => {
    if (chance(calm ? 0.005 : 0.03)) return pick(['GONE-7', 'GONE-8', 'CUST-1', 'CUST-2']);
    return artifacts[below(count)]!.id;
  };
  const make = (sourceId: string, type: TraceLink['type'], targetId: string): TraceLink => ({
    sourceId,
    type,
    targetId,
    ...(severalWorkspaces ? { workspaceId: chance(0.9) ? 'w1' : 'w2' } : {}),
  });
  const links: TraceLink[] = [];
  const wanted = below(count * (shape === 1 ? 6 : 3));
  for (let i = 0; i < wanted; i++) {
    if (shape === 0 || chance(calm ? 0.02 : 0.12)) {
      links.push(make(idOf(), pick(LINK_TYPES), idOf()));
      continue;
    }
    const lower = 1 + below(count - 1);
    const upper = below(lower);
    const [a, b] = [artifacts[upper]!, artifacts[lower]!];
    const sideways = chance(shape === 2 ? 0.06 : 0.01);
    if (b.type === 'design') links.push(make(a.id, pick(['allocated_to', 'implemented_by']), b.id));
    else if (b.type === 'test') links.push(make(a.id, 'verified_by', b.id));
    else if (b.type === 'evidence') links.push(make(a.id, 'evidenced_by', b.id));
    else if (sideways) links.push(make(a.id, 'derives_from', b.id));
    else if (chance(shape === 2 ? 0.5 : 0.15)) links.push(make(a.id, 'decomposes_to', b.id));
    else links.push(make(b.id, pick(['derives_from', 'satisfies']), a.id));
    if (chance(0.1)) links.push(links.at(-1)!);
  }
  const options: OracleOptions = {
    ...(workspaceId !== undefined ? { workspaceId } : {}),
    ...(chance(0.4) ? { indirectVerification: pick(['downgrade', 'accept', 'ignore']) } : {}),
    ...(chance(0.2) ? { requireDesignTest: true } : {}),
    ...(chance(0.3) ? { configuration: 'base' } : {}),
    ...(chance(0.5) ? { externalPrefixes: ['CUST-'] } : {}),
  };
  return { artifacts, links, options };
}

function examine({ artifacts, links, options }: Case) {
  const { workspaceId, ...rest } = options;
  return examineTraceability({
    artifacts,
    links,
    rules,
    options: rest,
    ...(workspaceId !== undefined ? { workspaceId } : {}),
  });
}

describe('random graphs', () => {
  const kinds = new Map<string, number>();

  it(`finds the gaps and the coverage that the oracle finds, in ${GRAPHS} graphs`, () => {
    for (let seed = 1; seed <= GRAPHS; seed++) {
      const random = randomCase(seed);
      const { analysis } = examine(random);
      const asked = askOracle(random.artifacts, random.links, random.options);
      const gaps = analysis.gaps
        .map((gap) => [gap.gapType, gap.kind, gap.artifactId, gap.severity, gap.missing ?? ''].join(' '))
        .sort();
      const coverage = Object.entries(analysis.coverage)
        .filter(([name]) => name !== 'overall')
        .map(([name, { numerator, denominator }]) => `${name} ${numerator}/${denominator}`)
        .sort();
      if (gaps.join('\n') !== asked.gaps.join('\n') || coverage.join() !== asked.coverage.join()) {
        const shown = JSON.stringify(random, null, 1);
        expect({ seed, gaps, coverage, shown }).toEqual({
          seed,
          gaps: asked.gaps,
          coverage: asked.coverage,
          shown,
        });
      }
      for (const gap of analysis.gaps) kinds.set(gap.kind, (kinds.get(gap.kind) ?? 0) + 1);
    }
  }, 120_000);

  it('met every kind of gap often enough to mean something', () => {
    // Those of specification items have a test of their own.
    const own = new Set<string>(ITEM_KINDS);
    const others = Object.entries(rules.kinds).filter(([kind]) => !own.has(kind));
    const expected = new Set(others.map(([kind, { name }]) => name ?? kind));
    const rare = [...expected].filter((kind) => (kinds.get(kind) ?? 0) < GRAPHS / 500);
    expect(rare).toEqual([]);
  });

  it('reaches below every artifact what the oracle reaches', () => {
    for (let seed = 20_001; seed <= 20_300; seed++) {
      const random = randomCase(seed);
      const asked = askOracle(random.artifacts, random.links, random.options);
      const pairs = examine(random).pairs({ rows: ARTIFACT_TYPES, columns: ARTIFACT_TYPES });
      let row = 0;
      for (const columns of pairs.rows()) {
        const reached = [...columns].map((column) => pairs.columnIds[column]!).sort();
        const wanted = [...asked.below(pairs.rowIds[row]!)]
          .filter((id) => pairs.columnIds.includes(id))
          .sort();
        expect({ seed, row, reached }).toEqual({ seed, row, reached: wanted });
        row++;
      }
      expect(row).toBe(pairs.rowIds.length);
    }
  }, 60_000);
});
