import type { Location } from '../../documents/location.js';
import type { Artifact, ArtifactType } from '../../facts/artifacts/artifact.js';
import type { LinkEnds, LinkType, TraceLink } from '../../facts/artifacts/trace-link.js';
import type { Severity } from '../../findings/finding.js';
import type { Sentence } from '../../sentences/sentence.js';
import type { GapType, RemarkKind, TraceabilityRules } from './rules.js';

export interface TraceabilityInput {
  readonly artifacts: readonly Artifact[];
  readonly links: readonly TraceLink[];
  readonly rules: TraceabilityRules;
  /** Where the artifacts of each link stand, as far as it is known: saves looking for them. Wrong ones do no harm. */
  readonly ends?: LinkEnds;
  /**
   * Only artifacts and links of exactly this workspace are seen; whatever belongs to another one is as good as
   * absent. Undefined for input that knows no workspaces.
   */
  readonly workspaceId?: string;
  readonly options?: TraceabilityOptions;
}

export interface TraceabilityOptions {
  /** Verification only through children or the realising design: one step lower (default), no gap, or as none. */
  readonly indirectVerification?: 'downgrade' | 'accept' | 'ignore';
  /** Every design element needs a test of its own. Default false. */
  readonly requireDesignTest?: boolean;
  /** The variant or baseline in question: evidence for another one does not count. Default: all evidence counts. */
  readonly configuration?: string;
  /** Beginnings of ids that are defined elsewhere (customer, supplier), compared without case. */
  readonly externalPrefixes?: readonly string[];
  /** Similar artifacts for an artifact without parent: put into the suggestion, never counted. */
  readonly candidates?: ReadonlyMap<string, readonly string[]>;
  /** Gaps listed per gap type, most severe first; counts are whole. Default 10 000. */
  readonly listedPerType?: number;
}

/** A defect of the trace with what to do about it. */
export interface TraceGap {
  readonly gapType: GapType;
  /** `no_parent`, `dangling_target`, `AI-02`, … (domain E.4). */
  readonly kind: string;
  readonly artifactId: string;
  readonly artifactType: ArtifactType;
  readonly severity: Severity;
  /** What it will be when the artifact leaves draft. */
  readonly severityIfReleased?: Severity;
  /** Integrity level of the artifact, stated or inherited: `B(D)`, `CAL 3`. Absent where there is none. */
  readonly integrity?: string;
  /** Nothing tells the integrity level: graded as B. */
  readonly integrityAssumed?: true;
  /**
   * What it lacks is not among the documents at all: nothing of the kind was given (`none_given`), or how it will be verified is
   * stated and no test was given (`planned`). Or both sides are there, and no link between them was read, of any artifact of the type
   * (`no_link_read`): a form of links that was not understood is likelier than a project without any.
   */
  readonly because?: 'none_given' | 'planned' | 'no_link_read';
  /** Other artifacts that take part, at most 100. */
  readonly related: readonly string[];
  readonly relatedCount: number;
  /** Artifacts that are wrong as a consequence; they get no gap of their own for it. */
  readonly affected?: readonly string[];
  /** The id that is not defined. */
  readonly missing?: string;
  readonly note?: string;
  readonly description: string;
  readonly suggestedAction: string;
  /** What its words say: key and values, for every language. */
  readonly said: {
    readonly description: Sentence;
    readonly suggestedAction: Sentence;
    readonly note?: Sentence;
  };
  /** Position of the link that is wrong, in the links given. */
  readonly link?: number;
  /** Where it stands: the link, else the artifact. */
  readonly documentId?: string;
  readonly location?: Location;
}

/** Worth knowing, never counted as a gap. */
export interface Remark {
  readonly kind: RemarkKind;
  readonly grade: 'info' | 'medium' | 'high';
  readonly count: number;
  /** The first hundred. */
  readonly listed: readonly {
    readonly artifactId: string;
    readonly related: readonly string[];
    readonly text: string;
    readonly said: { readonly text: Sentence };
  }[];
}

/** A share with what it was counted from; no share of nothing. */
export interface Coverage {
  readonly numerator: number;
  readonly denominator: number;
  /** Rounded half up to one decimal; null where the denominator is 0. */
  readonly percentage: number | null;
}

/** Domain E.9. */
export interface CoverageMetrics {
  readonly upstream: Coverage;
  readonly downstream: Coverage;
  readonly verification: Coverage;
  readonly verificationInclIndirect: Coverage;
  readonly evidence: Coverage;
  /** Sums of upstream, downstream, verification and evidence. */
  readonly overall: Coverage;
  /** Goals with a complete path down to a passed test and nothing critical below. */
  readonly endToEnd: Coverage;
}

export const INTEGRITY_CLASSES = ['D', 'C', 'B', 'A', 'QM', 'unknown'] as const;
export type IntegrityClass = (typeof INTEGRITY_CLASSES)[number];

/** Plain JSON; the same input gives the same bytes. */
export interface TraceabilityAnalysis {
  readonly totalArtifacts: number;
  readonly totalLinks: number;
  readonly totalGaps: number;
  /** Exactly the six gap types. */
  readonly summary: Readonly<Record<GapType, number>>;
  readonly severityCounts: Readonly<Record<Severity, number>>;
  readonly coverage: CoverageMetrics;
  /** The same by the level that counts: the level before decomposition, CAL and risk by their equivalents. */
  readonly coverageByIntegrity: Readonly<Record<IntegrityClass, CoverageMetrics>>;
  /** By severity, then in the order of the artifacts, then by kind. */
  readonly gaps: readonly TraceGap[];
  /** Gaps per type that the list leaves out. */
  readonly unlisted: Readonly<Record<GapType, number>>;
  readonly remarks: readonly Remark[];
}

/** How far a requirement or goal is traced. */
export type MatrixStatus =
  /** Linked upwards, realised, verified, the verification passed, and no gap on it. */
  | 'complete'
  /** Some of it. */
  | 'partial'
  /** Linked upwards, but neither realised nor verified. */
  | 'missing'
  /** Not linked to any parent. */
  | 'orphan';

export interface MatrixLink {
  readonly artifactId: string;
  readonly artifactName: string;
  readonly artifactType: ArtifactType;
  readonly linkType: LinkType;
}

/** A goal or requirement with its neighbours. */
export interface MatrixRow {
  readonly requirementId: string;
  readonly requirementText: string;
  readonly type: ArtifactType;
  readonly integrity?: string;
  /** Id of the artifact above it that the level is inherited from; absent where the artifact states its own. */
  readonly integrityFrom?: string;
  readonly upstreamLinks: readonly MatrixLink[];
  readonly downstreamLinks: readonly MatrixLink[];
  readonly status: MatrixStatus;
}
