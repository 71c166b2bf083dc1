import type { MetadataField } from '../document-types/document-metadata.js';
import type { DocumentType } from '../document-types/document-type.js';
import type { Document } from '../documents/document.js';
import type { DocumentStatus } from '../documents/document-status.js';
import type { DocumentPart } from './detect-document-types.js';
import type { EmptyTalk } from './empty-talk.js';
import type { Passage } from './passages/passage.js';
import type { ReadDocument } from './passages/passages-of.js';
import { continuesTable, isThatTable, type MatchedTable, matchTable } from './template-columns.js';

/** One document version under analysis. */
export interface CorpusDocument {
  readonly id: string;
  /** Position in the analysis. */
  readonly position: number;
  /** As uploaded, for people. */
  readonly name: string;
  readonly version: string;
  readonly read: ReadDocument;
  readonly parts: readonly DocumentPart[];
  readonly status: DocumentStatus;
  /** Cells and paragraphs that have words and say nothing; `read` is without them, `original` has them. */
  readonly emptyTalk?: { readonly places: readonly EmptyTalk[]; readonly original: Document };
  /** Why the document is no evidence: it is obsolete or another version of it is newer (trap T6). */
  readonly setAside?: string;
}

/** What the analysis is about; documents that speak of something else are no evidence (trap T4). */
export interface AnalysisScope {
  readonly item?: string;
  readonly variant?: string;
  /** Other names of the item. */
  readonly aliases?: readonly string[];
  /** Id of the phase that the project is in (`phases.yaml`): what belongs to later ones is not due yet. */
  readonly phase?: string;
  /** What is not done in this project, each with the reason. */
  readonly tailoredOut?: readonly TailoredOut[];
}

/** An area of `phases.yaml`, or the beginning of ids of criteria (`26262-8:12`), that a project leaves out. */
export interface TailoredOut {
  readonly area: string;
  readonly reason: string;
}

/** Everything that is judged, read and taken apart once. */
export interface Corpus {
  readonly documents: readonly CorpusDocument[];
  readonly documentTypes: ReadonlyMap<string, DocumentType>;
  readonly metadataFields: ReadonlyMap<string, MetadataField>;
  readonly scope: AnalysisScope;
  /** Passage ids that speak of another item or variant, with what they speak of. */
  readonly otherItem: ReadonlyMap<string, string>;
  /** Number of passages in documents that were not set aside. */
  readonly passageCount: number;
}

/** Documents that may be evidence. */
export function usableDocuments(corpus: Corpus): readonly CorpusDocument[] {
  return corpus.documents.filter((document) => document.setAside === undefined);
}

/** Passages that may be evidence: statements of the documents themselves that hold something. */
export function statingPassages(corpus: Corpus): readonly Passage[] {
  return usableDocuments(corpus).flatMap((document) => document.read.passages.filter(isStating));
}

/** Whether a passage is a statement of the document itself that holds something. */
export const isStating = ({ role, header, text }: Passage): boolean =>
  role === 'body' && !header && text.trim() !== '';

/** Parts of usable documents that are of one of the types, whole documents first. */
export function partsOfTypes(corpus: Corpus, types: readonly string[]): readonly DocumentPart[] {
  const parts = usableDocuments(corpus).flatMap((document) =>
    document.parts.filter((part) => types.includes(part.typeId)),
  );
  return [...parts.filter((part) => part.whole), ...parts.filter((part) => !part.whole)];
}

export function documentOf(corpus: Corpus, documentId: string): CorpusDocument {
  const document = corpus.documents.find((one) => one.id === documentId);
  if (!document) throw new Error(`No document "${documentId}" in this analysis.`);
  return document;
}

const tablesByPart = new WeakMap<DocumentPart, readonly MatchedTable[]>();

/**
 * Tables of a part that are tables of its type's template, and tables that go on about the same rows (acceptance
 * criteria of requirements listed before). Examples and pick lists are left out.
 */
export function templateTablesOf(corpus: Corpus, part: DocumentPart): readonly MatchedTable[] {
  const known = tablesByPart.get(part);
  if (known) return known;
  const type = corpus.documentTypes.get(part.typeId);
  const { read } = documentOf(corpus, part.documentId);
  const matches = type
    ? read.records
        .filter((table) => {
          const first = table.headerBlocks[0] ?? table.rows[0]?.block;
          if (first === undefined || first < part.start || first >= part.end) return false;
          return read.passages[first]!.role === 'body';
        })
        .flatMap((table) => bestMatches(matchTable(table, type)))
    : [];
  const sure = matches.filter(isThatTable);
  const found = matches.filter(
    (match) =>
      sure.includes(match) ||
      sure.some((other) => other.template === match.template && continuesTable(match, other)),
  );
  tablesByPart.set(part, found);
  return found;
}

/** A table is read as the template that it shares most columns with: a hazard table is no list of safety goals. */
function bestMatches(matches: readonly MatchedTable[]): readonly MatchedTable[] {
  const most = Math.max(0, ...matches.map((match) => match.columns.size));
  return matches.filter((match) => match.columns.size === most);
}

/** Whether a passage lies in one of the parts. */
export function isWithin(parts: readonly DocumentPart[], passage: Passage): boolean {
  return parts.some(
    (part) =>
      part.documentId === passage.documentId &&
      passage.blockIndex >= part.start &&
      passage.blockIndex < part.end,
  );
}
