import type { Report, ReportDocument, ReportSelection } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block, Inline } from './block.js';

/** Cover: what this is, of whom, made when and with what. */
export function* writeCover(report: Report, words: ReportWords): Generator<Block> {
  const { text } = words;
  const kinds = [...new Set(report.parts.map(({ type }) => words.of('types', type)))].join(', ');
  const subjects = [...new Set(report.parts.map(({ subject }) => subject))].filter((one) => one !== '');
  const facts: [string, Inline][] = [];
  if (report.workspace !== undefined) facts.push([text('workspace'), report.workspace]);
  facts.push([text('item'), report.scope.item ?? text('whole_workspace')]);
  if (report.scope.variant !== undefined) facts.push([text('variant'), report.scope.variant]);
  for (const { standard } of report.parts) {
    if (!standard) continue;
    const edition = standard.edition === '' ? [] : [text('edition', { edition: standard.edition })];
    const own = standard.source === 'uploaded' ? [text('uploaded_standard')] : [];
    const rest = [...edition, ...own].join(', ');
    const name =
      standard.title === '' || standard.title === standard.designation
        ? standard.designation
        : `${standard.designation} ${standard.title}`;
    facts.push([text('compared_with'), rest === '' ? name : `${name} (${rest})`]);
  }
  facts.push([text('date'), words.time(report.createdAt)]);
  if (report.author !== undefined) facts.push([text('author'), report.author]);
  facts.push(...statedOnCover(report, words));
  facts.push(
    [text('documents'), words.number(report.documents.length)],
    [text('tool'), `${report.tool.name} ${report.tool.version}`],
    [text('content_hash'), [{ text: report.contentHash, code: true }]],
  );
  yield {
    kind: 'cover',
    title: report.title,
    lead: [kinds, subjects.join(', ')].filter((one) => one !== '').join(' · '),
    facts,
    notice: report.wordsRemoved ? `${text('notice')}\n${text('words_removed')}` : text('notice'),
  };
}

/** What whoever made the report says of it, and what it leaves out. */
export function statedOnCover(
  { mark, cover = [], selection }: Report,
  words: ReportWords,
): [string, string][] {
  const { text } = words;
  return [
    ...(mark === undefined ? [] : [[text('confidentiality'), mark] satisfies [string, string]]),
    ...cover.map(({ label, value }): [string, string] => [label, value]),
    ...(selection ? [[text('selection'), selectionOf(selection, words)] satisfies [string, string]] : []),
  ];
}

/** Which findings are told and how many are left out, in a sentence. */
export function selectionOf(
  { severities, statuses, since, findings, leftOut }: ReportSelection,
  words: ReportWords,
) {
  const wanted = [
    ...(severities ? [severities.map((one) => words.of('severities', one)).join(', ')] : []),
    ...(statuses ? [statuses.map((one) => words.of('statuses', one)).join(', ')] : []),
    ...(since === undefined ? [] : [words.text('new_since', { date: words.time(since) })]),
  ];
  const counts = { wanted: wanted.join('; '), told: words.number(findings), rest: words.number(leftOut) };
  return words.text('selection_told', counts);
}

/** What the line at the top or bottom of every page says. */
export function runningLine(
  report: Report,
  words: ReportWords,
): { readonly top: string; readonly bottom: string } {
  const { copyFor, mark } = report;
  const copy = copyFor
    ? words.text('copy_for', { name: copyFor.name, date: words.time(copyFor.at) })
    : undefined;
  return {
    top: [report.title, mark, copy].filter((one) => one !== undefined).join(' · '),
    bottom: words.text('notice'),
  };
}

/** Scope: exactly which versions were read. */
export function* writeDocuments({ documents }: Report, words: ReportWords): Generator<Block> {
  const { text } = words;
  yield { kind: 'heading', level: 1, id: 'scope', text: text('scope') };
  if (documents.length === 0) {
    yield { kind: 'paragraph', text: text('no_documents') };
    return;
  }
  yield { kind: 'paragraph', text: text('scope_intro') };
  yield {
    kind: 'table',
    caption: text('documents'),
    columns: [
      { title: text('document'), width: 26 },
      { title: text('version'), width: 10 },
      { title: text('type'), width: 20 },
      { title: text('sha256'), width: 24 },
      { title: text('remarks'), width: 20 },
    ],
    rows: documents.map((document) => [
      document.name,
      document.version,
      document.types.map((type) => words.documentType(type)).join(', '),
      [{ text: document.sha256, code: true }],
      remarksOf(document, words),
    ]),
  };
}

function remarksOf({ status, setAside, notes }: ReportDocument, words: ReportWords): string {
  const known = status === undefined || status === 'unknown' ? [] : [words.named('document_states', status)];
  return [...known, ...(setAside === undefined ? [] : [setAside]), ...notes].join('; ');
}

export function* writeSignOff(words: ReportWords): Generator<Block> {
  const { text } = words;
  yield { kind: 'heading', level: 1, id: 'sign-off', text: text('sign_off') };
  yield { kind: 'paragraph', text: text('sign_off_intro') };
  yield {
    kind: 'table',
    caption: text('sign_off'),
    columns: [
      { title: text('role'), width: 20 },
      { title: text('name'), width: 26 },
      { title: text('decision'), width: 26 },
      { title: text('signature'), width: 28 },
    ],
    rows: words.signOffRoles.map((role) => [role, '', '', '']),
    tall: true,
  };
  yield { kind: 'paragraph', text: [{ text: text('notice'), strong: true }] };
}
