import { withRemedies } from '../../advice/remedies.js';
import { summarise } from '../../advice/summarise.js';
import { loadConditions } from '../../conditions/load-conditions.js';
import { agreementOf } from '../../contradictions/agreement.js';
import { consistencyFindings, consistencyPhrases } from '../../contradictions/consistency.js';
import { statingPassages } from '../../corpus/corpus.js';
import { corpusOf } from '../../corpus/corpus-of.js';
import { indexPhrases, phrasesOf } from '../../corpus/mentions.js';
import { statedAsils } from '../../facts/asil-of-documents.js';
import { conditionsOutside } from '../../facts/project-scope.js';
import { type CriterionVerdict, type Finding, type Severity, VERDICTS } from '../../findings/finding.js';
import { isNotDue, notDueOf } from '../../findings/not-due.js';
import { bySeverity, countSeverities } from '../../findings/severities.js';
import { toldOnce } from '../../findings/told-once.js';
import { conditionPhrases } from '../../judgement/conditions.js';
import { judgeCriterion } from '../../judgement/judge-criterion.js';
import { type JudgementContext, nearestIn } from '../../judgement/judgement.js';
import { observationFindings } from '../../judgement/observations/observations.js';
import { type Asking, askingWith, modelStatement } from '../../models/asking.js';
import { rankCandidates } from '../../retrieval/rank-candidates.js';
import { say } from '../../sentences/sentence.js';
import { worded, wordsOnly } from '../../sentences/worded.js';
import type { Criterion, Standard } from '../../standards/criterion.js';
import { partOfStandard } from '../../standards/part-of-standard.js';
import { countEach, engineRun, type RunCallbacks, runToEnd } from '../engine-run.js';
import { isVerified, NOT_VERIFIED, withhold } from '../withhold.js';
import { askForPhase } from './ask-phase.js';
import { gapFindings } from './causes.js';
import { clausesForAPerson, isForAPerson } from './clauses-for-a-person.js';
import type {
  GapAnalysis,
  GapAnalysisEvent,
  GapAnalysisInput,
  GapAnalysisStage,
  WrittenSummary,
} from './gap-analysis.js';
import { shownOnlyHidden, unhiddenContext } from './hidden-evidence.js';
import { loweredBy } from './lowered-by.js';
import { methodStatement } from './method.js';
import { scoreOf } from './score.js';
import { gapsOfBoth, isWithheld, secondOpinions } from './second-opinions.js';

/**
 * Gap analysis: passages, document types, conditions, retrieval, judgement per criterion by rules, second opinions of a
 * language model where one is given, findings, score. Yields events as it goes; the last one carries the result.
 * Ends with the signal's reason when it is aborted. Throws `UnknownClauseError` for a scope that the standard has not.
 * Throws `EvidenceError` for a quote that is not in its document, which is a defect of the engine.
 */
