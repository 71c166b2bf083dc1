import type { ItemRecord } from '../../artifacts/records.js';
import type { AsilLevel } from '../../asil/asil.js';
import type { Condition } from '../../conditions/condition.js';
import type { DocumentPart } from '../../document-types/detect-document-types.js';
import type { DocumentType } from '../../document-types/document-type.js';
import type { ConditionAnswer } from '../../judgement/conditions.js';
import type { Corpus, CorpusDocument } from '../../judgement/corpus.js';
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

/** A document, or a part of one, and the template that it is checked against. */
export interface CheckedPart {
  readonly document: CorpusDocument;
  readonly part: DocumentPart;
  readonly type: DocumentType;
}
