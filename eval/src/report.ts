import {
  alwaysPass,
  type ChecklistFigures,
  figuresOf,
  type JudgedItem,
  leftToPersons,
} from './checklists.js';
import type { ConfidenceClass } from './confidence.js';
import type { CoverageFigures } from './coverage.js';
import { type LinkFigures, meanLinkFigures } from './links.js';
import { mean } from './metrics.js';
import type { ProposalFigures } from './proposals.js';
import { type RewordedFigures, rewordedSentence } from './reworded.js';
import type { TransferFigures } from './settings-transfer.js';
import type { JudgedVerdict } from './verdicts.js';

/** The figures of one method. */
export interface MethodFigures {
  readonly method: string;
  readonly links: readonly LinkFigures[];
  readonly coverage: readonly CoverageFigures[];
}

export interface EvaluationReport {
  /** ISO date of the run. */
  readonly date: string;
  /** Name of the data folder, without its place. */
  readonly data: string;
  /** Id of the embedding model, or undefined when it was off. */
  readonly model: string | undefined;
  readonly methods: readonly MethodFigures[];
  /** How far the shipped settings owe their figures to these very sets; empty without embeddings. */
  readonly transfer: readonly { readonly title: string; readonly figures: readonly TransferFigures[] }[];
  /** Items of checklists as inspectors and the engine answered them; empty without such cases. */
  readonly checklists: readonly JudgedItem[];
  /** What becomes of their right decisions when the questions are said in other words. */
  readonly reworded: RewordedFigures;
  /** Clauses of uploaded standards as persons and the gap analysis judged them. */
  readonly verdicts: readonly JudgedVerdict[];
  readonly proposals: readonly ProposalFigures[];
  readonly confidence: readonly ConfidenceClass[];
}

/** A Markdown table with padded columns, so that it reads as well in a terminal. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function linkTable(methods: readonly MethodFigures[]): string {
  const sets = methods[0]!.links.map(({ set }) => set);
  const head = ['set', ...methods.flatMap(({ method }) => [`${method}: MAP`, 'F1', 'F2'])];
  const cells = (pick: (figures: readonly LinkFigures[]) => LinkFigures) =>
    methods.flatMap(({ links }) => {
      const { averagePrecision, f1, f2 } = pick(links);
      return [averagePrecision, f1, f2].map(figure);
    });
  return table(head, [
    ...sets.map((set, number) => [set, ...cells((links) => links[number]!)]),
    ['mean', ...cells(meanLinkFigures)],
  ]);
}

export function coverageTable(methods: readonly MethodFigures[]): string {
  const head = ['corpus, method', 'hit@1', 'hit@3', 'AUC', 'F1', 'P', 'R'];
  const corpora = methods[0]!.coverage;
  const rows = corpora.flatMap(({ corpus }, number) =>
    methods.map(({ method, coverage }) => {
      const { hitAt1, hitAt3, auc, quality } = coverage[number]!;
      const figures = [hitAt1, hitAt3, auc, quality.f, quality.precision, quality.recall];
      return [`${corpus}, ${method}`, ...figures.map(figure)];
    }),
  );
  return table(head, rows);
}

export function transferTable(title: string, figures: readonly TransferFigures[]): string {
  const cells = (one: Pick<TransferFigures, 'chosenElsewhere' | 'shipped' | 'bestOnItself'>) =>
    [one.chosenElsewhere, one.shipped, one.bestOnItself].map(figure);
  const average = {
    chosenElsewhere: mean(figures.map((one) => one.chosenElsewhere)),
    shipped: mean(figures.map((one) => one.shipped)),
    bestOnItself: mean(figures.map((one) => one.bestOnItself)),
  };
  return table(
    [
      title,
      'chosen on the others',
      'shipped',
      'best on itself',
      'chosen: TF-IDF/BM25/embedding, exclusivity, context',
    ],
    [...figures.map((one) => [one.set, ...cells(one), settingsLine(one)]), ['mean', ...cells(average), '']],
  );
}

function settingsLine({ chosen: { weights, exclusivity, context } }: TransferFigures): string {
  return `${weights.cosine}/${weights.bm25}/${weights.embedding}, ${exclusivity}, ${context}`;
}

/** One sentence per claim that the figures allow, made from the figures. */
export function conclusions(methods: readonly MethodFigures[]): string[] {
  const baseline = methods[0]!;
  const sentences: string[] = [];
  for (const method of methods.slice(1)) {
    if (method.links.length > 0) {
      const better = method.links.filter(
        (figures, set) => figures.averagePrecision > baseline.links[set]!.averagePrecision,
      );
      const own = meanLinkFigures(method.links).averagePrecision;
      const base = meanLinkFigures(baseline.links).averagePrecision;
      sentences.push(
        `Links, ${method.method}: mean MAP ${figure(own)} against ${figure(base)} of ${baseline.method}; better on ${better.length} of ${method.links.length} sets.`,
      );
    }
  }
  for (const { corpus, missing, decisions } of baseline.coverage) {
    const everything = (2 * missing) / (missing + decisions);
    sentences.push(
      `Coverage, ${corpus}: ${decisions} decisions, ${missing} missing; calling everything missing has F1 ${figure(everything)}.`,
    );
  }
  return sentences;
}

