import { SEVERITIES } from '../../findings/finding.js';
import { printQuote } from '../../findings/print-quote.js';
import { ownerOf } from '../../findings/recommendations.js';
import { lifecycle } from '../../phases/lifecycle.js';
import { render } from '../../sentences/render.js';
import { say } from '../../sentences/sentence.js';
import { type Entries, type Entry, isOfSilence } from '../entries.js';
import { firstPageOf, type GoalLine } from '../first-page.js';
import type { Report, ReportFinding } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block, Inline } from './block.js';
import { nameOf, notDueOf } from './causes.js';
import { clauses, inShort, shortened, titleInShort, withFirstId } from './in-short.js';
import { printSource } from './print-place.js';
import { writtenByModel } from './summary.js';

const MOST_GOALS = 10;
const MOST_NAMED = 4;
const MOST_LEFT_OUT = 3;
const MOST_REASONS = 2;
const MOST_STATES = 5;
const MOST_SCORES = 8;
const MOST_ALIKE = 6;
const LONGEST_GOAL = 80;
const LONGEST_TITLE = 110;
const LONGEST_OPEN = 70;
const LONGEST_CHANGED = 60;
const LONGEST_QUOTE = 130;
const LONGEST_ACTION = 170;
const LONGEST_REASON = 150;
const LONGEST_FIELD = 30;
const LETTERS_OF_NAMES = 55;
const LETTERS_OF_DOCUMENTS = 110;
const STATED = ['version', 'date', 'status'] as const;

/**
 * What somebody needs who reads one page, or two at most: one count over all analyses, every goal with what follows it and what is
 * open, what to decide first, what is new, and what nobody looked at. All of it is cut to a length; the rest of the report has the whole.
 */
export function* writeOverview(report: Report, words: ReportWords): Generator<Block> {
  const { text } = words;
  const { open, first, goals, forPersons, waiting } = firstPageOf(report, words);
  yield { kind: 'heading', level: 1, id: 'overview', text: text('overview') };
  if (report.summary) yield* writtenByModel(report.summary, words);
  yield {
    kind: 'facts',
    rows: [
      ...totals(report, { open, forPersons, waiting }, words),
      ...scores(report, words),
      ...documentsOf(report, words),
      ...phase(report, words),
      ...notDue(report, words),
      ...leftOut(report, words),
    ],
  };
  yield* goalTable(goals, words);
  yield* decisions(first, report, words);
}

/** What the documents say about themselves, those that say the same together; the version that was uploaded is another thing. */
function documentsOf({ documents }: Report, words: ReportWords): [string, Inline][] {
  const { text } = words;
  if (!documents.some(({ stated }) => stated !== undefined)) return [];
  const alike = new Map<string, string[]>();
  for (const { name, stated = {} } of documents) {
    const missing = STATED.filter((key) => stated[key] === undefined);
    const said = STATED.filter((key) => stated[key] !== undefined).map((key) => {
      const value = shortened(stated[key]!, LONGEST_FIELD);
      return key === 'version' ? `${text(key)} ${value}` : value;
    });
    const line = [
      ...said,
      ...(missing.length > 0 ? [`${missing.map((key) => text(key)).join(', ')} ${text('not_stated')}`] : []),
    ].join(', ');
    alike.set(line, [...(alike.get(line) ?? []), name]);
  }
  const lines = [...alike].map(
    ([said, names]) => `${inShort(names, MOST_ALIKE, words, { letters: LETTERS_OF_DOCUMENTS })}: ${said}`,
  );
  return [[text('documents_say'), inShort(lines, MOST_STATES, words, { between: '\n' })]];
}

/** What is not due or not done in this project: how much, and why; which items stands with the causes. */
function notDue({ parts }: Report, words: ReportWords): [string, Inline][] {
  const lines = notDueOf(parts).map(
    ([reason, items]) => `${words.number(items.length)}: ${shortened(reason, LONGEST_REASON)}`,
  );
  return lines.length === 0
    ? []
    : [[words.text('not_due'), inShort(lines, MOST_REASONS, words, { between: '\n' })]];
}

/** The score of every analysis that has one, and where its method stands. */
function scores({ parts }: Report, words: ReportWords): [string, Inline][] {
  const known = parts.flatMap((part) =>
    part.score.value === null ? [] : [`${nameOf(part, words)} ${words.number(part.score.value)}`],
  );
  if (known.length === 0) return [];
  const told = inShort(known, MOST_SCORES, words, { between: ' · ' });
  return [[words.text('scores'), [{ text: told }, { text: ` (${words.text('scores_where')})`, soft: true }]]];
}

