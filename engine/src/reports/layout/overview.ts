import { SEVERITIES } from '../../findings/finding.js';
import { printQuote } from '../../findings/print-quote.js';
import { NOT_GIVEN } from '../../findings/subject.js';
import { lifecycle } from '../../phases/lifecycle.js';
import { render } from '../../sentences/render.js';
import { say } from '../../sentences/sentence.js';
import { type Entries, type Entry, entriesOf, isOfSilence } from '../entries.js';
import type { Report, ReportFinding, ReportMatrixRow, ReportPart } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block, Inline } from './block.js';
import { printSource } from './print-place.js';
import { writtenByModel } from './summary.js';

const MOST_GOALS = 20;
const MOST_NAMED = 4;
const MOST_DECISIONS = 5;
const MOST_LEFT_OUT = 5;
const LONGEST_GOAL = 90;
const LONGEST_QUOTE = 160;
const LONGEST_ACTION = 170;
const MOST_DETAILS = 8;
const LONGEST_DETAIL = 60;
const LONGEST_OBSERVED = 140;
const LONGEST_REASON = 240;
const MOST_DOCUMENTS = 14;
const LONGEST_FIELD = 40;

/**
 * What somebody needs who reads one page: one count over all analyses, every goal with what follows it and what is open, what to
 * decide first, what is new, and what nobody looked at.
 */
export function* writeOverview(report: Report, words: ReportWords): Generator<Block> {
  const { text } = words;
  const { entries, forPersons } = entriesOf(report, words);
  const open = entries.filter(
    ({ finding: { status } }) => status === undefined || status === 'open' || status === 'in_progress',
  );
  yield { kind: 'heading', level: 1, id: 'overview', text: text('overview') };
  if (report.summary) yield* writtenByModel(report.summary, words);
  yield {
    kind: 'facts',
    rows: [
      ...totals(report, { open, forPersons }, words),
      ...phase(report, words),
      ...leftOut(report, words),
    ],
  };
  yield* documentsOf(report, words);
  yield* goals(report, open, words);
  yield* decisions(open, words);
  yield* causes(open, words);
  yield* notDue(report, words);
}

/** What the documents say about themselves; the version that was uploaded is another thing. */
function* documentsOf({ documents }: Report, words: ReportWords): Generator<Block> {
  const { text, number } = words;
  if (!documents.some(({ stated }) => stated !== undefined)) return;
  const shown = documents.slice(0, MOST_DOCUMENTS);
  yield {
    kind: 'table',
    caption:
      shown.length < documents.length
        ? text('documents_say_first', { shown: number(shown.length), count: number(documents.length) })
        : text('documents_say'),
    columns: [
      { title: text('document'), width: 46 },
      { title: text('version'), width: 14 },
      { title: text('date'), width: 18 },
      { title: text('status'), width: 22 },
    ],
    rows: shown.map(({ name, stated = {} }): Inline[] => [
      name,
      ...(['version', 'date', 'status'] as const).map((key) =>
        shortened(stated[key] ?? text('not_stated'), LONGEST_FIELD),
      ),
    ]),
  };
}

/** What is not due or not done in this project, by reason, and that nothing counts it. */
function* notDue({ parts }: Report, words: ReportWords): Generator<Block> {
  const { text } = words;
  const lines = new Map<string, Set<string>>();
  for (const one of parts.flatMap((part) => part.notDue ?? [])) {
    const items = lines.get(one.reason) ?? new Set();
    for (const item of one.items) items.add(item);
    lines.set(one.reason, items);
  }
  if (lines.size === 0) return;
  yield {
    kind: 'table',
    caption: text('not_due'),
    columns: [
      { title: text('not_due_reason'), width: 50 },
      { title: text('not_due_items'), width: 50 },
    ],
    rows: [...lines].map(([reason, items]): Inline[] => [
      shortened(reason, LONGEST_REASON),
      `${words.number(items.size)}: ${inShort(withoutParts([...items]), MOST_DETAILS, words)}`,
    ]),
  };
}

/** What a work product demands goes with it: `26262-4:7.5.1-2` with `26262-4:7.5.1`; without it as `26262-4:7.5.1-2/3`. */
function withoutParts(ids: readonly string[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const id of ids) {
    const [, above = id, part] = /^(.*:.*)-(\d+)$/.exec(id) ?? [];
    const parts = lines.get(above) ?? [];
    lines.set(above, part === undefined ? parts : [...parts, part]);
  }
  const whole = new Set(ids);
  return [...lines].map(([id, parts]) => (whole.has(id) ? id : `${id}-${parts.join('/')}`));
}

