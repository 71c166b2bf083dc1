import type { AnswerOf } from '../../models/answer-schemas.js';
import type { Asked } from '../../models/asking.js';
import { eachOnce, modelWords } from '../../models/read-answer.js';
import type { Criterion } from '../../standards/criterion.js';
import type { JudgementContext } from '../judgement.js';
import { checkCitations } from './check-citations.js';
import type { DecidedExample } from './decided-examples.js';
import type { Pack, PackedSentence } from './pack-passages.js';
import type { DemandPart } from './parts-of.js';
import type { ModelSays } from './settle.js';
import type { ModelOpinion, PartOpinion } from './settled-verdict.js';

/** A demand with its parts and the sentences that may show them. */
export interface Demand {
  readonly criterion: Criterion;
  readonly parts: readonly DemandPart[];
  readonly pack: Pack;
}

/** An opinion with the sentences that it rests on. */
export interface JudgedByModel {
  readonly opinion: ModelOpinion;
  readonly cited: readonly PackedSentence[];
  readonly everyPartCited: boolean;
  readonly orders: boolean;
}

/** The question whether the sentences show the parts of a demand. */
export function judgeQuestion(
  { criterion, parts, pack }: Demand,
  {
    isUploaded,
    examples = [],
  }: { readonly isUploaded: boolean; readonly examples?: readonly DecidedExample[] },
): Asked<'judge'> {
  return {
    task: 'judge',
    values: {
      ...demandValues(criterion, parts),
      groups: pack.groups,
      ...(examples.length > 0 ? { examples: examples.map(({ values }) => values) } : {}),
    },
    ...(examples.length > 0 ? { preface: 'judge-decided' } : {}),
    sends: [...pack.sends, ...examples.flatMap(({ sends }) => sends)],
    sendsStandard: isUploaded,
    issuesOf: (answer) =>
      eachOnce(
        answer.parts.map(({ part }) => part),
        parts.map(({ id }) => id),
      ),
  };
}

export const demandValues = (criterion: Criterion, parts: readonly DemandPart[]) => ({
  id: criterion.id,
  kind: criterion.kind,
  title: criterion.title,
  text: criterion.text,
  parts: parts.map(({ id, text }) => ({ id, part: text })),
});

/** Best first; what is named later is worse. */
const ORDER: readonly ModelSays[] = ['covered', 'partial', 'missing'];

/**
 * What an answer is worth: citations are checked, a part without one that is left is absent, the verdict follows from the
 * parts; where the model's own verdict differs, the worse one counts.
 */
export function readJudgement(
  answer: AnswerOf<'judge'>,
  { criterion, parts, pack }: Demand,
  { corpus }: Pick<JudgementContext, 'corpus'>,
): JudgedByModel {
  const rules = new Set<string>();
  const cited = new Set<PackedSentence>();
  let everyPartCited = true;
  const opinions = parts.map((part): PartOpinion => {
    const said = answer.parts.find((one) => one.part === part.id)!;
    const claims = said.state === 'shown' || said.state === 'weak' || said.state === 'contradicted';
    const as = said.state === 'contradicted' ? 'counter' : 'support';
    const checked = checkCitations(claims ? said.sentences : [], part, {
      pack,
      corpus,
      plan: criterion.plan ?? false,
      as,
    });
    for (const rule of checked.dropped) rules.add(rule);
    for (const sentence of checked.sentences) cited.add(sentence);
    const isCited = checked.evidence.length > 0;
    if (!isCited || as === 'counter') everyPartCited = false;
    if (claims && !isCited) rules.add('no-citation');
    const state = claims && !isCited ? 'absent' : said.state;
    return { part: part.id, state, because: modelWords(said.because), evidence: checked.evidence };
  });
  const computed = verdictOf(opinions);
  const own =
    answer.verdict === 'not_applicable' || answer.verdict === 'cannot_tell' ? 'none' : answer.verdict;
  if (answer.verdict === 'not_applicable') rules.add('says-not-applicable');
  if (own !== computed) rules.add('verdict-differs');
  const verdict =
    own === 'none' || computed === 'none'
      ? 'none'
      : ORDER[Math.max(ORDER.indexOf(own), ORDER.indexOf(computed))]!;
  const orders = answer.orders.some((id) => pack.sentences.has(id));
  if (orders) rules.add('orders');
  return {
    opinion: { verdict, parts: opinions, missing: modelWords(answer.missing), rules: [...rules].sort() },
    cited: [...cited],
    everyPartCited,
    orders,
  };
}

function verdictOf(parts: readonly PartOpinion[]): ModelSays {
  const count = (state: PartOpinion['state']) => parts.filter((one) => one.state === state).length;
  if (count('shown') === parts.length) return 'covered';
  if (count('shown') + count('weak') > 0) return 'partial';
  return count('cannot_tell') * 2 > parts.length ? 'none' : 'missing';
}
