import { type ItemRecord, recordsOf } from '../../artifacts/records.js';
import type { Evidence, Finding } from '../../findings/finding.js';
import { fingerprint } from '../../findings/fingerprint.js';
import { ownerOf } from '../../findings/recommendations.js';
import { gradePlaceholder, type PlaceholderPlace } from '../../findings/severity.js';
import type { Passage } from '../../passages/passage.js';
import { findPlaceholders, type Placeholder } from '../../placeholders/find-placeholders.js';
import { type CorpusDocument, usableDocuments } from '../corpus.js';
import { quote } from '../evidence.js';
import { type ObservationContext, workProductOf } from './observations.js';

const QUOTES = 3;
/** Patterns that are less sure than this are left to the completeness engine. */
const SURE = 0.6;
const FRONT_BLOCKS = 40;

interface OpenPoint {
  readonly placeholder: Placeholder;
  readonly passage: Passage;
  readonly evidence: Evidence;
  readonly place: PlaceholderPlace;
  readonly record?: ItemRecord;
}

/**
 * Open content in documents that are work products of the standard: one gap for each section and pattern, with the
 * number of places and up to three quotes (domain D.5.4). Documents that are empty templates as a whole are one gap
 * already.
 */
export function placeholderFindings(context: ObservationContext): readonly Finding[] {
  const records = new Map(recordsOf(context.corpus).map((record) => [record.passage.id, record]));
  return usableDocuments(context.corpus).flatMap((document) => {
    const criterion = workProductOf(document, context);
    if (!criterion || context.verdicts.get(criterion.id)?.verdict === 'missing') return [];
    const groups = new Map<string, OpenPoint[]>();
    for (const point of openPointsOf(document, records)) {
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
        severityReasons: reasons,
        expected: 'Nothing that the document demands or decides is left open.',
        observed: `${points.length} ${points.length === 1 ? 'place' : 'places'} in ${where}: ${what}${isTracked ? '; owner and due date are given' : ''}.`,
        whyItMatters:
          'What is left open here is decided by nobody, or differently by everybody who needs it.',
        recommendation: `Determine and enter the open content in ${where}${items.length > 0 ? ` for ${items.slice(0, 3).join(', ')}` : ''}; owner: ${ownerOf(criterion.documentTypes ?? [])}; done when no open point is left in the section and the values are reviewed.`,
        effortHint: place === 'normative' ? 'hours' : 'minutes',
        affectedItems: items,
        evidence: points.slice(0, QUOTES).map((point) => point.evidence),
      };
    });
  });
}

function openPointsOf(document: CorpusDocument, records: ReadonlyMap<string, ItemRecord>): OpenPoint[] {
  const { read } = document;
  return read.passages.flatMap((passage) => {
    const isFront =
      passage.blockIndex < FRONT_BLOCKS && (passage.role === 'body' || passage.role === 'header_footer');
    if (passage.role !== 'body' && passage.role !== 'scope' && !isFront) return [];
    if (passage.header || passage.role === 'header_footer') return [];
    const block = read.document.blocks[passage.blockIndex]!;
    const record = records.get(passage.id);
    const row = block.cells?.map((cell) => cell.text).join(' | ');
    return (block.cells ?? [passage]).flatMap((segment) => {
      const text = read.document.text.slice(segment.start, segment.end);
      const hits = findPlaceholders(text, {
        ...(passage.location.section ? { section: passage.location.section } : {}),
        ...(row === undefined ? {} : { row }),
      });
      return hits
        .filter((hit) => hit.confidence >= SURE)
        .map((placeholder): OpenPoint => {
          const hit = { start: segment.start + placeholder.start, end: segment.start + placeholder.end };
          const isMetadata = placeholder.pattern === 'PH-18' || placeholder.pattern === 'PH-14';
          return {
            placeholder,
            passage,
            evidence: quote(read.document, passage, segment, {
              role: 'counter',
              note: placeholder.what,
              focus: hit,
            }),
            place: isMetadata ? 'metadata' : record ? 'normative' : 'other',
            ...(record ? { record } : {}),
          };
        });
    });
  });
}
