import type { Score } from '../engines/gap-analysis/score.js';
import type { Evidence, Finding, Severity } from '../findings/finding.js';
import type { NotDue } from '../findings/not-due.js';
import { printQuote } from '../findings/print-quote.js';
import { type ModelStatement, strangers } from '../models/asking.js';
import { say } from '../sentences/sentence.js';
import type { NotAssessed } from './read-files.js';
import { oneLine, type Paint, type Style, wrap } from './terminal.js';
import { severityName, type Words } from './words.js';

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
  readonly words: Words;
}

/** How much a language model was asked, and why rules judged alone where they did. */
export function printModel(line: Line, statement: ModelStatement, words: Words): void {
  const { model, asked, answered, tokens, byRulesBecause } = statement;
  line(
    `  ${words(say('terminal.model-asked', { model, asked, answered, input: tokens.input, output: tokens.output }))}`,
  );
  const others = strangers(statement);
  if (others.length > 0) line(`  ${words(say('terminal.model-answered-as', { others }))}`);
  const alone = Object.entries(byRulesBecause).map(([because, count]) => `${count} ${because}`);
  if (alone.length > 0) line(`  ${words(say('terminal.model-alone', { reasons: alone }))}`);
}

/** A finding for a person: severity and title, where it comes from, what to do, quotes. */
export function printFinding(line: Line, finding: Finding, printing: Printing): void {
  const { paint, width, words } = printing;
  const needsConfirmation = finding.severity === 'critical' && finding.confidence === 'low';
  const name = words(severityName(finding.severity)).toUpperCase();
  const severity = needsConfirmation ? words(say('terminal.needs-confirmation', { severity: name })) : name;
  line(`${paint(SEVERITY_STYLE[finding.severity], severity)}  ${paint('bold', finding.title)}`);
  line(
    paint(
      'grey',
      `    ${words(
        say('terminal.about-finding', {
          reference: finding.standardRef,
          confidence: say(`terminal.confidence.${finding.confidence}`),
          fingerprint: finding.fingerprint.slice(0, 8),
        }),
      )}`,
    ),
  );
  for (const [label, text] of [
    ['terminal.label.expected', finding.expected],
    ['terminal.label.observed', finding.observed],
    ['terminal.label.why', finding.whyItMatters],
    ['terminal.label.do', finding.recommendation],
    // Words of a language model are marked as such.
    ...(finding.remedy ? [['terminal.label.model', finding.remedy.steps.join(' ')] as const] : []),
  ] as const) {
    const [first = '', ...rest] = wrap(text, width - 14);
    line(`    ${words(say(label)).padEnd(9)} ${first}`);
    for (const further of rest) line(`              ${further}`);
  }
  printEvidence(line, finding.evidence, printing);
  for (const { id, title = id, search } of finding.affected ?? []) {
    if (search === undefined) continue;
    const [first = '', ...rest] = wrap(
      words(say('terminal.searched-for', { title, terms: search.terms })),
      width - 8,
    );
    line(paint('grey', `    · ${first}`));
    for (const text of rest) line(paint('grey', `      ${text}`));
  }
  line();
}

/** Quotes with their places. */
export function printEvidence(
  line: Line,
  evidence: readonly Evidence[],
  { names, paint, width, words }: Printing,
): void {
  for (const one of evidence.slice(0, QUOTES_SHOWN)) {
    const quote = printQuote(oneLine(one.quote), LONGEST_QUOTE);
    const place = [names.get(one.documentId) ?? one.documentId, words.place(one.location)]
      .filter(Boolean)
      .join(', ');
    for (const text of wrap(quote, width - 8)) line(`    │ ${text}`);
    for (const text of wrap(`${place}${one.note ? ` – ${one.note}` : ''}`, width - 8)) {
      line(paint('grey', `    │ ${text}`));
    }
  }
}

/** Why a score is lower than what is shown, in one sentence; empty where nothing lowers it. */
export function agreementText(agreement: Score['agreement'] | undefined, words: Words): string {
  if (!agreement || agreement.defects === 0) return '';
  const { value: share, defects, statements } = agreement;
  return words(say('terminal.lowered', { share, defects, statements }));
}

/** Where lines and titles go. */
interface Output {
  title(text: string): void;
  readonly line: Line;
  readonly width: number;
  readonly words: Words;
}

/** What is not due in the phase of the project, or not done in it: by reason, with what it holds. */
export function printNotDue({ title, line, width, words }: Output, notDue: readonly NotDue[]): void {
  if (notDue.length === 0) return;
  title(words(say('terminal.not-due', { count: notDue.reduce((sum, { items }) => sum + items.length, 0) })));
  for (const { reason, items } of notDue) {
    for (const text of wrap(oneLine(reason), width)) line(text);
    for (const text of wrap(items.join(', '), width - 4)) line(`    ${text}`);
  }
}

/** How many statements were not told, because a quote of theirs did not stand in its document. */
export function printWithheld({ title, words }: Output, withheld = 0): void {
  if (withheld > 0) title(words(say('terminal.withheld', { count: withheld })));
}

/** What the reading of the documents has to tell: hidden text, pages that could not be read, tracked changes. */
export function printNotes(
  { title, line, width, words }: Output,
  documents: readonly { readonly name: string; readonly notes: readonly string[] }[],
): void {
  const told = documents.flatMap(({ name, notes }) =>
    notes.map((note) => `${oneLine(name)}: ${oneLine(note)}`),
  );
  if (told.length === 0) return;
  title(words(say('terminal.about-documents')));
  for (const one of told) for (const text of wrap(one, width)) line(text);
}

/** Files that could not be read. */
export function printNotAssessed({ title, line, words }: Output, files: readonly NotAssessed[]): void {
  if (files.length === 0) return;
  title(words(say('terminal.not-assessed', { count: files.length })));
  for (const file of files) line(`${oneLine(file.name)}: ${words(file.said)}`);
}
