import type { Condition } from '../../conditions/condition.js';
import type { Evidence } from '../../findings/finding.js';
import type { Asking } from '../../models/asking.js';
import type { Candidate } from '../../retrieval/candidate.js';
import type { Criterion } from '../../standards/criterion.js';
import { termsOf } from '../../text/terms.js';
import type { JudgementContext } from '../judgement.js';
import { checkCitations } from './check-citations.js';
import { packPassages } from './pack-passages.js';
import type { RulesAlone } from './settled-verdict.js';

/** What a model found out about a condition that nobody has answered. */
export type ConditionOpinion =
  | { readonly holds: boolean; readonly evidence: readonly Evidence[] }
  | { readonly because: RulesAlone };

/** A condition as something that passages can be near to. */
export const asQuery = ({ id, question, assertedBy }: Condition): Criterion => ({
  id: `condition:${id}`,
  kind: 'clause',
  clause: '',
  title: question.en,
  text: [question.en, question.de, ...assertedBy].join(' '),
  severity: 'medium',
  obligation: 'shall',
});

/**
 * Asks whether conditions hold. Yes and no need a sentence that passes the traps; that nothing is said stays a question for a
 * person.
 */
export async function askConditions(
  conditions: readonly Condition[],
  nearest: (condition: Condition) => readonly Candidate[],
  { context: { corpus }, asking }: { context: Pick<JudgementContext, 'corpus'>; asking: Asking },
): Promise<ReadonlyMap<string, ConditionOpinion>> {
  const { withheld = [] } = asking.use;
  const asked = conditions.map((condition) => ({
    condition,
    pack: packPassages(nearest(condition), corpus, { withheld }),
  }));
  const sent = asked.filter(({ pack }) => pack.sentences.size > 0);
  const answers = await asking.ask(
    sent.map(({ condition, pack }) => ({
      task: 'applies' as const,
      values: { question: `${condition.question.en} (${condition.question.de})`, groups: pack.groups },
      sends: pack.sends,
    })),
  );
  const opinions = new Map<string, ConditionOpinion>(
    asked.map(({ condition }) => [condition.id, { because: 'nothing_to_send' }]),
  );
  sent.forEach(({ condition, pack }, at) => {
    const given = answers[at]!;
    if ('failed' in given) {
      opinions.set(condition.id, { because: given.failed });
      return;
    }
    const { answer, sentences, orders } = given.answer;
    const checked = checkCitations(sentences, partOf(condition), {
      pack,
      corpus,
      // What is planned applies.
      plan: true,
      as: answer === 'no' ? 'counter' : 'support',
    });
    const isSaid = answer !== 'not_said' && checked.evidence.length > 0 && orders.length === 0;
    const evidence = checked.evidence.map((one) => ({ ...one, role: 'context' as const }));
    opinions.set(
      condition.id,
      isSaid ? { holds: answer === 'yes', evidence } : { because: 'condition_open' },
    );
  });
  return opinions;
}

function partOf({ question, assertedBy, deniedBy }: Condition) {
  const said = [question.en, question.de, ...assertedBy, ...deniedBy];
  const words = said.flatMap((one) => [...termsOf(one, 'en'), ...termsOf(one, 'de')]);
  return { id: 'a', text: question.en, words: new Set(words), languages: new Set(['en', 'de'] as const) };
}
