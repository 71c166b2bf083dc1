import { isWithin } from '../../../corpus/corpus.js';
import { openPointsOf } from '../../../facts/open-points.js';
import { cellOf, filledCells, nameOfRow, rowsOf, tablesFor } from '../../../facts/table-rows.js';
import { fillingOf } from '../../../judgement/judge-work-product.js';
import { probeSections } from '../../../judgement/probe-sections.js';
import { say } from '../../../sentences/sentence.js';
import { documentsOf, type ItemContext, namesOfTypes, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { type Outcome, outcome } from '../outcome.js';
import { columns, documentTypes, sections } from '../parameters.js';
import { quoteCell } from '../quotes.js';

/** Nothing is left open in the documents, or in the sections or columns that matter (domain D.5). */
const parameters = {
  in: documentTypes.optional(),
  sections: sections.min(1).optional(),
  columns: columns.min(1).optional(),
};
type Check = CheckParameters<typeof parameters>;

export const noPlaceholder = defineCheck('no_placeholder', parameters, checkNoPlaceholder);

/** Patterns that are less sure say too little to fail an item. */
const LEAST_CONFIDENCE = 0.7;
const QUOTES = 4;

function checkNoPlaceholder(check: Check, context: ItemContext): Outcome {
  const { corpus, completeness } = context;
  const parts = partsFor(context, check.in);
  if (parts.length === 0) {
    return outcome('missing', 'high', {
      rules: ['no-document-of-the-type'],
      reason: say('checks.no-document-of-place', { in: namesOfTypes(context, check.in) }),
    });
  }
  const hollow = parts.map((part) => fillingOf(part, { corpus })).find((one) => one.filling === 'empty');
  if (hollow && hollow.evidence.length > 0) {
    return outcome('fail', 'high', {
      rules: ['template-not-filled'],
      reason: say('checks.not-filled-in-because', { summary: hollow.summary }),
      evidence: hollow.evidence,
    });
  }
  const sections = check.sections && probeSections(corpus, check.sections, parts);
  const cells = check.columns
    ? tablesFor(context, check.columns).flatMap((table) =>
        rowsOf(context, table).flatMap((row) =>
          table.keys.flatMap((key) => {
            const cell = cellOf(row, key);
            return cell ? [{ documentId: row.document.id, start: cell.start, end: cell.end }] : [];
          }),
        ),
      )
    : undefined;
  const points = documentsOf(context, parts)
    .flatMap((document) => openPointsOf(document, completeness.records, LEAST_CONFIDENCE))
    .filter(({ passage, evidence }) => {
      if (!isWithin(parts, passage)) return false;
      const inRange = sections?.some(
        (range) =>
          range.documentId === passage.documentId &&
          passage.blockIndex >= range.start &&
          passage.blockIndex < range.end,
      );
      const inCell = cells?.some(
        (cell) =>
          cell.documentId === passage.documentId && cell.start <= evidence.start && evidence.end <= cell.end,
      );
      return (sections === undefined && cells === undefined) || inRange === true || inCell === true;
    });
  if (points.length > 0) {
    return outcome('fail', 'high', {
      rules: [...new Set(points.map((point) => point.placeholder.pattern))],
      reason: say('checks.points-open', { points: points.length, what: points[0]!.placeholder.what }),
      evidence: points.slice(0, QUOTES).map((point) => point.evidence),
      affected: [...new Set(points.flatMap((point) => (point.record ? [point.record.id] : [])))],
    });
  }
  const evidence = [
    ...(check.columns ? filledCells(context, check.columns).slice(0, 2) : []).map(({ row, cell }) =>
      quoteCell(
        row.document,
        { block: row.row.block, start: cell.start, end: cell.end },
        { role: 'support', note: nameOfRow(row) },
      ),
    ),
    ...(sections ?? []).flatMap((section) => section.evidence.slice(0, 1)).slice(0, 2),
    ...(sections === undefined && cells === undefined
      ? parts.slice(0, 2).flatMap((part) => fillingOf(part, { corpus }).evidence.slice(0, 1))
      : []),
  ];
  return outcome(evidence.length > 0 ? 'pass' : 'neutral', 'medium', {
    rules: ['nothing-open'],
    reason: say('checks.nothing-is-left-open'),
    evidence,
  });
}
