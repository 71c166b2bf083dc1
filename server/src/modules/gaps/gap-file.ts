import { csvCell, printLocation } from '@normtrace/engine';
import type { Refs } from '../names/names.js';
import type { GapSummaryRow } from './gap-lists.repository.js';
import type { GapSummary } from './gap-lists.schemas.js';

/** A row of the list, and what it stands on as stored. */
export interface FiledGap {
  readonly gap: GapSummary;
  readonly place: GapSummaryRow['first_place'];
}

/** Columns of the file of a list, in their order. */
const COLUMNS: Readonly<Record<string, (of: FiledGap, refs: Refs) => string | number | boolean | null>> = {
  severity: ({ gap }) => gap.severity,
  title: ({ gap }) => gap.title,
  status: ({ gap }) => gap.status,
  change: ({ gap }) => gap.change,
  standard: ({ gap }, { standards }) => nameOf(standards, gap.standard_id),
  clause: ({ gap }) => gap.clause,
  criterion_id: ({ gap }) => gap.criterion_id,
  document: ({ gap, place }, { work_products }) =>
    nameOf(work_products, place?.work_product_id ?? gap.work_product_id),
  version: ({ place }) => place?.version ?? null,
  place: ({ place }) => place && printLocation(place.location),
  asil: ({ gap }) => gap.asil,
  owner: ({ gap }, { people }) => nameOf(people, gap.assignee),
  due_date: ({ gap }) => gap.due_date,
  overdue: ({ gap }) => gap.overdue,
  acceptance_pending: ({ gap }) => gap.acceptance_pending,
  severity_original: ({ gap }) => gap.severity_original,
  confidence: ({ gap }) => gap.confidence,
  analysis_type: ({ gap }) => gap.analysis_type,
  type: ({ gap }) => gap.type,
  quotes: ({ gap }) => gap.evidence_count,
  comments: ({ gap }) => gap.comment_count,
  created_at: ({ gap }) => gap.created_at,
  updated_at: ({ gap }) => gap.updated_at,
  id: ({ gap }) => gap.id,
};

const nameOf = (names: Refs[keyof Refs], id: string | null): string =>
  id === null ? '' : (names[id]?.name ?? id);

/** Its first line, with the mark that tells spreadsheets the encoding. */
export const FILE_HEAD = `\uFEFF${Object.keys(COLUMNS).join(',')}\r\n`;

/** A line by RFC 4180, safe in a spreadsheet. */
export const fileLine = (of: FiledGap, refs: Refs): string =>
  `${Object.values(COLUMNS)
    .map((column) => csvCell(column(of, refs) ?? ''))
    .join(',')}\r\n`;
