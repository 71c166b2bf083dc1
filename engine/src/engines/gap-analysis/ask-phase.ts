import type { CriterionVerdict } from '../../findings/finding.js';
import { isFrom, lifecycle } from '../../phases/lifecycle.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Criterion } from '../../standards/criterion.js';

/** What a person is asked once for the whole run, and why. */
export interface RunQuestion {
  readonly question: string;
  readonly reason: string;
  readonly said: { readonly question: Sentence; readonly reason: Sentence };
}

/**
 * Asks for the phase where nobody told it and nothing was found of the work products of later phases than any that was found:
 * they may be not due, and silence does not tell.
 */
export function askForPhase(
  verdicts: readonly CriterionVerdict[],
  criteria: ReadonlyMap<string, Criterion>,
): readonly RunQuestion[] {
  const { phases, areas } = lifecycle();
  const rankOf = (id: string) => {
    const area = areas.find((one) => one.criteria.some((prefix) => isFrom(id, prefix)));
    return phases.findIndex((one) => one.id === area?.phase);
  };
  const products = verdicts
    .filter(({ criterionId }) => criteria.get(criterionId)?.kind === 'work_product')
    .map(({ criterionId, verdict }) => ({ verdict, rank: rankOf(criterionId) }));
  const found = products.filter(({ verdict }) => verdict === 'covered' || verdict === 'partial');
  const reached = Math.max(-1, ...found.map(({ rank }) => rank));
  const later = products.filter(({ verdict, rank }) => verdict === 'missing' && rank > Math.max(0, reached));
  if (later.length === 0) return [];
  const names = phases.filter((_, at) => later.some(({ rank }) => rank === at)).map(({ name }) => name);
  const question = say('scope.ask-phase');
  return [
    worded({
      question,
      reason: say('scope.ask-phase-because', {
        count: later.length,
        phases: names.map((text) => say('general.quoted', { text })),
      }),
    }),
  ];
}
