import { type AsilLevel, asilFromRatings } from '../../asil/asil.js';
import { differingLevels } from '../../contradictions/level-rules.js';
import type { Artifact, ArtifactType } from '../../facts/artifacts/artifact.js';
import { ARTIFACT_TYPES } from '../../facts/artifacts/artifact.js';
import { type IdTable, idTable } from '../../facts/artifacts/id-table.js';
import { normaliseText } from '../../text/normalise.js';
import {
  asilCode,
  type IntegrityCode,
  type IntegrityScale,
  integrityReader,
  integrityScale,
  knownLevel,
  type StatedIntegrity,
  UNKNOWN,
} from './integrity.js';
import type { Role, TraceabilityRules } from './rules.js';
import type { TraceabilityInput } from './traceability.js';

/** Roles as numbers, for comparing in loops. */
export const ROLE = {
  hazard: 0,
  goal: 1,
  requirement: 2,
  design: 3,
  test: 4,
  evidence: 5,
  unknown: 6,
  /** An id of another organisation that nothing here defines: takes any role. */
  stub: 7,
} as const satisfies Record<Role | 'stub', number>;

/** Facts about a node, as bits. */
export const FLAG = { inactive: 1, informational: 2, external: 4, draft: 8 } as const;

/** One artifact stated in more than one place. */
export interface Duplicate {
  readonly node: number;
  readonly otherText: boolean;
  /** Integrity levels stated, each once, when they differ, and what that is graded by. */
  readonly differing?: { readonly levels: readonly IntegrityCode[]; readonly grade: AsilLevel };
}

/** Artifacts of one workspace as numbered nodes; ids that stand for something outside follow after them. */
export interface Nodes {
  readonly rules: TraceabilityRules;
  readonly scale: IntegrityScale;
  /** By node: the definition that is used; undefined for ids outside. */
  readonly artifacts: readonly (Artifact | undefined)[];
  readonly ids: readonly string[];
  /** Nodes that are artifacts: 0 … defined - 1. */
  readonly defined: number;
  readonly byId: IdTable;
  /** By position in the artifacts given: their node, -1 for those of other workspaces. */
  readonly ofArtifact: Int32Array;
  readonly role: Uint8Array;
  readonly lowestRank: Int8Array;
  readonly highestRank: Int8Array;
  readonly flags: Uint8Array;
  /** Integrity level as stated; of a hazardous event the higher of stated and computed. */
  readonly stated: Uint8Array;
  /** Hazardous events with ratings: what they state and what the ratings give. */
  readonly rated: ReadonlyMap<number, { readonly stated: IntegrityCode; readonly computed: IntegrityCode }>;
  /** Attributes that are no single value, as written. */
  readonly unclear: ReadonlyMap<number, string>;
  readonly duplicates: readonly Duplicate[];
  /** Those stated in more than one place. */
  readonly restated: ReadonlySet<number>;
}