/** The phase that the run was told, or that somebody has to tell. */
function phase({ parts, scope, language }: Report, words: ReportWords): [string, Inline][] {
  const known = lifecycle().phases.find(({ id }) => id === scope.phase);
  if (known) return [[words.text('phase'), known.name[language]]];
  const subject = render(say('scope.ask-phase'), language);
  const asked = parts.flatMap(({ questions }) => questions).find((one) => one.subject === subject);
  return asked ? [[words.text('phase'), `${subject} ${asked.text}`]] : [];
}

function totals(
  { parts }: Report,
  {
    open,
    forPersons,
    waiting,
  }: { readonly open: readonly Entry[] } & Pick<Entries, 'forPersons' | 'waiting'>,
  words: ReportWords,
): [string, Inline][] {
  const { text, number } = words;
  const counts = SEVERITIES.map(
    (severity) =>
      `${number(open.filter((one) => one.severity === severity).length)} ${words.of('severities', severity)}`,
  ).join(', ');
  const shared = open.filter((entry) => entry.parts.length > 1).length;
  const listed = (members: Entries['forPersons']) => ({
    count: number(members.length),
    names: shortList(
      members.map(({ finding, part }) =>
        part.type === 'checklist' || part.type === 'gap_analysis' ? finding.criterionId : finding.title,
      ),
      words,
    ),
  });
  const changed = parts.flatMap(({ changes }) => changes ?? []);
  const rows: [string, Inline][] = [
    [text('open_findings'), `${number(open.length)}: ${counts}`],
    ...(shared === 0
      ? []
      : [[text('told_once'), text('told_once_count', { count: number(shared) })] satisfies [string, Inline]]),
    ...(forPersons.length === 0
      ? []
      : [[text('for_persons'), text('for_persons_count', listed(forPersons))] satisfies [string, Inline]]),
    ...(waiting.length === 0
      ? []
      : [[text('waiting'), text('waiting_count', listed(waiting))] satisfies [string, Inline]]),
  ];
  if (changed.length === 0) return rows;
  const sums = (['new', 'updated', 'absent', 'unchanged'] as const).map(
    (change) =>
      `${number(changed.reduce((sum, one) => sum + one[change], 0))} ${words.of('changes', change)}`,
  );
  const added = open.filter(({ members }) => members.every(({ finding }) => finding.change === 'new'));
  const gone = [
    ...parts.flatMap((part) => part.gone ?? []),
    ...parts.flatMap(({ findings }) => findings.filter(({ change }) => change === 'absent')),
  ];
  const titles = (of: readonly { readonly title: string }[]) =>
    inShort([...new Set(of.map(({ title }) => shortened(title, LONGEST_CHANGED)))], MOST_NAMED, words, {
      between: '; ',
    });
  return [
    ...rows,
    [text('changes'), sums.join(', ')],
    ...(added.length === 0 ? [] : [[text('changes_new'), titles(added)] satisfies [string, Inline]]),
    ...(gone.length === 0 ? [] : [[text('changes_gone'), titles(gone)] satisfies [string, Inline]]),
  ];
}

/** What was not looked at, and why: the reason with what it holds for. */
function leftOut({ parts, documents }: Report, words: ReportWords): [string, Inline][] {
  const reasons = new Map<string, Set<string>>();
  const left = [
    ...parts.flatMap(({ notAssessed }) => notAssessed),
    ...documents.flatMap(({ name, setAside }) =>
      setAside === undefined ? [] : [{ subject: name, reason: setAside }],
    ),
  ];
  for (const { subject, reason } of left)
    reasons.set(reason, (reasons.get(reason) ?? new Set()).add(subject));
  const told = [...reasons]
    .slice(0, MOST_LEFT_OUT)
    .map(([reason, of]) => `${shortList([...of], words)}: ${shortened(reason, LONGEST_REASON)}`);
  const more = reasons.size - told.length;
  const all = [...told, ...(more > 0 ? [words.text('and_more', { count: words.number(more) })] : [])];
  return [[words.text('not_assessed'), all.length === 0 ? words.text('not_assessed_none') : all.join('\n')]];
}

