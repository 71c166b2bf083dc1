import { z } from 'zod';
import { identifierKey } from '../../../facts/artifacts/identifiers.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import { tellsTheDriver } from '../../../facts/stated/state-words.js';
import { type Evidence, SEVERITIES } from '../../../findings/finding.js';

import { say } from '../../../sentences/sentence.js';
import { GAP_KINDS } from '../../traceability/rules.js';
import type { TraceGap } from '../../traceability/traceability.js';
import { asContext, type ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { noArtifact } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes } from '../parameters.js';
import { quoteArtifact } from '../quotes.js';

/** No gap of these kinds (`AI-02`, `dangling_target`, …) on artifacts of the types. */
const parameters = { kinds: z.array(z.enum(GAP_KINDS)).min(1), of: artifactTypes };
type Check = CheckParameters<typeof parameters>;

export const traceRules = defineCheck('trace_rules', parameters, checkTraceRules);

const QUOTES = 4;
/** Rules about levels say nothing where no level is stated. AI-01 and AI-15 are about that. */
const ABOUT_ABSENCE: ReadonlySet<string> = new Set(['AI-01', 'AI-15']);

/** Rules that compare an artifact with what it is linked to. */
const ABOUT_LINKS: ReadonlySet<string> = new Set(
  ['02', '03', '04', '05', '06', '07', '08', '09', '11', '14', '16'].map((number) => `AI-${number}`),
);
/** Rules that compare ratings with what they give. */
const ABOUT_RATINGS: ReadonlySet<string> = new Set(['AI-13', 'AI-13-conservative']);

export function checkTraceRules({ kinds, of }: Check, context: ItemContext): Outcome {
  const { trace, corpus } = context;
  const artifacts = trace.ofTypes(of);
  if (artifacts.length === 0) return noArtifact(of, context);
  const wanted = new Set<string>(kinds);
  const hits = artifacts.flatMap((artifact) =>
    (trace.gaps.get(artifact.id) ?? [])
      // Where no link of its type was read, what follows from that tells nothing.
      .filter((gap) => wanted.has(gap.kind) && gap.because !== 'no_link_read')
      .map((gap) => ({ artifact, gap })),
  );
  const aboutLevels = kinds.every((kind) => kind.startsWith('AI-'));
  const bad = new Set(hits.map((hit) => hit.artifact.id));
  const instances = { met: artifacts.length - bad.size, total: artifacts.length };
  if (hits.length > 0) {
    // What only tells the driver is weighed by the trace, which knows what it may have less.
    const warningsOnly = hits.every(({ artifact }) => tellsTheDriver(artifact.text ?? ''));
    return outcome('fail', hits.some(({ gap }) => gap.integrityAssumed) ? 'medium' : 'high', {
      rules: [...new Set(hits.map((hit) => hit.gap.kind))],
      reason: say('checks.gap-and-more', {
        description: hits[0]!.gap.said.description,
        more: hits.length - 1,
      }),
      evidence: hits.slice(0, QUOTES).flatMap((hit) => evidenceOf(hit, aboutLevels, context)),
      instances,
      affected: [...new Set(hits.flatMap(({ gap }) => [gap.artifactId, ...(gap.affected ?? [])]))],
      tells: hits.map(({ gap }) => `${gap.kind} ${identifierKey(gap.artifactId)}`),
      ...(warningsOnly
        ? { severity: SEVERITIES.find((one) => hits.some(({ gap }) => gap.severity === one))! }
        : {}),
    });
  }
  const stated = artifacts.filter((one) => one.asil !== undefined);
  if (aboutLevels && stated.length === 0 && kinds.every((kind) => ABOUT_ABSENCE.has(kind))) {
    return outcome('neutral', 'medium', {
      rules: ['no-level-demanded'],
      reason: say('checks.none-of-the-states-a-level', { artifacts: artifacts.length }),
    });
  }
  if (aboutLevels && stated.length === 0 && !kinds.some((kind) => ABOUT_ABSENCE.has(kind))) {
    return outcome('missing', 'medium', {
      rules: ['no-level-stated'],
      reason: say('checks.none-of-the-states-an-integrity', { artifacts: artifacts.length }),
      evidence: artifacts
        .slice(0, 2)
        .flatMap((one) => quoteArtifact(corpus, one, { role: 'context', note: say('checks.no-level') })),
      terms: ['ASIL'],
    });
  }
  const support = (aboutLevels && stated.length > 0 ? stated : artifacts).slice(0, QUOTES).flatMap((one) =>
    quoteArtifact(corpus, one, {
      role: 'support',
      note: aboutLevels ? say('checks.level-of', { id: one.id }) : one.id,
      ...(aboutLevels && one.asilPlace ? { at: one.asilPlace } : {}),
    }),
  );
  if (kinds.every((kind) => ABOUT_RATINGS.has(kind)) && !artifacts.some((one) => one.ratings)) {
    return outcome('missing', 'medium', {
      rules: ['no-rating'],
      reason: say('checks.none-of-the-has-ratings-from', { artifacts: artifacts.length }),
      evidence: asContext(support),
      terms: ['S', 'E', 'C'],
    });
  }
  const isLinked = artifacts.some((one) => trace.up.has(one.id));
  if (kinds.every((kind) => ABOUT_LINKS.has(kind) || kind === 'AI-12') && !isLinked) {
    return outcome('open', 'low', {
      rules: ['no-links-to-compare'],
      reason: say('checks.none-of-the-is-linked-so', { artifacts: artifacts.length }),
      evidence: support,
      instances,
    });
  }
  const cause = causeElsewhere(artifacts, aboutLevels, context);
  if (cause) {
    return outcome('open', 'low', {
      rules: [cause.kind],
      reason: say('checks.as-stated-they-fit-but-what', { description: cause.said.description }),
      evidence: support,
      instances,
      affected: cause.affected ?? [],
    });
  }
  return outcome('pass', 'high', {
    rules: ['trace-rules-clean'],
    reason: say('checks.examined-nothing-of-the-kind-was', { artifacts: artifacts.length }),
    evidence: support,
    instances,
  });
}

/** A wrong level above them that they follow (domain E.4: a consequence is not reported again, but it is not right either). */
function causeElsewhere(
  artifacts: readonly ExtractedArtifact[],
  aboutLevels: boolean,
  { trace }: ItemContext,
): TraceGap | undefined {
  if (!aboutLevels) return undefined;
  const ids = new Set(artifacts.map((one) => one.id));
  for (const gaps of trace.gaps.values()) {
    const gap = gaps.find(
      (one) => one.gapType === 'asil_inconsistency' && one.affected?.some((id) => ids.has(id)),
    );
    if (gap) return gap;
  }
  return undefined;
}

/** The level or the text of the artifact, and of those that it does not fit to. */
function evidenceOf(
  { artifact, gap }: { readonly artifact: ExtractedArtifact; readonly gap: TraceGap },
  aboutLevels: boolean,
  { corpus, trace }: ItemContext,
): readonly Evidence[] {
  const others = gap.related.slice(0, 2).flatMap((id) => trace.byId.get(id) ?? []);
  return [artifact, ...others].flatMap((one) =>
    quoteArtifact(corpus, one, {
      role: 'counter',
      note: aboutLevels ? say('checks.level-of', { id: one.id }) : one.id,
      ...(aboutLevels && one.asilPlace ? { at: one.asilPlace } : {}),
    }),
  );
}
