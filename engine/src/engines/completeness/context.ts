import type { AsilLevel } from '../../asil/asil.js';
import type { Condition } from '../../conditions/condition.js';
import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { DocumentPart } from '../../corpus/detect-document-types.js';
import type { PhraseIndex } from '../../corpus/mentions.js';
import { fieldOf } from '../../corpus/metadata-fields.js';
import type { DocumentType } from '../../document-types/document-type.js';
import { type ItemRecord, recordsByPassage } from '../../facts/artifacts/records.js';
import type { StatedAsils } from '../../facts/asil-of-documents.js';
import { conditionsOutside } from '../../facts/project-scope.js';
import { answerCondition, type ConditionAnswer } from '../../judgement/conditions.js';
import type { CompletenessOptions } from './completeness.js';

/** What every check needs to know. */
export interface CheckContext {
  readonly corpus: Corpus;
  readonly conditions: ReadonlyMap<string, Condition>;
  /** Answers from people, the documents or the defaults. */
  readonly answers: ReadonlyMap<string, ConditionAnswer>;
  /** Rows and paragraphs with an identifier, by passage. */
  readonly records: ReadonlyMap<string, ItemRecord>;
  /** What each document calls its identifier, by document; empty where it has none. */
  readonly documentIds: ReadonlyMap<string, string>;
  /** Highest level that the documents state. */
  readonly asil: AsilLevel | undefined;
  readonly options: CompletenessOptions;
}

/** The context of some documents, with conditions answered by a person, the documents or the defaults. */
export function checkContext(
  known: { readonly corpus: Corpus; readonly index: PhraseIndex; readonly asils: StatedAsils },
  conditions: ReadonlyMap<string, Condition>,
  options: CompletenessOptions,
): CheckContext {
  const { corpus, asils } = known;
  const given = { ...known, answers: { ...conditionsOutside(corpus), ...options.conditions } };
  return {
    corpus,
    conditions,
    answers: new Map([...conditions.values()].map((one) => [one.id, answerCondition(one, given)])),
    records: recordsByPassage(corpus),
    documentIds: new Map(
      corpus.documents.map((one) => [one.id, fieldOf(corpus, 'document_id', one.id).value ?? '']),
    ),
    asil: asils.highest,
    options,
  };
}

/** A document, or a part of one, and the template that it is checked against. */
export interface CheckedPart {
  readonly document: CorpusDocument;
  readonly part: DocumentPart;
  readonly type: DocumentType;
}
