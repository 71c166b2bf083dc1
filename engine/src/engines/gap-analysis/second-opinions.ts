import { statingPassages } from '../../corpus/corpus.js';
import type { CriterionVerdict, Finding, ModelMark } from '../../findings/finding.js';
import { observedOf } from '../../findings/said.js';
import { judgeCriterion } from '../../judgement/judge-criterion.js';
import type { JudgementContext } from '../../judgement/judgement.js';
import { askConditions, asQuery, type ConditionOpinion } from '../../judgement/model/ask-conditions.js';
import { judgeWithModel, settledAsVerdict } from '../../judgement/model/judge-with-model.js';
import type { RulesAlone, SettledVerdict } from '../../judgement/model/settled-verdict.js';
import type { Asking } from '../../models/asking.js';
import type { Candidate } from '../../retrieval/candidate.js';
import { type CandidateRanking, rankCandidates } from '../../retrieval/rank-candidates.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Criterion, Standard } from '../../standards/criterion.js';
import type { EngineRun } from '../engine-run.js';
import { gapFindings } from './causes.js';
import { isClauseForAPerson } from './clauses-for-a-person.js';
import type { GapAnalysis, GapAnalysisEvent, GapAnalysisInput, GapAnalysisStage } from './gap-analysis.js';
import { criterionGaps, type FindingContext, INCONSISTENT } from './gap-findings.js';
import { isPartlySeen, shownOnlyHidden, type Unseen } from './hidden-evidence.js';
import { loweredBy } from './lowered-by.js';

/** What a language model added to the verdicts of the rules. */
export interface SecondOpinions {
  /** What counts, in the order of the standard. */
  readonly verdicts: readonly CriterionVerdict[];
  readonly byRules: readonly CriterionVerdict[];
  /** For the score: what a model closed counts as the rules have it until a person has confirmed it. */
  readonly counting: readonly CriterionVerdict[];
  readonly opinions: readonly SettledVerdict[];
  /** Why rules decided alone, one for each criterion where they did. */
  readonly because: readonly RulesAlone[];
  /** Everything with quotes that stands in the opinions. */
  readonly quoted: readonly { readonly evidence: CriterionVerdict['evidence'] }[];
}

/** Asks a language model about what rules are not sure of: first conditions that nobody answered, then demands. */
export async function* secondOpinions(
  input: GapAnalysisInput,
  {
    asking,
    context,
    ranking,
    judged,
    byRules,
    unhidden,
    contradictions,
    run,
  }: {
    readonly asking: Asking;
    readonly context: JudgementContext;
    readonly ranking: CandidateRanking;
    readonly judged: readonly Criterion[];
    readonly byRules: readonly CriterionVerdict[];
    readonly unhidden: Unseen;
    readonly contradictions: readonly Finding[];
    readonly run: EngineRun<GapAnalysisStage, CriterionVerdict, GapAnalysis>;
  },
): AsyncGenerator<GapAnalysisEvent, SecondOpinions> {
  yield run.stage('opinions');
  const isLicensed = isWithheld(input.standard, asking);
  const rules = new Map(byRules.map((verdict) => [verdict.criterionId, verdict]));
  const conditions = isLicensed
    ? new Map<string, ConditionOpinion>()
    : await openConditions(input, { rules: byRules, context, asking });
  for (const criterion of judged) {
    const opinion = conditions.get(criterion.condition ?? '');
    if (!opinion || !('holds' in opinion) || !opinion.holds || !waitsForCondition(rules.get(criterion.id)!))
      continue;
    const answers = { ...context.answers, [criterion.condition!]: true };
    const seen = judgeCriterion(criterion, { ...context, answers }, rules.get(criterion.parentId ?? ''));
    const assumed = loweredBy(shownOnlyHidden(seen, criterion, unhidden), contradictions);
    rules.set(criterion.id, {
      ...assumed,
      confidence: 'low',
      rules: [...assumed.rules, 'condition-by-model'],
    });
  }

  const excused = new Map<string, SettledVerdict>();
  for (const criterion of judged) {
    const opinion = conditions.get(criterion.condition ?? '');
    const verdict = rules.get(criterion.id)!;
    if (opinion && 'holds' in opinion && !opinion.holds && waitsForCondition(verdict))
      excused.set(criterion.id, notApplicable(criterion, verdict, opinion.evidence, context));
  }
  const steps = judgeWithModel({
    criteria: judged.filter(({ id }) => !excused.has(id)),
    verdictOf: ({ id }) => rules.get(id)!,
    aloneBecause: (criterion) =>
      aloneBecause(criterion, rules.get(criterion.id)!, { isLicensed, conditions }),
    partlySeen: isPartlySeen,
    context: { ...context, nearest: ({ id }) => ranking.byCriterion.get(id)?.candidates ?? [] },
    asking,
    isUploaded: input.standard.source === 'uploaded',
    decided: input.decided ?? [],
  });
  let settled: readonly SettledVerdict[];
  for (;;) {
    const step = await steps.next();
    if (step.done) {
      settled = step.value;
      break;
    }
    yield { type: 'progress', stage: 'opinions', ...step.value };
  }
  return combined({ judged, rules, settled, excused, contradictions });
}

