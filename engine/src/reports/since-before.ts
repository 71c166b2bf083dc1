import type { Report, ReportFinding, ReportPart } from './report.js';

/**
 * Parts with what became of each finding since an earlier report: told by its fingerprint, among parts of the same type about the
 * same subject. A part that the earlier report has not stays as it is.
 */
export function sinceBefore(
  parts: readonly ReportPart[],
  before: Pick<Report, 'parts'>,
): readonly ReportPart[] {
  const left = new Map(before.parts.map((part) => [keyOf(part), part]));
  return parts.map((part) => {
    const earlier = left.get(keyOf(part));
    if (!earlier) return part;
    const known = new Map(earlier.findings.filter(isThere).map((one) => [one.fingerprint, one]));
    const findings = part.findings.map((finding): ReportFinding => {
      const then = known.get(finding.fingerprint);
      known.delete(finding.fingerprint);
      const change = then === undefined ? 'new' : saysOf(then) === saysOf(finding) ? 'unchanged' : 'updated';
      return { ...finding, change };
    });
    const count = (change: ReportFinding['change']) => findings.filter((one) => one.change === change).length;
    return {
      ...part,
      findings,
      changes: {
        new: count('new'),
        unchanged: count('unchanged'),
        updated: count('updated'),
        absent: known.size,
      },
      gone: [...known.values()].map(({ severity, title }) => ({ severity, title })),
    };
  });
}

const keyOf = ({ type, subject }: ReportPart): string => `${type} ${subject}`;
const isThere = ({ change }: ReportFinding): boolean => change !== 'absent';

/** What a finding is about, without its words: they are those of a language and of a version of the product. */
const saysOf = ({ severity, affectedItems, evidence }: ReportFinding): string =>
  JSON.stringify([severity, [...affectedItems].sort(), evidence.map(({ quote }) => quote).sort()]);
