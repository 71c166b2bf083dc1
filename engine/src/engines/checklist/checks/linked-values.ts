import { type Quantity, quantitiesIn } from '../../../facts/quantities.js';
import { type Sentence, say } from '../../../sentences/sentence.js';
import type { ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { noArtifact } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes } from '../parameters.js';
import { quoteArtifact } from '../quotes.js';

/** Numbers of one quantity agree between artifacts that are linked. */
const parameters = { of: artifactTypes, to: artifactTypes };
type Check = CheckParameters<typeof parameters>;

export const linkedValues = defineCheck('linked_values', parameters, checkLinkedValues);

const QUOTES = 3;

/**
 * Numbers of one quantity agree between linked artifacts. A part of a time may be shorter than the whole; a longer one, or
 * another value of any other quantity where each side states one, does not fit. A sign only: a person confirms.
 */
function checkLinkedValues({ of, to }: Check, context: ItemContext): Outcome {
  const { trace, corpus } = context;
  const artifacts = trace.ofTypes(of);
  if (artifacts.length === 0) return noArtifact(of, context);
  const pairs = artifacts.flatMap((artifact) =>
    (trace.up.get(artifact.id) ?? [])
      .filter((parent) => to.includes(parent.type))
      .flatMap((parent) => {
        const above = trace.byId.get(parent.id);
        return above
          ? [
              {
                artifact,
                above,
                clash: clashOf(artifact.text, above.text),
                same: sameOf(artifact.text, above.text),
              },
            ]
          : [];
      }),
  );
  const clashes = pairs.filter((pair) => pair.clash);
  if (clashes.length > 0) {
    return outcome('fail', 'low', {
      rules: ['linked-values-differ'],
      reason: say('checks.linked-different-values', { clashes: clashes.length, clash: clashes[0]!.clash }),
      evidence: clashes.slice(0, QUOTES).flatMap(({ artifact, above, clash }) =>
        [artifact, above].flatMap((one) =>
          quoteArtifact(corpus, one, {
            role: 'counter',
            note: say('checks.clash-of-artifact', { id: one.id, clash }),
          }),
        ),
      ),
      instances: { met: pairs.length - clashes.length, total: pairs.length },
      affected: clashes.map(({ artifact }) => artifact.id),
    });
  }
  const equal = pairs.filter((pair) => pair.same);
  if (equal.length === 0) {
    return outcome('neutral', 'low', {
      rules: ['no-common-values'],
      reason: say('checks.no-linked-pair-states-the-same'),
    });
  }
  return outcome('pass', 'low', {
    rules: ['linked-values-agree'],
    reason: say('checks.linked-pairs-state-the-same-values', { equal: equal.length }),
    evidence: equal
      .slice(0, QUOTES)
      .flatMap(({ artifact, above }) =>
        [artifact, above].flatMap((one) => quoteArtifact(corpus, one, { role: 'support', note: one.id })),
      ),
    instances: { met: pairs.length, total: pairs.length },
  });
}

function byKind(text: string): ReadonlyMap<string, readonly Quantity[]> {
  const kinds = new Map<string, Quantity[]>();
  for (const one of quantitiesIn(text)) kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one]);
  return kinds;
}

function clashOf(text: string, above: string): Sentence | undefined {
  const upper = byKind(above);
  for (const [kind, own] of byKind(text)) {
    const theirs = upper.get(kind);
    if (own.length !== 1 || theirs?.length !== 1) continue;
    const [a, b] = [own[0]!, theirs[0]!];
    if (kind === 'time' ? a.value > b.value : a.value !== b.value) {
      return say('checks.below', { one: a.written, other: b.written });
    }
  }
  return undefined;
}

function sameOf(text: string, above: string): boolean {
  const upper = byKind(above);
  return [...byKind(text)].some(([kind, own]) =>
    upper.get(kind)?.some((one) => own.some((other) => other.value === one.value)),
  );
}