/** Conditions that keep a verdict waiting, answered by a model where a sentence does. */
async function openConditions(
  input: GapAnalysisInput,
  {
    rules,
    context,
    asking,
  }: { rules: readonly CriterionVerdict[]; context: JudgementContext; asking: Asking },
): Promise<ReadonlyMap<string, ConditionOpinion>> {
  const waiting = new Set(
    rules.filter(waitsForCondition).map(({ criterionId }) => context.criteria.get(criterionId)?.condition),
  );
  const open = [...context.conditions.values()].filter(({ id }) => waiting.has(id));
  if (open.length === 0) return new Map();
  const ranking = await rankCandidates(open.map(asQuery), statingPassages(context.corpus), {
    ...(input.embedding ? { model: input.embedding } : {}),
    ...(input.signal ? { signal: input.signal } : {}),
  });
  const nearest = ({ id }: { readonly id: string }): readonly Candidate[] =>
    ranking.byCriterion.get(`condition:${id}`)?.candidates ?? [];
  return askConditions(open, nearest, { context, asking });
}

const waitsForCondition = ({ verdict, rules }: CriterionVerdict): boolean =>
  verdict === 'needs_review' && rules[0]?.startsWith('condition-') === true;

function aloneBecause(
  { condition }: Criterion,
  verdict: CriterionVerdict,
  { isLicensed, conditions }: { isLicensed: boolean; conditions: ReadonlyMap<string, ConditionOpinion> },
): RulesAlone | undefined {
  if (isLicensed) return 'licence';
  if (verdict.rules[0] === INCONSISTENT || verdict.rules.includes('support-and-denial'))
    return 'contradiction';
  if (!waitsForCondition(verdict)) return undefined;
  const opinion = conditions.get(condition ?? '');
  return opinion && 'because' in opinion ? opinion.because : 'condition_open';
}

function notApplicable(
  criterion: Criterion,
  byRules: CriterionVerdict,
  evidence: CriterionVerdict['evidence'],
  { conditions }: JudgementContext,
): SettledVerdict {
  const { label } = conditions.get(criterion.condition!)!;
  return {
    criterionId: criterion.id,
    verdict: 'not_applicable',
    confidence: 'low',
    byRules,
    settledBy: 'model',
    outcome: 'raised',
    confirm: true,
    ...worded({ reason: say('opinions.not-applicable-by-model', { label }) }),
    evidence,
  };
}

