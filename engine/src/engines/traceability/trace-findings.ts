import type { AffectedItem, Evidence, Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { atMost } from '../../findings/severities.js';
import { severityWord } from '../../findings/severity.js';
import { NOT_GIVEN, traceOf } from '../../findings/subject.js';
import { type Sentence, say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { isAboutLevels } from './rules.js';
import {
  causeWords,
  consequenceWords,
  isKindOfCause,
  isLikelyMisread,
  isShared as isSharedCause,
  type TraceCause,
  traceCauses,
  withoutReason,
} from './trace-causes.js';
import type { TraceGap } from './traceability.js';

/** Quotes of a cause that many artifacts have; its places are all in `affected`. */
const MOST_QUOTES = 5;

/**
 * Gaps of a trace as findings, one for each cause, in the order of the gaps; the criterion is the type of gap. Fingerprints are
 * unique. That of a cause stays the same whichever artifacts have it, that of any other gap while artifact, kind and what is
 * missing or contradicts stay the same (decision 245).
 * @param evidenceOf Quotes that show a gap, by its position.
 */
export function traceFindings(
  gaps: readonly TraceGap[],
  evidenceOf: (position: number) => readonly Evidence[],
): Finding[] {
  const seen = new Map<string, number>();
  const causes = traceCauses(gaps);
  const identities = new Set(causes.map(({ identity }) => identity));
  return causes.map((cause): Finding => {
    const [{ gap }] = cause.gaps as [TraceCause['gaps'][number]];
    const { gapType, kind, artifactId, said } = gap;
    const all = [...cause.gaps, ...cause.consequences];
    // Gaps come by severity.
    const { severity, severityIfReleased, integrity } = all.reduce((a, b) =>
      b.position < a.position ? b : a,
    ).gap;
    const isShared = isSharedCause(cause);
    // What was not given may be given in part by the next run: it stays the same gap unless there are both.
    const plainCause = withoutReason(cause);
    const identity = identities.has(plainCause) ? cause.identity : plainCause;
    const item = isShared ? identity : itemOf(gap);
    const plain = fingerprint(kind, gapType, item);
    const times = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, times);
    const words = causeWords(cause);
    const follows = consequenceWords(cause);
    const observed = words?.observed ?? said.description;
    const others = isShared
      ? all.map((one) => one.gap.artifactId)
      : [artifactId, ...gap.related.filter((id) => id !== artifactId)];
    return {
      fingerprint: times === 1 ? plain : fingerprint(kind, gapType, `${item}\n${times}`),
      kind,
      criterionId: gapType,
      standardRef: '',
      severity:
        isNotGiven(gap) || gap.because === 'no_link_read' || isLikelyMisread(cause)
          ? atMost(severity, 'medium')
          : // Everything below is verified: a test of its own is the second look, not the first.
            kind === 'indirect_only'
            ? atMost(severity, 'low')
            : severity,
      confidence: confidenceOf(cause),
      ...(integrity === undefined ? {} : { asil: integrity }),
      affectedItems: [...new Set(others)],
      ...subjectOf(gap),
      ...(isShared
        ? {
            affected: [
              ...cause.gaps.map((one) => affectedBy(one.gap, evidenceOf(one.position)[0])),
              ...cause.consequences.map((one) => ({
                ...affectedBy(one.gap, evidenceOf(one.position)[0]),
                causedBy: kind,
              })),
            ],
            defects: all.map((one) => `${one.gap.kind}: ${itemOf(one.gap)}`),
          }
        : {}),
      evidence: cause.gaps.slice(0, MOST_QUOTES).flatMap(({ position }) => evidenceOf(position)),
      ...worded({
        title: words?.title ?? say('trace.title', { id: artifactId, title: titleOf(gap) }),
        severityReasons: [
          integrity === undefined
            ? say('trace.integrity-unknown')
            : say('trace.integrity', { level: integrity }),
          ...(cause.gaps.length > 1 ? [say('trace.cause.highest')] : []),
          ...(severityIfReleased === undefined
            ? []
            : [say('trace.draft', { severity: severityWord(severityIfReleased) })]),
          ...(said.note === undefined || cause.gaps.length > 1 ? [] : [said.note]),
        ],
        expected: say(`trace.gap.${gapType}.expected`),
        observed: follows ? say('trace.with-note', { text: observed, note: follows }) : observed,
        whyItMatters: say(`trace.gap.${gapType}.why`),
        recommendation: words?.recommendation ?? said.suggestedAction,
      }),
    };
  });
}

/** What documents that were not given may hold; of levels the others of the trace tell. */
const isNotGiven = ({ because, kind }: TraceGap): boolean =>
  because !== undefined && because !== 'no_link_read' && !isAboutLevels(kind);

/** A trace without any such analysis does not tell that there is none: a person has to say so. */
function confidenceOf(cause: TraceCause): Finding['confidence'] {
  const { gaps } = cause;
  if (isLikelyMisread(cause) || gaps.every(({ gap }) => gap.because === 'no_link_read')) return 'low';
  if (gaps.some(({ gap }) => gap.because !== undefined && isAboutLevels(gap.kind))) return 'low';
  return gaps.some(({ gap }) => gap.integrityAssumed) ? 'medium' : 'high';
}

/** What a gap is called: what is wrong with a level says its rule. */
function titleOf({ gapType, kind }: TraceGap): Sentence {
  return isAboutLevels(kind) ? say(`trace.levelTitle.${kind}`) : say(`trace.gap.${gapType}.title`);
}

/** What checklists tell as well: a kind of gap that artifacts have. Loops, failed results and dangling links are each its own. */
function subjectOf(gap: TraceGap): Pick<Finding, 'subject'> {
  if (isNotGiven(gap)) return { subject: NOT_GIVEN };
  const { gapType, kind } = gap;
  // Ids that nothing defines: whichever documents would, they are not there.
  if (kind === 'dangling_target') return { subject: traceOf(gapType, kind) };
  const isKind = isKindOfCause(gapType, kind) || gapType === 'asil_inconsistency';
  return isKind ? { subject: traceOf(gapType, kind) } : {};
}

/** A trace that knows no places has them in its quotes. */
function affectedBy(
  { artifactId, kind, severity, documentId, location }: TraceGap,
  quote: Evidence | undefined,
): AffectedItem {
  const place = location ? { documentId, location } : quote;
  return {
    id: artifactId,
    kind,
    severity,
    ...(place?.documentId === undefined ? {} : { documentId: place.documentId }),
    ...(place?.location === undefined ? {} : { location: place.location }),
  };
}

/** What makes two gaps of one kind different: the artifact, and with links and levels also the other side. */
function itemOf({ gapType, artifactId, missing, related }: TraceGap): string {
  if (missing !== undefined) return `${artifactId}\n${missing}`;
  const isAboutOthers = gapType === 'broken_chain' || gapType === 'asil_inconsistency';
  return isAboutOthers ? [artifactId, ...[...related].sort()].join('\n') : artifactId;
}
