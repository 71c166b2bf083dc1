import { noted } from '../../corpus/evidence.js';
import type { Confidence, Evidence, Severity } from '../../findings/finding.js';
import { english } from '../../sentences/render.js';
import { type LocalWords, type Sentence, say } from '../../sentences/sentence.js';

/** What one check says. */
export type OutcomeState =
  | 'pass'
  /** Treated, but not as it has to be. */
  | 'fail'
  /** Nothing treats it. */
  | 'missing'
  /** It does not apply, and the evidence says so. */
  | 'na'
  /** The documents do not decide it: a person has to. */
  | 'open'
  /** Nothing speaks against it, and nothing shows it. */
  | 'neutral';

export interface Outcome {
  readonly state: OutcomeState;
  readonly confidence: Confidence;
  /** Most important first. */
  readonly rules: readonly string[];
  /** Sentences for a person. */
  readonly reason: Sentence;
  readonly evidence: readonly Evidence[];
  readonly instances?: { readonly met: number; readonly total: number };
  /** What does not meet it: an id, words of the document, or words of ours in both languages. */
  readonly affected?: readonly (string | LocalWords)[];
  readonly severity?: Severity;
  /** A person confirms it, however sure it is. */
  readonly confirm?: true;
  /** What was looked for, where nothing was found. */
  readonly terms?: readonly string[];
  /** Facts that it is about, where other checks may tell the same ones: rule and item. */
  readonly tells?: readonly string[];
}

const CONFIDENCES: readonly Confidence[] = ['high', 'medium', 'low'];
const lowest = (outcomes: readonly Outcome[]) => byConfidence(outcomes).at(-1)!.confidence;
const byConfidence = (outcomes: readonly Outcome[]) =>
  [...outcomes].sort((a, b) => CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence));

/** An outcome; what is left out is empty. */
export function outcome(
  state: OutcomeState,
  confidence: Confidence,
  rest: Partial<Outcome> & { readonly rules: readonly string[]; readonly reason: Sentence },
): Outcome {
  return { evidence: [], ...rest, state, confidence };
}

/** By what something affected is known. */
export const nameOf = (affected: string | LocalWords): string =>
  typeof affected === 'string' ? affected : affected.en;

/** All have to pass: what fails decides; what is shown in part only is a fail, and says which part is not there. */
export function allOf(outcomes: readonly Outcome[]): Outcome {
  const telling = outcomes.filter(({ state }) => state !== 'neutral' && state !== 'na');
  if (telling.length === 0) return outcomes.find(({ state }) => state === 'na') ?? openFrom(outcomes);
  const of = (state: OutcomeState) => telling.filter((one) => one.state === state);
  const fails = of('fail');
  const missing = of('missing');
  const rest = telling.filter(({ state }) => state === 'pass' || state === 'open');
  if (fails.length > 0) {
    const sure = byConfidence(fails);
    return merged('fail', sure[0]!.confidence, [...told(sure), ...missing, ...rest]);
  }
  if (missing.length === telling.length) return merged('missing', lowest(missing), missing);
  if (missing.length > 0) return incomplete(missing, rest);
  const open = of('open');
  if (open.length > 0) return merged('open', 'low', [...open, ...of('pass')]);
  return merged('pass', lowest(telling), telling);
}

/**
 * One is enough: the surest that passes; else the one that says most. What a person would have to confirm does not
 * outweigh a sure fail, and an unsure fail does not outweigh what a person could accept.
 */
export function anyOf(outcomes: readonly Outcome[]): Outcome {
  const best = (state: OutcomeState) => byConfidence(outcomes.filter((one) => one.state === state))[0];
  const pass = best('pass');
  const fail = best('fail');
  const isSureFail = fail !== undefined && fail.confidence !== 'low';
  if (pass && !(pass.confidence === 'low' && isSureFail)) return pass;
  if (isSureFail) return fail;
  const missing = outcomes.filter((one) => one.state === 'missing');
  const found = best('open') ?? fail ?? best('na');
  if (found) return found;
  return missing.length > 0 ? merged('missing', lowest(missing), missing) : openFrom(outcomes);
}

/** Some parts are shown, others nowhere: what is shown is the place that is incomplete. */
function incomplete(missing: readonly Outcome[], shown: readonly Outcome[]): Outcome {
  const found = merged('fail', lowest([...missing, ...shown]), [...missing, ...shown]);
  const evidence = found.evidence.map((one) =>
    one.role === 'support'
      ? noted(
          one,
          'counter',
          say('checks.the-rest-is-not-there', { note: one.said?.note ?? say('checks.found') }),
        )
      : one,
  );
  return { ...found, rules: ['parts-missing', ...found.rules], evidence };
}

/** Without those that tell nothing but what a surer one has told. */
function told(outcomes: readonly Outcome[]): readonly Outcome[] {
  const known = new Set<string>();
  return outcomes.filter(({ tells = [] }) => {
    const isNew = tells.length === 0 || tells.some((fact) => !known.has(fact));
    for (const fact of tells) known.add(fact);
    return isNew;
  });
}

/** One sentence after the other, each once. */
function together(reasons: readonly Sentence[]): Sentence {
  const all = [...new Map(reasons.map((one) => [english(one), one])).values()];
  return all.length === 1 ? all[0]! : say('general.sentences', { all });
}

function openFrom(outcomes: readonly Outcome[]): Outcome {
  return merged('open', 'low', outcomes);
}

function merged(state: OutcomeState, confidence: Confidence, outcomes: readonly Outcome[]): Outcome {
  const severity = outcomes.find((one) => one.state === state && one.severity)?.severity;
  const counted = outcomes.find((one) => one.instances && one.instances.met < one.instances.total);
  const instances = (counted ?? outcomes.find((one) => one.instances))?.instances;
  // What passes is no reason for a fail; beside what is missing it says how far it goes.
  const isContradicted = outcomes.some((one) => one.state === 'fail');
  const telling = outcomes.filter(
    ({ state: own }) =>
      own === state ||
      (state === 'fail' && !(isContradicted && own === 'pass')) ||
      (state === 'open' && own === 'pass'),
  );
  return {
    state,
    confidence,
    rules: [...new Set(outcomes.flatMap((one) => one.rules))],
    reason: together((telling.length > 0 ? telling : outcomes).map((one) => one.reason)),
    evidence: outcomes.flatMap((one) => one.evidence),
    ...(instances ? { instances } : {}),
    affected: [
      ...new Map(outcomes.flatMap((one) => one.affected ?? []).map((one) => [nameOf(one), one])).values(),
    ],
    ...(severity ? { severity } : {}),
    ...(outcomes.some((one) => one.state === state && one.confirm) ? { confirm: true as const } : {}),
    terms: [...new Set(outcomes.flatMap((one) => one.terms ?? []))],
  };
}
