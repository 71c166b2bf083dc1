import type { Corpus } from '../../corpus/corpus.js';
import { passageAt } from '../../corpus/passages/passages-of.js';
import { isFilled } from '../../corpus/placeholders/emptiness.js';
import type { Artifact, ArtifactType } from '../../facts/artifacts/artifact.js';
import { extractionOf } from '../../facts/artifacts/extraction-of.js';
import { type ItemRecord, recordsByPassage } from '../../facts/artifacts/records.js';
import type { ExtractedArtifact, ExtractionNote } from '../../facts/artifacts/statement.js';
import type { LinkType } from '../../facts/artifacts/trace-link.js';
import { normaliseText } from '../../text/normalise.js';
import type { TraceabilityRules } from '../traceability/rules.js';
import { examineTraceability } from '../traceability/run.js';
import type { MatrixRow, TraceabilityInput, TraceGap } from '../traceability/traceability.js';

/** An artifact that another one is linked to. */
export interface Neighbour {
  readonly id: string;
  readonly type: ArtifactType;
}

/** What checks see of the trace: artifacts with their places, links by direction, gaps. */
export interface TraceView {
  /** Active artifacts that documents state, the first statement of each id, in reading order. */
  readonly artifacts: readonly ExtractedArtifact[];
  readonly byId: ReadonlyMap<string, ExtractedArtifact>;
  readonly rows: ReadonlyMap<string, MatrixRow>;
  /** Towards the source of the demand, by id. */
  readonly up: ReadonlyMap<string, readonly Neighbour[]>;
  readonly down: ReadonlyMap<string, readonly Neighbour[]>;
  readonly gaps: ReadonlyMap<string, readonly TraceGap[]>;
  readonly notes: readonly ExtractionNote[];
  /** The row or paragraph with fields that an artifact was read from. */
  recordOf(artifact: ExtractedArtifact): ItemRecord | undefined;
  ofTypes(types: readonly ArtifactType[]): readonly ExtractedArtifact[];
  /** Goals and requirements that have an id and nothing else: rows of a form that nobody has filled in. */
  hollowOf(types: readonly ArtifactType[]): readonly ExtractedArtifact[];
}

/**
 * Only what is about safety: types that every project has (system and software requirements) count where one of them states a level.
 * For lists about safety without any of their documents.
 */
export function onlyRated(trace: TraceView): TraceView {
  return {
    ...trace,
    ofTypes: (types) => {
      const own = trace.ofTypes(types);
      const isRated = own.some(
        (one) => one.asil !== undefined || trace.rows.get(one.id)?.integrity !== undefined,
      );
      return isRated ? own : [];
    },
  };
}

/** Takes artifacts and links out of all usable documents and examines them together with those that were given. */
export function traceView(
  corpus: Corpus,
  rules: TraceabilityRules,
  given: Pick<TraceabilityInput, 'artifacts' | 'links'> | undefined,
): TraceView {
  const extraction = extractionOf(corpus);
  const known = new Set(extraction.artifacts.map((one) => one.id));
  const further = (given?.artifacts ?? []).filter((one) => !known.has(one.id));
  const links = [...extraction.links, ...(given?.links ?? [])];
  const examination = examineTraceability({
    artifacts: [...extraction.artifacts, ...further],
    links,
    rules,
  });

  const byId = new Map<string, ExtractedArtifact>();
  const inactive = new Set(rules.statuses.inactive.map((word) => word.toLowerCase()));
  for (const artifact of extraction.artifacts) {
    const isOut =
      artifact.informational ||
      inactive.has(artifact.status?.trim().toLowerCase() ?? '') ||
      isForeign(corpus, artifact);
    if (!isOut && (!byId.has(artifact.id) || byId.get(artifact.id)!.type === 'unknown')) {
      byId.set(artifact.id, artifact);
    }
  }
  const hollow = new Set([...byId.values()].filter((one) => isHollow(one, rules)));
  const inOrder = [...byId.values()].sort(
    (a, b) => orderOf(corpus, a) - orderOf(corpus, b) || a.start - b.start,
  );
  const artifacts = inOrder.filter((one) => !hollow.has(one));
  const rows = new Map([...examination.matrixRows()].map((row) => [row.requirementId, row]));
  const { up, down } = neighboursOf(rows, [...byId.values(), ...further], links, rules);
  const gaps = new Map<string, TraceGap[]>();
  for (const gap of examination.analysis.gaps) {
    const own = gaps.get(gap.artifactId);
    if (own) own.push(gap);
    else gaps.set(gap.artifactId, [gap]);
  }
  const records = recordsByPassage(corpus);
  return {
    artifacts,
    byId,
    rows,
    up,
    down,
    gaps,
    notes: extraction.notes,
    ofTypes: (types) => artifacts.filter((one) => types.includes(one.type)),
    hollowOf: (types) => inOrder.filter((one) => hollow.has(one) && types.includes(one.type)),
    recordOf: (artifact) => {
      const document = corpus.documents[orderOf(corpus, artifact)];
      const passage = document && passageAt(document.read.passages, artifact.start);
      return passage && records.get(passage.id);
    },
  };
}

