import { type Sentence, say } from '../../sentences/sentence.js';
import type { TraceGap } from './traceability.js';

/** What is said of several gaps that have one cause. */
interface CauseWords {
  readonly title: Sentence;
  readonly observed: Sentence;
  readonly recommendation: Sentence;
}

/** Gaps that have one cause, in their order. */
export interface TraceCause {
  /** What makes it the same cause in the next run, whichever artifacts it concerns then. */
  readonly identity: string;
  readonly gaps: readonly { readonly gap: TraceGap; readonly position: number }[];
  /** What follows from it: gaps that close with it. */
  readonly consequences: readonly { readonly gap: TraceGap; readonly position: number }[];
}

/** Ids that a text names; more are counted. */
const NAMED = 5;

/** Links that are wrong in the same way, from which on the types are doubted and not the links; our own. */
const MISREAD_FROM = 3;

/** Kinds of gaps that have one cause however many artifacts have it, with their texts. Every other gap is a defect of its own. */
const NAMES = {
  'orphan_upstream/no_parent': 'no_parent',
  'orphan_upstream/no_requirement': 'no_requirement',
  'orphan_upstream/test_without_requirement': 'test_without_requirement',
  'orphan_upstream/evidence_without_source': 'evidence_without_source',
  'orphan_downstream/no_fsr': 'no_fsr',
  'orphan_downstream/not_refined_nor_allocated': 'not_refined_nor_allocated',
  'missing_verification/none': 'none',
  'missing_verification/indirect_only': 'indirect_only',
  'missing_verification/no_validation': 'no_validation',
  'missing_evidence/none': 'no_evidence',
  'missing_evidence/inconclusive': 'inconclusive',
  'missing_evidence/stale': 'stale',
  'broken_chain/level_skip': 'level_skip',
} as const;

/** What follows from which cause: gaps of the first kind stand below a cause of the second, where there is one. */
const FOLLOWS: Readonly<Record<string, string>> = {
  // Nothing below a goal is verified either.
  'missing_verification/no_validation': 'missing_verification/none',
  // Goals without requirements and requirements without goals: the links between them are not there.
  'orphan_upstream/no_parent': 'orphan_downstream/no_fsr',
};
/** Of what follows, only artifacts of this type do. */
const FOLLOWING_TYPE: Readonly<Record<string, TraceGap['artifactType']>> = {
  'orphan_upstream/no_parent': 'functional_safety_requirement',
};

const DANGLING = 'broken_chain/dangling_target';
const ILLEGAL_PAIR = 'broken_chain/illegal_pair';
const kindOf = ({ gapType, kind }: TraceGap) => `${gapType}/${kind}`;
/** What is missing because nothing of the kind was given is a cause of its own. */
const causeOf = (gap: TraceGap) => (gap.because ? `${kindOf(gap)} ${gap.because}` : kindOf(gap));

/** Puts gaps that have one cause together; a cause stands where its first gap stood. */
export function traceCauses(gaps: readonly TraceGap[]): readonly TraceCause[] {
  const kinds = new Set(gaps.map(causeOf));
  const causes = new Map<string, { gaps: Placed[]; consequences: Placed[] }>();
  for (const [position, gap] of gaps.entries()) {
    const kind = kindOf(gap);
    const follows = FOLLOWS[kind];
    const above = [follows, `${follows} none_given`, `${follows} planned`, `${follows} no_link_read`].find(
      (one) => one && kinds.has(one),
    );
    const isConsequence = above !== undefined && [undefined, gap.artifactType].includes(FOLLOWING_TYPE[kind]);
    const identity = isConsequence ? above : identityOf(gap, position);
    const cause = causes.get(identity) ?? { gaps: [], consequences: [] };
    causes.set(identity, cause);
    cause[isConsequence ? 'consequences' : 'gaps'].push({ gap, position });
  }
  return [...causes].map(([identity, cause]) => ({ identity, ...cause }));
}

type Placed = TraceCause['gaps'][number];

function identityOf(gap: TraceGap, position: number): string {
  const kind = kindOf(gap);
  if (kind in NAMES) return causeOf(gap);
  // Ids of one series that nothing defines: the document that would is not there.
  if (kind === DANGLING && gap.missing !== undefined) return `${kind}\n${seriesOf(gap.missing)}`;
  // Links from artifacts of one type to ids of one series: one type was read, or meant, differently.
  const [other] = gap.related;
  if (kind === ILLEGAL_PAIR && other !== undefined) return `${kind}\n${gap.artifactType}\n${seriesOf(other)}`;
  return `${position}`;
}

/** Whether many links are wrong in the same way: the types that were read are more likely wrong than each of the links. */
export const isLikelyMisread = ({ identity, gaps }: TraceCause): boolean =>
  identity.startsWith(ILLEGAL_PAIR) && gaps.length >= MISREAD_FROM;

