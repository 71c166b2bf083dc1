/** The front door of the engine: everything that other packages may import. */

export type { DocumentType } from './document-types/document-type.js';
export type {
  Block,
  BlockKind,
  Cell,
  Document,
  DocumentFormat,
  FileProperties,
  ReadingNote,
} from './documents/document.js';
export { DocumentError, type DocumentErrorCode } from './documents/document-error.js';
export { type Location, printLocation } from './documents/location.js';
export { DEFAULT_LIMITS, type ReadingLimits } from './documents/reading-limits.js';
export {
  type Confidence,
  type CriterionVerdict,
  type Evidence,
  type Finding,
  SEVERITIES,
  type Search,
  type Severity,
  type Verdict,
} from './findings/finding.js';
export type { Passage, PassageRole } from './passages/passage.js';
export type { Candidate, EmbeddingModel } from './retrieval/candidate.js';
export type { Criterion, CriterionKind, LookFor, Standard } from './standards/criterion.js';
