import type { EvidenceValues, ModelStatement, ReportDocument, Sentence } from '@normtrace/engine';
import type { ReportedEvidence } from './report-rows.js';

/** Stored evidence as the engine takes it. */
export const evidenceOf = (one: ReportedEvidence): EvidenceValues => ({
  documentId: one.work_product_id,
  version: String(one.version),
  location: one.location,
  quote: one.quote,
  role: one.role,
  ...(one.note === null ? {} : { note: one.note }),
  ...(one.said ? { said: one.said } : {}),
});

/** How a result came about, as analyses keep it; each type has its part of it. */
export interface StoredMethod {
  readonly passages?: number;
  readonly embedding?:
    | { readonly model: string }
    | { readonly lexicalOnly: string; readonly said?: { readonly lexicalOnly: Sentence } };
  readonly conditions?: Readonly<Record<string, boolean>>;
  readonly model?: ModelStatement;
  readonly documents?: readonly ReportDocument[];
  readonly checklist?: { readonly id: string; readonly title: { readonly en: string; readonly de?: string } };
}
