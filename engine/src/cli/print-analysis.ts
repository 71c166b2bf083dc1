import type { GapAnalysis } from '../engines/gap-analysis/gap-analysis.js';
import type { CriterionVerdict, Severity, Verdict } from '../findings/finding.js';
import type { SettledVerdict } from '../judgement/model/settled-verdict.js';
import { say } from '../sentences/sentence.js';
import type { Standard } from '../standards/criterion.js';
import {
  agreementText,
  type Line,
  type Printing,
  printEvidence,
  printFinding,
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

const VERDICT_STYLE: Readonly<Record<Verdict, Style>> = {
  covered: 'green',
  partial: 'yellow',
  missing: 'red',
  needs_review: 'cyan',
  not_applicable: 'grey',
};
const VERDICTS = Object.keys(VERDICT_STYLE) as Verdict[];
const verdictName = (verdict: Verdict) => say(`terminal.verdict.${verdict}`);

/** Prints an analysis for a person: verdicts, gaps with quotes, what is left to decide, summary. */
export function printAnalysis(
  output: Output,
  result: GapAnalysis,
  {
    standard,
    notAssessed,
    words,
  }: {
    readonly standard: Standard;
    readonly notAssessed: readonly NotAssessed[];
    readonly words: Words;
  },
): void {
  const paint = painter(output);
  const width = widthOf(output);
  const names = new Map(result.method.documents.map((document) => [document.id, document.name]));
  const printing: Printing = { names, paint, width, words };
  const line = (text = '') => output.write(`${text}\n`);
  const title = (text: string) => {
    line();
    line(paint('bold', text));
    line('─'.repeat(Math.min(width, text.length)));
  };

  title(`${standard.designation}: ${standard.title}`);
  printVerdicts(line, result.verdicts, standard, printing);

  if (result.findings.length > 0) {
    title(words(say('terminal.gaps', { count: result.findings.length })));
    for (const finding of result.findings) printFinding(line, finding, printing);
  }
  const open = openQuestions(result.verdicts, standard);
  if (open.length > 0) {
    title(words(say('terminal.for-a-person', { count: open.length })));
    for (const verdict of open) {
      const criterion = standard.criteria.find((one) => one.id === verdict.criterionId);
      line(`${paint('cyan', verdict.criterionId)}  ${criterion?.title ?? ''}`);
      for (const text of wrap(verdict.reason, width - 4)) line(`    ${text}`);
      printEvidence(line, verdict.evidence, printing);
      line();
    }
  }
  for (const { question, reason } of result.questions) {
    title(question);
    for (const text of wrap(reason, width)) line(text);
  }
  printNotDue({ title, line, width, words }, result.notDue);
  printWithheld({ title, line, width, words }, result.method.withheld);
  printNotes({ title, line, width, words }, result.method.documents);
  printNotAssessed({ title, line, width, words }, notAssessed);
  if (result.opinions) printOpinions({ title, line }, result.opinions, printing);
  printSummary(line, result, printing);
}

/** Where rules and a language model do not say the same. */
function printOpinions(
  { title, line }: { title: (text: string) => void; line: Line },
  opinions: readonly SettledVerdict[],
  { paint, width, words }: Printing,
): void {
  const differ = opinions.filter(({ outcome }) => outcome !== 'same' && outcome !== 'abstained');
  if (differ.length === 0) return;
  title(words(say('terminal.differ', { count: differ.length })));
  for (const { criterionId, byRules, byModel, verdict, outcome, confirm, reason } of differ) {
    const said = byModel && byModel.verdict !== 'none' ? byModel.verdict : 'not_applicable';
    line(
      words(
        say('terminal.differs', {
          id: criterionId,
          rules: verdictName(byRules.verdict),
          model: verdictName(said),
          settled: paint(VERDICT_STYLE[verdict], words(verdictName(verdict))),
          outcome,
          confirm,
        }),
      ),
    );
    for (const text of wrap(reason, width - 4)) line(`    ${text}`);
  }
}

/** What a person has to decide; where a work product waits for an answer, its expectations wait with it. */
function openQuestions(
  verdicts: readonly CriterionVerdict[],
  standard: Standard,
): readonly CriterionVerdict[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.criterionId, verdict]));
  const parents = new Map(standard.criteria.map((criterion) => [criterion.id, criterion.parentId]));
  const conditionOf = (verdict: CriterionVerdict | undefined) =>
    verdict?.verdict === 'needs_review'
      ? verdict.rules.find((rule) => rule.startsWith('condition-'))
      : undefined;
  return verdicts.filter((verdict) => {
    if (verdict.verdict !== 'needs_review') return false;
    const condition = conditionOf(verdict);
    const parent = byId.get(parents.get(verdict.criterionId) ?? '');
    return condition === undefined || condition !== conditionOf(parent);
  });
}

