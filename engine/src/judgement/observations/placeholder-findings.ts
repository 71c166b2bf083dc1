import { usableDocuments } from '../../corpus/corpus.js';
import { recordsByPassage } from '../../facts/artifacts/records.js';
import { type OpenPoint, openDefect, openPointsOf } from '../../facts/open-points.js';
import type { Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { ownerOf } from '../../findings/recommendations.js';
import { gradePlaceholder } from '../../findings/severity.js';
import { english } from '../../sentences/render.js';
import { type ObservationContext, workProductOf } from './observations.js';

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
      const where = section === '' ? `"${document.name}"` : `"${document.name}", ${section}`;
      const what = points[0]!.placeholder.what;
      return {
        fingerprint: fingerprint('placeholder', criterion.id, `${document.name}\n${section}\n${pattern}`),
        kind: 'placeholder',
        criterionId: criterion.id,
        title:
          items.length > 0
            ? `${items.slice(0, 3).join(', ')}: content still open`
            : `Open content (${points.length} ${points.length === 1 ? 'place' : 'places'})`,
        standardRef: `${context.standard.designation}, ${criterion.clause}`,
        severity,
        confidence: points[0]!.placeholder.confidence >= 0.8 ? 'high' : 'medium',
        severityReasons: reasons.map(english),
        expected: 'Nothing that the document demands or decides is left open.',
        observed: `${points.length} ${points.length === 1 ? 'place' : 'places'} in ${where}: ${what}${isTracked ? '; owner and due date are given' : ''}.`,
        whyItMatters:
          'What is left open here is decided by nobody, or differently by everybody who needs it.',
        recommendation: `Determine and enter the open content in ${where}${items.length > 0 ? ` for ${items.slice(0, 3).join(', ')}` : ''}; owner: ${english(ownerOf(criterion.documentTypes ?? []))}; done when no open point is left in the section and the values are reviewed.`,
        effortHint: place === 'normative' ? 'hours' : 'minutes',
        affectedItems: items,
        defects: points.map(openDefect),
        evidence: points.slice(0, QUOTES).map((point) => point.evidence),
      };
    });
  });
}
