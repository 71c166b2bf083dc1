import type { Severity } from '../findings/finding.js';
import { countSeverities } from '../findings/severities.js';
import type { ReportFinding, ReportPart, ReportSelection } from './report.js';

/** Which findings a report tells; what is absent narrows nothing. */
export interface WantedFindings {
  readonly severities?: readonly Severity[];
  readonly statuses?: readonly NonNullable<ReportFinding['status']>[];
  /** Only what an earlier run did not find. */
  readonly since?: {
    /** ISO 8601, when that run ended. */
    readonly at: string;
    /** Fingerprints that it found, by the id of the part that is compared with it; other parts stay whole. */
    readonly known: Readonly<Record<string, readonly string[]>>;
  };
}

/**
 * Parts with the wanted findings alone, and what was left out, for the cover to say. Scores, results and the trace stay those of the
 * run; severities count what is told.
 */
export function selectFindings(
  parts: readonly ReportPart[],
  { severities, statuses, since }: WantedFindings,
): { readonly parts: ReportPart[]; readonly selection?: ReportSelection } {
  if (!severities && !statuses && !since) return { parts: [...parts] };
  const selected = parts.map((part): ReportPart => {
    const known = new Set(since?.known[part.id] ?? []);
    const findings = part.findings.filter(
      ({ severity, status = 'open', fingerprint }) =>
        (severities?.includes(severity) ?? true) &&
        (statuses?.includes(status) ?? true) &&
        !known.has(fingerprint),
    );
    return { ...part, findings, severities: countSeverities(findings) };
  });
  const count = (all: readonly ReportPart[]) => all.reduce((sum, { findings }) => sum + findings.length, 0);
  return {
    parts: selected,
    selection: {
      ...(severities ? { severities } : {}),
      ...(statuses ? { statuses } : {}),
      ...(since ? { since: since.at } : {}),
      findings: count(selected),
      leftOut: count(parts) - count(selected),
    },
  };
}
