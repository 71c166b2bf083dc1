import type { RunQuestion } from '../../engines/gap-analysis/ask-phase.js';
import { isForAPerson } from '../../engines/gap-analysis/clauses-for-a-person.js';
import type { GapAnalysis } from '../../engines/gap-analysis/gap-analysis.js';
import type { DocumentStatement } from '../../engines/run-method.js';
import type { CriterionVerdict } from '../../findings/finding.js';
import { type ModelStatement, strangers } from '../../models/asking.js';
import { inLanguage } from '../../sentences/worded.js';
import type { Criterion, Standard } from '../../standards/criterion.js';
import { criterionIn } from '../../standards/criterion-words.js';
import type { ReportDocument, ReportPart, ReportResult } from '../report.js';
import { assemblePart, reportEvidence } from './assemble-part.js';
import { criterionGroups } from './criterion-groups.js';
import {
  type EvidenceValues,
  type OpinionValues,
  opinionsById,
  type RunValues,
  valuesOf,
} from './part-values.js';

export interface VerdictValues
  extends Pick<CriterionVerdict, 'criterionId' | 'verdict' | 'confidence' | 'reason' | 'said'> {
  readonly evidence: readonly EvidenceValues[];
}

/** Verdicts and findings about the criteria of a standard as a part of a report. */
export function criteriaPart(
  run: RunValues,
  about: {
    readonly subject: string;
    /** Absent where it was deleted. */
    readonly standard?: NonNullable<ReportPart['standard']>;
    /** As far as their words may be read. */
    readonly criteria: readonly Criterion[];
    readonly verdicts: readonly VerdictValues[];
    /** Where a language model was asked. */
    readonly opinions?: readonly OpinionValues[];
    readonly questions?: readonly RunQuestion[];
  },
): ReportPart {
  const criteria = about.criteria.map((one) => criterionIn(one, run.language));
  const byId = new Map(criteria.map((one) => [one.id, one]));
  const opinions = opinionsById(about.opinions);
  const { groups, groupOf } = criterionGroups(criteria);
  const results = about.verdicts.map((verdict): ReportResult => {
    const { criterionId, verdict: state, confidence, reason, evidence } = inLanguage(verdict, run.language);
    return {
      id: criterionId,
      group: groupOf(criterionId),
      label: labelOf(criterionId),
      title: byId.get(criterionId)?.title ?? '',
      state,
      confidence,
      reason,
      evidence: evidence.map((one) => reportEvidence(one, run)),
      needsPerson: state === 'needs_review' || opinions.get(criterionId)?.opinions?.confirm === true,
      ...opinions.get(criterionId),
    };
  });
  return assemblePart('gap_analysis', run, {
    subject: about.subject,
    ...(about.standard ? { standard: about.standard } : {}),
    groups,
    groupOf: ({ finding }) => groupOf(finding.criterionId),
    isUnconfirmed: ({ finding }) => isForAPerson(finding),
    results,
    questions: inLanguage(about.questions ?? [], run.language).map(({ question, reason }) => ({
      subject: question,
      text: reason,
    })),
  });
}

/** How a language model was used, as a report tells it. */
export const modelFacts = (model: ModelStatement | undefined): Pick<ReportPart['method'], 'model'> =>
  model === undefined
    ? {}
    : {
        model: {
          id: model.model,
          asked: model.asked,
          answered: model.answered,
          inputTokens: model.tokens.input,
          outputTokens: model.tokens.output,
          byRulesBecause: model.byRulesBecause,
          ...(strangers(model).length > 0 ? { answeredAs: strangers(model) } : {}),
        },
      };

/** A gap analysis as a part of a report. `notAssessed`: files that could not be read. */
export function gapAnalysisPart(
  { method, verdicts, opinions, findings, notDue, questions, score, counts }: GapAnalysis,
  options: {
    readonly id: string;
    readonly standard: Standard;
    readonly notAssessed?: ReportPart['notAssessed'];
  },
): ReportPart {
  const { id, designation, title, edition, source, criteria } = options.standard;
  const clauses = new Map(criteria.map((one) => [one.id, one.clause]));
  const run: RunValues = {
    id: options.id,
    engine: method.engine,
    mode: method.mode,
    method: {
      passages: method.passages,
      embedding:
        'model' in method.embedding
          ? { model: method.embedding.model }
          : { lexicalOnly: method.embedding.lexicalOnly },
      conditions: method.conditions,
      ...modelFacts(method.model),
    },
    score: { value: score.value, upTo: score.upTo, agreement: score.agreement },
    severities: counts.severities,
    documents: new Map(method.documents.map((one) => [one.id, one])),
    findings: findings.map((one) => valuesOf(one, clauses.get(one.criterionId))),
    ...(options.notAssessed ? { notAssessed: options.notAssessed } : {}),
    notDue,
    language: 'en',
  };
  return criteriaPart(run, {
    subject: designation,
    standard: { id, designation, title, edition, source },
    criteria,
    verdicts,
    ...(opinions
      ? {
          opinions: opinions.map(({ criterionId, byRules, byModel, outcome, confirm, because }) => ({
            id: criterionId,
            byRules: byRules.verdict,
            ...(byModel ? { byModel: byModel.verdict } : {}),
            outcome,
            ...(confirm ? { confirm } : {}),
            ...(because === undefined ? {} : { because }),
          })),
        }
      : {}),
    questions,
  });
}

/** The documents of a gap analysis as a report lists them. */
export const gapAnalysisDocuments = ({ method }: GapAnalysis): ReportDocument[] =>
  statedDocuments(method.documents);

/** Documents as a method statement has them. */
export function statedDocuments(documents: readonly DocumentStatement[]): ReportDocument[] {
  return documents.map(({ id, name, version, sha256, types, status, stated, setAside, notes }) => ({
    id,
    name,
    version,
    sha256,
    types: [...new Set(types.map(({ type }) => type))],
    status,
    ...(stated ? { stated } : {}),
    ...(setAside === undefined ? {} : { setAside }),
    notes,
  }));
}

/** The id as people cite it: without the standard before the colon. */
const labelOf = (criterionId: string): string => criterionId.slice(criterionId.indexOf(':') + 1);
