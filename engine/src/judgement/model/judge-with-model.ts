import type { Confidence, CriterionVerdict, Evidence, Verdict } from '../../findings/finding.js';
import { reasonOf } from '../../findings/said.js';
import { isAtLeast } from '../../findings/severities.js';
import type { Asking } from '../../models/asking.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Criterion } from '../../standards/criterion.js';
import { homeOf } from '../judge-criterion.js';
import type { JudgementContext } from '../judgement.js';
import { type Demand, type JudgedByModel, judgeQuestion, readJudgement } from './ask-judge.js';
import { inOrderOfAsking, rulesSayOf } from './choose-criteria.js';
import { agrees, criticQuestion } from './criticise.js';
import { type DecidedOpinion, decidedExamples } from './decided-examples.js';
import { packPassages } from './pack-passages.js';
import { partsOf } from './parts-of.js';
import { type Opinions, type Settlement, settle } from './settle.js';
import type { RulesAlone, SettledVerdict } from './settled-verdict.js';

/** What a model is to give its opinion on. */
export interface ToSettle {
  readonly criteria: readonly Criterion[];
  readonly verdictOf: (criterion: Criterion) => CriterionVerdict;
  /** Why rules decide alone, where something else than certainty is the reason. */
  readonly aloneBecause: (criterion: Criterion) => RulesAlone | undefined;
  /** What rules could not see or read may hold it. */
  readonly partlySeen: (verdict: CriterionVerdict) => boolean;
  readonly context: JudgementContext;
  readonly asking: Asking;
  /** The demands are words of a standard that somebody uploaded. */
  readonly isUploaded: boolean;
  /** Differences that people have decided before. */
  readonly decided: readonly DecidedOpinion[];
}

interface Settling extends ToSettle {
  readonly examplesOf: ReturnType<typeof decidedExamples>;
}

/** Criteria whose questions go out together. */
const AT_A_TIME = 8;
const MOST_EVIDENCE = 8;

/**
 * A second opinion on what rules are not sure of: choose, pack, ask, read, check citations, criticise, settle. Yields how many
 * criteria are settled; answers each one that rules were not certain of, in the order given.
 */
export async function* judgeWithModel(
  input: ToSettle,
): AsyncGenerator<{ readonly done: number; readonly total: number }, readonly SettledVerdict[]> {
  const { criteria, verdictOf, aloneBecause } = input;
  const unsure = criteria.filter((one) => rulesSayOf(verdictOf(one)) !== 'certain');
  const settled = new Map<string, SettledVerdict>();
  const alone = (one: Criterion, because: RulesAlone) =>
    settled.set(one.id, byRulesAlone(verdictOf(one), because));
  for (const one of unsure) {
    const because = aloneBecause(one);
    if (because) alone(one, because);
  }
  const asked = inOrderOfAsking(
    unsure.filter((one) => !settled.has(one.id)),
    verdictOf,
  );
  const { withheld } = input.asking.use;
  const examplesOf = decidedExamples(input.decided, { ...input.context, withheld });
  for (let from = 0; from < asked.length; from += AT_A_TIME) {
    const step = asked.slice(from, from + AT_A_TIME);
    for (const one of await settleSome(step, { ...input, examplesOf })) settled.set(one.criterionId, one);
    yield { done: Math.min(from + AT_A_TIME, asked.length), total: asked.length };
  }
  return unsure.map(({ id }) => settled.get(id)!);
}

