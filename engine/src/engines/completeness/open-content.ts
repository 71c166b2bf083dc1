import { asilRank, parseAsil, severityAsil } from '../../asil/asil.js';
import { type OpenPoint, openDefect, openPointsOf } from '../../facts/open-points.js';
import { gradePlaceholder } from '../../findings/severity.js';
import { say } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { patternOf } from '../../words/read-words.js';
import type { PlaceholderResult, SectionResult } from './completeness.js';
import type { CheckContext, CheckedPart } from './context.js';
import { completenessRules, isSafetyType } from './rules.js';

const QUOTES = 3;
/** All patterns, the least sure ones too: they stand with their confidence. */
const LEAST_CONFIDENCE = 0.5;
const SYSTEMATIC = 3;

/**
 * Open content of a document, one entry for each section and pattern (domain D.5.4). Sections that hold nothing else
 * are left out: that they are open is said once, by their state.
 */
export function openContent(
  parts: readonly CheckedPart[],
  document: CheckedPart['document'],
  { sections, context }: { readonly sections: readonly SectionResult[]; readonly context: CheckContext },
): readonly PlaceholderResult[] {
  const hollow = new Set(
    sections
      .filter((one) => one.state === 'placeholder' && one.applies === 'yes')
      .flatMap((one) => (one.heading ? [one.heading] : [])),
  );
  const optional = new Set(
    sections.filter((one) => one.applies === 'no').flatMap((one) => (one.heading ? [one.heading] : [])),
  );
  const isSafety = parts.length === 0 || parts.some(({ type }) => isSafetyType(type.id));
  const groups = new Map<string, OpenPoint[]>();
  for (const point of openPointsOf(document, context.records, LEAST_CONFIDENCE)) {
    const titles = point.passage.location.section ?? [];
    if (titles.some((title) => hollow.has(title.trim()))) continue;
    const section = titles.join(' › ') || (point.passage.location.sheet ?? '');
    const key = `${section}\n${point.placeholder.pattern}`;
    groups.set(key, [...(groups.get(key) ?? []), point]);
  }
  const appendix = patternOf(completenessRules().appendix);
  return [...groups].map(([key, points]): PlaceholderResult => {
    const [section, pattern] = key.split('\n') as [string, string];
    const titles = points[0]!.passage.location.section ?? [];
    const isBeside = titles.some((title) => optional.has(title.trim()) || appendix.test(title));
    const place = isBeside ? 'optional' : placeOf(points, isSafety);
    const tracked = points.every((point) => point.placeholder.tracked);
    const { severity } = gradePlaceholder({
      place,
      status: document.status,
      asil: asilOf(points) ?? context.asil,
      adjustments: [
        ...(tracked && document.status !== 'released' ? (['tracked'] as const) : []),
        ...(points.length >= SYSTEMATIC ? (['systematic'] as const) : []),
      ],
    });
    const { what, confidence } = points[0]!.placeholder;
    return {
      pattern,
      ...worded({ what: say('general.written', { text: what }) }),
      section,
      count: points.length,
      place,
      tracked,
      severity,
      confidence,
      items: [...new Set(points.flatMap((point) => (point.record ? [point.record.id] : [])))],
      defects: points.map(openDefect),
      evidence: points.slice(0, QUOTES).map((point) => point.evidence),
    };
  });
}

function placeOf(points: readonly OpenPoint[], isSafety: boolean): 'normative' | 'metadata' | 'other' {
  const has = (place: OpenPoint['place']) => points.some((point) => point.place === place);
  if (has('normative') && isSafety) return 'normative';
  return has('metadata') ? 'metadata' : 'other';
}

/** The highest level of the records that are open. */
function asilOf(points: readonly OpenPoint[]) {
  const levels = points.flatMap((point) => {
    const asil = parseAsil(point.record?.fields.get('asil')?.value ?? '');
    return asil ? [severityAsil(asil)] : [];
  });
  return levels.sort((a, b) => asilRank(b) - asilRank(a))[0];
}
