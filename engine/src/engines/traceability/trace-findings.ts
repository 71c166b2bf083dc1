import type { Evidence, Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import type { TraceabilityRules } from './rules.js';
import type { TraceGap } from './traceability.js';

/**
 * Gaps of a trace as findings, in their order; the criterion is the type of gap. Fingerprints are unique and stay the
 * same while artifact, kind and what is missing or contradicts stay the same.
 * @param evidenceOf Quotes that show a gap, by its position.
 */
export function traceFindings(
  gaps: readonly TraceGap[],
  rules: TraceabilityRules,
  evidenceOf: (position: number) => readonly Evidence[],
): Finding[] {
  const seen = new Map<string, number>();
  return gaps.map((gap, position): Finding => {
    const { gapType, kind, artifactId, severity, severityIfReleased, integrity, note } = gap;
    const { title, expected, why } = rules.gap_types[gapType];
    const plain = fingerprint(kind, gapType, itemOf(gap));
    const times = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, times);
    return {
      fingerprint: times === 1 ? plain : fingerprint(kind, gapType, `${itemOf(gap)}\n${times}`),
      kind,
      criterionId: gapType,
      title: `${artifactId}: ${title}`,
      standardRef: '',
      severity,
      confidence: gap.integrityAssumed ? 'medium' : 'high',
      severityReasons: [
        integrity === undefined
          ? 'Nothing tells the integrity level: graded as B.'
          : `Graded by the integrity level ${integrity}.`,
        ...(severityIfReleased === undefined
          ? []
          : [`The artifact is a draft; it will be ${severityIfReleased}.`]),
        ...(note === undefined ? [] : [note]),
      ],
      ...(integrity === undefined ? {} : { asil: integrity }),
      expected,
      observed: gap.description,
      whyItMatters: why,
      recommendation: gap.suggestedAction,
      affectedItems: [artifactId, ...gap.related.filter((id) => id !== artifactId)],
      evidence: evidenceOf(position),
    };
  });
}

/** What makes two gaps of one kind different: the artifact, and with links and levels also the other side. */
function itemOf({ gapType, artifactId, missing, related }: TraceGap): string {
  if (missing !== undefined) return `${artifactId}\n${missing}`;
  const isAboutOthers = gapType === 'broken_chain' || gapType === 'asil_inconsistency';
  return isAboutOthers ? [artifactId, ...[...related].sort()].join('\n') : artifactId;
}