/** Numbers the artifacts of the workspace in the order given and joins those with the same id. Linear. */
export function collectNodes({ artifacts, rules, workspaceId }: TraceabilityInput): Nodes {
  const byId = idTable(artifacts.length);
  const kept: Artifact[] = [];
  const repeated = new Map<number, Artifact[]>();
  const ofArtifact = new Int32Array(artifacts.length).fill(-1);
  for (let position = 0; position < artifacts.length; position++) {
    const artifact = artifacts[position]!;
    if (artifact.workspaceId !== workspaceId) continue;
    const node = byId.add(artifact.id, kept.length);
    ofArtifact[position] = node;
    if (node === kept.length) kept.push(artifact);
    else {
      const statements = repeated.get(node);
      if (statements) statements.push(artifact);
      else repeated.set(node, [kept[node]!, artifact]);
    }
  }
  const scale = integrityScale(rules);
  const readIntegrity = integrityReader();
  const isCybersecurity = (type: ArtifactType) => rules.types[type].integrity === 'cybersecurity';
  const merged = new Map<number, StatedIntegrity>();
  const duplicates: Duplicate[] = [];
  for (const [node, statements] of repeated) {
    const definition = ownDefinition(statements, rules);
    const method =
      definition.verificationMethod ?? statements.find((one) => one.verificationMethod)?.verificationMethod;
    kept[node] = method === undefined ? definition : { ...definition, verificationMethod: method };
    const read = statements.map((one) => readIntegrity(one, isCybersecurity(definition.type)));
    const codes = [...new Set(read.map(({ code }) => code))].filter((code) => code !== UNKNOWN);
    const text = normaliseText(definition.text);
    const otherText = statements.some((one) => normaliseText(one.text) !== text);
    const differing = differingLevels(codes.flatMap((code) => knownLevel(scale, code) ?? []));
    if (otherText || differing) {
      duplicates.push({
        node,
        otherText,
        ...(differing && {
          differing: { levels: differing.levels.map(({ code }) => code), grade: differing.grade },
        }),
      });
    }
    const highest = codes.reduce(
      (best, code) => (scale.order[code]! > scale.order[best]! ? code : best),
      UNKNOWN,
    );
    const unclear = read.find((one) => one.unclear !== undefined);
    merged.set(node, highest === UNKNOWN && unclear ? unclear : { code: highest });
  }

  const defined = kept.length;
  const role = new Uint8Array(defined);
  const lowestRank = new Int8Array(defined);
  const highestRank = new Int8Array(defined);
  const flags = new Uint8Array(defined);
  const stated = new Uint8Array(defined);
  const unclear = new Map<number, string>();
  const rated = new Map<number, { stated: IntegrityCode; computed: IntegrityCode }>();
  const inactive = new Set(rules.statuses.inactive.map((word) => word.toLowerCase()));
  const draft = new Set(rules.statuses.draft.map((word) => word.toLowerCase()));
  const facts = new Map(
    ARTIFACT_TYPES.map((type) => {
      const { rank } = rules.types[type];
      return [type, { role: ROLE[rules.types[type].role], low: rank[0], high: rank[1] }];
    }),
  );
  for (let node = 0; node < defined; node++) {
    const artifact = kept[node]!;
    const fact = facts.get(artifact.type)!;
    role[node] = fact.role;
    lowestRank[node] = fact.low;
    highestRank[node] = fact.high;
    if (artifact.needs && fact.role === ROLE.unknown) {
      // The author's own kinds of item: what has to be covered demands something, what has not is an end of the chain.
      const { role: place, rank } =
        rules.types[artifact.needs.length > 0 ? 'software_requirement' : 'design'];
      role[node] = ROLE[place];
      lowestRank[node] = rank[0];
      highestRank[node] = rank[1];
    }
    const status = artifact.status?.trim().toLowerCase();
    flags[node] =
      (status !== undefined && inactive.has(status) ? FLAG.inactive : 0) |
      (artifact.informational ? FLAG.informational : 0) |
      (artifact.external ? FLAG.external : 0) |
      (status !== undefined && draft.has(status) ? FLAG.draft : 0);
    const integrity = merged.get(node) ?? readIntegrity(artifact, isCybersecurity(artifact.type));
    stated[node] = integrity.code;
    if (integrity.unclear !== undefined) unclear.set(node, integrity.unclear);
    if (artifact.ratings && fact.role === ROLE.hazard) {
      const computed = computedCode(artifact);
      rated.set(node, { stated: integrity.code, computed });
      if (scale.order[computed]! > scale.order[integrity.code]!) stated[node] = computed;
    }
  }
  return {
    rules,
    scale,
    artifacts: kept,
    ids: kept.map(({ id }) => id),
    defined,
    byId,
    ofArtifact,
    role,
    lowestRank,
    highestRank,
    flags,
    stated,
    rated,
    unclear,
    duplicates,
    restated: new Set(repeated.keys()),
  };
}

/** ASIL that the ratings of a hazardous event give; unknown without ratings or with impossible ones. */
function computedCode({ ratings }: Artifact): IntegrityCode {
  if (!ratings) return UNKNOWN;
  const level = asilFromRatings(ratings.severity, ratings.exposure, ratings.controllability);
  return level === undefined ? UNKNOWN : asilCode({ own: level });
}

/** Adds nodes for ids outside; they have no artifact and take any role. */
export function withStubs(nodes: Nodes, ids: readonly string[]): Nodes {
  if (ids.length === 0) return nodes;
  const count = nodes.defined + ids.length;
  const extend = <Column extends Uint8Array | Int8Array>(column: Column, longer: Column, value: number) => {
    longer.set(column);
    longer.fill(value, nodes.defined);
    return longer;
  };
  return {
    ...nodes,
    artifacts: [...nodes.artifacts, ...ids.map(() => undefined)],
    ids: [...nodes.ids, ...ids],
    role: extend(nodes.role, new Uint8Array(count), ROLE.stub),
    lowestRank: extend(nodes.lowestRank, new Int8Array(count), 0),
    highestRank: extend(nodes.highestRank, new Int8Array(count), 0),
    flags: extend(nodes.flags, new Uint8Array(count), FLAG.external),
    stated: extend(nodes.stated, new Uint8Array(count), UNKNOWN),
  };
}

/**
 * Which of several statements of one artifact is used: in its owner's document before others, then the highest
 * version, then the first (domain E.7). Throws for no statement.
 */
export function ownDefinition<Stated extends Artifact>(
  statements: readonly Stated[],
  rules: TraceabilityRules,
): Stated {
  const owned = ({ type, documentType }: Artifact) =>
    documentType !== undefined && rules.types[type].owners.includes(documentType);
  return statements.reduce((best, one) => {
    if (owned(best) !== owned(one)) return owned(best) ? best : one;
    return compareVersions(one.version, best.version) > 0 ? one : best;
  });
}

const collator = new Intl.Collator('en', { numeric: true });

/** 1.10 is newer than 1.9; no version is older than any. */
export function compareVersions(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return a === b ? 0 : collator.compare(a, b);
}
