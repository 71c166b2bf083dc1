import type { Severity } from '../../findings/finding.js';
import { isAtLeast } from '../../findings/severities.js';
import { selectionOf } from '../layout/frame.js';
import { printPlace } from '../layout/print-place.js';
import type { Report, ReportFinding, ReportPart, ReportResult } from '../report.js';
import type { ReportWords } from '../report-words.js';
import { escapeXml } from './escape.js';

/**
 * JUnit XML for build servers. A finding at or above the threshold is a failure unless it was accepted or resolved;
 * what is below it, and what is shown, passes; what was accepted or left to a person is skipped with the reason. What a report of
 * some findings leaves out is a property of each suite.
 */
export function* toJunit(report: Report, words: ReportWords, failOn: Severity): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  const counts = report.parts.map((part) => count(part, words, failOn));
  const total = (of: keyof ReturnType<typeof count>): number => counts.reduce((sum, one) => sum + one[of], 0);
  yield `<testsuites name="${escapeXml(report.title)}" tests="${total('tests')}" failures="${total('failures')}" errors="0" skipped="${total('skipped')}">\n`;
  const { selection } = report;
  const told = selection
    ? `<property name="selection" value="${escapeXml(selectionOf(selection, words))}"/><property name="leftOut" value="${selection.leftOut}"/>`
    : '';
  for (const [index, part] of report.parts.entries()) {
    const { tests, failures, skipped } = counts[index]!;
    const name = [part.type, part.subject].filter((one) => one !== '').join(' ');
    yield `<testsuite name="${escapeXml(name)}" tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}" timestamp="${report.createdAt.slice(0, 19)}">\n<properties><property name="notice" value="${escapeXml(report.notice)}"/><property name="contentHash" value="${report.contentHash}"/><property name="tool" value="${escapeXml(`${report.tool.name} ${report.tool.version}`)}"/>${told}</properties>\n`;
    for (const finding of part.findings) yield findingCase(part, finding, failOn);
    for (const result of part.results) {
      if (isFound(result, words)) continue;
      const state = result.override?.state ?? result.state;
      const body =
        words.toneOf(result) === 'good'
          ? ''
          : `<skipped message="${escapeXml(`${words.of('states', state)}: ${result.reason}`)}"/>`;
      yield testCase(part, `${result.label} ${result.title}`, body);
    }
    yield '</testsuite>\n';
  }
  yield '</testsuites>\n';
}

function count(part: ReportPart, words: ReportWords, failOn: Severity) {
  let tests = part.findings.length;
  let failures = 0;
  let skipped = 0;
  for (const finding of part.findings) {
    if (isSettled(finding) || isOpen(finding)) skipped++;
    else if (isAtLeast(finding.severity, failOn)) failures++;
  }
  for (const result of part.results) {
    if (isFound(result, words)) continue;
    tests++;
    if (words.toneOf(result) !== 'good') skipped++;
  }
  return { tests, failures, skipped };
}

/** What is not shown stands among the findings. */
function isFound({ override, state }: ReportResult, words: ReportWords): boolean {
  return ['bad', 'part'].includes(words.tone('states', override?.state ?? state));
}

function findingCase(part: ReportPart, finding: ReportFinding, failOn: Severity): string {
  const { severity, title, observed, recommendation, evidence, waiver } = finding;
  const places = evidence.map(
    (one) =>
      `${one.document}, ${printPlace(one.location, 'en')}${one.quote === '' ? '' : `: "${one.quote}"`}`,
  );
  const text = escapeXml([observed, ...places, recommendation].filter((one) => one !== '').join('\n'));
  let body = `<system-out>${text}</system-out>`;
  if (isSettled(finding)) body = `<skipped message="${escapeXml(waiver?.reason ?? finding.status ?? '')}"/>`;
  else if (isOpen(finding)) body = `<skipped message="${escapeXml(observed)}"/>`;
  else if (isAtLeast(severity, failOn)) {
    body = `<failure type="${severity}" message="${escapeXml(title)}">${text}</failure>`;
  }
  return testCase(part, `${title} [${finding.fingerprint.slice(0, 12)}]`, body);
}

function testCase(part: ReportPart, name: string, body: string): string {
  const start = `<testcase classname="${escapeXml(`normtrace.${part.type}`)}" name="${escapeXml(name)}" time="0"`;
  return body === '' ? `${start}/>\n` : `${start}>${body}</testcase>\n`;
}

const isOpen = ({ unconfirmed }: ReportFinding): boolean => unconfirmed === true;

const isSettled = ({ status, waiver }: ReportFinding): boolean =>
  waiver !== undefined || status === 'accepted' || status === 'resolved';
