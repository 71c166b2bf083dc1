import type { FormatReader } from './format-reader.js';

/**
 * All that is told of one format, as values: `formats/<format>/format.ts`, a line in `formats/registry.ts`. Detection, endings
 * and media types ask these entries. They are loaded with the program; the reader is not.
 */
export interface FormatEntry {
  /** What people call it. */
  readonly label: { readonly en: string; readonly de: string };
  /** Endings of file names, in small letters without the dot, by which folders are searched. */
  readonly endings: readonly string[];
  /** Endings that a file may have as well; folders are not searched by them. */
  readonly furtherEndings?: readonly string[];
  /** The ways in which a file shows that it is of this format; the first is the usual one. */
  readonly marks: readonly [FormatMark, ...FormatMark[]];
  /** Loads the reader. */
  readonly reader: () => Promise<FormatReader>;
}

export type FormatMark = SignatureMark | OfficeMark | OpenDocumentMark | ExchangeMark | TextMark;

interface Mark {
  /** Media types that files are announced with; the first is that of a file that nobody announced. */
  readonly mediaTypes: readonly [string, ...string[]];
}

/** Bytes that stand in the first 1024. */
export interface SignatureMark extends Mark {
  readonly kind: 'signature';
  readonly signature: string;
  /** What people call the format. */
  readonly title: string;
}

/** An Office Open XML file. */
interface OfficeMark extends Mark {
  readonly kind: 'office';
  /** Content types of the part that holds the document (ECMA-376 part 2). */
  readonly mainType: RegExp;
}

/** An OpenDocument file. */
interface OpenDocumentMark extends Mark {
  readonly kind: 'open_document';
  /** What its file `mimetype` says. */
  readonly mimeType: RegExp;
}

/** A ZIP file that is one document with its attachments, not an archive of documents. */
export interface ExchangeMark extends Mark {
  readonly kind: 'exchange';
  /** Ending of the ZIP file. */
  readonly ending: string;
  /** Ending of the files in it that hold the document. */
  readonly partEnding: string;
}

/** Plain text. */
export interface TextMark extends Mark {
  readonly kind: 'text';
  /**
   * What an ending says of plain text. `nothing`: the clues decide. `document`: it is this format, where no clue decided.
   * `source`: it is this format, unless it is markup; in an archive it is an attachment rather than a document.
   */
  readonly ending: 'nothing' | 'document' | 'source';
  readonly clues: readonly TextClue[];
}

/** What the beginning of a text says. */
export interface TextClue {
  /**
   * `always`: whatever the name says. `unless_source`: unless the ending is one of source text. `unless_named`: unless the ending
   * is that of another format. `without_name`: where the ending says nothing. Asked in this order.
   */
  readonly decides: 'always' | 'unless_source' | 'unless_named' | 'without_name';
  /** Of clues that decide at the same time the stronger one is asked first; 0 where not given. */
  readonly strength?: number;
  /** `start` is the first 64 kB of the file, `lead` 2000 characters of it after leading space. */
  readonly fits: (start: string, lead: string) => boolean;
}