/** Whether gaps of the kind have one cause however many artifacts have it. */
export const isKindOfCause = (gapType: string, kind: string): boolean => `${gapType}/${kind}` in NAMES;

const seriesOf = (id: string) => id.replace(/[-_. ]?\d[\d.-]*$/, '').toLowerCase();

/** Whether a cause is one that keeps its identity while artifacts come and go. */
export const isShared = ({ identity }: TraceCause) => identity.includes('/');

/** Names of texts where nothing of the kind was given, by the cause. */
const NOT_GIVEN_NAMES = {
  'orphan_upstream/no_parent none_given': 'nothing_above',
  'orphan_downstream/no_fsr none_given': 'no_requirements',
  'orphan_downstream/not_refined_nor_allocated none_given': 'nothing_below',
  'missing_verification/none none_given': 'no_tests_nor_method',
  'missing_verification/none planned': 'no_tests',
  'missing_evidence/none none_given': 'no_results',
  'orphan_upstream/no_parent no_link_read': 'no_link_up',
  'orphan_downstream/no_fsr no_link_read': 'no_link_down',
  'orphan_downstream/not_refined_nor_allocated no_link_read': 'no_link_down',
  'missing_verification/none no_link_read': 'no_link_to_tests',
} as const;

/** Identity of a cause whatever the reason is that it is there. */
export const withoutReason = ({ identity, gaps: [first] }: TraceCause): string =>
  first?.gap.because && identity in NOT_GIVEN_NAMES ? kindOf(first.gap) : identity;

/** What is said of a cause that several artifacts have; of one artifact its gap says it. */
export function causeWords({ identity, gaps }: TraceCause): CauseWords | undefined {
  const ids = named([...new Set(gaps.map(({ gap }) => gap.artifactId))]);
  const notGiven = NOT_GIVEN_NAMES[identity as keyof typeof NOT_GIVEN_NAMES];
  if (notGiven) {
    return {
      title: say(`trace.cause.${notGiven}.title`, { what: thingsOf(gaps) }),
      observed: say(`trace.cause.${notGiven}.observed`, { what: thingsOf(gaps), ids }),
      recommendation: say(`trace.cause.${notGiven}.action`),
    };
  }
  if (gaps.length < 2) return undefined;
  if (identity.startsWith(DANGLING)) {
    const missing = named([...new Set(gaps.map(({ gap }) => gap.missing ?? ''))]);
    return {
      title: say('trace.cause.dangling_target.title', { missing }),
      observed: say('trace.cause.dangling_target.observed', { missing, ids, count: gaps.length }),
      recommendation: say('trace.cause.dangling_target.action', { missing }),
    };
  }
  if (identity.startsWith(ILLEGAL_PAIR)) {
    const related = named([...new Set(gaps.flatMap(({ gap }) => gap.related))]);
    return {
      title: say('trace.cause.illegal_pair.title', { count: gaps.length, related }),
      observed: say('trace.cause.illegal_pair.observed', {
        count: gaps.length,
        what: thingsOf(gaps),
        related,
        ids,
      }),
      recommendation: say('trace.cause.illegal_pair.action', { related }),
    };
  }
  const name = NAMES[identity as keyof typeof NAMES];
  const what = thingsOf(gaps);
  return {
    title: say(`trace.cause.${name}.title`, { what: inShort(gaps) }),
    observed: say(`trace.cause.${name}.observed`, { what, ids }),
    recommendation: say(`trace.cause.${name}.action`, { count: gaps.length }),
  };
}

/** What follows, as a part of the observation. */
export function consequenceWords({ consequences }: TraceCause): Sentence | undefined {
  if (consequences.length === 0) return undefined;
  return say('trace.cause.follows', {
    what: thingsOf(consequences),
    ids: named(consequences.map(({ gap }) => gap.artifactId)),
  });
}

/** "3 safety goals and 8 software requirements". */
function thingsOf(gaps: readonly Placed[]): Sentence {
  const counts = new Map<TraceGap['artifactType'], number>();
  for (const { gap } of gaps) counts.set(gap.artifactType, (counts.get(gap.artifactType) ?? 0) + 1);
  return say('trace.cause.things', {
    things: [...counts].map(([type, count]) =>
      say('trace.cause.thing', {
        count,
        type: say(`trace.types.${type}.${count === 1 ? 'label' : 'plural'}`),
      }),
    ),
  });
}

/** "33 artifacts" where they are of several types: a title is short. */
function inShort(gaps: readonly Placed[]): Sentence {
  const isOneType = new Set(gaps.map(({ gap }) => gap.artifactType)).size === 1;
  return isOneType ? thingsOf(gaps) : say('trace.cause.artifacts', { count: gaps.length });
}

function named(ids: readonly string[]): Sentence {
  return say('trace.named', { ids: ids.slice(0, NAMED), more: Math.max(0, ids.length - NAMED) });
}
