import { loadConditions } from '../../conditions/load-conditions.js';
import { consistencyFindings, consistencyPhrases } from '../../contradictions/consistency.js';
import { usableDocuments } from '../../corpus/corpus.js';
import { corpusOf } from '../../corpus/corpus-of.js';
import { indexPhrases, phrasesOf } from '../../corpus/mentions.js';
import { statedAsils } from '../../facts/asil-of-documents.js';
import type { CriterionVerdict, Finding } from '../../findings/finding.js';
import { observedOf, reasonOf } from '../../findings/said.js';
import { bySeverity, countSeverities } from '../../findings/severities.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { conditionPhrases } from '../../judgement/conditions.js';
import { judgeCriterion } from '../../judgement/judge-criterion.js';
import type { JudgementContext } from '../../judgement/judgement.js';
import { observationFindings } from '../../judgement/observations/observations.js';
import { rankCandidates } from '../../retrieval/rank-candidates.js';
import { breathe } from '../../scheduling/breathe.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { Criterion } from '../../standards/criterion.js';
import { partOfStandard } from '../../standards/part-of-standard.js';
import { methodStatement } from '../method-statement.js';
import { type RunCallbacks, runToEnd } from '../run-to-end.js';
import type { GapAnalysis, GapAnalysisEvent, GapAnalysisInput, GapAnalysisStage } from './gap-analysis.js';
import { gapFindings, INCONSISTENT } from './gap-findings.js';
import { shownOnlyHidden, unhiddenContext } from './hidden-evidence.js';
import { scoreOf } from './score.js';

const CRITERIA_PER_BREATH = 8;
const MOST_EVIDENCE = 8;

/**
 * Gap analysis in `rules` mode: passages, document types, conditions, retrieval, judgement per criterion,
 * findings, score. Yields events as it goes; the last one carries the result.
 * Ends with the signal's reason when it is aborted. Throws `UnknownClauseError` for a scope that the standard has not. Throws `EvidenceError` for a quote that is not in its
 * document, which is a defect of the engine.
 */
export async function* gapAnalysisEvents(
  input: GapAnalysisInput,
): AsyncGenerator<GapAnalysisEvent, GapAnalysis> {
  const { signal, embedding } = input;
  const standard = partOfStandard(input.standard, input.options?.clauses);
  const pause = () => breathe(signal);
  const stage = (name: GapAnalysisStage, done: number, total: number): GapAnalysisEvent => ({
    type: 'progress',
    stage: name,
    done,
    total,
  });
  const criteria = new Map(standard.criteria.map((criterion) => [criterion.id, criterion]));
  const judged = standard.criteria.filter((criterion) => criterion.kind !== 'group');

  yield stage('passages', 0, input.documents.length);
  const [corpus, conditions] = await Promise.all([corpusOf(input, pause), loadConditions()]);

  yield stage('words', 0, 1);
  const phrases = phrasesOf(standard.criteria, [
    ...conditionPhrases(conditions.values()),
    ...consistencyPhrases(),
  ]);
  const index = await indexPhrases(corpus, phrases, pause);
  const asils = statedAsils(corpus);

  yield stage('retrieval', 0, 1);
  const evidence = usableDocuments(corpus).flatMap((document) =>
    document.read.passages.filter(
      (passage) => passage.role === 'body' && !passage.header && passage.text.trim() !== '',
    ),
  );
  const ranking = await rankCandidates(judged, evidence, {
    ...(embedding ? { model: embedding } : {}),
    ...(signal ? { signal } : {}),
  });

  const context: JudgementContext = {
    corpus,
    index,
    asils,
    conditions,
    answers: input.options?.conditions ?? {},
    criteria,
    nearest: (criterion) => ranking.byCriterion.get(criterion.id)?.candidates ?? [],
    coverageOf: (criterion) => ranking.byCriterion.get(criterion.id)?.coverage,
  };
  const unhidden = await unhiddenContext(input, { context, phrases, judged, pause });
  const contradictions = consistencyFindings(corpus, index, standard);
  const verdicts: CriterionVerdict[] = [];
  const judgedById = new Map<string, CriterionVerdict>();
  const known = new Map((input.known ?? []).map((verdict) => [verdict.criterionId, verdict]));
  for (const criterion of judged) {
    if (verdicts.length % CRITERIA_PER_BREATH === 0) await pause();
    const parent = judgedById.get(criterion.parentId ?? '');
    const verdict =
      known.get(criterion.id) ??
      loweredBy(
        shownOnlyHidden(judgeCriterion(criterion, context, parent), criterion, unhidden),
        contradictions,
      );
    verdicts.push(verdict);
    judgedById.set(criterion.id, verdict);
    yield { type: 'verdict', verdict, done: verdicts.length, total: judged.length };
  }

  yield stage('findings', 0, 1);
  await pause();
  const asil = asils.highest;
  const findings = sortFindings(
    [
      ...gapFindings(verdicts, { standard, criteria, corpus, asil }),
      ...contradictions,
      ...observationFindings({
        standard,
        corpus,
        asil,
        verdicts: judgedById,
      }),
    ],
    judged,
  );
  const documents = new Map(input.documents.map((one) => [one.id, one.document]));
  verifyEvidence(
    [...verdicts, ...findings].flatMap((one) => one.evidence),
    documents,
  );
  for (const finding of findings) yield { type: 'finding', finding };

  const result: GapAnalysis = {
    schema: 'normtrace.gap-analysis/1',
    method: methodStatement({ ...input, standard }, corpus, ranking.method, evidence.length),
    verdicts,
    findings,
    score: scoreOf(verdicts, criteria),
    counts: countsOf(verdicts, findings),
  };
  yield { type: 'completed', result };
  return result;
}

/** The whole analysis at once, with callbacks instead of events. */
export const analyseGaps = (input: GapAnalysisInput & RunCallbacks<GapAnalysisEvent>): Promise<GapAnalysis> =>
  runToEnd(gapAnalysisEvents(input), input);

/** What does not fit together takes the best verdict from the content that it is about (traps T5 and T13). */
function loweredBy(verdict: CriterionVerdict, contradictions: readonly Finding[]): CriterionVerdict {
  const own = contradictions.filter((finding) => finding.criterionId === verdict.criterionId);
  if (own.length === 0 || verdict.verdict !== 'covered') return verdict;
  return {
    ...verdict,
    verdict: 'partial',
    rules: [INCONSISTENT, ...own.map((finding) => finding.kind), ...verdict.rules],
    ...worded({
      reason: say('verdicts.but', { reason: reasonOf(verdict), observed: own.map(observedOf) }),
    }),
    evidence: [...own.flatMap((finding) => finding.evidence), ...verdict.evidence].slice(0, MOST_EVIDENCE),
  };
}

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

function countsOf(
  verdicts: readonly CriterionVerdict[],
  findings: readonly Finding[],
): GapAnalysis['counts'] {
  const counts = {
    verdicts: { covered: 0, partial: 0, missing: 0, not_applicable: 0, needs_review: 0 },
    severities: countSeverities(findings),
  };
  for (const { verdict } of verdicts) counts.verdicts[verdict]++;
  return counts;
}
