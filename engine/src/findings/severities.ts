import { SEVERITIES, type Severity } from './finding.js';

/** Most severe first, for sorting. */
export function bySeverity(a: { readonly severity: Severity }, b: { readonly severity: Severity }): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

/** Whether a severity is the threshold or worse. */
export const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);

/** Whether anything was counted at the threshold or worse. */
export const hasAtLeast = (counts: Readonly<Record<Severity, number>>, threshold: Severity): boolean =>
  SEVERITIES.some((severity) => isAtLeast(severity, threshold) && counts[severity] > 0);

/** The severity, held at a highest one. */
export const atMost = (severity: Severity, highest: Severity): Severity =>
  isAtLeast(severity, highest) ? highest : severity;

/** So many steps less severe, or more where it is negative; low stays low, critical stays critical. */
export const lessSevere = (severity: Severity, steps: number): Severity =>
  SEVERITIES[Math.max(0, Math.min(SEVERITIES.length - 1, SEVERITIES.indexOf(severity) + steps))]!;

/** How many there are of each; what has no severity is not counted. */
export function countSeverities(
  all: Iterable<{ readonly severity?: Severity }>,
): Readonly<Record<Severity, number>> {
  const counts: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { severity } of all) if (severity !== undefined) counts[severity]++;
  return counts;
}