/** One line for each goal: its level, what follows it, what is open about it or anything below it. */
function* goalTable(all: readonly GoalLine[], words: ReportWords): Generator<Block> {
  const { text, number } = words;
  if (all.length === 0) return;
  const shown = all.slice(0, MOST_GOALS);
  yield {
    kind: 'table',
    caption:
      shown.length < all.length
        ? text('goals_first', { shown: number(shown.length), count: number(all.length) })
        : text('goals'),
    columns: [
      { title: text('goal'), width: 33 },
      { title: text('integrity'), width: 14 },
      { title: text('follows'), width: 22 },
      { title: text('open'), width: 31 },
    ],
    rows: shown.map(({ goal, open }): Inline[] => {
      const [worst] = open;
      return [
        [{ text: goal.id, strong: true }, { text: ` ${shortened(goal.text, LONGEST_GOAL)}` }],
        goal.integrityFrom === undefined
          ? (goal.integrity ?? text('none'))
          : text('integrity_from', { level: goal.integrity ?? '', from: goal.integrityFrom }),
        goal.downstream.length === 0
          ? text('nothing')
          : shortList(
              goal.downstream.map(({ artifactId }) => artifactId),
              words,
            ),
        worst === undefined
          ? text(goal.downstream.length === 0 ? 'nothing_given_below' : 'nothing')
          : [
              { text: words.of('severities', worst.severity), mark: worst.severity },
              { text: ` ${inTitle(worst, LONGEST_OPEN, words)}` },
              ...(open.length > 1
                ? [{ text: ` ${text('and_more', { count: number(open.length - 1) })}`, soft: true as const }]
                : []),
            ],
      ];
    }),
  };
}

/** What to decide first, with quote and owner. */
function* decisions(told: readonly Entry[], report: Report, words: ReportWords): Generator<Block> {
  const { text } = words;
  if (told.length === 0) return;
  yield {
    kind: 'table',
    caption: text('decide_first'),
    columns: [
      { title: text('finding'), width: 31 },
      { title: text('evidence'), width: 27 },
      { title: text('recommendation'), width: 42 },
    ],
    rows: told.map((entry): Inline[] => [
      [
        { text: words.of('severities', entry.severity), mark: entry.severity },
        { text: ` ${inTitle(entry, LONGEST_TITLE, words)}`, strong: true },
        { text: ` (${[...new Set(entry.parts.map((part) => nameOf(part, words)))].join('; ')})`, soft: true },
      ],
      quoted(entry.finding, words),
      [
        { text: inBrief(entry.finding, report, words) },
        ...(entry.finding.assignee === undefined
          ? []
          : [{ text: ` ${text('assignee')}: ${entry.finding.assignee}`, strong: true as const }]),
      ],
    ]),
  };
}

/** What to do and who does it: whom the recommendation names, else who owns the document of the quote; the details tell when it is done. */
function inBrief(
  { recommendation, evidence, affectedItems }: ReportFinding,
  report: Report,
  words: ReportWords,
): string {
  const { text } = words;
  const [first = '', ...rest] = recommendation.split('; ');
  const named = rest.find((one) => one.startsWith(text('owner_label')));
  const from = evidence.find(({ quote }) => quote !== '')?.documentId;
  const types = report.documents.find(({ id }) => id === from)?.types ?? [];
  const owner = named ?? `${text('owner_label')} ${render(ownerOf(types), report.language)}`;
  const action = first.length > LONGEST_ACTION ? withFirstId(first, affectedItems, words) : first;
  return `${clauses(action, LONGEST_ACTION).replace(/\.$/, '')}; ${owner}`;
}

/** The first quote that shows it; where nothing was found, what is near shows nothing. */
function quoted({ evidence, observed, search }: ReportFinding, words: ReportWords): Inline {
  const one = evidence.find(
    ({ quote, role }) => quote !== '' && (role !== 'context' || search === undefined),
  );
  if (!one) return shortened(observed, LONGEST_QUOTE);
  // Headings are long; a page or a cell is found as well.
  const { section, ...place } = one.location;
  const isPlaced = place.page !== undefined || place.sheet !== undefined;
  const location = isPlaced || section === undefined ? place : { ...place, section };
  return [
    { text: printQuote(one.quote.replaceAll(/\s+/g, ' '), LONGEST_QUOTE) },
    { text: ` – ${printSource({ ...one, location }, words)}`, soft: true },
  ];
}

/** What is not there is a list behind the name of a document: its beginning tells it. */
const inTitle = (entry: Entry, most: number, words: ReportWords): string =>
  isOfSilence(entry)
    ? shortened(entry.title, most)
    : titleInShort(
        entry.title,
        [...new Set(entry.members.flatMap(({ finding }) => finding.affectedItems))],
        most,
        words,
      );

const shortList = (names: readonly string[], words: ReportWords): string =>
  inShort(names, MOST_NAMED, words, { letters: LETTERS_OF_NAMES });
