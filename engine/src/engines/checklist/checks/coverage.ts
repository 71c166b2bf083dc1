import { z } from 'zod';
import { asilRank, parseAsil } from '../../../asil/asil.js';
import { partsOfTypes } from '../../../corpus/corpus.js';
import type { ArtifactType } from '../../../facts/artifacts/artifact.js';
import { artifactWord } from '../../../facts/artifacts/artifact-word.js';
import { identifierKey } from '../../../facts/artifacts/identifiers.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import { allocatedKeys } from '../../../facts/stated/allocated.js';
import { statedFacts } from '../../../facts/stated/stated-facts.js';
import { cellOf, hasValue, rowsOf, tablesFor } from '../../../facts/table-rows.js';
import { say } from '../../../sentences/sentence.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { noArtifact, shareOutcome } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes, columns, documentTypes } from '../parameters.js';
import { quoteArtifact } from '../quotes.js';

/**
 * Every artifact of the types has a link of the relation, to an artifact of the types `to` where they are given.
 * `columns`: a value in one of these columns of its row counts as well (an allocation that names no id).
 */
const parameters = {
  of: artifactTypes,
  relation: z.enum(['parent', 'child', 'allocation', 'verification', 'evidence']),
  to: artifactTypes.optional(),
  columns: columns.min(1).optional(),
  /** Only artifacts of at least this ASIL. */
  least: z.enum(['A', 'B', 'C', 'D']).optional(),
  /** Verification through children counts. */
  indirect: z.literal(true).optional(),
  /** Only artifacts that documents of these types state, where there are such documents. */
  in: documentTypes.optional(),
  /** Without any such artifact it says nothing. */
  where_given: z.literal(true).optional(),
};
type Check = CheckParameters<typeof parameters>;

export const coverage = defineCheck('coverage', parameters, checkCoverage);

const REQUIREMENTS: readonly ArtifactType[] = [
  ...([
    'hazardous_event',
    'safety_goal',
    'functional_safety_requirement',
    'technical_safety_requirement',
  ] as const),
  ...([
    'hardware_requirement',
    'software_requirement',
    'cybersecurity_goal',
    'cybersecurity_requirement',
  ] as const),
];
/** What a relation leads to where the check does not say it; the direction and the types tell the rest. */
const TARGETS: Readonly<Record<Check['relation'], readonly ArtifactType[]>> = {
  parent: [...REQUIREMENTS, 'design', 'test', 'unknown'],
  child: REQUIREMENTS,
  allocation: ['design'],
  verification: ['test', 'evidence'],
  evidence: ['evidence'],
};
const NO_RESULT: ReadonlySet<string> = new Set(['no_evidence', 'inconclusive', 'stale', 'negative_result']);

function checkCoverage(check: Check, context: ItemContext): Outcome {
  const all = stated(check, context);
  if (all.length === 0 && check.where_given) {
    return outcome('neutral', 'low', {
      rules: ['none-given'],
      reason: say('checks.not-given', { of: check.of.map(artifactWord) }),
    });
  }
  if (all.length === 0) return noArtifact(check.of, context);
  const artifacts =
    check.least === undefined ? all : all.filter((one) => isAtLeast(check.least!, one, context));
  if (artifacts.length === 0) return noneRated(all, context);
  const told = new Set(check.columns ? toldInColumns(check.columns, context) : []);
  const allocated = check.relation === 'allocation' ? allocatedKeys(statedFacts(context.corpus)) : undefined;
  const rated = artifacts.map((artifact) => ({
    artifact,
    met:
      isLinked(check, artifact, context) ||
      told.has(placeOf(artifact)) ||
      (allocated?.has(identifierKey(artifact.id)) ?? false),
  }));
  const found = shareOutcome(rated, {
    context,
    filled: 100,
    rule: `coverage-${check.relation}`,
    what: say(`checks.relation-${check.relation}`, { to: check.to?.map(artifactWord) }),
  });
  return rated.length >= FEWEST && rated.every(({ met }) => !met) && hasOtherSide(check, context)
    ? {
        ...found,
        state: 'open',
        confidence: 'low',
        rules: ['no-link-read', ...found.rules],
        evidence: [],
      }
    : found;
}