function combined({
  judged,
  rules,
  settled,
  excused,
  contradictions,
}: {
  judged: readonly Criterion[];
  rules: ReadonlyMap<string, CriterionVerdict>;
  settled: readonly SettledVerdict[];
  excused: ReadonlyMap<string, SettledVerdict>;
  contradictions: readonly Finding[];
}): SecondOpinions {
  const byId = new Map([...settled.map((one) => [one.criterionId, one] as const), ...excused]);
  const byRules = judged.map(({ id }) => rules.get(id)!);
  const verdicts = byRules.map((verdict) => {
    const one = byId.get(verdict.criterionId);
    return one ? loweredBy(settledAsVerdict(one), contradictions) : verdict;
  });
  const counting = verdicts.map((verdict, at) =>
    byId.get(verdict.criterionId)?.confirm ? byRules[at]! : verdict,
  );
  const opinions = judged.flatMap(({ id }) => byId.get(id) ?? []);
  const because = [
    ...opinions.flatMap((one) => one.because ?? []),
    ...judged.filter(({ id }) => !byId.has(id)).map(() => 'certain' as const),
  ];
  return {
    verdicts,
    byRules,
    counting,
    opinions,
    because,
    quoted: opinions.flatMap((one) => [one, one.byRules, ...(one.byModel?.parts ?? [])]),
  };
}

/**
 * Gaps by rules, each as it is with what a model said of it, and gaps that only a model found. What rules found never
 * disappears: a gap that a model closed stays until a person has confirmed it, under the same fingerprint. A finding about several
 * demands is closed when all of them are.
 */
export function gapsOfBoth(
  { byRules, verdicts }: SecondOpinions,
  context: FindingContext,
): readonly Finding[] {
  const settled = new Map(verdicts.map((verdict) => [verdict.criterionId, verdict]));
  const found = gapFindings(byRules, context);
  // Of clauses that were left to a person rules have found no gap of their own.
  const known = new Set(
    byRules
      .filter((verdict) => isGap(verdict) && !isClauseForAPerson(verdict))
      .map(({ criterionId }) => criterionId),
  );
  const further = criterionGaps(verdicts, context).filter(({ criterion }) => !known.has(criterion.id));
  const before = new Map(byRules.map((verdict) => [verdict.criterionId, verdict]));
  return [
    ...found.map((finding) => {
      const demands = finding.affected?.map(({ id }) => id) ?? [finding.criterionId];
      const after = demands
        .map((id) => settled.get(id)!)
        .filter(({ criterionId, verdict }) => verdict !== before.get(criterionId)!.verdict);
      return after.length === 0 ? finding : marked(finding, after, demands.length);
    }),
    ...further.map(({ finding }): Finding => ({ ...finding, byModel: 'found_by_model' })),
  ];
}

const isGap = ({ verdict }: CriterionVerdict): boolean => verdict === 'missing' || verdict === 'partial';

/** @param after What a model said otherwise, of so many demands of the finding. */
function marked(finding: Finding, after: readonly CriterionVerdict[], demands: number): Finding {
  const isMet = ({ verdict }: CriterionVerdict) => verdict === 'covered' || verdict === 'not_applicable';
  const isClosed = after.length === demands && after.every(isMet);
  const byModel: ModelMark = isClosed ? 'closed_by_model' : 'differs_from_model';
  const observed = isClosed
    ? say('opinions.closed-observed', { observed: observedOf(finding) })
    : say('opinions.differs-observed', {
        observed: observedOf(finding),
        verdict: say(`opinions.verdict-${after[0]!.verdict}`),
      });
  const words = worded({ observed });
  return {
    ...finding,
    byModel,
    evidence: after.flatMap(({ evidence }) => evidence),
    observed: words.observed,
    ...(finding.said ? { said: { ...finding.said, ...words.said } } : {}),
  };
}

/** Whether the words of a standard may not be sent. */
export const isWithheld = ({ source }: Standard, { use }: Asking): boolean =>
  source === 'uploaded' && !use.sendsStandard;