function printVerdicts(
  line: Line,
  verdicts: readonly CriterionVerdict[],
  standard: Standard,
  { paint, width, words }: Printing,
): void {
  const byId = new Map(verdicts.map((verdict) => [verdict.criterionId, verdict]));
  const idWidth = Math.min(26, Math.max(...standard.criteria.map((criterion) => criterion.id.length)));
  const titleWidth = width - idWidth - 26;
  for (const criterion of standard.criteria) {
    const verdict = byId.get(criterion.id);
    if (!verdict) {
      line();
      line(paint('bold', `${criterion.clause} ${criterion.title}`));
      continue;
    }
    const indent = criterion.kind === 'expectation' ? '  ' : '';
    const name = paint(VERDICT_STYLE[verdict.verdict], words(verdictName(verdict.verdict)).padEnd(10));
    const text = fit(`${indent}${criterion.title}`, titleWidth).padEnd(titleWidth);
    const shown =
      criterion.kind === 'work_product'
        ? paint('bold', text)
        : indent === ''
          ? text
          : `  ${text.trimStart().padEnd(titleWidth - 2)}`;
    line(
      `${criterion.id.padEnd(idWidth)}  ${name} ${shown}  ${words(say(`terminal.confidence.${verdict.confidence}`))}`,
    );
  }
}

function printSummary(line: Line, result: GapAnalysis, { paint, width, words }: Printing): void {
  const { verdicts, severities } = result.counts;
  line();
  line(paint('bold', words(say('terminal.summary'))));
  const parts = VERDICTS.map((verdict) => `${verdicts[verdict]} ${words(verdictName(verdict))}`);
  const notDue = result.notDue.reduce((sum, { items }) => sum + items.length, 0);
  const later = notDue > 0 ? [`${notDue} ${words(say('terminal.verdict.not_due'))}`] : [];
  line(`  ${[...parts, ...later].join(', ')}`);
  const counts = (Object.keys(severities) as Severity[]).map((severity) =>
    paint(SEVERITY_STYLE[severity], `${severities[severity]} ${words(severityName(severity))}`),
  );
  line(`  ${words(say('terminal.gaps-counted', { counts }))}`);
  const { value, upTo, agreement } = result.score;
  if (value !== null) {
    const more = upTo !== null && upTo > value ? upTo : undefined;
    line(`  ${words(say('terminal.score', { value, upTo: more }))}`);
    for (const text of wrap(agreementText(agreement, words), width - 2)) line(`  ${text}`);
  }
  const { method } = result;
  if (method.model) printModel(line, method.model, words);
  const near =
    'model' in method.embedding
      ? say('terminal.with-embeddings', { model: method.embedding.model })
      : say('terminal.words-only', { reason: method.embedding.lexicalOnly });
  const how = say('terminal.how-analysis', {
    engine: `${method.engine.name} ${method.engine.version}`,
    documents: method.documents.length,
    passages: method.passages,
    near,
    disclaimer: say('terminal.disclaimer'),
  });
  for (const text of wrap(words(how), width - 2)) line(paint('grey', `  ${text}`));
}