async function settleSome(
  criteria: readonly Criterion[],
  input: Settling,
): Promise<readonly SettledVerdict[]> {
  const { asking, context, verdictOf } = input;
  const questionOf = (demand: Demand) =>
    judgeQuestion(demand, { ...input, examples: input.examplesOf(demand.criterion) });
  const demands = criteria.map((criterion) => demandOf(criterion, input));
  const settled = new Map<string, SettledVerdict>();
  const judged: { demand: Demand; opinion: JudgedByModel }[] = [];
  const alone = ({ criterion }: Demand, because: RulesAlone) =>
    settled.set(criterion.id, byRulesAlone(verdictOf(criterion), because));

  const packed = demands.filter(({ pack }) => pack.sentences.size > 0);
  for (const demand of demands) if (!packed.includes(demand)) alone(demand, 'nothing_to_send');
  const answers = await asking.ask(packed.map(questionOf));
  packed.forEach((demand, at) => {
    const answer = answers[at]!;
    if ('failed' in answer) alone(demand, answer.failed);
    else judged.push({ demand, opinion: readJudgement(answer.answer, demand, context) });
  });

  const changing = judged.filter(({ demand, opinion }) => changes(demand.criterion, opinion, input));
  const critical = changing.filter(({ demand }) => demand.criterion.severity === 'critical');
  const again = await asking.ask(
    critical.map(({ demand }) => questionOf(demandOf(demand.criterion, input, { reversed: true }))),
  );
  const unstable = new Set<string>();
  critical.forEach(({ demand, opinion }, at) => {
    const answer = again[at]!;
    const other =
      'answer' in answer ? readJudgement(answer.answer, demand, context).opinion.verdict : undefined;
    if (other !== opinion.opinion.verdict) unstable.add(demand.criterion.id);
  });

  const criticised = changing.flatMap(({ demand, opinion }) => {
    const byRules = verdictOf(demand.criterion);
    const withheld = asking.use.withheld ?? [];
    const question = unstable.has(demand.criterion.id)
      ? undefined
      : criticQuestion(demand, opinion, { ...input, byRules, withheld });
    return question ? [{ id: demand.criterion.id, opinion, byRules, question }] : [];
  });
  const critics = await asking.ask(criticised.map(({ question }) => question));
  const agreed = new Map(
    criticised.map(({ id, opinion, byRules }, at) => {
      const answer = critics[at]!;
      return [id, 'answer' in answer && agrees(answer.answer, opinion, byRules)] as const;
    }),
  );

  for (const { demand, opinion } of judged) {
    const { id } = demand.criterion;
    if (unstable.has(id))
      settled.set(id, { ...byRulesAlone(verdictOf(demand.criterion), 'unstable'), byModel: opinion.opinion });
    else settled.set(id, settledBy(demand.criterion, opinion, agreed.get(id), input));
  }
  return criteria.map(({ id }) => settled.get(id)!);
}

function demandOf(
  criterion: Criterion,
  { context, asking }: ToSettle,
  { reversed = false }: { reversed?: boolean } = {},
): Demand {
  const { withheld = [] } = asking.use;
  const pack = packPassages(context.nearest(criterion), context.corpus, {
    home: homeOf(criterion, context),
    withheld,
    reversed,
  });
  return { criterion, parts: partsOf(criterion, context.corpus), pack };
}

function opinionsOf(
  criterion: Criterion,
  { opinion, everyPartCited, orders }: JudgedByModel,
  criticAgrees: boolean,
  { verdictOf, partlySeen, context }: ToSettle,
): Opinions {
  const byRules = verdictOf(criterion);
  const { highest } = context.asils;
  return {
    rules: rulesSayOf(byRules),
    model: opinion.verdict,
    criticAgrees,
    everyPartCited,
    orders,
    // Where no level is stated, what a standard calls critical is taken for grave.
    grave: highest ? highest === 'C' || highest === 'D' : criterion.severity === 'critical',
    severe: isAtLeast(criterion.severity, 'high'),
    partlySeen: partlySeen(byRules),
  };
}

/** Whether the opinion would change the verdict if the critic agreed. */
function changes(criterion: Criterion, judged: JudgedByModel, input: ToSettle): boolean {
  const settlement = settle(opinionsOf(criterion, judged, true, input));
  return settlement.by !== 'rules' && settlement.verdict !== input.verdictOf(criterion).verdict;
}

