import type { Evidence, Finding } from '../../findings/finding.js';
import type { ReportEvidence, ReportFinding } from '../report.js';

/** Documents by id, as a report names them. */
export type DocumentNames = ReadonlyMap<string, { readonly name: string; readonly version?: string }>;

/** Evidence with the name of its document. The offsets stay behind: they mean something to programs only. */
export function reportEvidence(evidence: Evidence, documents: DocumentNames): ReportEvidence {
  const { documentId, location, quote, role, note } = evidence;
  const document = documents.get(documentId);
  return {
    documentId,
    document: document?.name ?? documentId,
    ...(document?.version === undefined ? {} : { version: document.version }),
    location,
    quote,
    role,
    ...(note === undefined ? {} : { note }),
  };
}

/** A finding as a report has it, before anybody worked on it. */
export function reportFinding(
  finding: Finding,
  place: { readonly group: string; readonly clause: string },
  documents: DocumentNames,
): ReportFinding {
  const { evidence, search, defects: _, said: _words, ...rest } = finding;
  return {
    ...rest,
    ...place,
    evidence: evidence.map((one) => reportEvidence(one, documents)),
    ...(search === undefined ? {} : { search: search.statement }),
  };
}

/** In the order of the groups; within one as they come. */
export function inGroupOrder<Grouped extends { readonly group: string }>(
  items: readonly Grouped[],
  groups: readonly { readonly key: string }[],
): Grouped[] {
  const place = new Map(groups.map(({ key }, index) => [key, index]));
  return [...items].sort((a, b) => (place.get(a.group) ?? 0) - (place.get(b.group) ?? 0));
}
