import type { Artifact, ArtifactType } from '../../../facts/artifacts/artifact.js';
import type { LinkType, TraceLink } from '../../../facts/artifacts/trace-link.js';
import type { TraceabilityRules } from '../rules.js';
import { analyseTraceability } from '../run.js';
import type { TraceabilityAnalysis, TraceabilityOptions } from '../traceability.js';

const TYPES: Readonly<Record<string, ArtifactType>> = {
  HE: 'hazardous_event',
  SG: 'safety_goal',
  FSR: 'functional_safety_requirement',
  TSR: 'technical_safety_requirement',
  SW: 'software_requirement',
  HW: 'hardware_requirement',
  CSG: 'cybersecurity_goal',
  CSR: 'cybersecurity_requirement',
  ARC: 'design',
  MCU: 'design',
  TC: 'test',
  EV: 'evidence',
  DFA: 'evidence',
  XX: 'unknown',
};

const VERBS: Readonly<Record<string, LinkType>> = {
  '^': 'derives_from',
  '~': 'satisfies',
  '>': 'allocated_to',
  '/': 'decomposes_to',
  '=': 'implemented_by',
  '?': 'verified_by',
  '!': 'evidenced_by',
};

/** `FSR-1 D` with an ASIL, `EV-1`; the letters before the dash tell the type. More is given in `more`. */
function artifact(line: string, more: Partial<Artifact> = {}): Artifact {
  const [id, asil] = line.split(' ') as [string, string?];
  return {
    id,
    type: TYPES[/^[A-Z]+/.exec(id)![0]]!,
    text: `Text of ${id}.`,
    ...(asil ? { asil } : {}),
    ...(id.startsWith('DFA') ? { kind: 'dfa' } : {}),
    ...more,
  };
}

export interface SmallTrace {
  /** `FSR-1 D, TC-1` */
  readonly artifacts: string;
  /** `FSR-1 ^ SG-1, FSR-1 ? TC-1`: ^ derives_from, ~ satisfies, > allocated_to, / decomposes_to, = implemented_by, ? verified_by, ! evidenced_by. */
  readonly links?: string;
  readonly more?: Readonly<Record<string, Partial<Artifact>>>;
  readonly options?: TraceabilityOptions;
}

const parts = (text = '') => text.split(',').flatMap((part) => part.trim() || []);

/** An analysis of a trace written in one line. */
export function analyseSmall(rules: TraceabilityRules, trace: SmallTrace): TraceabilityAnalysis {
  return analyseTraceability({ ...buildSmall(trace), rules });
}

export function buildSmall({ artifacts, links, more = {}, options = {} }: SmallTrace) {
  return {
    artifacts: parts(artifacts).map((line) => artifact(line, more[line.split(' ')[0]!])),
    links: parts(links).map((line): TraceLink => {
      const [sourceId, verb, targetId] = line.split(' ') as [string, string, string];
      return { sourceId, type: VERBS[verb]!, targetId };
    }),
    options,
  };
}

/** `kind artifact severity` of the gaps, sorted; of one kind or type only where `of` names it. */
export function told(analysis: TraceabilityAnalysis, of?: string): string[] {
  return analysis.gaps
    .filter(({ kind, gapType }) => of === undefined || kind.startsWith(of) || gapType === of)
    .map(({ kind, artifactId, severity }) => `${kind} ${artifactId} ${severity}`)
    .sort();
}
