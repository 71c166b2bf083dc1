import {
  type Criterion,
  criteriaPart,
  documentsPart,
  itemsPart,
  loadStandard,
  type OpinionValues,
  type ReportAdvice,
  type ReportPart,
  type ReportResult,
  type RunQuestion,
  type RunValues,
  type SectionValues,
  type Sentence,
  tracePart,
} from '@normtrace/engine';
import type { DocumentCompleteness, OpenQuestion } from '../completeness/completeness.schemas.js';
import { examine } from '../traceability/examine-trace-task.js';
import { readTrace } from '../traceability/read-trace.js';
import type {
  PartRows,
  ReportedItem,
  ReportedOpinion,
  ReportedVerdict,
  StandardRows,
} from './report-rows.js';
import { evidenceOf, type StoredMethod } from './reported-evidence.js';

// Runs in a process of the engine: rows as the values that the engine makes parts of a report from.

type OfType = (rows: PartRows, run: RunValues) => Promise<ReportPart>;

/** What a stored sentence of its own keeps beside its words. */
interface Kept {
  readonly said?: { readonly reason: Sentence };
}

export const OF_TYPE: Readonly<Record<ReportPart['type'], OfType>> = {
  gap_analysis: async ({ analysis, standard, verdicts = '[]', opinions }, run) =>
    criteriaPart(run, {
      subject: standard?.name ?? analysis.standard_name,
      ...(standard ? { standard: await identityOf(standard) } : {}),
      criteria: standard ? await criteriaOf(standard) : [],
      verdicts: (JSON.parse(verdicts) as ReportedVerdict[]).map(
        ({ criterion_id: criterionId, verdict, confidence, reason, said, evidence }) => ({
          criterionId,
          verdict,
          confidence,
          reason,
          ...(said ? { said } : {}),
          evidence: evidence.map(evidenceOf),
        }),
      ),
      ...opinionsOf(opinions),
      questions: (analysis.summary?.questions ?? []) as readonly RunQuestion[],
    }),

  completeness: async ({ analysis, documents = '[]', opinions }, run) =>
    documentsPart(advised(run, opinions), {
      documents: (JSON.parse(documents) as DocumentCompleteness[]).map((document) => ({
        id: document.work_product_id,
        name: document.name,
        ...(document.set_aside === null ? {} : { setAside: document.set_aside }),
        templates: (document.templates as readonly StoredTemplate[]).map(
          ({ type, name, said, sections }) => ({
            type,
            name,
            ...(said ? { said } : {}),
            sections: sections.map(sectionOf),
          }),
        ),
        findings: document.gap_fingerprints,
      })),
      questions: ((analysis.summary?.questions ?? []) as readonly (OpenQuestion & Kept)[]).map(
        ({ sections, ...question }) => ({
          ...question,
          sections: sections.map((one) => ({ documentId: one.work_product_id, section: one.section })),
        }),
      ),
    }),

  traceability: async ({ analysis, trace, opinions }, run) => {
    const seen = analysis.summary?.trace as
      | { readonly total_artifacts: number; readonly total_links: number; readonly total_gaps: number }
      | undefined;
    const examination = trace && (await examine(readTrace(trace.columns), trace.options));
    const isSame =
      examination &&
      seen?.total_artifacts === examination.analysis.totalArtifacts &&
      seen.total_links === examination.analysis.totalLinks &&
      seen.total_gaps === examination.analysis.totalGaps;
    return tracePart(advised(run, opinions), isSame ? examination : undefined, trace?.columns.assumed_links);
  },

  checklist: async ({ analysis, items = '[]', opinions }, run) => {
    const { checklist = { id: '', title: { en: '' } } } = (analysis.summary?.method ?? {}) as StoredMethod;
    return itemsPart(run, {
      checklist,
      items: (JSON.parse(items) as ReportedItem[]).map(({ item, result, evidence, answer }) => ({
        item,
        result,
        evidence: evidence.map(evidenceOf),
        ...(answer?.verdict
          ? { override: { state: answer.verdict, by: answer.by, at: answer.at, reason: answer.reason } }
          : {}),
      })),
      questions: (analysis.summary?.questions ?? []) as readonly (ItemQuestion & Kept)[],
      ...opinionsOf(opinions),
    });
  },
};