function isHollow({ type, text, id }: ExtractedArtifact, rules: TraceabilityRules): boolean {
  const { role } = rules.types[type];
  const said = normaliseText(text);
  return (role === 'goal' || role === 'requirement') && (!isFilled(text) || said === normaliseText(id));
}

function orderOf({ documents }: Corpus, { documentId }: ExtractedArtifact): number {
  return documents.findIndex((one) => one.id === documentId);
}

function isForeign(corpus: Corpus, artifact: ExtractedArtifact): boolean {
  const document = corpus.documents.find((one) => one.id === artifact.documentId);
  const passage = document && passageAt(document.read.passages, artifact.start);
  return passage !== undefined && corpus.otherItem.has(passage.id);
}

/** Links from what is derived to what it comes from. */
const UPWARDS: ReadonlySet<LinkType> = new Set(['derives_from', 'satisfies']);

/** Links by direction: those that the examination resolved, and for tests, elements and results those as written. */
function neighboursOf(
  rows: ReadonlyMap<string, MatrixRow>,
  artifacts: readonly Artifact[],
  links: TraceabilityInput['links'],
  rules: TraceabilityRules,
) {
  const types = new Map(artifacts.map((one) => [one.id, one.type]));
  const up = new Map<string, Neighbour[]>();
  const down = new Map<string, Neighbour[]>();
  const put = (map: Map<string, Neighbour[]>, id: string, neighbour: Neighbour) => {
    const own = map.get(id);
    if (!own) map.set(id, [neighbour]);
    else if (!own.some((one) => one.id === neighbour.id)) own.push(neighbour);
  };
  const join = (upper: Neighbour, lower: Neighbour) => {
    put(down, upper.id, lower);
    put(up, lower.id, upper);
  };
  for (const row of rows.values()) {
    const own = { id: row.requirementId, type: row.type };
    for (const link of row.upstreamLinks) join({ id: link.artifactId, type: link.artifactType }, own);
    for (const link of row.downstreamLinks) join(own, { id: link.artifactId, type: link.artifactType });
  }
  for (const { sourceId, targetId, type } of links) {
    // A source of unknown type ("REQ_001") is a source all the same.
    if (rows.has(sourceId) && types.get(targetId) === 'unknown' && UPWARDS.has(type)) {
      join({ id: targetId, type: 'unknown' }, { id: sourceId, type: rows.get(sourceId)!.type });
    }
    if (rows.has(sourceId) || rows.has(targetId) || sourceId === targetId) continue;
    const [a, b] = [types.get(sourceId), types.get(targetId)];
    if (!a || !b || a === 'unknown' || b === 'unknown') continue;
    const ends = [
      { id: sourceId, type: a },
      { id: targetId, type: b },
    ].sort((one, other) => rules.types[one.type].rank[0] - rules.types[other.type].rank[0]);
    join(ends[0]!, ends[1]!);
  }
  return { up, down };
}
