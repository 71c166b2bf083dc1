import { usableDocuments } from '../../corpus/corpus.js';
import { recordsByPassage } from '../../facts/artifacts/records.js';
import { type OpenPoint, openDefect, openPointsOf } from '../../facts/open-points.js';
import type { Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { ownerOf } from '../../findings/recommendations.js';
import { gradePlaceholder } from '../../findings/severity.js';
import { openPointsOf as subjectOf } from '../../findings/subject.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { type ObservationContext, workProductOf } from './work-product-of.js';

const QUOTES = 3;
/** Patterns that are less sure than this are left to the completeness engine. */
const SURE = 0.6;

/**
 * Open content in documents that are work products of the standard: one gap for each section and pattern, with the
 * number of places and up to three quotes (domain D.5.4). Documents that are empty templates as a whole are one gap
 * already.
 */
export function placeholderFindings(context: ObservationContext): readonly Finding[] {
  const records = recordsByPassage(context.corpus);
  return usableDocuments(context.corpus).flatMap((document) => {
    const criterion = workProductOf(document, context);
    if (!criterion || context.verdicts.get(criterion.id)?.verdict === 'missing') return [];
    const groups = new Map<string, OpenPoint[]>();
    for (const point of openPointsOf(document, records, SURE)) {
      const key = `${point.passage.location.section?.join(' › ') ?? point.passage.location.sheet ?? ''}\n${point.placeholder.pattern}`;
      groups.set(key, [...(groups.get(key) ?? []), point]);
    }
    return [...groups].map(([key, points]): Finding => {
      const [section, pattern] = key.split('\n') as [string, string];
      const place = (['normative', 'metadata', 'other'] as const).find((one) =>
        points.some((point) => point.place === one),
      )!;
      const isTracked = points.every((point) => point.placeholder.tracked) && document.status !== 'released';
      const { severity, reasons } = gradePlaceholder({
        place,
        status: document.status,
        asil: context.asil,
        adjustments: [
          ...(isTracked ? (['tracked'] as const) : []),
          ...(points.length >= 3 ? (['systematic'] as const) : []),
        ],
      });
      const items = [...new Set(points.flatMap((point) => (point.record ? [point.record.id] : [])))];
      const where = say('findings.where', { document: document.name, section });
      const what = points[0]!.placeholder.what;
      return {
        fingerprint: fingerprint('placeholder', criterion.id, `${document.name}\n${section}\n${pattern}`),
        kind: 'placeholder',
        criterionId: criterion.id,
        standardRef: `${context.standard.designation}, ${criterion.clause}`,
        severity,
        confidence: points[0]!.placeholder.confidence >= 0.8 ? 'high' : 'medium',
        effortHint: place === 'normative' ? 'hours' : 'minutes',
        affectedItems: items,
        subject: subjectOf(document.id, items),
        defects: points.map(openDefect),
        evidence: points.slice(0, QUOTES).map((point) => point.evidence),
        ...worded({
          title:
            items.length > 0
              ? say('findings.content-still-open', { items: items.slice(0, 3) })
              : say('findings.open-content', { points: points.length }),
          severityReasons: reasons,
          expected: say('findings.nothing-that-the-document-demands-or'),
          observed: say('findings.places-left-open', { points: points.length, where, what, isTracked }),
          whyItMatters: say('findings.what-is-left-open-here-is'),
          recommendation: say('findings.determine-and-enter-the-open-content', {
            where,
            items: items.slice(0, 3),
            owner: ownerOf(criterion.documentTypes ?? []),
          }),
        }),
      };
    });
  });
}
