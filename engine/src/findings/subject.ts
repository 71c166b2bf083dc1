/**
 * What a finding is about, where several analyses may tell it: findings of one subject are one entry of a report (decision 291).
 * A finding without a subject is an entry of its own.
 */
export const NOT_GIVEN = 'not given';
/** Documents do not say what they are. */
export const METADATA = 'metadata';
/** Text of the template, and open points that no artifact has. */
export const OPEN_CONTENT = 'open content';

/** Versions and dates of documents do not fit together. */
export const VERSIONS = 'versions';
/** Ids mean several things. */
export const REUSED_IDS = 'reused ids';

/** Nobody has filled in the document. */
export const emptyOf = (documentId: string): string => `empty ${documentId}`;
/** Rationales of a document's ratings do not carry them. */
export const rationalesOf = (documentId: string): string => `rationales ${documentId}`;
/** What a document does not show. */
export const contentOf = (documentId: string): string => `content ${documentId}`;
/** Rows of a document's tables without a value. */
export const rowsOf = (documentId: string): string => `rows ${documentId}`;
/** Open points of artifacts of a document; without any they are told with those of all documents. */
export const openPointsOf = (documentId: string, artifacts: readonly string[]): string =>
  artifacts.length === 0 ? OPEN_CONTENT : `open ${documentId} ${[...artifacts].sort().join(' ')}`;
/** A sentence says that something was not done: by its place. */
export const deniedOf = ({
  documentId,
  start,
}: {
  readonly documentId: string;
  readonly start: number;
}): string => `denied ${documentId} ${start}`;
/** A kind of gap of the trace, as `gapType/kind`. */
export const traceOf = (gapType: string, kind: string): string => `trace ${gapType}/${kind}`;

export type SubjectKind =
  | typeof NOT_GIVEN
  | typeof METADATA
  | typeof OPEN_CONTENT
  | typeof VERSIONS
  | typeof REUSED_IDS
  | 'rationales'
  | 'empty'
  | 'content'
  | 'rows'
  | 'open'
  | 'denied'
  | 'trace';

/** Subjects that name nothing else. */
const WHOLE = [NOT_GIVEN, METADATA, OPEN_CONTENT, VERSIONS, REUSED_IDS] as const;

/** Kind of a subject, and the document that it names. */
export function readSubject(subject: string): {
  readonly kind: SubjectKind;
  /** Id of a document, or the rest. */
  readonly of: string;
} {
  const whole = WHOLE.find((one) => one === subject);
  if (whole) return { kind: whole, of: '' };
  const at = subject.indexOf(' ');
  return { kind: subject.slice(0, at) as SubjectKind, of: subject.slice(at + 1) };
}
