import { SEVERITIES } from '../../findings/finding.js';
import type { Report, ReportEvidence, ReportFinding, ReportPart } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block, Inline, Span } from './block.js';
import { groupTitle, type PartTitle } from './part-title.js';
import { printSource } from './print-place.js';

/** Findings by area, each with what was expected, what is there, the quotes and what to do. */
export function* writeFindings(
  part: ReportPart,
  title: PartTitle,
  {
    words,
    detailed,
    documents,
  }: {
    readonly words: ReportWords;
    readonly detailed: number;
    /** Names by id. */
    readonly documents: ReadonlyMap<string, string>;
  },
): Generator<Block> {
  const { findings } = part;
  yield { kind: 'heading', level: 1, id: `findings-${part.id}`, text: title(words.text('findings')) };
  if (findings.length === 0) {
    yield { kind: 'paragraph', text: words.text('no_findings') };
    return;
  }
  if (findings.length > detailed) {
    const values = { detailed: words.number(detailed), count: words.number(findings.length) };
    yield { kind: 'paragraph', text: words.text('most_severe_only', values) };
  }
  const told = mostSevere(findings, detailed);
  const byGroup = new Map(part.groups.map(({ key }) => [key, [] as [number, ReportFinding][]]));
  for (const [index, finding] of findings.entries()) byGroup.get(finding.group)!.push([index + 1, finding]);
  let number = 0;
  for (const [key, own] of byGroup) {
    if (own.length === 0) continue;
    number++;
    yield {
      kind: 'heading',
      level: 2,
      id: `findings-${part.id}-${number}`,
      text: groupTitle(part, key, words),
    };
    for (const [at, finding] of own) {
      if (told.has(finding))
        yield* writeFinding(finding, { id: `finding-${part.id}-${at}`, number: at, documents, words });
    }
    const others = own.filter(([, finding]) => !told.has(finding));
    if (others.length > 0) yield listed(others, words);
  }
}

/** The findings that are told in full: by severity, then in their order. */
function mostSevere(findings: readonly ReportFinding[], most: number): ReadonlySet<ReportFinding> {
  if (findings.length <= most) return new Set(findings);
  const ranked = SEVERITIES.flatMap((severity) => findings.filter((one) => one.severity === severity));
  return new Set(ranked.slice(0, most));
}

function listed(findings: readonly (readonly [number, ReportFinding])[], words: ReportWords): Block {
  const { text } = words;
  return {
    kind: 'table',
    caption: text('others_in_brief'),
    columns: [
      { title: text('finding'), width: 34 },
      { title: text('severity'), width: 12 },
      { title: text('reference'), width: 22 },
      { title: text('evidence'), width: 32 },
    ],
    rows: findings.map(([number, { title, severity, standardRef, evidence }]) => [
      `${number}. ${title}`,
      [{ text: words.of('severities', severity), mark: severity }],
      standardRef,
      evidence[0] ? printSource(evidence[0], words) : '',
    ]),
  };
}

function* writeFinding(
  finding: ReportFinding,
  {
    id,
    number,
    documents,
    words,
  }: {
    readonly id: string;
    readonly number: number;
    readonly documents: ReadonlyMap<string, string>;
    readonly words: ReportWords;
  },
): Generator<Block> {
  yield {
    kind: 'heading',
    level: 3,
    id,
    text: `${number}. ${finding.title}`,
    marks: marksOf(finding, words),
  };
  yield { kind: 'facts', rows: factsOf(finding, words) };
  for (const one of finding.evidence) yield quoteOf(one, words);
  if (isListed(finding)) yield affectedTable(finding, documents, words);
}

/** Rows of a table of what a cause concerns; programs get all. */
const MOST_ROWS = 200;

/** Whether it concerns several things: then they stand in a table. */
const isListed = ({ affected = [] }: ReportFinding) => affected.length > 1;

function affectedTable(
  { affected = [] }: ReportFinding,
  documents: ReadonlyMap<string, string>,
  words: ReportWords,
): Block {
  const { text } = words;
  return {
    kind: 'table',
    caption:
      affected.length > MOST_ROWS
        ? text('affected_first', { shown: words.number(MOST_ROWS), count: words.number(affected.length) })
        : text('affected'),
    columns: [
      { title: text('affected'), width: 40 },
      { title: text('severity'), width: 15 },
      { title: text('evidence'), width: 45 },
    ],
    rows: affected
      .slice(0, MOST_ROWS)
      .map(({ id, title, severity, documentId, location, searched }) => [
        title ?? id,
        [{ text: words.of('severities', severity), mark: severity }],
        documentId === undefined || location === undefined
          ? (searched ?? '')
          : printSource({ document: documents.get(documentId) ?? documentId, location }, words),
      ]),
  };
}

