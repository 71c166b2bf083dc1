import type { Checklist, ChecklistItem } from '../engines/checklist/checklist.js';
import {
  type ChecklistAnalysis,
  ITEM_VERDICTS,
  type ItemResult,
  shownVerdict,
  UNDECIDED,
} from '../engines/checklist/checklist-analysis.js';
import { SEVERITIES } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import {
  type Line,
  type Printing,
  printEvidence,
  printModel,
  printNotAssessed,
  printNotDue,
  printNotes,
  printWithheld,
  SEVERITY_STYLE,
} from './print-findings.js';
import type { NotAssessed } from './read-files.js';
import { fit, type Output, painter, type Style, widthOf, wrap } from './terminal.js';
import { severityName, type Words } from './words.js';

type Shown = ReturnType<typeof shownVerdict>;
const SHOWN: readonly Shown[] = [...ITEM_VERDICTS, UNDECIDED];
const VERDICT_STYLE: Readonly<Record<Shown, Style>> = {
  pass: 'green',
  fail: 'red',
  missing: 'yellow',
  NA: 'grey',
  undecided: 'cyan',
};
const verdictName = (verdict: Shown) => say(`terminal.answer.${verdict}`);
const BAR = 40;
/** Columns of the verdict with its mark. */
const VERDICT_WIDTH = 9;

export interface ChecklistResults {
  readonly checklists: readonly Checklist[];
  /** One per checklist, in the same order. */
  readonly results: readonly ChecklistAnalysis[];
  readonly notAssessed: readonly NotAssessed[];
}

/** Prints checklists for a person: every item with its answer, quotes for what is not met, what has to be confirmed. */
export function printChecklists(
  output: Output,
  { checklists, results, notAssessed }: ChecklistResults,
  words: Words,
): void {
  const names = new Map(
    results.flatMap(({ method }) => method.documents.map((one) => [one.id, one.name] as const)),
  );
  const printing: Printing = { names, paint: painter(output), width: widthOf(output), words };
  const line: Line = (text = '') => output.write(`${text}\n`);
  const title = (text: string) => {
    line();
    line(printing.paint('bold', text));
    line('─'.repeat(Math.min(printing.width, text.length)));
  };
  for (const [at, result] of results.entries()) {
    const checklist = checklists[at]!;
    title(
      `${checklist.id}  ${fit(textIn(checklist.title, words), printing.width - checklist.id.length - 2)}`,
    );
    const items = new Map(checklist.items.map((item) => [item.id, item]));
    for (const one of result.items) printItem(line, { result: one, item: items.get(one.itemId)! }, printing);
    printSummary(line, result, printing);
  }
  printNotDue(
    { title, line, width: printing.width, words },
    results.flatMap(({ notDue }) => notDue),
  );
  printWithheld(
    { title, line, width: printing.width, words },
    results.reduce((sum, { method }) => sum + (method.withheld ?? 0), 0),
  );
  printNotes({ title, line, width: printing.width, words }, results[0]?.method.documents ?? []);
  printNotAssessed({ title, line, width: printing.width, words }, notAssessed);
  const [first] = results;
  if (!first) return;
  const { engine, documents } = first.method;
  line();
  const how = say('terminal.how', {
    engine: `${engine.name} ${engine.version}`,
    documents: documents.length,
    disclaimer: say('terminal.disclaimer'),
  });
  for (const text of wrap(words(how), printing.width)) line(printing.paint('grey', text));
}

const textIn = ({ en, de }: { readonly en: string; readonly de?: string }, { language }: Words): string =>
  (language === 'de' ? de : undefined) ?? en;

function printItem(
  line: Line,
  { result, item }: { readonly result: ItemResult; readonly item: ChecklistItem },
  printing: Printing,
): void {
  const { paint, width, words } = printing;
  const { needsConfirmation, severity, instances } = result;
  const verdict = shownVerdict(result);
  const mark =
    `${words(verdictName(verdict))}${needsConfirmation && verdict !== UNDECIDED ? ' ?' : ''}`.padEnd(
      VERDICT_WIDTH,
    );
  const counts = instances
    ? words(say('terminal.counts', { met: instances.met, total: instances.total }))
    : '';
  const [text = '', ...rest] = wrap(
    `${textIn(item.text, words)}${counts}`,
    width - item.id.length - VERDICT_WIDTH - 4,
  );
  line(`${paint(VERDICT_STYLE[verdict], mark)}  ${paint('bold', item.id)}  ${text}`);
  const indent = ' '.repeat(VERDICT_WIDTH + item.id.length + 4);
  for (const further of rest) line(`${indent}${further}`);
  const grade = say('terminal.item-grade', {
    severity: severity && severityName(severity),
    confidence: say(`terminal.confidence.${result.confidence}`),
    // Rules that documents name ("AI-13"); the others are names for programs, in JSON.
    rules: result.rules.filter((rule) => /^[A-Z]+-\d/.test(rule)),
  });
  for (const part of wrap(words(grade), width - 4)) {
    line(paint(severity ? SEVERITY_STYLE[severity] : 'grey', `    ${part}`));
  }
  for (const part of wrap(result.reason, width - 4)) line(`    ${part}`);
  if (result.search)
    for (const part of wrap(result.search.statement, width - 4)) line(paint('grey', `    ${part}`));
  printEvidence(line, result.evidence, printing);
  if (result.question) {
    for (const part of wrap(
      words(say('terminal.to-confirm', { question: textIn(result.question, words) })),
      width - 4,
    ))
      line(paint('cyan', `    ${part}`));
  }
}

/** A bar of the answers, and what has to be confirmed. */
function printSummary(
  line: Line,
  { items, counts, questions, method }: ChecklistAnalysis,
  printing: Printing,
): void {
  const { paint, width, words } = printing;
  const shown = items.map(shownVerdict);
  const count = (verdict: Shown) => shown.filter((one) => one === verdict).length;
  const lengths = SHOWN.map((verdict) => Math.round((count(verdict) / items.length) * BAR));
  const bar = SHOWN.map((verdict, at) => paint(VERDICT_STYLE[verdict], barOf(verdict, lengths[at]!)));
  line();
  line(
    `${bar.join('')}  ${SHOWN.map((verdict) => `${count(verdict)} ${words(verdictName(verdict))}`).join(', ')}`,
  );
  const severe = SEVERITIES.map((one) =>
    paint(SEVERITY_STYLE[one], `${counts.severities[one]} ${words(severityName(one))}`),
  );
  line(
    words(say('terminal.not-met', { counts: severe, open: counts.needsConfirmation, items: items.length })),
  );
  if (method.model) printModel(line, method.model, words);
  for (const { condition, question, items: waiting } of questions) {
    for (const text of wrap(`--answer ${condition}=yes|no  ${question} (${waiting.join(', ')})`, width)) {
      line(paint('cyan', text));
    }
  }
}

/** Also without colours the parts of the bar can be told apart. */
function barOf(verdict: Shown, length: number): string {
  return { pass: '█', fail: '░', missing: '·', NA: ' ', undecided: '?' }[verdict].repeat(length);
}