function settledBy(
  criterion: Criterion,
  judged: JudgedByModel,
  criticAgrees: boolean | undefined,
  input: ToSettle,
): SettledVerdict {
  const byRules = input.verdictOf(criterion);
  const { opinion } = judged;
  const settlement = settle(opinionsOf(criterion, judged, criticAgrees ?? false, input));
  const critic = criticAgrees === undefined ? {} : { criticAgrees };
  if (settlement.by === 'rules') {
    const alone =
      opinion.verdict === 'none'
        ? byRulesAlone(byRules, 'cannot_tell')
        : unchanged(byRules, opinion.verdict === byRules.verdict ? 'same' : 'listed');
    return { ...alone, byModel: opinion, ...critic };
  }
  const ofModel = opinion.parts.flatMap(({ evidence }) => evidence);
  const { verdict, confidence, confirm } = settlement;
  return {
    criterionId: criterion.id,
    verdict,
    confidence: confidence === 'rules' ? byRules.confidence : confidence,
    byRules,
    byModel: opinion,
    ...critic,
    settledBy: settlement.by,
    outcome: outcomeOf(byRules.verdict, opinion.verdict, verdict),
    ...(confirm ? { confirm } : {}),
    ...worded({ reason: reasonFor(settlement, byRules, opinion.verdict) }),
    evidence: distinct(
      settlement.by === 'model' && verdict !== 'missing'
        ? [...ofModel, ...byRules.evidence]
        : [...byRules.evidence, ...ofModel],
    ),
  };
}

const RANK: Readonly<Record<string, number>> = { missing: 0, needs_review: 1, partial: 2, covered: 3 };

function outcomeOf(rules: Verdict, model: string, settled: Verdict): SettledVerdict['outcome'] {
  if (settled === rules) return 'same';
  return RANK[model]! > RANK[rules]! ? 'raised' : 'lowered';
}

function reasonFor(
  settlement: Exclude<Settlement, { by: 'rules' }>,
  byRules: CriterionVerdict,
  model: JudgedByModel['opinion']['verdict'],
): Sentence {
  const reason = reasonOf(byRules);
  const { by, verdict, confirm } = settlement;
  if (by === 'person')
    return say('opinions.differ', {
      rules: say(`opinions.verdict-${byRules.verdict}`),
      model: say(`opinions.verdict-${model === 'none' ? 'needs_review' : model}`),
      reason,
    });
  if (verdict === 'covered') {
    if (by === 'both') return say('opinions.agree-covered', { reason });
    return confirm
      ? say('opinions.closed-by-model', { reason })
      : say('opinions.covered-by-model', { reason });
  }
  if (verdict === 'partial') {
    if (by === 'both') return say('opinions.agree-partial', { reason });
    return byRules.verdict === 'covered'
      ? say('opinions.lowered-by-model', { reason })
      : say('opinions.partial-by-model', { reason });
  }
  return by === 'both'
    ? say('opinions.agree-missing', { reason })
    : say('opinions.missing-by-model', { reason });
}

/** The verdict of the rules, because a model was not asked or could not answer. */
export const byRulesAlone = (byRules: CriterionVerdict, because: RulesAlone): SettledVerdict => ({
  ...unchanged(byRules, 'abstained'),
  because,
});

function unchanged(byRules: CriterionVerdict, outcome: SettledVerdict['outcome']): SettledVerdict {
  const { criterionId, verdict, confidence, reason, said, evidence } = byRules;
  return {
    criterionId,
    verdict,
    confidence,
    byRules,
    settledBy: 'rules',
    outcome,
    reason,
    ...(said ? { said } : {}),
    evidence,
  };
}

/** Each place once. */
function distinct(evidence: readonly Evidence[]): readonly Evidence[] {
  const seen = new Map(evidence.map((one) => [`${one.documentId} ${one.start} ${one.end}`, one]));
  return [...seen.values()].slice(0, MOST_EVIDENCE);
}

/** The settled verdict as a verdict: what counts from here on. */
export function settledAsVerdict(settled: SettledVerdict): CriterionVerdict {
  const { byRules, verdict, confidence, reason, said, evidence, settledBy } = settled;
  if (settledBy === 'rules') return byRules;
  const { search, defects } = byRules;
  return {
    criterionId: byRules.criterionId,
    verdict,
    confidence: confidence satisfies Confidence,
    rules: [`settled-by-${settledBy}`, ...byRules.rules],
    reason,
    ...(said ? { said } : {}),
    evidence,
    ...(search && verdict !== 'covered' ? { search } : {}),
    ...(defects && verdict !== 'covered' ? { defects } : {}),
  };
}
