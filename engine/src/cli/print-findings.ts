import { printLocation } from '../documents/location.js';
import type { Score } from '../engines/gap-analysis/score.js';
import type { Evidence, Finding, Severity } from '../findings/finding.js';
import type { NotDue } from '../findings/not-due.js';
import { printQuote } from '../findings/print-quote.js';
import { type ModelStatement, strangers } from '../models/asking.js';
import { oneLine, type Paint, type Style, wrap } from './terminal.js';

export const SEVERITY_STYLE: Readonly<Record<Severity, Style>> = {
  critical: 'red',
  high: 'red',
  medium: 'yellow',
  low: 'grey',
};
const QUOTES_SHOWN = 3;
const LONGEST_QUOTE = 220;

/** Writes one line. */
export type Line = (text?: string) => void;

/** What printing needs to know: names of documents by id, colours, columns. */
export interface Printing {
  readonly names: ReadonlyMap<string, string>;
  readonly paint: Paint;
  readonly width: number;
}

/** How much a language model was asked, and why rules judged alone where they did. */
export function printModel(line: Line, statement: ModelStatement): void {
  const { model, asked, answered, tokens, byRulesBecause } = statement;
  line(
    `  Model ${model}: ${counted(asked, 'question')} asked, ${answered} answered, ${tokens.input} tokens in, ${tokens.output} out`,
  );
  const others = strangers(statement);
  if (others.length > 0) line(`  Answered as: ${others.join(', ')}`);
  const alone = Object.entries(byRulesBecause).map(([because, count]) => `${count} ${because}`);
  if (alone.length > 0) line(`  By rules alone: ${alone.join(', ')}`);
}

/** A finding for a person: severity and title, where it comes from, what to do, quotes. */
export function printFinding(line: Line, finding: Finding, { names, paint, width }: Printing): void {
  const needsConfirmation = finding.severity === 'critical' && finding.confidence === 'low';
  const severity = `${finding.severity.toUpperCase()}${needsConfirmation ? ' – needs confirmation' : ''}`;
  line(`${paint(SEVERITY_STYLE[finding.severity], severity)}  ${paint('bold', finding.title)}`);
  line(
    paint(
      'grey',
      `    ${finding.standardRef} · confidence ${finding.confidence} · ${finding.fingerprint.slice(0, 8)}`,
    ),
  );
  for (const [label, text] of [
    ['Expected', finding.expected],
    ['Observed', finding.observed],
    ['Why', finding.whyItMatters],
    ['Do', finding.recommendation],
    // Words of a language model are marked as such.
    ...(finding.remedy ? [['Model', finding.remedy.steps.join(' ')] as const] : []),
  ] as const) {
    const [first = '', ...rest] = wrap(text, width - 14);
    line(`    ${label.padEnd(9)} ${first}`);
    for (const further of rest) line(`              ${further}`);
  }
  printEvidence(line, finding.evidence, { names, paint, width });
  for (const { id, title = id, search } of finding.affected ?? []) {
    if (search === undefined) continue;
    const [first = '', ...rest] = wrap(`${title}: searched for ${search.terms.join(', ')}`, width - 8);
    line(paint('grey', `    · ${first}`));
    for (const text of rest) line(paint('grey', `      ${text}`));
  }
  line();
}

/** Quotes with their places. */
export function printEvidence(
  line: Line,
  evidence: readonly Evidence[],
  { names, paint, width }: Printing,
): void {
  for (const one of evidence.slice(0, QUOTES_SHOWN)) {
    const quote = printQuote(oneLine(one.quote), LONGEST_QUOTE);
    const place = [names.get(one.documentId) ?? one.documentId, printLocation(one.location)]
      .filter(Boolean)
      .join(', ');
    for (const text of wrap(quote, width - 8)) line(`    │ ${text}`);
    for (const text of wrap(`${place}${one.note ? ` – ${one.note}` : ''}`, width - 8)) {
      line(paint('grey', `    │ ${text}`));
    }
  }
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Why a score is lower than what is shown, in one sentence; empty where nothing lowers it. */
export function agreementText(agreement: Score['agreement'] | undefined): string {
  if (!agreement || agreement.defects === 0) return '';
  const { value, defects, statements } = agreement;
  return `Lowered to ${value} %: the documents contradict themselves or do not carry what they claim (${counted(defects, 'cause')} over ${counted(statements, 'statement')}).`;
}

/** What is not due in the phase of the project, or not done in it: by reason, with what it holds. */
export function printNotDue(
  { title, line, width }: { title(text: string): void; readonly line: Line; readonly width: number },
  notDue: readonly NotDue[],
): void {
  if (notDue.length === 0) return;
  title(`Not due, and counted nowhere (${notDue.reduce((sum, { items }) => sum + items.length, 0)})`);
  for (const { reason, items } of notDue) {
    for (const text of wrap(oneLine(reason), width)) line(text);
    for (const text of wrap(items.join(', '), width - 4)) line(`    ${text}`);
  }
}

/** What the reading of the documents has to tell: hidden text, pages that could not be read, tracked changes. */
export function printNotes(
  { title, line, width }: { title(text: string): void; readonly line: Line; readonly width: number },
  documents: readonly { readonly name: string; readonly notes: readonly string[] }[],
): void {
  const told = documents.flatMap(({ name, notes }) =>
    notes.map((note) => `${oneLine(name)}: ${oneLine(note)}`),
  );
  if (told.length === 0) return;
  title('What to know about the documents');
  for (const one of told) for (const text of wrap(one, width)) line(text);
}
