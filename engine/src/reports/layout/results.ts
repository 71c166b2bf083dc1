import type { OpinionDecision, Report, ReportAdvice, ReportPart, ReportResult } from '../report.js';
import type { ReportWords } from '../report-words.js';
import type { Block, Inline, Span } from './block.js';
import { groupTitle, type PartTitle } from './part-title.js';
import { printSource } from './print-place.js';

/** Quotes of a result in its table row: the rest is counted. */
const QUOTES_IN_ROW = 2;

/** The answer for every criterion, section or item, area by area. */
export function* writeResults(part: ReportPart, title: PartTitle, words: ReportWords): Generator<Block> {
  if (part.results.length === 0) return;
  const { text } = words;
  yield { kind: 'heading', level: 1, id: `results-${part.id}`, text: title(text('results')) };
  const byGroup = new Map(part.groups.map(({ key }) => [key, [] as ReportResult[]]));
  for (const result of part.results) byGroup.get(result.group)!.push(result);
  for (const [index, { key }] of part.groups.entries()) {
    const results = byGroup.get(key)!;
    if (results.length === 0) continue;
    const name = groupTitle(part, key, words);
    yield { kind: 'heading', level: 2, id: `results-${part.id}-${index + 1}`, text: name };
    if (part.type === 'completeness') yield* sectionTables(results, words);
    else
      yield {
        kind: 'table',
        caption: name,
        columns: [
          { title: text('clause'), width: 11 },
          { title: text('title'), width: 20 },
          { title: text('result'), width: 13 },
          { title: text('reason'), width: 28 },
          { title: text('evidence'), width: 28 },
        ],
        rows: withoutConsequences(results).map((row) => [labelOf(row), ...cellsOf(row, words)]),
      };
  }
}

/** Sections of a document, a table for each template that it is compared with: its name would be the same in every row. */
function* sectionTables(results: readonly ReportResult[], words: ReportWords): Generator<Block> {
  const { text } = words;
  for (const template of new Set(results.map(({ label }) => label))) {
    yield {
      kind: 'table',
      caption: template,
      columns: [
        { title: text('section'), width: 22 },
        { title: text('result'), width: 14 },
        { title: text('reason'), width: 28 },
        { title: text('evidence'), width: 36 },
      ],
      rows: results
        .filter(({ label }) => label === template)
        .map((first) => cellsOf({ first, more: [] }, words)),
    };
  }
}

const labelOf = ({ first, more }: ResultRow): Inline => [
  { text: more.length === 0 ? first.label : `${first.label} … ${more.at(-1)!.label}`, code: true },
];

const cellsOf = ({ first, more, of }: ResultRow, words: ReportWords): readonly Inline[] => [
  [first, ...more].map(({ title }) => title).join('; '),
  stateOf(first, words),
  of === undefined ? first.reason : words.text('results_follow', { label: of }),
  evidenceOf(first, words),
];

/** Results in one row; `of`: what they follow from. */
interface ResultRow {
  readonly first: ReportResult;
  readonly more: readonly ReportResult[];
  readonly of?: string;
}

/** What follows from a work product that was not found, or that a person has to decide, is one row below it. */
function withoutConsequences(results: readonly ReportResult[]): readonly ResultRow[] {
  const byLabel = new Map(results.map((result) => [result.label, result]));
  const rows: { first: ReportResult; more: ReportResult[]; of?: string }[] = [];
  for (const result of results) {
    const parent = byLabel.get(PART_OF.exec(result.label)?.[1] ?? '');
    const follows = parent !== undefined && isSame(result, parent) && CONSEQUENT.has(result.state);
    const last = rows.at(-1);
    if (follows && last?.of === parent.label) last.more.push(result);
    else rows.push({ first: result, more: [], ...(follows ? { of: parent.label } : {}) });
  }
  return rows;
}

/** `6.5.1-2` is a demand on the content of `6.5.1`. */
const PART_OF = /^(.+)-\d+$/u;
const CONSEQUENT: ReadonlySet<string> = new Set(['missing', 'needs_review']);
/** Neither says anything of its own. */
const isSame = (one: ReportResult, other: ReportResult): boolean =>
  one.state === other.state &&
  one.needsPerson === other.needsPerson &&
  [one, other].every(({ override, evidence }) => override === undefined && evidence.length === 0);

function stateOf(result: ReportResult, words: ReportWords): Inline {
  const { override, instances, confidence } = result;
  const state = override?.state ?? result.state;
  const spans: Span[] = [{ text: words.of('states', state), mark: words.tone('states', state) }];
  if (result.needsPerson && !override && words.tone('states', state) !== 'person') {
    spans.push({ text: ' ' }, { text: words.of('states', 'needs_confirmation'), mark: 'person' });
  }
  if (instances) {
    spans.push({ text: ` ${words.text('instances', { met: instances.met, of: instances.of })}`, soft: true });
  }
  if (override) {
    const { by, reason } = override;
    const own = words.of('states', result.state);
    spans.push({ text: ` ${words.text('overridden', { by, reason, state: own })}`, soft: true });
  } else if (confidence !== undefined) {
    spans.push({ text: ` ${words.of('confidences', confidence)}`, soft: true });
  }
  return spans;
}

function evidenceOf({ evidence }: ReportResult, words: ReportWords): Inline {
  const spans = evidence
    .slice(0, QUOTES_IN_ROW)
    .flatMap((one, index): Span[] => [
      { text: `${index === 0 ? '' : '\n'}“${one.quote}” ` },
      { text: printSource(one, words), soft: true },
    ]);
  const more = evidence.length - QUOTES_IN_ROW;
  return more > 0 ? [...spans, { text: `\n+${more}`, soft: true }] : spans;
}