function marksOf(finding: ReportFinding, words: ReportWords): Span[] {
  const { severity, originalSeverity, confidence, status, change, asil } = finding;
  const marks: Span[] = [{ text: words.of('severities', severity), mark: severity }];
  if (originalSeverity !== undefined && originalSeverity !== severity) {
    marks.push({
      text: words.text('severity_was', { severity: words.of('severities', originalSeverity) }),
      soft: true,
    });
  }
  marks.push({ text: words.of('confidences', confidence), soft: true });
  if (finding.unconfirmed) marks.push({ text: words.of('states', 'needs_confirmation'), mark: 'person' });
  if (finding.byModel !== undefined)
    marks.push({ text: words.of('model_marks', finding.byModel), mark: 'person' });
  if (asil !== undefined)
    marks.push({ text: /^(?:QM|[A-D](?:\(|$))/.test(asil) ? `ASIL ${asil}` : asil, soft: true });
  if (status !== undefined) {
    marks.push({
      text: words.of('statuses', status),
      mark: status === 'accepted' ? 'person' : status === 'resolved' ? 'good' : 'none',
    });
  }
  if (change !== undefined) marks.push({ text: words.of('changes', change), soft: true });
  return marks;
}

function factsOf(finding: ReportFinding, words: ReportWords): [string, Inline][] {
  const { text } = words;
  const rows: [string, Inline | undefined][] = [
    [text('reference'), finding.standardRef],
    [text('expected'), finding.expected],
    [text('observed'), finding.observed],
    // Most observations of absence say what was searched.
    [text('searched'), finding.search && finding.observed.includes(finding.search) ? '' : finding.search],
    [text('why'), finding.whyItMatters],
    [text('recommendation'), finding.recommendation],
    [text('remedy'), finding.remedy?.steps.map((step, at) => `${at + 1}. ${step}`).join(' ')],
    [text('effort'), finding.effortHint && words.of('efforts', finding.effortHint)],
    [text('affected'), isListed(finding) ? '' : namesOf(finding).join(', ')],
    [text('severity_because'), finding.severityReasons.join(' ')],
    [text('assignee'), finding.assignee],
    [text('due'), finding.dueDate],
    [text('note'), finding.note],
    [text('identity'), [{ text: finding.fingerprint, code: true }]],
  ];
  return rows.filter((row): row is [string, Inline] => row[1] !== undefined && row[1] !== '');
}

/** Keys of templates mean something to programs only: titles of what they stand for are in the finding. */
const KEY = /^[a-z0-9]+(?:[._][a-z0-9]+)*$/;
const namesOf = ({ affected = [], affectedItems }: ReportFinding): readonly string[] => {
  const titles = new Map(affected.map(({ id, title }) => [id, title]));
  return affectedItems.flatMap((id) => titles.get(id) ?? (KEY.test(id) ? [] : [id]));
};

/** A quote with its place. Where there is no quote, the place stands alone. */
function quoteOf(evidence: ReportEvidence, words: ReportWords): Block {
  const { quote, role, note } = evidence;
  return {
    kind: 'quote',
    text: quote,
    source: printSource(evidence, words),
    role: {
      text: words.of('roles', role),
      mark: role === 'support' ? 'good' : role === 'counter' ? 'bad' : 'none',
    },
    ...(note === undefined ? {} : { note }),
  };
}

/** Accepted findings with who accepted them, why and until when. */
export function* writeWaivers({ parts }: Report, words: ReportWords): Generator<Block> {
  const { text } = words;
  yield { kind: 'heading', level: 1, id: 'waivers', text: text('waivers') };
  const accepted = parts.flatMap(({ findings }) => findings.filter(({ waiver }) => waiver !== undefined));
  if (accepted.length === 0) {
    yield { kind: 'paragraph', text: text('waivers_none') };
    return;
  }
  yield {
    kind: 'table',
    caption: text('waivers'),
    columns: [
      { title: text('finding'), width: 34 },
      { title: text('severity'), width: 12 },
      { title: text('owner'), width: 18 },
      { title: text('reason'), width: 24 },
      { title: text('until'), width: 12 },
    ],
    rows: accepted.map(({ title, severity, waiver }) => [
      title,
      [{ text: words.of('severities', severity), mark: severity }],
      waiver!.owner ?? '',
      waiver!.reason,
      waiver!.until?.slice(0, 10) ?? text('open_end'),
    ]),
  };
}