/** The phase that the run was told, or that somebody has to tell. */
function phase({ parts, scope, language }: Report, words: ReportWords): [string, Inline][] {
  const known = lifecycle().phases.find(({ id }) => id === scope.phase);
  if (known) return [[words.text('phase'), known.name[language]]];
  const subject = render(say('scope.ask-phase'), language);
  const asked = parts.flatMap(({ questions }) => questions).find((one) => one.subject === subject);
  return asked ? [[words.text('phase'), `${subject} ${asked.text}`]] : [];
}

/** Every entry on a line, with what it holds and which analyses saw it. */
function* causes(open: readonly Entry[], words: ReportWords): Generator<Block> {
  const { text } = words;
  if (open.length === 0) return;
  yield {
    kind: 'table',
    caption: text('entries'),
    columns: [
      { title: text('finding'), width: 40 },
      { title: text('entry_holds'), width: 42 },
      { title: text('seen_by'), width: 18 },
    ],
    rows: [...open].sort(inOrderOfRisk).map(({ title, severity, details, parts, finding }): Inline[] => [
      [{ text: words.of('severities', severity), mark: severity }, { text: ` ${title}` }],
      details.length === 0
        ? shortened(finding.observed, LONGEST_OBSERVED)
        : inShort(
            details.map((one) => shortened(one, LONGEST_DETAIL)),
            MOST_DETAILS,
            words,
            '; ',
          ),
      [...new Set(parts.map((part) => nameOf(part, words)))].join('; '),
    ]),
  };
}

function totals(
  { parts }: Report,
  { open, forPersons }: { readonly open: readonly Entry[]; readonly forPersons: Entries['forPersons'] },
  words: ReportWords,
): [string, Inline][] {
  const { text, number } = words;
  const counts = SEVERITIES.map(
    (severity) =>
      `${number(open.filter((one) => one.severity === severity).length)} ${words.of('severities', severity)}`,
  ).join(', ');
  const shared = open.filter((entry) => entry.parts.length > 1).length;
  const asked = forPersons.map(({ finding }) => finding.criterionId);
  const changed = parts.flatMap(({ changes }) => changes ?? []);
  const rows: [string, Inline][] = [
    [text('open_findings'), `${number(open.length)}: ${counts}`],
    ...(shared === 0
      ? []
      : [[text('told_once'), text('told_once_count', { count: number(shared) })] satisfies [string, Inline]]),
    ...(asked.length === 0
      ? []
      : [
          [
            text('for_persons'),
            text('for_persons_count', { count: number(asked.length), names: shortList(asked, words) }),
          ] satisfies [string, Inline],
        ]),
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
    inShort([...new Set(of.map(({ title }) => shortened(title, LONGEST_DETAIL)))], MOST_NAMED, words, '; ');
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
    .map(([reason, of]) => `${shortList([...of], words)}: ${reason}`);
  const more = reasons.size - told.length;
  const all = [...told, ...(more > 0 ? [words.text('and_more', { count: words.number(more) })] : [])];
  return [[words.text('not_assessed'), all.length === 0 ? words.text('not_assessed_none') : all.join(' · ')]];
}

/** One line for each goal: its level, what follows it, what is open about it or anything below it. */
function* goals({ parts }: Report, open: readonly Entry[], words: ReportWords): Generator<Block> {
  const { text, number } = words;
  const rows = new Map(parts.flatMap(({ trace }) => trace?.matrix ?? []).map((row) => [row.id, row]));
  const all = [...rows.values()].filter(({ type }) => type.endsWith('_goal'));
  if (all.length === 0) return;
  const shown = [...all].sort((a, b) => rankOf(b.integrity) - rankOf(a.integrity)).slice(0, MOST_GOALS);
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
    rows: shown.map((goal): Inline[] => {
      const below = idsBelow(goal, rows);
      const own = open.filter(({ members }) =>
        members.some(
          ({ finding }) => finding.subject !== NOT_GIVEN && finding.affectedItems.some((id) => below.has(id)),
        ),
      );
      const [worst] = [...own].sort(inOrderOfRisk);
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
          ? text('nothing')
          : [
              { text: words.of('severities', worst.severity), mark: worst.severity },
              { text: ` ${worst.title}` },
              ...(own.length > 1
                ? [{ text: ` ${text('and_more', { count: number(own.length - 1) })}`, soft: true as const }]
                : []),
            ],
      ];
    }),
  };
}