/** Where rules and a language model differ, who won, and what a person said of it. */
export function* writeDifferences(part: ReportPart, title: PartTitle, words: ReportWords): Generator<Block> {
  const { text } = words;
  const differing = part.results.flatMap((result) => {
    const { opinions } = result;
    return opinions && DIFFERENCES.has(opinions.outcome) ? [{ result, opinions }] : [];
  });
  if (differing.length === 0) return;
  yield { kind: 'heading', level: 1, id: `differences-${part.id}`, text: title(text('differences')) };
  yield { kind: 'paragraph', text: text('differences_intro') };
  const stateIn = (state: string) => words.named('states', state);
  yield {
    kind: 'table',
    caption: text('differences'),
    columns: [
      { title: text('clause'), width: 11 },
      { title: text('title'), width: 25 },
      { title: text('by_rules'), width: 13 },
      { title: text('by_model'), width: 13 },
      { title: text('result'), width: 13 },
      { title: text('decision'), width: 25 },
    ],
    rows: differing.map(({ result, opinions: { byRules, byModel, confirm, decision } }) => [
      [{ text: result.label, code: true }],
      result.title,
      stateIn(byRules),
      byModel === undefined || byModel === 'none' ? '' : stateIn(byModel),
      stateIn(result.state),
      decision ? decided(decision, words) : confirm ? words.of('states', 'needs_confirmation') : '',
    ]),
  };
}

/** What a language model said that is no verdict, and what a person said of it. */
export function* writeAdvice(part: ReportPart, title: PartTitle, words: ReportWords): Generator<Block> {
  const { text } = words;
  const { advice = [] } = part;
  if (advice.length === 0) return;
  yield { kind: 'heading', level: 1, id: `advice-${part.id}`, text: title(text('advice')) };
  yield { kind: 'paragraph', text: text('advice_intro') };
  yield {
    kind: 'table',
    caption: text('advice'),
    columns: [
      { title: text('subject'), width: 20 },
      { title: text('advice_about'), width: 16 },
      { title: text('advice_says'), width: 14 },
      { title: text('reason'), width: 32 },
      { title: text('decision'), width: 18 },
    ],
    rows: advice.map(({ kind, subject, about, says, because, quotes, decision }) => [
      subject,
      askedOf({ kind, about }, words),
      words.of('advice_says', says),
      [...quotes.map((quote) => `“${quote}”`), because].filter((one) => one !== '').join(' – '),
      decision ? decided(decision, words) : '',
    ]),
  };
}

const askedOf = ({ kind, about }: Pick<ReportAdvice, 'kind' | 'about'>, words: ReportWords): string => {
  if (kind === 'wording') return words.named('advice_axes', about);
  return kind === 'link' ? about.replaceAll('_', ' ') : words.text('advice_chapter', { type: about });
};

const decided = ({ decision, reason, by }: OpinionDecision, words: ReportWords): string =>
  `${words.of('opinion_decisions', decision)}: ${reason} (${by})`;

const DIFFERENCES: ReadonlySet<string> = new Set(['raised', 'lowered', 'listed']);

/** What only a person can decide, and what was not looked at: as important as the findings. */
export function* writeQuestions({ parts }: Report, words: ReportWords): Generator<Block> {
  const { text } = words;
  yield { kind: 'heading', level: 1, id: 'to-decide', text: text('to_decide') };
  const questions = parts.flatMap((part) => part.questions);
  const openOf = (part: ReportPart): readonly ReportResult[] =>
    part.results.filter(({ needsPerson, override }) => needsPerson && override === undefined);
  const isOpen = questions.length > 0 || parts.some((part) => openOf(part).length > 0);
  yield { kind: 'paragraph', text: text(isOpen ? 'to_decide_intro' : 'to_decide_none') };
  if (questions.length > 0) {
    yield pairs(
      questions.map((one) => [one.subject, one.text]),
      'question',
      'reason',
    );
  }
  for (const part of parts) {
    const open = openOf(part);
    if (open.length === 0) continue;
    const subject = part.subject === '' ? '' : `: ${part.subject}`;
    const title = `${words.of('types', part.type)}${subject}`;
    yield { kind: 'heading', level: 2, id: `to-decide-${part.id}`, text: title };
    const isOfSections = part.type === 'completeness';
    // Their quotes stand with the results.
    yield {
      kind: 'table',
      caption: title,
      columns: [
        isOfSections ? { title: text('type'), width: 26 } : { title: text('clause'), width: 12 },
        isOfSections ? { title: text('section'), width: 26 } : { title: text('title'), width: 30 },
        { title: text('reason'), width: isOfSections ? 48 : 58 },
      ],
      rows: withoutConsequences(open).map((row) => {
        const [titles, , reason] = cellsOf(row, words) as [Inline, Inline, Inline];
        return [isOfSections ? row.first.label : labelOf(row), titles, reason];
      }),
    };
  }
  yield { kind: 'heading', level: 1, id: 'not-assessed', text: text('not_assessed') };
  const left = parts.flatMap((part) => part.notAssessed);
  if (left.length === 0) yield { kind: 'paragraph', text: text('not_assessed_none') };
  else
    yield pairs(
      left.map((one) => [one.subject, one.reason]),
      'subject',
      'reason',
    );

  function pairs(rows: readonly Inline[][], first: 'question' | 'subject', second: 'reason'): Block {
    return {
      kind: 'table',
      caption: text(first),
      columns: [
        { title: text(first), width: 40 },
        { title: text(second), width: 60 },
      ],
      rows,
    };
  }
}
