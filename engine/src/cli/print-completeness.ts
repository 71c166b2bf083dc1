import {
  COMPLETENESS_STATES,
  type CompletenessAnalysis,
  type CompletenessState,
  type DocumentCompleteness,
  type TemplateCheck,
} from '../engines/completeness/completeness.js';
import { SEVERITIES } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import {
  agreementText,
  type Line,
  type Printing,
  printFinding,
  printModel,
  printNotAssessed,
  printNotDue,
  printNotes,
  printWithheld,
  SEVERITY_STYLE,
} from './print-findings.js';
import type { NotAssessed } from './read-files.js';
import { fit, type Output, oneLine, painter, type Style, widthOf, wrap } from './terminal.js';
import { severityName, type Words } from './words.js';

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
  { notAssessed, words }: { readonly notAssessed: readonly NotAssessed[]; readonly words: Words },
): void {
  const names = new Map(result.documents.map((document) => [document.id, document.name]));
  const printing: Printing = { names, paint: painter(output), width: widthOf(output), words };
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
    title(words(say('terminal.gaps', { count: result.findings.length })));
    for (const finding of result.findings) printFinding(line, finding, printing);
  }
  if (result.questions.length > 0) {
    title(words(say('terminal.for-a-person', { count: result.questions.length })));
    for (const { condition, question, sections } of result.questions) {
      line(`${printing.paint('cyan', condition)}  ${question}`);
      const titles = sections.map((one) => titleOf(one.section, result));
      const waiting = say('terminal.waiting', { sections: [...new Set(titles)] });
      for (const text of wrap(words(waiting), printing.width - 4)) line(`    ${text}`);
    }
  }
  printOpinions({ title, line }, result, printing);
  printNotDue({ title, line, width: printing.width, words }, result.notDue);
  printWithheld({ title, line, width: printing.width, words }, result.method.withheld);
  printNotes({ title, line, width: printing.width, words }, result.documents);
  printNotAssessed({ title, line, width: printing.width, words }, notAssessed);
  printSummary(line, result, printing);
}

/** What a language model has against the wording of requirements: advice, marked as its own words. */
function printOpinions(
  { title, line }: { readonly title: (text: string) => void; readonly line: Line },
  { opinions = [], looked, chapters = [] }: CompletenessAnalysis,
  { width, words }: Printing,
): void {
  const known = chapters.filter(({ typeId }) => typeId !== undefined);
  if (known.length > 0) {
    title(words(say('terminal.chapters-by-model', { count: known.length })));
    line(words(say('terminal.confirm-chapters')));
    for (const { name, heading = '', typeId } of known)
      for (const text of wrap(`${oneLine(name)}: ${oneLine(heading)} – ${typeId}`, width - 2))
        line(`  ${text}`);
  }
  const against = opinions.filter(({ score }) => score !== undefined && score < 2);
  if (!looked) return;
  title(words(say('terminal.wording-by-model', { count: against.length })));
  line(words(say('terminal.wording-looked-at', { looked: looked.requirements, all: looked.of })));
  for (const { requirementId, axis, reason = '', evidence } of against) {
    const words = evidence.map(({ quote }) => `"${oneLine(quote)}"`).join(', ');
    for (const text of wrap(`${requirementId} (${axis}): ${words} – ${oneLine(reason)}`, width - 2))
      line(`  ${text}`);
  }
}

function printDocument(line: Line, document: DocumentCompleteness, printing: Printing): void {
  const { paint, width, words } = printing;
  if (document.setAside !== undefined) {
    line(words(say('terminal.not-checked', { reason: document.setAside })));
    return;
  }
  if (document.templates.length === 0) {
    line(words(say('terminal.no-work-product')));
  }
  for (const template of document.templates) printTemplate(line, template, printing);
  if (document.instructions.count > 0) {
    line(words(say('terminal.instructions-left', { count: document.instructions.count })));
  }
  const { requirements, clean, rules } = document.requirementQuality;
  if (requirements === 0) return;
  const top = rules.slice(0, RULES_SHOWN).map((one) => `${one.rule} ${one.finding} (${one.requirements})`);
  const share = Math.round((clean ?? 0) * 100);
  const text = words(say('terminal.wording-clear', { requirements, share, rules: top }));
  for (const part of wrap(text, width)) line(paint('grey', part));
}

function printTemplate(line: Line, template: TemplateCheck, { paint, width, words }: Printing): void {
  const { name, confidence, sections, score, emptyTemplate } = template;
  const result = emptyTemplate
    ? paint('red', words(say('terminal.empty-template')))
    : scoreText(score.value, words);
  line(
    words(say('terminal.template', { name, confidence: say(`terminal.confidence.${confidence}`), result })),
  );
  const titleWidth = Math.min(44, width - LONGEST_STATE - 26);
  for (const section of sections) {
    if (section.applies === 'no' && section.state === 'missing') continue;
    const state = words(say(`terminal.state.${section.state}`)).padEnd(LONGEST_STATE);
    const asked = {
      yes: '',
      no: words(say('terminal.not-demanded')),
      unknown: words(say('terminal.to-decide')),
    }[section.applies];
    const title = fit(section.title, titleWidth).padEnd(titleWidth);
    const heading = fit(`${section.heading ?? ''}${asked}`, width - LONGEST_STATE - titleWidth - 6);
    line(`  ${paint(STATE_STYLE[section.state], state)}  ${title}  ${heading}`.trimEnd());
  }
}

const scoreText = (value: number | null, words: Words): string =>
  words(value === null ? say('terminal.score-none') : say('terminal.score-value', { value }));

function printSummary(line: Line, result: CompletenessAnalysis, { paint, width, words }: Printing): void {
  const { score, counts, method } = result;
  line();
  line(paint('bold', words(say('terminal.summary'))));
  const states = COMPLETENESS_STATES.map(
    (state) => `${score.states[state]} ${words(say(`terminal.state.${state}`))}`,
  );
  const sections = say('terminal.sections', { states, unknown: score.unknown });
  for (const text of wrap(words(sections), width - 2)) line(`  ${text}`);
  const gaps = SEVERITIES.map((one) =>
    paint(SEVERITY_STYLE[one], `${counts.severities[one]} ${words(severityName(one))}`),
  );
  line(`  ${words(say('terminal.gaps-counted', { counts: gaps }))}`);
  line(`  ${words(say('terminal.score-plain', { score: scoreText(score.value, words) }))}`);
  for (const text of wrap(agreementText(score.agreement, words), width - 2)) line(`  ${text}`);
  if (method.model) printModel(line, method.model, words);
  const how = say('terminal.how', {
    engine: `${method.engine.name} ${method.engine.version}`,
    documents: result.documents.length,
    disclaimer: say('terminal.disclaimer'),
  });
  for (const text of wrap(words(how), width - 2)) line(paint('grey', `  ${text}`));
}

/** A section by its title in the template, not by its key. */
function titleOf(key: string, { documents }: CompletenessAnalysis): string {
  const sections = documents.flatMap(({ templates }) => templates.flatMap((one) => one.sections));
  return sections.find((one) => key.endsWith(`.${one.key}`))?.title ?? key;
}
