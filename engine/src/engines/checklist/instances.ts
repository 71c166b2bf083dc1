import type { ArtifactType } from '../../facts/artifacts/artifact.js';
import { artifactWord } from '../../facts/artifacts/artifact-word.js';
import type { ExtractedArtifact } from '../../facts/artifacts/statement.js';
import { type Prose, say } from '../../sentences/sentence.js';
import type { ItemContext } from './context.js';
import { type Outcome, outcome } from './outcome.js';
import { quoteArtifact } from './quotes.js';

const QUOTES = 3;
const NAMED = 5;

/** The outcome of a demand on each artifact: passes when enough of them meet it (all, at 100 percent). */
export function shareOutcome(
  rated: readonly { readonly artifact: ExtractedArtifact; readonly met: boolean }[],
  {
    context,
    filled,
    rule,
    what,
    place,
    confidence = 'high',
    notes,
  }: {
    readonly context: ItemContext;
    /** Percent. */
    readonly filled: number;
    readonly rule: string;
    /** What each of them has to have, for a person. */
    readonly what: Prose;
    readonly place?: (
      artifact: ExtractedArtifact,
    ) => { readonly start: number; readonly end: number } | undefined;
    readonly confidence?: Outcome['confidence'];
    /** Why one does not meet it, by id. */
    readonly notes?: ReadonlyMap<string, Prose>;
  },
): Outcome {
  const met = rated.filter((one) => one.met);
  const unmet = rated.filter((one) => !one.met);
  const instances = { met: met.length, total: rated.length };
  const evidenceOf = (role: 'support' | 'counter', artifact: ExtractedArtifact, note: Prose) => {
    const at = place?.(artifact);
    return quoteArtifact(context.corpus, artifact, { role, note, ...(at ? { at } : {}) });
  };
  if (met.length * 100 >= rated.length * filled) {
    return outcome('pass', confidence, {
      rules: [rule],
      reason: say('checks.all-have', { met: met.length, rated: rated.length, what }),
      evidence: met
        .slice(0, QUOTES)
        .flatMap(({ artifact }) =>
          evidenceOf('support', artifact, say('checks.it-has', { id: artifact.id, what })),
        ),
      instances,
      affected: unmet.map((one) => one.artifact.id),
    });
  }
  const ids = unmet.map((one) => one.artifact.id);
  // None at all: perhaps they are stated in a way that is not understood here.
  const isNone = met.length === 0 && rated.length > 1 && confidence === 'high';
  return outcome('fail', isNone ? 'medium' : confidence, {
    rules: [rule],
    reason: say('checks.not-all-have', {
      met: met.length,
      rated: rated.length,
      what,
      ids: ids.slice(0, NAMED),
      more: ids.length > NAMED,
    }),
    evidence: unmet
      .slice(0, QUOTES)
      .flatMap(({ artifact }) =>
        evidenceOf(
          'counter',
          artifact,
          notes?.get(artifact.id) ?? say('checks.it-has-not', { id: artifact.id, what }),
        ),
      ),
    instances,
    affected: ids,
  });
}

/** No artifact of the types says anything: there is none, or only rows of a form with their ids. */
export function noArtifact(types: readonly ArtifactType[], { trace, corpus }: ItemContext): Outcome {
  const names = types.map((type) => type.replaceAll('_', ' '));
  const hollow = trace.hollowOf(types);
  if (hollow.length > 0) {
    return outcome('fail', 'high', {
      rules: ['template-not-filled'],
      reason: say('checks.ids-stand-there-without-a-text', { hollow: hollow.length }),
      evidence: hollow
        .slice(0, QUOTES)
        .flatMap((one) =>
          quoteArtifact(corpus, one, { role: 'counter', note: say('checks.an-id-and-no-text') }),
        ),
      affected: hollow.map((one) => one.id),
    });
  }
  const untyped = untypedDemands(trace).length;
  return outcome('missing', untyped > 0 ? 'low' : 'medium', {
    rules: ['no-artifact'],
    reason: say('checks.none-of-kinds-found', { names: types.map(artifactWord), untyped }),
    terms: names,
  });
}

const FEWEST_UNTYPED = 3;
const NAME_WORDS = 3;

/** Statements whose type nobody knows: what seems to be missing may be among them. Few say nothing. */
export function untypedDemands({ artifacts }: ItemContext['trace']): readonly ExtractedArtifact[] {
  const untyped = artifacts.filter(
    ({ type, text }) => type === 'unknown' && text.trim().split(/\s+/).length > NAME_WORDS,
  );
  return untyped.length < FEWEST_UNTYPED ? [] : untyped;
}