/** Opinions as results have them; none where no model was asked. */
const opinionsOf = (json: string | undefined): { readonly opinions?: readonly OpinionValues[] } =>
  json === undefined
    ? {}
    : {
        opinions: (JSON.parse(json) as ReportedOpinion[]).map(
          ({ criterion_id: id, by_rules: byRules, by_model, outcome, confirm, because, decision }) => ({
            ...{ id, byRules, outcome },
            ...(by_model === null ? {} : { byModel: by_model as ReportResult['state'] }),
            ...(confirm ? { confirm } : {}),
            ...(because === null ? {} : { because }),
            ...(decision ? { decision: decisionOf(decision) } : {}),
          }),
        ),
      };

/** A run with what a model advised: it is no verdict of the run. */
const advised = (run: RunValues, json: string | undefined): RunValues =>
  json === undefined ? run : { ...run, advice: adviceOf(JSON.parse(json) as ReportedOpinion[], run) };

function adviceOf(opinions: readonly ReportedOpinion[], { documents }: RunValues): readonly ReportAdvice[] {
  return opinions.flatMap(({ criterion_id: id, clause, by_model, parts, decision }): ReportAdvice[] => {
    const [part] = parts;
    const says = by_model as ReportAdvice['says'] | null;
    // Only what somebody has to look at: a requirement with nothing to say against it is none.
    if (!part || says === null || says === 'good') return [];
    const quotes = part.evidence.map(({ quote }) => quote);
    const about = {
      ...{ says, because: part.because, quotes },
      ...(decision ? { decision: decisionOf(decision) } : {}),
    };
    if (part.part === 'link')
      return [{ kind: 'link', subject: id.replace(` ${clause} `, ' → '), about: clause, ...about }];
    if (part.part !== 'chapter')
      return [{ kind: 'wording', subject: withoutAxis(id, part.part), about: part.part, ...about }];
    const name = documents.get(part.evidence[0]?.work_product_id ?? '')?.name ?? '';
    return [{ kind: 'chapter', subject: `${name}: ${quotes[0] ?? ''}`, about: clause, ...about }];
  });
}

/** The requirement of "FSR-01 verifiable (2)". */
const withoutAxis = (id: string, axis: string): string => id.replace(` ${axis}`, '');

const decisionOf = ({ decision, reason, by, decided_at: at }: NonNullable<ReportedOpinion['decision']>) => ({
  ...{ decision, reason, by, at },
});

interface ItemQuestion {
  readonly question: string;
  readonly reason: string;
  readonly items: readonly string[];
}

type StoredTemplate = DocumentCompleteness['templates'][number] & {
  readonly said?: { readonly name: Sentence };
};
type StoredSection = DocumentCompleteness['templates'][number]['sections'][number] & Kept;

const sectionOf = ({ needs_person, evidence, ...section }: StoredSection): SectionValues => ({
  key: section.key,
  title: section.title,
  state: section.state,
  applies: section.applies,
  reason: section.reason,
  ...(section.said ? { said: section.said } : {}),
  needsPerson: needs_person,
  evidence: evidence.map(({ location: { requirement_id, ...location }, ...one }) =>
    evidenceOf({
      ...one,
      location: {
        ...(location as SectionValues['evidence'][number]['location']),
        ...(requirement_id === undefined ? {} : { requirementId: requirement_id }),
      },
    }),
  ),
});

async function identityOf({
  id,
  catalogId,
  name,
  version,
}: StandardRows): Promise<NonNullable<ReportPart['standard']>> {
  if (catalogId === null) return { id, designation: name, title: name, edition: version, source: 'uploaded' };
  const { designation, title, edition } = await loadStandard(catalogId);
  return { id, designation, title, edition, source: 'catalog' };
}

async function criteriaOf({ catalogId, criteria }: StandardRows): Promise<readonly Criterion[]> {
  if (catalogId !== null) return (await loadStandard(catalogId)).criteria;
  return criteria === undefined ? [] : (JSON.parse(criteria) as Criterion[]);
}
