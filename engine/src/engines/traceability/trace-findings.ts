import type { Evidence, Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { severityWord } from '../../findings/severity.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { TraceGap } from './traceability.js';

/**
 * Gaps of a trace as findings, in their order; the criterion is the type of gap. Fingerprints are unique and stay the
 * same while artifact, kind and what is missing or contradicts stay the same.
 * @param evidenceOf Quotes that show a gap, by its position.
 */
export function traceFindings(
  gaps: readonly TraceGap[],
  evidenceOf: (position: number) => readonly Evidence[],
): Finding[] {
  const seen = new Map<string, number>();
  return gaps.map((gap, position): Finding => {
    const { gapType, kind, artifactId, severity, severityIfReleased, integrity, said } = gap;
    const plain = fingerprint(kind, gapType, itemOf(gap));
    const times = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, times);
    return {
      fingerprint: times === 1 ? plain : fingerprint(kind, gapType, `${itemOf(gap)}\n${times}`),
      kind,
      criterionId: gapType,
      standardRef: '',
      severity,
      confidence: gap.integrityAssumed ? 'medium' : 'high',
      ...(integrity === undefined ? {} : { asil: integrity }),
      affectedItems: [artifactId, ...gap.related.filter((id) => id !== artifactId)],
      evidence: evidenceOf(position),
      ...worded({
        title: say('trace.title', { id: artifactId, title: say(`trace.gap.${gapType}.title`) }),
        severityReasons: [
          integrity === undefined
            ? say('trace.integrity-unknown')
            : say('trace.integrity', { level: integrity }),
          ...(severityIfReleased === undefined
            ? []
            : [say('trace.draft', { severity: severityWord(severityIfReleased) })]),
          ...(said.note === undefined ? [] : [said.note]),
        ],
        expected: say(`trace.gap.${gapType}.expected`),
        observed: said.description,
        whyItMatters: say(`trace.gap.${gapType}.why`),
        recommendation: said.suggestedAction,
      }),
    };
  });
}

/** What makes two gaps of one kind different: the artifact, and with links and levels also the other side. */
function itemOf({ gapType, artifactId, missing, related }: TraceGap): string {
  if (missing !== undefined) return `${artifactId}\n${missing}`;
  const isAboutOthers = gapType === 'broken_chain' || gapType === 'asil_inconsistency';
  return isAboutOthers ? [artifactId, ...[...related].sort()].join('\n') : artifactId;
}
