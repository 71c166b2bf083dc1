import { inconsistencies } from '../../contradictions/consistency.js';
import type { Inconsistency } from '../../contradictions/registry.js';
import {
  type Corpus,
  type CorpusDocument,
  documentOf,
  partsOfTypes,
  usableDocuments,
} from '../../corpus/corpus.js';
import type { DocumentPart } from '../../corpus/detect-document-types.js';
import type { PhraseIndex } from '../../corpus/mentions.js';
import type { BothLanguages } from '../../data/shared-schemas.js';
import type { StatedAsils } from '../../facts/asil-of-documents.js';
import type { StatedRequirement } from '../../facts/requirement.js';
import { requirementsOf } from '../../facts/requirements-of.js';
import type { Evidence } from '../../findings/finding.js';
import { type Language, type Sentence, say } from '../../sentences/sentence.js';
import type { ConfirmationIndependence, HardwareMetric } from '../../standards/integrity-facts.js';
import type { MetadataResult, SectionResult } from '../completeness/completeness.js';
import type { CheckContext, CheckedPart } from '../completeness/context.js';
import { checkMetadata } from '../completeness/metadata.js';
import { checkSections } from '../completeness/sections.js';
import type { ChecklistOptions } from './checklist-options.js';
import type { ChecklistHead, ChecklistQuestion } from './question.js';
import type { TraceView } from './trace-view.js';

/** What every check may look at. What several items need is computed once, when the first of them asks. */
export interface ChecklistContext {
  readonly checklist: ChecklistHead;
  readonly corpus: Corpus;
  readonly index: PhraseIndex;
  readonly asils: StatedAsils;
  readonly completeness: CheckContext;
  readonly trace: TraceView;
  readonly independence: ConfirmationIndependence;
  readonly metrics: readonly HardwareMetric[];
  readonly options: ChecklistOptions;
  readonly inconsistencies: () => readonly Inconsistency[];
  readonly requirements: () => readonly StatedRequirement[];
  readonly sectionsOf: (part: DocumentPart) => readonly SectionResult[];
  readonly metadataOf: (document: CorpusDocument) => readonly MetadataResult[];
}

/** A check sees the item that it belongs to. */
export interface ItemContext extends ChecklistContext {
  readonly item: ChecklistQuestion;
}

type Shared = Pick<ChecklistContext, 'inconsistencies' | 'requirements' | 'sectionsOf' | 'metadataOf'>;

/** The parts of the other engines that items share. */
export function sharedParts({
  corpus,
  index,
  completeness,
  trace,
}: Pick<ChecklistContext, 'corpus' | 'index' | 'completeness' | 'trace'>): Shared {
  const sections = new Map<DocumentPart, readonly SectionResult[]>();
  const metadata = new Map<CorpusDocument, readonly MetadataResult[]>();
  let found: readonly Inconsistency[] | undefined;
  let requirements: readonly StatedRequirement[] | undefined;
  return {
    inconsistencies: () => {
      found ??= inconsistencies(corpus, index);
      return found;
    },
    requirements: () => {
      requirements ??= requirementsOf(corpus, trace.artifacts);
      return requirements;
    },
    sectionsOf: (part) => {
      let own = sections.get(part);
      if (!own) {
        const type = corpus.documentTypes.get(part.typeId);
        const checked: CheckedPart | undefined = type && {
          document: documentOf(corpus, part.documentId),
          part,
          type,
        };
        own = checked ? checkSections(checked, completeness) : [];
        sections.set(part, own);
      }
      return own;
    },
    metadataOf: (document) => {
      let own = metadata.get(document);
      if (!own) {
        own = checkMetadata(document, completeness);
        metadata.set(document, own);
      }
      return own;
    },
  };
}

/** Parts of the types, or where none are given every usable document as a whole. */
export function partsFor(
  { corpus }: Pick<ChecklistContext, 'corpus'>,
  types: readonly string[] | undefined,
): readonly DocumentPart[] {
  if (types !== undefined && types.length > 0) return partsOfTypes(corpus, types);
  return usableDocuments(corpus).map(({ id, read }) => ({
    documentId: id,
    typeId: '',
    start: 0,
    end: read.document.blocks.length,
    whole: true,
    confidence: 'high',
    reasons: [],
  }));
}

/** The documents of some parts, each once. */
export function documentsOf(
  { corpus }: Pick<ChecklistContext, 'corpus'>,
  parts: readonly DocumentPart[],
): readonly CorpusDocument[] {
  return [...new Set(parts.map((part) => part.documentId))].map((id) => documentOf(corpus, id));
}

/** What a document of a type is called, for a person. */
export function nameOfTypes(
  { corpus }: Pick<ChecklistContext, 'corpus'>,
  types: readonly string[] | undefined,
): BothLanguages {
  if (types === undefined || types.length === 0) return { en: 'document', de: 'Dokument' };
  const nameIn = (language: Language) => (id: string) => corpus.documentTypes.get(id)?.name[language] ?? id;
  return { en: types.map(nameIn('en')).join(' or '), de: types.map(nameIn('de')).join(' oder ') };
}

/** The same in a sentence. */
export function namesOfTypes(
  { corpus }: Pick<ChecklistContext, 'corpus'>,
  types: readonly string[] | undefined,
): Sentence {
  if (types === undefined || types.length === 0) return say('checks.a-document');
  return say('checks.one-of', { names: types.map((id) => corpus.documentTypes.get(id)?.name ?? id) });
}

/** What stands there is said of something else, not as support. */
export const asContext = (evidence: readonly Evidence[]): readonly Evidence[] =>
  evidence.map((one) => (one.role === 'support' ? { ...one, role: 'context' } : one));
