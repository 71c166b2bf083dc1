import type {
  CompletenessAnalysis,
  DocumentCompleteness,
  SectionResult,
} from '../../engines/completeness/completeness.js';
import { render } from '../../sentences/render.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import { inLanguage } from '../../sentences/worded.js';
import type { ReportDocument, ReportLanguage, ReportPart, ReportResult } from '../report.js';
import { adviceOnDocuments } from './advice.js';
import { assemblePart, reportEvidence } from './assemble-part.js';
import { modelFacts } from './gap-analysis-part.js';
import { type EvidenceValues, type RunValues, valuesOf } from './part-values.js';

export interface SectionValues
  extends Pick<SectionResult, 'key' | 'title' | 'state' | 'applies' | 'reason' | 'needsPerson'> {
  readonly said?: { readonly reason: Sentence };
  readonly evidence: readonly EvidenceValues[];
}

export interface DocumentValues extends Pick<DocumentCompleteness, 'id' | 'name' | 'setAside'> {
  readonly templates: readonly {
    readonly type: string;
    readonly name: string;
    readonly said?: { readonly name: Sentence };
    readonly sections: readonly SectionValues[];
  }[];
  /** Fingerprints of those about it. */
  readonly findings: readonly string[];
}

export interface SectionQuestionValues {
  readonly question: string;
  readonly reason: string;
  readonly said?: { readonly reason: Sentence };
  readonly sections: readonly { readonly documentId: string; readonly section: string }[];
}

/** Documents compared with their templates as a part of a report; its groups are the documents. */
export function documentsPart(
  run: RunValues,
  about: {
    readonly documents: readonly DocumentValues[];
    readonly questions: readonly SectionQuestionValues[];
  },
): ReportPart {
  const { language } = run;
  const names = new Map(about.documents.map(({ id, name }) => [id, name]));
  const documentOf = new Map(
    // Of a document in several formats that of the first one.
    about.documents
      .flatMap(({ id, findings }) => findings.map((fingerprint) => [fingerprint, id] as const))
      .reverse(),
  );
  const results = about.documents.flatMap((document) => sectionResults(document, run));
  const titles = new Map(results.map(({ id, title }) => [id, title]));
  const groups = [
    ...about.documents.map(({ id, name }) => ({ key: id, title: name })),
    { key: '', title: '' },
  ];
  return assemblePart('completeness', run, {
    subject: '',
    groups,
    groupOf: ({ finding, documentId }) => documentOf.get(finding.fingerprint) ?? documentId ?? '',
    // In an outline of other words they may be there.
    isUnconfirmed: ({ finding }) => finding.kind === 'section_missing' && finding.confidence === 'low',
    results,
    questions: inLanguage(about.questions, language).map(({ question, reason, sections }) => ({
      subject: question,
      text: [
        reason,
        sections
          .map(
            (one) =>
              `${names.get(one.documentId) ?? one.documentId}: ${titles.get(`${one.documentId}/${one.section}`) ?? one.section}`,
          )
          .join('; '),
      ]
        .join(' ')
        .trim(),
    })),
    notAssessed: about.documents
      .filter(({ templates }) => templates.length === 0)
      .map(({ name, setAside }) => ({
        subject: name,
        reason: setAside ?? render(say('completeness.no-template-fits'), language),
      })),
  });
}

function sectionResults({ id, templates }: DocumentValues, run: RunValues): ReportResult[] {
  return inLanguage(templates, run.language).flatMap((template) =>
    template.sections
      .filter(({ applies }) => applies !== 'no')
      .map((section): ReportResult => {
        const isOpen = section.applies === 'unknown';
        return {
          id: `${id}/${template.type}.${section.key}`,
          group: id,
          label: template.name,
          title: section.title,
          state: isOpen ? 'needs_review' : section.state,
          reason: section.reason,
          evidence: section.evidence.map((one) => reportEvidence(one, run)),
          needsPerson: section.needsPerson || isOpen,
        };
      }),
  );
}

/** A completeness analysis as a part of a report. */
export function completenessPart(
  { documents, findings, questions, notDue, method, score, counts, opinions, chapters }: CompletenessAnalysis,
  options: {
    readonly id: string;
    readonly language: ReportLanguage;
    readonly notAssessed?: ReportPart['notAssessed'];
  },
): ReportPart {
  const run: RunValues = {
    id: options.id,
    engine: method.engine,
    mode: method.mode,
    method: { conditions: method.conditions, ...modelFacts(method.model) },
    score: { value: score.value, ...(score.agreement ? { agreement: score.agreement } : {}) },
    severities: counts.severities,
    documents: new Map(documents.map((one) => [one.id, one])),
    findings: findings.map((one) => valuesOf(one)),
    ...(options.notAssessed ? { notAssessed: options.notAssessed } : {}),
    notDue,
    advice: adviceOnDocuments({ ...(opinions ? { opinions } : {}), ...(chapters ? { chapters } : {}) }),
    language: options.language,
  };
  return documentsPart(run, { documents, questions });
}

/** The documents of a completeness analysis as a report lists them. */
export function completenessDocuments({ documents }: CompletenessAnalysis): ReportDocument[] {
  return documents.map(({ id, name, version, sha256, templates, metadata, status, setAside, notes }) => ({
    id,
    name,
    version,
    sha256,
    types: [...new Set(templates.map(({ type }) => type))],
    status,
    ...statedBy(metadata),
    ...(setAside === undefined ? {} : { setAside }),
    notes,
  }));
}

const STATED: ReadonlySet<string> = new Set(['version', 'date', 'status']);

/** Version, date and status as the document states them. */
export function statedBy(
  metadata: readonly { readonly key: string; readonly state: string; readonly value?: string | null }[],
): Pick<ReportDocument, 'stated'> {
  const found = metadata.flatMap(({ key, state, value }) =>
    STATED.has(key) && state === 'present' && value ? [[key, value.replace(/\s+/g, ' ')]] : [],
  );
  return found.length === 0 ? {} : { stated: Object.fromEntries(found) };
}
