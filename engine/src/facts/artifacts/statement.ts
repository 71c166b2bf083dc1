import type { ReadDocument } from '../../corpus/passages/passages-of.js';
import type { Document, DocumentFormat } from '../../documents/document.js';
import type { Location } from '../../documents/location.js';
import type { Sentence } from '../../sentences/sentence.js';
import type { LinkRole } from '../../words/column-titles.js';
import type { Artifact, ArtifactType, EvidenceResult } from './artifact.js';
import type { LinkEnds, TraceLink } from './trace-link.js';

/** What statements know of their document. */
export interface StatementSource {
  readonly id: string;
  readonly format: DocumentFormat;
  readonly documentType?: string;
}

/** A document that artifacts are taken from. */
export interface SourceDocument {
  readonly id: string;
  readonly document: Document;
  /** Id of the document's type, where it is known: tells what ids without a telling prefix are. */
  readonly documentType?: string;
  /** The document taken apart, where whoever asks has it already. */
  readonly read?: ReadDocument;
}

/** Half-open range in `Document.text` with its place. */
export interface Quote {
  readonly start: number;
  readonly end: number;
  readonly location: Location;
}

/** An artifact with its place in the text of its document. */
export interface ExtractedArtifact extends Artifact {
  readonly documentId: string;
  readonly location: Location;
  /** Half-open range in `Document.text`: the row, paragraph or heading that states it. */
  readonly start: number;
  readonly end: number;
  /** Where the integrity level stands. */
  readonly asilPlace?: Quote;
}

/** A link with the place that states it. */
export interface ExtractedLink extends TraceLink {
  readonly documentId: string;
  readonly location: Location;
  readonly start: number;
  readonly end: number;
}

/** Ids as written in one cell, value or phrase, not yet resolved. */
export interface Reference {
  readonly role: LinkRole;
  readonly written: string;
  readonly quote: Quote;
  /** The ids are those of a record's own data: nothing to split. */
  readonly exact?: true;
  /**
   * Where it was read: the title of a column, `bracket`, `text`, `list`, `tag`, `covers` (of a specification item), `mark`
   * (a cross under the name of an element); absent in running text.
   */
  readonly source?: string;
  /** The type whose texts stand in the column. */
  readonly quotes?: ArtifactType;
}

/**
 * References of a statement in their order. An array where they were read just now; those of a packed statement come into being each time
 * somebody looks at them, because hundreds of thousands of them take most of the memory of a large trace.
 */
export interface References extends Iterable<Reference> {
  readonly length: number;
}

/** One place that says something about an artifact, as its document says it: plain data that nobody changes. */
export interface Statement {
  readonly id: string;
  readonly type: ArtifactType;
  /** `mention`: says something about an artifact that is defined elsewhere. */
  readonly kind: 'definition' | 'mention';
  readonly text: string;
  readonly name: string | undefined;
  readonly location: Location;
  readonly start: number;
  readonly end: number;
  readonly asil: string | undefined;
  readonly asilPlace: Quote | undefined;
  readonly cal: number | undefined;
  readonly risk: number | undefined;
  readonly status: string | undefined;
  readonly version: string | undefined;
  readonly result: EvidenceResult | undefined;
  readonly method: string | undefined;
  readonly configuration: string | undefined;
  readonly informational: boolean | undefined;
  readonly external: boolean | undefined;
  readonly ratings: { severity: number; exposure: number; controllability: number } | undefined;
  /** What the tool or the author calls it. */
  readonly typeWord: string | undefined;
  /** Told by the columns around it. */
  readonly columnType: ArtifactType | undefined;
  /** Whether a title says that it has a text: only then the type of the document counts. */
  readonly titled: boolean | undefined;
  /** Whether its place tells its type: its id, its row, the title over it; not only the document that it stands in. */
  readonly told: boolean | undefined;
  /** An id by its form alone, in a heading or before a colon: it counts where ids like it are known. */
  readonly tentative: boolean | undefined;
  /**
   * Artifact that this one stands under, as written; `stated` where words say that it belongs to it, `headed`
   * where the heading above ends with it in brackets. `of`: position of the statement about it in the same document.
   */
  readonly context:
    | {
        readonly id: string;
        readonly quote: Quote;
        readonly stated: boolean;
        readonly headed?: boolean;
        /** Its letters tell nothing: it counts where it is a safety goal. */
        readonly onlyGoal?: boolean;
        readonly of?: number;
      }
    | undefined;
  /** Its id is its name: an element that nobody numbered. */
  readonly named: boolean;
  /** Of specification items, see `Artifact.needs`. */
  readonly needs: readonly string[] | undefined;
  readonly references: References;
}

