import {
  COMPLETENESS_STATES,
  type CompletenessAnalysis,
  type CompletenessState,
  type DocumentCompleteness,
  type TemplateCheck,
} from '../engines/completeness/completeness.js';
import { SEVERITIES } from '../findings/finding.js';
import {
  agreementText,
  counted,
  type Line,
  type Printing,
  printFinding,
  printModel,
  printNotDue,
  printNotes,
  SEVERITY_STYLE,
} from './print-findings.js';
import type { NotAssessed } from './read-files.js';
import { fit, type Output, oneLine, painter, type Style, widthOf, wrap } from './terminal.js';

const STATE_STYLE: Readonly<Record<CompletenessState, Style>> = {
  complete: 'green',
  thin: 'yellow',
  placeholder: 'yellow',
  empty: 'red',
  by_reference: 'cyan',
  tailored_out: 'grey',
  present_unlabelled: 'green',
  missing: 'red',
};
const RULES_SHOWN = 5;
const LONGEST_STATE = 18;

/** Prints a completeness check for a person: each document with its sections, gaps, open questions, summary. */
export function printCompleteness(
  output: Output,
  result: CompletenessAnalysis,
  notAssessed: readonly NotAssessed[],
): void {
  const names = new Map(result.documents.map((document) => [document.id, document.name]));
  const printing: Printing = { names, paint: painter(output), width: widthOf(output) };
  const line: Line = (text = '') => output.write(`${text}\n`);
  const title = (text: string) => {
    line();
    line(printing.paint('bold', text));
    line('─'.repeat(Math.min(printing.width, text.length)));
  };
  for (const document of result.documents) {
    title(oneLine(document.name));
    printDocument(line, document, printing);
  }
  if (result.findings.length > 0) {
    title(`Gaps (${result.findings.length})`);
    for (const finding of result.findings) printFinding(line, finding, printing);
  }
  if (result.questions.length > 0) {
    title(`For a person to decide (${result.questions.length})`);
    for (const { condition, question, sections } of result.questions) {
      line(`${printing.paint('cyan', condition)}  ${question}`);
      const waiting = [...new Set(sections.map((one) => one.section))].join(', ');
      for (const text of wrap(`Waiting for it: ${waiting}.`, printing.width - 4)) line(`    ${text}`);
    }
  }
  printOpinions({ title, line }, result, printing);
  printNotDue({ title, line, width: printing.width }, result.notDue);
  printNotes({ title, line, width: printing.width }, result.documents);
  if (notAssessed.length > 0) {
    title(`Not assessed (${notAssessed.length})`);
    for (const file of notAssessed) line(`${oneLine(file.name)}: ${file.reason} ${file.hint}`);
  }
  printSummary(line, result, printing);
}

/** What a language model has against the wording of requirements: advice, marked as its own words. */
function printOpinions(
  { title, line }: { readonly title: (text: string) => void; readonly line: Line },
  { opinions = [], looked, chapters = [] }: CompletenessAnalysis,
  { width }: Printing,
): void {
  const known = chapters.filter(({ typeId }) => typeId !== undefined);
  if (known.length > 0) {
    title(`What a language model takes chapters of other documents for (${known.length})`);
    line('To be confirmed: completeness <file> --type <type> checks a file against it.');
    for (const { name, heading = '', typeId } of known)
      for (const text of wrap(`${oneLine(name)}: ${oneLine(heading)} – ${typeId}`, width - 2))
        line(`  ${text}`);
  }
  const against = opinions.filter(({ score }) => score !== undefined && score < 2);
  if (!looked) return;
  title(`What a language model has against the wording of requirements (${against.length})`);
  line(
    `${looked.requirements} of ${counted(looked.of, 'requirement')} looked at; advice that changes no result.`,
  );
  for (const { requirementId, axis, reason = '', evidence } of against) {
    const words = evidence.map(({ quote }) => `"${oneLine(quote)}"`).join(', ');
    for (const text of wrap(`${requirementId} (${axis}): ${words} – ${oneLine(reason)}`, width - 2))
      line(`  ${text}`);
  }
}

function printDocument(line: Line, document: DocumentCompleteness, printing: Printing): void {
  const { paint, width } = printing;
  if (document.setAside !== undefined) {
    line(`Not checked: ${document.setAside}`);
    return;
  }
  if (document.templates.length === 0) {
    line('Not known as a work product; only open content was looked for.');
  }
  for (const template of document.templates) printTemplate(line, template, printing);
  if (document.instructions.count > 0) {
    line(`${counted(document.instructions.count, 'instruction')} of the template left`);
  }
  const { requirements, clean, rules } = document.requirementQuality;
  if (requirements === 0) return;
  const top = rules.slice(0, RULES_SHOWN).map((one) => `${one.rule} ${one.finding} (${one.requirements})`);
  const share = Math.round((clean ?? 0) * 100);
  const most = top.length === 0 ? '' : `; most often: ${top.join(', ')}`;
  const text = `${counted(requirements, 'requirement')}, the wording of ${share} % is clear${most}`;
  for (const part of wrap(text, width)) line(paint('grey', part));
}

function printTemplate(line: Line, template: TemplateCheck, { paint, width }: Printing): void {
  const { name, confidence, sections, score, emptyTemplate } = template;
  const result = emptyTemplate ? paint('red', 'an empty template') : scoreText(score.value);
  line(`${name} (detected with ${confidence} confidence): ${result}`);
  const titleWidth = Math.min(44, width - LONGEST_STATE - 26);
  for (const section of sections) {
    if (section.applies === 'no' && section.state === 'missing') continue;
    const state = section.state.replaceAll('_', ' ').padEnd(LONGEST_STATE);
    const asked = { yes: '', no: ' (not demanded)', unknown: ' (to decide)' }[section.applies];
    const title = fit(section.title, titleWidth).padEnd(titleWidth);
    const heading = fit(`${section.heading ?? ''}${asked}`, width - LONGEST_STATE - titleWidth - 6);
    line(`  ${paint(STATE_STYLE[section.state], state)}  ${title}  ${heading}`.trimEnd());
  }
}

function scoreText(value: number | null): string {
  return value === null ? 'nothing is demanded' : `${value} of 100`;
}

function printSummary(line: Line, result: CompletenessAnalysis, { paint, width }: Printing): void {
  const { score, counts, method } = result;
  line();
  line(paint('bold', 'Summary'));
  const states = COMPLETENESS_STATES.map((state) => `${score.states[state]} ${state.replaceAll('_', ' ')}`);
  const sections = `Sections: ${states.join(', ')}, ${score.unknown} to decide`;
  for (const text of wrap(sections, width - 2)) line(`  ${text}`);
  const gaps = SEVERITIES.map((one) => paint(SEVERITY_STYLE[one], `${counts.severities[one]} ${one}`));
  line(`  Gaps: ${gaps.join(', ')}`);
  line(`  Score: ${scoreText(score.value)}`);
  for (const text of wrap(agreementText(score.agreement), width - 2)) line(`  ${text}`);
  if (method.model) printModel(line, method.model);
  const documents = counted(result.documents.length, 'document');
  const how = `${method.engine.name} ${method.engine.version}, ${documents}. ${method.disclaimer}`;
  for (const text of wrap(how, width - 2)) line(paint('grey', `  ${text}`));
}