export function markdownReport(report: EvaluationReport): string {
  const { methods } = report;
  const parts = [
    '# Evaluation',
    `Made by \`npm run eval -- --data ${report.data}\` on ${report.date}; embedding model: ${report.model ? `\`${report.model}\`` : 'off'}. Do not edit: run it again.`,
    ...(methods[0]!.links.length + methods[0]!.coverage.length > 0 ? ['## Retrieval', METHOD] : []),
    ...(methods[0]!.links.length ? ['### Links', LINKS, linkTable(methods)] : []),
    ...(methods[0]!.coverage.length ? ['### Coverage', COVERAGE, coverageTable(methods)] : []),
    ...(report.transfer.length ? ['### Settings chosen on other sets', TRANSFER] : []),
    ...report.transfer.map(({ title, figures }) => transferTable(title, figures)),
    ...(methods[0]!.links.length + methods[0]!.coverage.length > 0
      ? [
          '### What it means',
          conclusions(methods)
            .map((sentence) => `- ${sentence}`)
            .join('\n'),
          LIMITS,
        ]
      : []),
    ...(report.proposals.length > 0
      ? ['## Proposals of links', PROPOSALS, proposalTable(report.proposals)]
      : []),
    ...(report.verdicts.length > 0
      ? ['## Verdicts on uploaded standards', VERDICTS, verdictTable(report.verdicts)]
      : []),
    ...(report.checklists.length > 0
      ? [...checklistParts(report.checklists), rewordedSentence(report.reworded)]
      : []),
    ...(report.confidence.length > 0
      ? ['## Confidence', CONFIDENCE, confidenceTable(report.confidence)]
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Proposals, each set and the mean. */
export function proposalTable(figures: readonly ProposalFigures[]): string {
  const hits = (own: readonly ProposalFigures[]) =>
    [own.map(({ hitAt1 }) => hitAt1), own.map(({ hitAt5 }) => hitAt5)].map((values) => figure(mean(values)));
  return table(
    ['set', 'open', 'parents', 'hit@1', 'hit@5'],
    [
      ...figures.map((one) => [one.set, `${one.open}`, `${one.parents}`, ...hits([one])]),
      ['mean', '', '', ...hits(figures)],
    ],
  );
}

const ANSWERS = ['covered', 'partial', 'needs_review', 'missing'] as const;

/** Verdicts beside what persons said, and what "missing" and "covered" are worth. */
export function verdictTable(judged: readonly JudgedVerdict[]): string {
  const rows = [...new Set(judged.map(({ corpus }) => corpus))].map((corpus) => {
    const own = judged.filter((one) => one.corpus === corpus);
    const missing = own.filter(({ covered }) => !covered).length;
    const of = (verdict: string) => own.filter((one) => one.verdict === verdict);
    const [called, shown] = [of('missing'), of('covered')];
    const right = called.filter(({ covered }) => !covered).length;
    return [
      `${corpus} (${own.length}, ${missing} missing)`,
      ...ANSWERS.map((verdict) => {
        const all = of(verdict);
        return `${all.filter(({ covered }) => covered).length} / ${all.filter(({ covered }) => !covered).length}`;
      }),
      ...[
        shown.filter(({ covered }) => covered).length / shown.length,
        right / called.length,
        right / missing,
        (2 * right) / (called.length + missing),
        (2 * missing) / (own.length + missing),
      ].map(figure),
    ];
  });
  const head = ['corpus', ...ANSWERS, 'P of covered', 'P of missing', 'R', 'F1', 'all missing: F1'];
  return table(head, rows);
}

/** How often each class of confidence is right, by kind of answer. */
export function confidenceTable(classes: readonly ConfidenceClass[]): string {
  return table(
    ['answers', 'confidence', 'given', 'right', 'share'],
    classes.map(({ source, confidence, answers, right }) => [
      source,
      confidence,
      `${answers}`,
      `${right}`,
      figure(right / answers),
    ]),
  );
}

export function misleadingSentence({
  surer,
  lower,
}: {
  readonly surer: ConfidenceClass;
  readonly lower: ConfidenceClass;
}): string {
  const share = ({ confidence, right, answers }: ConfidenceClass) =>
    `"${confidence}" (${right} of ${answers})`;
  return `Confidence misleads, ${surer.source}: ${share(surer)} is less often right than ${share(lower)}.`;
}

/** Cases that were looked at while the engine was written; what it does on them says less than on the others. */
const DEVELOPED_ON: ReadonlySet<string> = new Set([
  'baselibs-feat-arch',
  'bitmanip-comp-req',
  'result-comp-req-before',
]);

/** The engine beside "always pass": each case, those that were developed on, the others, all. */
export function checklistTable(judged: readonly JudgedItem[]): string {
  const head = [
    'items',
    'accuracy',
    'always pass',
    'P on fail',
    'R on fail',
    'F1',
    'to confirm',
    'right of the rest',
  ];
  const row = (name: string, own: readonly JudgedItem[]) => {
    const figures = figuresOf(own);
    return [name, ...checklistCells(figures, figuresOf(alwaysPass(own)))];
  };
  const names = [...new Set(judged.map((item) => item.case))];
  const seen = judged.filter((item) => DEVELOPED_ON.has(item.case));
  const unseen = judged.filter((item) => !DEVELOPED_ON.has(item.case));
  return table(
    ['case', ...head],
    [
      ...names.map((name) =>
        row(
          name,
          judged.filter((item) => item.case === name),
        ),
      ),
      ...(seen.length > 0 && unseen.length > 0
        ? [row('looked at while developing', seen), row('not looked at before', unseen)]
        : []),
      row('all', judged),
    ],
  );
}

function checklistCells(own: ChecklistFigures, always: ChecklistFigures): string[] {
  return [
    `${own.items} (${own.fails} fail)`,
    ...[own.accuracy, always.accuracy, own.precision, own.recall, own.f, own.toConfirm].map(figure),
    `${figure(own.accuracyDecided)} of ${own.decided}`,
  ];
}

function checklistParts(judged: readonly JudgedItem[]): string[] {
  const open = leftToPersons(judged);
  const ids = new Set(judged.map(({ id }) => id)).size;
  return [
    '## Checklists',
    CHECKLISTS,
    checklistTable(judged),
    CHECKLIST_LIMITS,
    `Left to a person wherever they were asked, ${open.length} of ${ids} kinds of item: ${open.join(', ')}.`,
  ];
}

const CHECKLISTS = `Inspections of requirements and architectures by people, with their answer to every item. The engine has the words of
the items and the documents, nothing else. Items that the inspector left blank are not counted; what the engine calls missing counts as fail,
because inspectors have three answers only. *always pass* answers pass throughout: it is right as often as inspectors were content, and finds no
fail. *accuracy* is over the items that got an answer: what rules cannot decide is undecided and is none. *to confirm* is the share that the
engine leaves to a person, undecided items and answers with low confidence. *right of the rest*: how often it is right on the others. \`--verbose\` prints every fail with the places that it cites.`;

const CHECKLIST_LIMITS = `What such figures can and cannot say: many items ask whether something is comprehensible, feasible, suitable or correctly
chosen, and inspectors answer from what they know about the project and its code. The documents do not decide these; the engine collects what they
say and asks; such items are undecided, whatever the documents suggest. Recall on fail is bounded by the defects that leave a trace in wording, links and attributes.`;

const PROPOSALS = `What the service proposes for artifacts without a link upwards: all open ones of a set at once, by the same function. The longer list is the
open one, because parents have many children. hit@k: share of the linked ones with a right proposal among the first k.`;

const VERDICTS = `The gap analysis as the service runs it: clauses uploaded as a table, the passages as a text document, embeddings as above. Each cell
counts the clauses that a person called covered / missing. The coverage model is fitted on the *other* corpora. What the product calls missing,
in part or to be reviewed stands in one finding for a person; a person's work begins with what is missing.`;

const CONFIDENCE = `How often answers are right, by the confidence that they were given with. The run fails (exit code 1) when a surer class is less often right
than a less sure one; it needs the ground truth, which is no part of the repository, so the checks of the build cannot fail by it.
What the product leaves undecided or to be reviewed is no answer.`;

const METHOD = `Four ways to rank are compared in one run. **plain TF-IDF** is the baseline: cosine over stems without stop words.
**engine, embeddings off** adds BM25, what stands before and after a passage, and the competition between queries. **z-fusion** is the
published combination 0.4 × TF-IDF cosine + 0.6 × embedding cosine, both as z-scores per query. **engine** is what the product does: TF-IDF
cosine and BM25 a quarter each, embedding cosine one half, all as z-scores over the shortlist, then a share of *exclusivity*: how much more a
text is near to this query than to the five other queries that it is next nearest to. The shares are the same for all sets of a kind. They are
round numbers, but they were chosen after comparing variants on these same sets; "Settings chosen on other sets" shows what that is worth.
Texts of more than 120 words are embedded in windows of that length in both methods with embeddings.`;

const LINKS = `Sources are queries, targets are ranked. MAP is the mean average precision over the sources that have links. F1 and F2 judge all pairs
with one threshold on the score, which is the best one for the mean of the *other* sets.`;

const COVERAGE = `Criteria are queries, the passages of one document are ranked. hit@k: share of the covered criteria with a true evidence passage
among the first k. AUC, F1, P and R are about finding the criteria that nothing covers; over all decisions of a corpus together. The weights of
the logistic model behind them and its threshold are fitted on the *other* corpora; which signals it looks at was settled on all of them. Plain TF-IDF judges by the cosine of the first
passage, with the threshold that is best on the other corpora.`;

const TRANSFER = `The shipped settings were chosen with these sets in sight, so their figures above are not held out. Here every set is judged with
the settings of a grid that are best on the mean of the *other* sets (MAP for links, hit@3 for coverage). The difference to *shipped* is what the
choice may owe to the set itself, the difference to *best on itself* what fitting to it would have claimed. The number of rivals, the form of
exclusivity, the stemmer and the three signals of the coverage model are not in the grid: they, too, were settled with all sets in sight.`;

const LIMITS = `Ranking finds the place to look at; whether a demand is met is judged by rules and persons afterwards. A criterion that the model calls
missing is a hint for the order of work, not a verdict.`;

function figure(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(3).replace(/^0\./, '.');
}
