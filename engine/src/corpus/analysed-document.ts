import type { Document } from '../documents/document.js';

/** One document version to analyse. */
export interface AnalysedDocument {
  readonly id: string;
  /** File name as uploaded. */
  readonly name: string;
  readonly version: string;
  /** Of the file's bytes, hexadecimal. */
  readonly sha256: string;
  /** Document type given by a person; detected where absent. */
  readonly documentType?: string;
  /** Maturity given by a person; read from the document where absent. */
  readonly status?: string;
  readonly document: Document;
}
