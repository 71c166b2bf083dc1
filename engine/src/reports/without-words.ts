import type { Report, ReportEvidence, ReportFinding, ReportPart, ReportResult } from './report.js';

/**
 * A report without the words of uploaded standards: titles, expectations, reasons and remarks of the parts concerned
 * are replaced, as their texts may repeat the standard; ids, grades, places and quotes from work products stay
 * (domain 0.2, I.3). Says so on its cover. The content hash stays that of the whole report.
 * @param instead Stands in place of the words.
 */
export function withoutStandardWords(
  report: Report,
  instead: string,
  concerns: (part: ReportPart) => boolean = ({ standard }) => standard?.source === 'uploaded',
): Report {
  if (!report.parts.some(concerns)) return report;
  const parts = report.parts.map((part) => (concerns(part) ? withoutWords(part, instead) : part));
  return { ...report, parts, wordsRemoved: true };
}

function withoutWords({ written: _, ...part }: ReportPart, instead: string): ReportPart {
  return {
    ...part,
    groups: part.groups.map(({ key }) => ({ key, title: key.slice(key.lastIndexOf(':') + 1) })),
    results: part.results.map((result) => resultWithout(result, instead)),
    findings: part.findings.map((finding) => findingWithout(finding, instead)),
    questions: part.questions.map(({ subject }) => ({ subject, text: instead })),
  };
}

function resultWithout({ evidence, opinions, ...result }: ReportResult, instead: string): ReportResult {
  const { decision, ...said } = opinions ?? {};
  return {
    ...result,
    title: '',
    reason: instead,
    evidence: evidence.map(withoutNote),
    ...(opinions
      ? {
          opinions: {
            ...(said as typeof opinions),
            ...(decision ? { decision: { ...decision, reason: instead } } : {}),
          },
        }
      : {}),
  };
}

function findingWithout(
  { evidence, search: _, remedy: _remedy, affected, ...finding }: ReportFinding,
  instead: string,
): ReportFinding {
  return {
    ...finding,
    title: instead,
    severityReasons: [],
    expected: instead,
    observed: instead,
    whyItMatters: instead,
    recommendation: instead,
    evidence: evidence.map(withoutNote),
    ...(affected ? { affected: affected.map(({ title: _title, searched: _searched, ...one }) => one) } : {}),
  };
}

const withoutNote = ({ note: _, ...evidence }: ReportEvidence): ReportEvidence => evidence;
