import type { Checklist, ChecklistItem } from '../engines/checklist/checklist.js';
import {
  type ChecklistAnalysis,
  ITEM_VERDICTS,
  type ItemResult,
  shownVerdict,
  UNDECIDED,
} from '../engines/checklist/checklist-analysis.js';
import { SEVERITIES } from '../findings/finding.js';
import {
  counted,
  type Line,
  type Printing,
  printEvidence,
  printModel,
  printNotDue,
  printNotes,
  SEVERITY_STYLE,
} from './print-findings.js';
import type { NotAssessed } from './read-files.js';
import { fit, type Output, oneLine, painter, type Style, widthOf, wrap } from './terminal.js';

type Shown = ReturnType<typeof shownVerdict>;
const SHOWN: readonly Shown[] = [...ITEM_VERDICTS, UNDECIDED];
const VERDICT_STYLE: Readonly<Record<Shown, Style>> = {
  pass: 'green',
  fail: 'red',
  missing: 'yellow',
  NA: 'grey',
  undecided: 'cyan',
};
const VERDICT_NAME: Readonly<Record<Shown, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  missing: 'MISSING',
  NA: 'n/a',
  undecided: 'undecided',
};
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
): void {
  const names = new Map(
    results.flatMap(({ method }) => method.documents.map((one) => [one.id, one.name] as const)),
  );
  const printing: Printing = { names, paint: painter(output), width: widthOf(output) };
  const line: Line = (text = '') => output.write(`${text}\n`);
  const title = (text: string) => {
    line();
    line(printing.paint('bold', text));
    line('─'.repeat(Math.min(printing.width, text.length)));
  };
  for (const [at, result] of results.entries()) {
    const checklist = checklists[at]!;
    title(`${checklist.id}  ${fit(checklist.title.en, printing.width - checklist.id.length - 2)}`);
    const items = new Map(checklist.items.map((item) => [item.id, item]));
    for (const one of result.items) printItem(line, { result: one, item: items.get(one.itemId)! }, printing);
    printSummary(line, result, printing);
  }
  printNotDue(
    { title, line, width: printing.width },
    results.flatMap(({ notDue }) => notDue),
  );
  printNotes({ title, line, width: printing.width }, results[0]?.method.documents ?? []);
  if (notAssessed.length > 0) {
    title(`Not assessed (${notAssessed.length})`);
    for (const file of notAssessed) line(`${oneLine(file.name)}: ${file.reason} ${file.hint}`);
  }
  const [first] = results;
  if (!first) return;
  const { engine, documents, disclaimer } = first.method;
  line();
  const how = `${engine.name} ${engine.version}, ${counted(documents.length, 'document')}. ${disclaimer}`;
  for (const text of wrap(how, printing.width)) line(printing.paint('grey', text));
}

function printItem(
  line: Line,
  { result, item }: { readonly result: ItemResult; readonly item: ChecklistItem },
  printing: Printing,
): void {
  const { paint, width } = printing;
  const { needsConfirmation, severity, instances } = result;
  const verdict = shownVerdict(result);
  const mark = `${VERDICT_NAME[verdict]}${needsConfirmation && verdict !== UNDECIDED ? ' ?' : ''}`.padEnd(
    VERDICT_WIDTH,
  );
  const counts = instances ? ` (${instances.met} of ${instances.total})` : '';
  const [text = '', ...rest] = wrap(`${item.text.en}${counts}`, width - item.id.length - VERDICT_WIDTH - 4);
  line(`${paint(VERDICT_STYLE[verdict], mark)}  ${paint('bold', item.id)}  ${text}`);
  const indent = ' '.repeat(VERDICT_WIDTH + item.id.length + 4);
  for (const further of rest) line(`${indent}${further}`);
  const degree = severity ? `${severity} · ` : '';
  for (const part of wrap(
    `${degree}confidence ${result.confidence} · ${result.rules.join(', ')}`,
    width - 4,
  )) {
    line(paint(severity ? SEVERITY_STYLE[severity] : 'grey', `    ${part}`));
  }
  for (const part of wrap(result.reason, width - 4)) line(`    ${part}`);
  if (result.search)
    for (const part of wrap(result.search.statement, width - 4)) line(paint('grey', `    ${part}`));
  printEvidence(line, result.evidence, printing);
  if (result.question) {
    for (const part of wrap(`To confirm: ${result.question.en}`, width - 4))
      line(paint('cyan', `    ${part}`));
  }
}

/** A bar of the answers, and what has to be confirmed. */
function printSummary(
  line: Line,
  { items, counts, questions, method }: ChecklistAnalysis,
  printing: Printing,
): void {
  const { paint, width } = printing;
  const shown = items.map(shownVerdict);
  const count = (verdict: Shown) => shown.filter((one) => one === verdict).length;
  const lengths = SHOWN.map((verdict) => Math.round((count(verdict) / items.length) * BAR));
  const bar = SHOWN.map((verdict, at) => paint(VERDICT_STYLE[verdict], barOf(verdict, lengths[at]!)));
  line();
  line(`${bar.join('')}  ${SHOWN.map((verdict) => `${count(verdict)} ${VERDICT_NAME[verdict]}`).join(', ')}`);
  const severe = SEVERITIES.map((one) => paint(SEVERITY_STYLE[one], `${counts.severities[one]} ${one}`));
  line(
    `Not met: ${severe.join(', ')}. A person has to confirm ${counts.needsConfirmation} of ${items.length} (undecided, or marked ?).`,
  );
  if (method.model) printModel(line, method.model);
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