/** A goal and everything below it, by id. */
function idsBelow(goal: ReportMatrixRow, rows: ReadonlyMap<string, ReportMatrixRow>): ReadonlySet<string> {
  const ids = new Set([goal.id]);
  // A set is read to its end while it grows.
  for (const id of ids) for (const { artifactId } of rows.get(id)?.downstream ?? []) ids.add(artifactId);
  return ids;
}

/** The first things to decide: the highest risk first, and no two of one kind while there are others. */
function* decisions(open: readonly Entry[], words: ReportWords): Generator<Block> {
  const { text } = words;
  const ranked = [...open].sort(inOrderOfRisk);
  const kinds = new Set<string>();
  const first = ranked.filter(({ finding: { kind, criterionId } }) => {
    const isNew = !kinds.has(`${kind} ${criterionId}`) && !kinds.has(kind);
    kinds.add(kind);
    return isNew;
  });
  const chosen = new Set([...first, ...ranked].slice(0, MOST_DECISIONS));
  const told = ranked.filter((entry) => chosen.has(entry));
  if (told.length === 0) return;
  yield {
    kind: 'table',
    caption: text('decide_first'),
    columns: [
      { title: text('finding'), width: 34 },
      { title: text('evidence'), width: 33 },
      { title: text('recommendation'), width: 33 },
    ],
    rows: told.map(({ finding, title, severity, parts }): Inline[] => [
      [
        { text: words.of('severities', severity), mark: severity },
        { text: ` ${title}`, strong: true },
        { text: ` (${[...new Set(parts.map((part) => nameOf(part, words)))].join('; ')})`, soft: true },
      ],
      quoted(finding, words),
      [
        { text: inBrief(finding.recommendation, words) },
        ...(finding.assignee === undefined
          ? []
          : [{ text: ` ${text('assignee')}: ${finding.assignee}`, strong: true as const }]),
      ],
    ]),
  };
}

/** What to do and who does it; the details tell when it is done. */
function inBrief(recommendation: string, { text }: ReportWords): string {
  const [first = '', ...rest] = recommendation.split('; ');
  const owner = rest.find((one) => one.startsWith(text('owner_label')));
  const action = shortened(first, LONGEST_ACTION);
  return owner === undefined ? action : `${action}; ${owner}`;
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

const severityRank = ({ severity }: Entry) => SEVERITIES.indexOf(severity);

/** The most severe first, then what is wrong before what is absent, then the higher level, then what is sure, then what concerns more. */
function inOrderOfRisk(one: Entry, other: Entry): number {
  const [a, b] = [one.finding, other.finding];
  return (
    severityRank(one) - severityRank(other) ||
    Number(isOfSilence(one)) - Number(isOfSilence(other)) ||
    rankOf(b.asil) - rankOf(a.asil) ||
    Number(a.unconfirmed ?? false) - Number(b.unconfirmed ?? false) ||
    other.details.length - one.details.length
  );
}

/** `B(D)` stands for the level before decomposition. */
function rankOf(level = ''): number {
  return ['QM', 'A', 'B', 'C', 'D'].indexOf(
    /\(([A-D]|QM)\)|\b([A-D]|QM)$/.exec(level)?.slice(1).find(Boolean) ?? '',
  );
}

/** A checklist by its id: its title is in the chapter about it. */
const nameOf = ({ type, subject }: ReportPart, words: ReportWords): string => {
  if (subject === '') return words.of('types', type);
  return type === 'checklist' ? subject.split(' ', 1)[0]! : subject;
};

const shortList = (names: readonly string[], words: ReportWords): string => inShort(names, MOST_NAMED, words);

function inShort(names: readonly string[], most: number, words: ReportWords, between = ', '): string {
  const shown = names.slice(0, most).join(between);
  const more = names.length - most;
  return more > 0 ? `${shown} ${words.text('and_more', { count: words.number(more) })}` : shown;
}

function shortened(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).replace(/\s+\S*$/, '')} …` : line;
}
