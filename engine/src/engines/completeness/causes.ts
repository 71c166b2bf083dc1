import type { CorpusDocument } from '../../corpus/corpus.js';
import type { DocumentType } from '../../document-types/document-type.js';
import type { AffectedItem, Confidence, Finding, Search } from '../../findings/finding.js';
import { ownerOf, stakesOf } from '../../findings/recommendations.js';
import { bySeverity } from '../../findings/severities.js';
import { severityWord } from '../../findings/severity.js';
import { asSentence, type Sentence, say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { makeFinding } from './make-finding.js';

/** What is missing in a document, or in the same one in several formats. */
export interface Cause {
  /** The first one is that of its fingerprint. */
  readonly documents: readonly CorpusDocument[];
  /** Templates that demand parts of it. */
  readonly templates: readonly DocumentType[];
  /** What is missing, at least one. */
  readonly affected: readonly AffectedItem[];
  /** Names of the documents, of what is not missing in all of them, by id. */
  readonly onlyIn?: ReadonlyMap<string, readonly string[]>;
  readonly confidence: Confidence;
  readonly evidence: Finding['evidence'];
}

/** Sections that were not found, one finding a document (decision 264). */
export function missingSectionsFinding(cause: Cause): Finding {
  const { documents, templates, affected } = cause;
  const [only, ...others] = affected as [AffectedItem, ...AffectedItem[]];
  const isOne = others.length === 0;
  const { severity } = worstOf(affected);
  const types = templates.map((one) => one.id);
  const names = templates.map((one) => one.name);
  const documentNames = documents.map((one) => say('general.quoted', { text: one.name }));
  const search = searchOf(cause);
  return causeFinding(cause, {
    kind: 'section_missing',
    topic: 'sections',
    title: isOne
      ? say('completeness.section-defect', {
          type: (templates.find(({ id }) => only.id.startsWith(`${id}.`)) ?? templates[0])?.name,
          title: titleOf(only),
          defect: say('completeness.missing'),
        })
      : say('completeness.sections-not-found', { types: names, sections: affected.length }),
    reasons: [
      isOne
        ? say('completeness.template-gives', { severity: severityWord(severity) })
        : say('completeness.template-gives-most-severe', { severity: severityWord(severity) }),
    ],
    expected: say('completeness.sections-treated', { types: names }),
    observed: say('completeness.sections-observed', {
      documents: documentNames,
      sections: affected.map((one) => say('completeness.quoted-graded', gradeOf(one, cause))),
      search: search && asSentence(search.said?.statement ?? search.statement),
    }),
    whyItMatters: stakesOf(types),
    recommendation: say('completeness.add-sections', {
      sections: affected.length,
      missing: affected.map((one) => say('general.quoted', { text: titleOf(one) })),
      documents: documentNames,
      owner: ownerOf(types),
    }),
    effortHint: isOne ? 'hours' : 'days',
    ...(search ? { search } : {}),
  });
}

/** Metadata that a document does not state, one finding a document (decision 264). */
export function missingMetadata(cause: Cause): Finding {
  const { documents, affected } = cause;
  const documentNames = documents.map((one) => say('general.quoted', { text: one.name }));
  const { severity } = worstOf(affected);
  return causeFinding(cause, {
    kind: 'metadata_missing',
    topic: 'metadata',
    title:
      affected.length === 1
        ? say('completeness.not-stated', { label: titleOf(affected[0]!) })
        : say('completeness.metadata-fields-not-stated', {
            document: documents[0]!.name,
            fields: affected.length,
          }),
    reasons: [
      affected.length === 1
        ? say('completeness.the-field-carries', { severity: severityWord(severity) })
        : say('completeness.most-severe-field-carries', { severity: severityWord(severity) }),
    ],
    expected: say('completeness.a-document-says-what-it-is'),
    observed: say('completeness.metadata-observed', {
      documents: documentNames,
      fields: affected.map((one) => say('completeness.graded', gradeOf(one, cause))),
    }),
    whyItMatters: say('completeness.without-it-nobody-can-tell-which'),
    recommendation: say('completeness.state-metadata', {
      fields: affected.length,
      documents: documentNames,
      owner: ownerOf(documents[0]!.parts.map((part) => part.typeId)),
    }),
    effortHint: 'minutes',
  });
}

type Words = Omit<
  Parameters<typeof makeFinding>[0],
  'item' | 'severity' | 'confidence' | 'affectedItems' | 'evidence'
>;

/** At the severity of the worst of its parts, and of an identity that none of them makes. */
function causeFinding({ documents, affected, onlyIn: _, ...cause }: Cause, words: Words): Finding {
  const ids = affected.map((one) => one.id);
  return makeFinding({
    ...cause,
    ...words,
    document: documents[0]!,
    item: '',
    severity: worstOf(affected).severity,
    affectedItems: ids,
    affected,
    defects: ids.map((id) => `missing: ${id}`),
  });
}

/** What was searched for all of them. */
function searchOf({ documents, affected }: Cause): Search | undefined {
  const searches = affected.flatMap(({ search }) => search ?? []);
  if (searches.length <= 1) return searches[0];
  return {
    ...worded({
      statement: say('completeness.searched-for-each', {
        sections: documents.reduce((sum, { read }) => sum + read.sections.length, 0),
        passages: documents.reduce((sum, { read }) => sum + read.passages.length, 0),
      }),
    }),
    documentIds: documents.map((one) => one.id),
    passages: documents.reduce((sum, { read }) => sum + read.passages.length, 0),
    terms: [...new Set(searches.flatMap(({ terms }) => terms))],
  };
}

const worstOf = (affected: readonly AffectedItem[]): AffectedItem => [...affected].sort(bySeverity)[0]!;
const titleOf = ({ said, title, id }: AffectedItem): Sentence => asSentence(said?.title ?? title ?? id);
const gradeOf = (one: AffectedItem, { onlyIn }: Cause) => ({
  title: titleOf(one),
  severity: severityWord(one.severity),
  only: onlyIn?.get(one.id)?.map((name) => say('general.quoted', { text: name })),
});
