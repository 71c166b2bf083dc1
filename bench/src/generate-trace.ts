import type { Artifact, ArtifactType, TraceLink } from '@normtrace/engine';
import { seededRandom } from './measure.js';

/** Eleven layers from hazard to result; the share of the artifacts in each, in percent. */
const LAYERS: readonly { readonly type: ArtifactType; readonly prefix: string; readonly share: number }[] = [
  { type: 'hazardous_event', prefix: 'HE', share: 1 },
  { type: 'safety_goal', prefix: 'SG', share: 1 },
  { type: 'functional_safety_requirement', prefix: 'FSR', share: 5 },
  { type: 'technical_safety_requirement', prefix: 'TSR', share: 11 },
  { type: 'software_requirement', prefix: 'SWR', share: 12 },
  { type: 'hardware_requirement', prefix: 'HWR', share: 10 },
  { type: 'design', prefix: 'ARC', share: 9 },
  { type: 'design', prefix: 'UNIT', share: 9 },
  { type: 'test', prefix: 'TC', share: 16 },
  { type: 'test', prefix: 'UT', share: 8 },
  { type: 'evidence', prefix: 'EV', share: 18 },
];

/** How often something is wrong. */
const ORPHANS = 0.01;
const DANGLING = 0.003;
const UNCOVERED = 0.01;
const LINKS_PER_ARTIFACT = 3.29;

export interface GeneratedTrace {
  readonly artifacts: readonly Artifact[];
  readonly links: readonly TraceLink[];
}

/**
 * A workspace as large projects have them, from a seed: 3.29 links per artifact, one artifact in a hundred without
 * parent, three links in a thousand to nothing, one requirement in a hundred without test. Every id in a link is a
 * string of its own, as it is when it comes from a file or a database.
 * @param defects How many times as often something is wrong: 16 is a project that is not finished.
 */
export function generateTrace(count: number, { seed = 11, defects = 1 } = {}): GeneratedTrace {
  const random = seededRandom(seed);
  const [orphans, nowhere, uncovered] = [ORPHANS * defects, DANGLING * defects, UNCOVERED * defects];
  const layers = LAYERS.map(({ type, prefix, share }) => {
    const size = Math.max(1, Math.round((count * share) / 100));
    return Array.from({ length: size }, (_, i): Artifact => {
      const id = `${prefix}-${String(i + 1).padStart(6, '0')}`;
      const text = `${id} shall hold its output within limit ${i % 977} and report a violation within ${i % 89} ms.`;
      const documentId = `document-${prefix}`;
      const place = { documentId, location: { line: i * 6 + 1 } };
      if (type === 'evidence') return { id, type, text, result: 'pass', ...place };
      if (type === 'test') return { id, type, text, ...place };
      if (type !== 'hazardous_event') return { id, type, text, asil: 'D', ...place };
      return {
        id,
        type,
        text,
        asil: 'D',
        ratings: { severity: 3, exposure: 4, controllability: 3 },
        ...place,
      };
    });
  });
  const links: TraceLink[] = [];
  const link = (source: Artifact, type: TraceLink['type'], target: Artifact) => {
    const dangling = random() < nowhere;
    links.push({
      sourceId: copy(source.id),
      type,
      targetId: dangling ? `${target.id}9X` : copy(target.id),
      documentId: source.documentId!,
      location: { line: links.length + 1 },
    });
  };
  const pick = (layer: readonly Artifact[]) => layer[Math.floor(random() * layer.length)]!;
  const [
    events,
    goals,
    functional,
    technical,
    software,
    hardware,
    elements,
    units,
    tests,
    unitTests,
    results,
  ] = layers as [
    Artifact[],
    Artifact[],
    Artifact[],
    Artifact[],
    Artifact[],
    Artifact[],
    Artifact[],
    Artifact[],
    Artifact[],
    Artifact[],
    Artifact[],
  ];
  /** The parent with the same share of its layer, so that every parent gets children, then others at random. */
  const refine = (children: readonly Artifact[], parents: readonly Artifact[]) => {
    children.forEach((child, i) => {
      if (random() < orphans) return;
      link(child, 'derives_from', parents[i % parents.length]!);
      link(child, 'satisfies', pick(parents));
    });
  };
  refine(goals, events);
  refine(functional, goals);
  refine(technical, functional);
  refine(software, technical);
  refine(hardware, technical);
  const requirements = [...software, ...hardware];
  [...functional, ...technical, ...requirements].forEach((one, i) => {
    if (random() >= uncovered) link(one, 'verified_by', tests[i % tests.length]!);
  });
  requirements.forEach((one, i) => {
    link(one, 'allocated_to', elements[i % elements.length]!);
  });
  units.forEach((unit, i) => {
    link(elements[i % elements.length]!, 'implemented_by', unit);
    link(unit, 'verified_by', unitTests[i % unitTests.length]!);
  });
  [...tests, ...unitTests].forEach((test, i) => {
    link(test, 'evidenced_by', results[i % results.length]!);
  });
  const total = Math.round(count * LINKS_PER_ARTIFACT);
  while (links.length < total) {
    const kind = random();
    if (kind < 0.4) link(pick(requirements), 'satisfies', pick(technical));
    else if (kind < 0.7) link(pick(requirements), 'verified_by', pick(tests));
    else link(pick(requirements), 'allocated_to', pick(elements));
  }
  return { artifacts: layers.flat(), links };
}

/** Ten layers of 400 requirements, elements and tests; every item is linked to half of the next layer. */
export function generateDenseTrace(): GeneratedTrace {
  const width = 400;
  const random = seededRandom(12);
  const types: readonly ArtifactType[] = [
    'safety_goal',
    'functional_safety_requirement',
    'functional_safety_requirement',
    'technical_safety_requirement',
    'technical_safety_requirement',
    'software_requirement',
    'software_requirement',
    'design',
    'test',
    'evidence',
  ];
  const layers = types.map((type, layer) =>
    Array.from({ length: width }, (_, i): Artifact => {
      const carries = type !== 'test' && type !== 'evidence';
      return {
        id: `L${layer}-${i}`,
        type,
        text: `Item ${i} of layer ${layer}.`,
        ...(carries ? { asil: 'D' } : {}),
      };
    }),
  );
  const wanted = 760_000;
  const share = wanted / (width * width * (layers.length - 1));
  const links: TraceLink[] = [];
  for (let layer = 0; layer + 1 < layers.length; layer++) {
    const below = types[layer + 1]!;
    for (const upper of layers[layer]!) {
      for (const lower of layers[layer + 1]!) {
        if (random() >= share) continue;
        if (below === 'design' || below === 'test' || below === 'evidence') {
          const type =
            below === 'design' ? 'allocated_to' : below === 'test' ? 'verified_by' : 'evidenced_by';
          links.push({ sourceId: copy(upper.id), type, targetId: copy(lower.id) });
        } else links.push({ sourceId: copy(lower.id), type: 'derives_from', targetId: copy(upper.id) });
      }
    }
  }
  return { artifacts: layers.flat(), links };
}

/** A string of its own, as a parser makes it. */
function copy(id: string): string {
  return Buffer.from(id, 'latin1').toString('latin1');
}
