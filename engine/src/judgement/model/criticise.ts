import { documentOf } from '../../corpus/corpus.js';
import { passageAt } from '../../corpus/passages/passages-of.js';
import type { CriterionVerdict } from '../../findings/finding.js';
import type { AnswerOf } from '../../models/answer-schemas.js';
import type { Asked } from '../../models/asking.js';
import type { SentPassage } from '../../models/language-model.js';
import { eachOnce } from '../../models/read-answer.js';
import { mayOrderModel } from '../../text/embedded-instruction.js';
import type { JudgementContext } from '../judgement.js';
import { type Demand, demandValues, type JudgedByModel } from './ask-judge.js';

/**
 * The question whether the cited sentences, read alone, carry the parts of a demand; undefined where there is none. Where
 * rules called it covered, their quotes are among them: what they found is not lowered unread.
 */
export function criticQuestion(
  { criterion, parts }: Demand,
  { cited, opinion }: JudgedByModel,
  {
    byRules,
    context: { corpus },
    withheld,
    isUploaded,
  }: {
    byRules: CriterionVerdict;
    context: JudgementContext;
    withheld: readonly string[];
    isUploaded: boolean;
  },
): Asked<'criticise'> | undefined {
  const lowers = byRules.verdict === 'covered' && opinion.verdict !== 'covered';
  const ofRules = !lowers
    ? []
    : byRules.evidence
        .filter(
          ({ role, documentId, quote }) =>
            role === 'support' && !withheld.includes(documentId) && !mayOrderModel(quote),
        )
        .map(({ documentId, quote, start }) => {
          const { passages } = documentOf(corpus, documentId).read;
          return { text: quote, documentId, passageId: passageAt(passages, start)?.id ?? documentId };
        });
  const ofModel = cited.map(({ text, passage }) => ({
    text,
    documentId: passage.documentId,
    passageId: passage.id,
  }));
  const shown = new Map([...ofModel, ...ofRules].map((one) => [one.text, one]));
  if (shown.size === 0) return undefined;
  const sends = new Map<string, SentPassage>();
  for (const { documentId, passageId } of shown.values()) sends.set(passageId, { documentId, passageId });
  return {
    task: 'criticise',
    values: {
      ...demandValues(criterion, parts),
      sentences: [...shown.keys()].map((sentence) => ({ sentence })),
    },
    sends: [...sends.values()],
    sendsStandard: isUploaded,
    issuesOf: (answer) =>
      eachOnce(
        answer.parts.map(({ part }) => part),
        parts.map(({ id }) => id),
      ),
  };
}

/** Whether the critic comes to what the model said, where that differs from what rules said. */
export function agrees(
  { parts }: AnswerOf<'criticise'>,
  { opinion }: JudgedByModel,
  { verdict }: CriterionVerdict,
): boolean {
  const supported = parts.filter(({ carried }) => carried === 'supports').length;
  if (opinion.verdict === 'covered') return supported === parts.length;
  if (verdict === 'covered') return supported < parts.length;
  return supported > 0;
}
