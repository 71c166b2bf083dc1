import type { Finding } from './finding.js';

/**
 * Each identity once. The same defect in two copies of a document (a table as a workbook and as a PDF, two files of one name) is
 * one finding with the places of both; what else it says is that of the first.
 */
export function toldOnce(findings: readonly Finding[]): readonly Finding[] {
  const once = new Map<string, Finding>();
  for (const finding of findings) {
    const before = once.get(finding.fingerprint);
    once.set(finding.fingerprint, before ? joined(before, finding) : finding);
  }
  return [...once.values()];
}

function joined(first: Finding, second: Finding): Finding {
  const known = new Set(first.evidence.map(placeOf));
  return {
    ...first,
    affectedItems: [...new Set([...first.affectedItems, ...second.affectedItems])],
    evidence: [...first.evidence, ...second.evidence.filter((one) => !known.has(placeOf(one)))],
  };
}

const placeOf = ({ documentId, start, end }: Finding['evidence'][number]): string =>
  `${start} ${end} ${documentId}`;