export async function* gapAnalysisEvents(
  input: GapAnalysisInput,
): AsyncGenerator<GapAnalysisEvent, GapAnalysis> {
  const { signal, embedding, coverageModel, options = {} } = input;
  const run = engineRun<GapAnalysisStage, CriterionVerdict, GapAnalysis>(input);
  const standard = partOfStandard(input.standard, options.clauses);
  const criteria = new Map(standard.criteria.map((criterion) => [criterion.id, criterion]));
  const judged = standard.criteria.filter((criterion) => criterion.kind !== 'group');

  yield run.stage('passages', input.documents.length);
  const [corpus, conditions] = await Promise.all([corpusOf(input, run.pause), loadConditions()]);

  yield run.stage('words');
  const named = [...conditionPhrases(conditions.values()), ...consistencyPhrases()];
  const phrases = phrasesOf(standard.criteria, named);
  const index = await indexPhrases(corpus, phrases, run.pause);
  const asils = statedAsils(corpus);

  yield run.stage('retrieval');
  const passages = statingPassages(corpus);
  const ranking = await rankCandidates(judged, passages, {
    ...(embedding ? { model: embedding } : {}),
    // A model sees more than rules do: what retrieval leaves out none can find.
    ...(input.model ? { limit: MOST_FOR_A_MODEL } : {}),
    ...(coverageModel ? { coverageModel } : {}),
    ...(signal ? { signal } : {}),
  });

  const answers = { ...conditionsOutside(corpus), ...options.conditions };
  const words = { corpus, index, asils, ...nearestIn(ranking) };
  const context: JudgementContext = { ...words, conditions, answers, criteria };
  const unhidden = await unhiddenContext(input, { context, phrases, judged, pause: run.pause });
  const texts = new Map(input.documents.map((one) => [one.id, one.document]));
  const contradictions = consistencyFindings(corpus, index, standard);
  const byRules = yield* run.units('judgement', judged, {
    idOf: (verdict) => verdict.criterionId,
    atATime: 8,
    finish: (criterion, before) => {
      const seen = judgeCriterion(criterion, context, before.get(criterion.parentId ?? ''));
      const verdict = loweredBy(shownOnlyHidden(seen, criterion, unhidden), contradictions);
      return isVerified(verdict.evidence, texts) ? verdict : notVerified(verdict);
    },
  });

  const asking = input.model ? askingWith(input.model, signal) : undefined;
  const second = asking
    ? yield* secondOpinions(input, {
        asking,
        context,
        ranking,
        judged,
        byRules,
        unhidden,
        contradictions,
        run,
      })
    : undefined;
  const verdicts = second?.verdicts ?? byRules;

  yield run.stage('findings');
  await run.pause();
  const about = { standard, corpus, asil: asils.highest };
  const byId = new Map(verdicts.map((verdict) => [verdict.criterionId, verdict]));
  const gaps = second
    ? gapsOfBoth(second, { ...about, criteria })
    : gapFindings(verdicts, { ...about, criteria });
  const observed = observationFindings({ ...about, verdicts: byId });
  const all = sortFindings(toldOnce([...gaps, ...contradictions, ...observed]), judged);
  const { kept: sorted, withheld } = withhold(all, texts);
  const language = input.model?.remediesIn;
  const told =
    asking && language && !isWithheld(standard, asking)
      ? await withRemedies(sorted, { asking, corpus, language })
      : sorted;
  const findings = [...told, ...clausesForAPerson(verdicts, standard)];
  const severities = countSeverities(findings.filter((finding) => !isForAPerson(finding)));
  const summary = asking ? await summaryOf(told, { asking, standard, severities }) : undefined;
  const result: GapAnalysis = {
    schema: 'normtrace.gap-analysis/1',
    method: methodStatement(input, standard, {
      corpus,
      retrieval: ranking.method,
      passages: passages.length,
      ...(asking && second ? { model: modelStatement(asking, second.because) } : {}),
      ...withheldIn(verdicts, withheld),
    }),
    verdicts,
    ...(second ? { opinions: second.opinions } : {}),
    findings,
    notDue: notDueOf(verdicts.map(({ criterionId: id, ...rest }) => ({ id, ...rest }))),
    questions: corpus.scope.phase === undefined ? askForPhase(verdicts, criteria) : [],
    score: scoreOf(second?.counting ?? verdicts, criteria, agreementOf(corpus, index, observed)),
    counts: {
      verdicts: countEach(
        VERDICTS,
        verdicts.filter((one) => !isNotDue(one)).map(({ verdict }) => verdict),
      ),
      severities,
    },
    ...(summary ? { summary } : {}),
  };
  return yield* run.end(result, {
    evidence: [...verdicts, ...findings, ...(second?.quoted ?? [])].flatMap((one) => one.evidence),
    findings,
  });
}

const MOST_FOR_A_MODEL = 60;

/** A quote of it does not stand in its document, which is a defect of the engine: a person has to look. */
const notVerified = (verdict: CriterionVerdict): CriterionVerdict => ({
  ...verdict,
  ...{ verdict: 'needs_review', confidence: 'low', rules: [NOT_VERIFIED], evidence: [] },
  ...worded({ reason: say('verdicts.a-quote-could-not-be-verified') }),
});

/** How many statements were withheld; told only where there are some. */
function withheldIn(verdicts: readonly CriterionVerdict[], findings: number): { readonly withheld?: number } {
  const withheld = findings + verdicts.filter(({ rules }) => rules.includes(NOT_VERIFIED)).length;
  return withheld === 0 ? {} : { withheld };
}

/**
 * A few sentences about the whole, where they are asked for. None about an uploaded standard: whoever sees a run would read words
 * of it.
 */
async function summaryOf(
  findings: readonly Finding[],
  {
    asking,
    standard: { source, designation },
    severities,
  }: {
    readonly asking: Asking;
    readonly standard: Standard;
    readonly severities: Readonly<Record<Severity, number>>;
  },
): Promise<WrittenSummary | undefined> {
  const language = asking.use.summaryIn;
  if (language === undefined || source === 'uploaded') return undefined;
  const written = await summarise(
    {
      ...{ subject: designation, language },
      counts: Object.fromEntries(Object.entries(severities).map(([name, count]) => [`gaps.${name}`, count])),
      findings: findings.map((one) => ({
        id: one.fingerprint,
        severity: one.severity,
        title: wordsOnly(one, language).title,
      })),
    },
    { asking },
  );
  if ('failed' in written || written.sentences.length === 0) return undefined;
  return { language, sentences: written.sentences };
}

/** The whole analysis at once, with callbacks instead of events. */
export const analyseGaps = (
  input: GapAnalysisInput & RunCallbacks<GapAnalysisStage, CriterionVerdict>,
): Promise<GapAnalysis> => runToEnd(gapAnalysisEvents(input), input);

/** Most severe first, then in the order of the standard, then by identity. */
function sortFindings(findings: readonly Finding[], criteria: readonly Criterion[]): readonly Finding[] {
  const place = new Map(criteria.map((criterion, at) => [criterion.id, at]));
  return [...findings].sort(
    (a, b) =>
      bySeverity(a, b) ||
      (place.get(a.criterionId) ?? criteria.length) - (place.get(b.criterionId) ?? criteria.length) ||
      (a.fingerprint < b.fingerprint ? -1 : 1),
  );
}