/** Where so many have no link at all and both sides are there, the form of the links was more likely not understood. */
const FEWEST = 3;
const hasOtherSide = ({ of, relation, to }: Check, { trace }: ItemContext): boolean =>
  trace.ofTypes((to ?? TARGETS[relation]).filter((type) => !of.includes(type) && type !== 'unknown')).length >
  0;

/** Artifacts of the types; those of the documents that the check names, where such documents are known. */
function stated(check: Check, context: ItemContext): readonly ExtractedArtifact[] {
  const all = context.trace.ofTypes(check.of);
  const documents = new Set(
    check.in ? partsOfTypes(context.corpus, check.in).map((part) => part.documentId) : [],
  );
  return documents.size === 0 ? all : all.filter((one) => documents.has(one.documentId));
}

/** Parts of parts are asked for up to here. */
const DEEPEST = 3;

function isLinked(
  check: Check,
  artifact: Pick<ExtractedArtifact, 'id' | 'type'>,
  context: ItemContext,
  depth: number = 0,
): boolean {
  const { relation } = check;
  const { trace } = context;
  const targets = check.to ?? TARGETS[relation];
  const upwards = relation === 'parent';
  const neighbours = (upwards ? trace.up : trace.down).get(artifact.id) ?? [];
  const own = neighbours.filter((one) => targets.includes(one.type));
  if (relation === 'evidence') {
    const isBad = (trace.gaps.get(artifact.id) ?? []).some((gap) => NO_RESULT.has(gap.kind));
    return own.length > 0 && !isBad;
  }
  if (own.length > 0) return true;
  // What is split into parts of its own kind is refined where each of these is.
  const parts = relation === 'child' ? neighbours.filter(({ type }) => type === artifact.type) : [];
  if (parts.length > 0 && depth < DEEPEST)
    return parts.every((part) => isLinked(check, part, context, depth + 1));
  if (relation !== 'verification' || !check.indirect) return false;
  return (trace.gaps.get(artifact.id) ?? []).some((gap) => gap.kind === 'indirect_only');
}

function isAtLeast(
  least: NonNullable<Check['least']>,
  artifact: ExtractedArtifact,
  { trace, corpus }: ItemContext,
): boolean {
  const written = trace.rows.get(artifact.id)?.integrity ?? artifact.asil ?? levelTold(artifact.id, corpus);
  const stated = parseAsil(written ?? '');
  // Unknown counts: silence does not make it QM.
  return stated === undefined || asilRank(stated.own) >= asilRank(least);
}

/** The level that a sentence about an artifact gives as its result: "Result: QM, no goal needed". */
function levelTold(id: string, corpus: ItemContext['corpus']): string | undefined {
  return (statedFacts(corpus).byKey.get(identifierKey(id)) ?? [])
    .flatMap(({ values }) => [values.get('asil'), values.get('result')])
    .find((value) => value && parseAsil(value.text))?.text;
}

function noneRated(artifacts: readonly ExtractedArtifact[], { corpus }: ItemContext): Outcome {
  const evidence = artifacts.slice(0, 3).flatMap((one) =>
    quoteArtifact(corpus, one, {
      role: 'context',
      note: say('checks.its-level'),
      ...(one.asilPlace ? { at: one.asilPlace } : {}),
    }),
  );
  const state = evidence.length > 0 ? 'na' : 'open';
  return outcome(state, 'high', {
    rules: ['no-artifact-of-the-level'],
    reason: say('checks.none-of-the-is-of-the', { artifacts: artifacts.length }),
    evidence,
  });
}

const placeOf = (artifact: ExtractedArtifact) => `${artifact.documentId}:${artifact.start}`;

/** Places of the artifacts in whose row one of the columns has a value. */
function toldInColumns(columns: readonly string[], context: ItemContext): readonly string[] {
  const { trace } = context;
  const byRow = new Map<string, string[]>();
  for (const artifact of trace.artifacts) {
    const passage = trace.recordOf(artifact)?.passage;
    if (passage) byRow.set(passage.id, [...(byRow.get(passage.id) ?? []), placeOf(artifact)]);
  }
  return tablesFor(context, columns).flatMap((table) =>
    rowsOf(context, table)
      .filter((row) => table.keys.some((key) => hasValue(row, cellOf(row, key))))
      .flatMap((row) => byRow.get(row.document.read.passages[row.row.block]!.id) ?? []),
  );
}
