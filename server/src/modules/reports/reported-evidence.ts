import type { ReportDocument, ReportEvidence } from '@normtrace/engine';
import type { ReportedEvidence } from './report-rows.js';

/** Documents by id, as people know them. */
export type Names = ReadonlyMap<string, { readonly name: string }>;

/** Stored evidence as a report has it. */
export const evidenceOf = (one: ReportedEvidence, names: Names): ReportEvidence => ({
  documentId: one.work_product_id,
  document: names.get(one.work_product_id)?.name ?? one.work_product_id,
  version: String(one.version),
  location: one.location,
  quote: one.quote,
  role: one.role,
  ...(one.note === null ? {} : { note: one.note }),
});

/** How a result came about, as analyses keep it; each type has its part of it. */
export interface StoredMethod {
  readonly passages?: number;
  readonly embedding?: { readonly model: string } | { readonly lexicalOnly: string };
  readonly conditions?: Readonly<Record<string, boolean>>;
  readonly documents?: readonly ReportDocument[];
  readonly checklist?: { readonly id: string; readonly title: { readonly en: string; readonly de?: string } };
}