/**
 * A statement while its document is read; every field is there from the beginning, so that hundreds of thousands of them
 * have one shape.
 */
export type StatementDraft = { -readonly [Key in keyof Omit<Statement, 'references'>]: Statement[Key] } & {
  /** Added to by `refer`. */
  references: Reference[];
};

/** A statement beside those of all documents: under the id by which all of them know it, with what others say of it. */
export interface SettledStatement extends Omit<StatementDraft, 'references' | 'context'> {
  /** Position of its document. */
  readonly document: number;
  readonly references: References;
  context: (Omit<NonNullable<Statement['context']>, 'of'> & { readonly of?: SettledStatement }) | undefined;
  /** The parent's id was put before its own. */
  scoped: boolean;
  /** Of its artifact in the result; -1 where it makes none. */
  position: number;
}

/** A sentence that links ids outside of any artifact: `SRS 1-3 >> satisfies FR 1`. */
export interface LinkSentence {
  readonly sources: string;
  readonly role: LinkRole;
  readonly targets: string;
  readonly quote: Quote;
}

/** Everything that one document says about ids: pass 1. Plain data. */
export interface DocumentStatements {
  readonly source: StatementSource;
  readonly statements: readonly Statement[];
  readonly sentences: readonly LinkSentence[];
  /** Places of demands, of a document that states no artifact at all. */
  readonly demands: readonly Location[];
}

/** Something that whoever relies on the extraction has to know. */
export interface ExtractionNote {
  readonly code: /** `SG-01..SG-05` was read as the ids between. */
    | 'range_expanded'
    /** More than 200 ids, or ends that do not fit. */
    | 'range_not_expanded'
    /** An id in a comment or remark, or in the text without a word that makes it a link. */
    | 'weak_reference'
    /** The same id with another text. */
    | 'other_wording'
    /** The same id with a text that has little in common. */
    | 'other_meaning'
    /** The same id under several parents; the parent was put before it. */
    | 'scoped_id'
    /** A cell under a title for links that holds words but no id. */
    | 'no_id_in_link'
    | 'link_by_number'
    /** Several artifacts fit the id. */
    | 'ambiguous_reference'
    /** The link names another version of its target. */
    | 'other_version'
    /** A demand in a document in which nothing has an id: it cannot be traced. */
    | 'demand_without_id'
    /** An artifact that stands in hidden text only (a hidden row, white letters): kept, to be looked at. */
    | 'hidden_artifact'
    /** A link that stands in hidden text only: not counted until it can be seen. */
    | 'hidden_link';
  readonly message: string;
  /** What its words say: key and values, for every language. */
  readonly said?: { readonly message: Sentence };
  readonly documentId: string;
  readonly location: Location;
  /** Where the same artifact stands, too. */
  readonly other?: { readonly documentId: string; readonly location: Location };
}

/** Artifacts and links of documents as they are. */
export interface Extraction {
  /** In reading order; the same id twice is one artifact stated in two places. */
  readonly artifacts: readonly ExtractedArtifact[];
  readonly links: readonly ExtractedLink[];
  /** Which of the artifacts the ends of the links are, so that nobody has to look for them again. */
  readonly ends: LinkEnds;
  /** At most a hundred of each kind. */
  readonly notes: readonly ExtractionNote[];
  readonly noteCounts: Readonly<Partial<Record<ExtractionNote['code'], number>>>;
  /**
   * Ids of documents whose words decided something beside the artifacts that they are the words of (several of one id were
   * compared, an artifact was looked for by its text); undefined where those of any document may have.
   */
  readonly weighed: readonly string[] | undefined;
}
