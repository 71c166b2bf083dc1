import { hash } from 'node:crypto';
import type { Location } from '../../documents/location.js';
import { normaliseText } from '../../text/normalise.js';
import type { ArtifactType } from '../../words/artifact-types.js';

export { ARTIFACT_TYPES, type ArtifactType } from '../../words/artifact-types.js';

/** Result of a piece of evidence. A record without any (a review, an analysis) counts as positive. */
export const EVIDENCE_RESULTS = [
  'pass',
  /** Positive, with a remark. */
  'pass_with_remarks',
  'fail',
  /** The next four decide nothing; a conditional pass is `inconclusive`. */
  'inconclusive',
  'blocked',
  'not_run',
  'unknown',
] as const;
export type EvidenceResult = (typeof EVIDENCE_RESULTS)[number];

/** Something with an identity in the documents: a goal, requirement, design element, test or result. */
export interface Artifact {
  /** As written; unique in its workspace. The same id twice is the same artifact stated in two places. */
  readonly id: string;
  readonly type: ArtifactType;
  readonly text: string;
  /** Short name for people, where there is one beside the text. */
  readonly name?: string;
  readonly workspaceId?: string;
  readonly documentId?: string;
  /** Id of the type of that document: tells which of two definitions is kept. */
  readonly documentType?: string;
  readonly location?: Location;
  /** Version of the artifact; of evidence, the version that it is about. The newest one counts. */
  readonly version?: string;
  readonly status?: string;
  /** ASIL attribute as written: `B(D)`, `ASIL D`, `–`, `A/B`. */
  readonly asil?: string;
  /** Cybersecurity assurance level, 1 to 4. */
  readonly cal?: number;
  /** Risk value, 1 to 5. */
  readonly risk?: number;
  /** Ratings of a hazardous event: S0–S3, E0–E4, C0–C3. */
  readonly ratings?: {
    readonly severity: number;
    readonly exposure: number;
    readonly controllability: number;
  };
  /** Headings, notes: owe nothing. */
  readonly informational?: boolean;
  /** Lies outside the item: satisfies others, owes nothing. */
  readonly external?: boolean;
  /** Kind of evidence: `review`, `analysis`, `dfa`, `test_result`, … */
  readonly kind?: string;
  readonly result?: EvidenceResult;
  /** Evidence older than the test or what the test verifies. */
  readonly stale?: boolean;
  /** Variant or baseline that evidence belongs to. */
  readonly configuration?: string;
  /** "Test", "Analysis", … where a method is planned; no link to a measure. */
  readonly verificationMethod?: string;
  /**
   * Of a specification item of OpenFastTrace: the types of item that have to cover it (`Needs:`), none where it ends the
   * chain. Absent for everything else. Its id tells type, name and revision (`readSpecificationId`).
   */
  readonly needs?: readonly string[];
}

/**
 * What an artifact says, as 64 hexadecimal digits: type, text, name and integrity attributes. White space, case and
 * where it stands do not count, nor does its status. Two versions with the same hash say the same.
 */
export function contentHash(artifact: Artifact): string {
  const { type, text, name, asil, cal, risk, ratings, result } = artifact;
  const said = [
    type,
    normaliseText(text),
    normaliseText(name ?? ''),
    normaliseText(asil ?? ''),
    cal ?? null,
    risk ?? null,
    ratings ? [ratings.severity, ratings.exposure, ratings.controllability] : null,
    result ?? null,
    ...(artifact.needs ? [artifact.needs] : []),
  ];
  return hash('sha256', JSON.stringify(said), 'hex');
}
