import type { CorpusDocument } from '../../corpus/corpus.js';
import type { DocumentType } from '../../document-types/document-type.js';
import type { Finding, Severity } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import {
  contentOf,
  emptyOf,
  METADATA,
  OPEN_CONTENT,
  openPointsOf,
  rowsOf,
  VERSIONS,
} from '../../findings/subject.js';
import { english } from '../../sentences/render.js';
import { type Sentence, say, type Value, wordsOf } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { SectionResult } from './completeness.js';
import type { CheckedPart } from './context.js';

const LONGEST_TITLE = 12;

/** A finding of the completeness engine: its criterion is a section, a table or the metadata of a template. */
export function makeFinding(given: {
  readonly kind: string;
  /** The template that demands it; without one it is demanded of every document. */
  readonly checked?: CheckedPart;
  readonly document?: CorpusDocument;
  /** All templates that demand parts of it, where the document is more than one. */
  readonly templates?: readonly DocumentType[];
  readonly section?: Pick<SectionResult, 'key' | 'title' | 'said'>;
  /** Of a demand that is no section: a table, `metadata`, `placeholders`. */
  readonly topic?: string;
  /** The name of the table that the topic is. */
  readonly table?: Value;
  /** Which of several findings of that kind it is. */
  readonly item: string;
  readonly title: Sentence;
  readonly severity: Severity;
  readonly confidence: Finding['confidence'];
  readonly reasons: readonly Sentence[];
  readonly expected: Sentence;
  readonly observed: Sentence;
  readonly whyItMatters: Sentence;
  readonly recommendation: Sentence;
  readonly effortHint: NonNullable<Finding['effortHint']>;
  readonly affectedItems: readonly string[];
  readonly affected?: Finding['affected'];
  readonly defects?: Finding['defects'];
  readonly evidence: Finding['evidence'];
  readonly search?: Finding['search'];
}): Finding {
  const {
    kind,
    checked,
    section,
    topic,
    table,
    item,
    reasons,
    title,
    search,
    document: _,
    ...others
  } = given;
  const { templates = checked ? [checked.type] : [], ...rest } = others;
  const document = checked?.document ?? given.document!;
  const topics = [checked?.type.id ?? 'document', section?.key ?? topic].filter((one) => one !== undefined);
  const criterionId = topics.join('.');
  const isLong = english(title).split(/\s+/).length > LONGEST_TITLE;
  const { severity, confidence, expected, observed, whyItMatters, recommendation, ...last } = rest;
  return {
    fingerprint: fingerprint(kind, criterionId, `${document.id}\n${item}`),
    kind,
    criterionId,
    severity,
    confidence,
    ...last,
    ...subjectOf(kind, document.id, given.affectedItems),
    ...(search ? { search } : {}),
    ...worded({
      standardRef: referenceOf(templates, {
        section,
        topic: table ?? (topic === undefined ? topic : (TOPICS[topic] ?? topic)),
      }),
      title: isLong ? say('completeness.beginning', { title }) : title,
      severityReasons: reasons,
      expected,
      observed,
      whyItMatters,
      recommendation,
    }),
  };
}

/** What the other analyses tell as well. */
function subjectOf(kind: string, documentId: string, items: readonly string[]): Pick<Finding, 'subject'> {
  if (kind === 'placeholder') return { subject: openPointsOf(documentId, items) };
  if (kind === 'template_text') return { subject: OPEN_CONTENT };
  if (kind === 'metadata_missing' || kind === 'metadata_not_visible') return { subject: METADATA };
  if (kind === 'empty_template') return { subject: emptyOf(documentId) };
  if (kind === 'metadata_value') return { subject: VERSIONS };
  if (kind === 'table_cells') return { subject: rowsOf(documentId) };
  if (/^(?:section|table)_/.test(kind)) return { subject: contentOf(documentId) };
  return {};
}

/** Template and section, or what every document has to have. */
function referenceOf(
  templates: readonly DocumentType[],
  { section, topic }: { readonly section: Pick<SectionResult, 'said'> | undefined; readonly topic: Value },
): Sentence {
  if (templates.length === 0) return say('completeness.reference-every-document', { topic });
  const about = {
    templates: templates.length,
    names: templates.map(({ name }) => say('general.quoted', { text: name })),
  };
  return section
    ? say('completeness.reference-section', { ...about, section: wordsOf(section.said.title) })
    : say('completeness.reference-template', { ...about, topic });
}

/** What a topic that is no table is called. */
const TOPICS: Readonly<Record<string, Sentence>> = {
  metadata: say('completeness.topic-metadata'),
  placeholders: say('completeness.topic-placeholders'),
  sections: say('completeness.topic-sections'),
  content: say('completeness.topic-content'),
  'template text': say('completeness.topic-template-text'),
  structure: say('completeness.topic-structure'),
};
