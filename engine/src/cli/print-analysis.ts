import type { GapAnalysis } from '../engines/gap-analysis/gap-analysis.js';
import type { CriterionVerdict, Severity, Verdict } from '../findings/finding.js';
import type { SettledVerdict } from '../judgement/model/settled-verdict.js';
import type { Standard } from '../standards/criterion.js';
import {
  agreementText,
  counted,
  type Line,
  printEvidence,
  printFinding,
  printModel,
  printNotDue,
  printNotes,
  SEVERITY_STYLE,
} from './print-findings.js';
import type { NotAssessed } from './read-files.js';
import { fit, type Output, oneLine, type Paint, painter, type Style, widthOf, wrap } from './terminal.js';

const VERDICT_STYLE: Readonly<Record<Verdict, Style>> = {
  covered: 'green',
  partial: 'yellow',
  missing: 'red',
  needs_review: 'cyan',
  not_applicable: 'grey',
};
const VERDICT_NAME: Readonly<Record<Verdict, string>> = {
  covered: 'covered',
  partial: 'partial',
  missing: 'missing',
  needs_review: 'to review',
  not_applicable: 'n/a',
};

/** Prints an analysis for a person: verdicts, gaps with quotes, what is left to decide, summary. */
export function printAnalysis(
  output: Output,
  result: GapAnalysis,
  { standard, notAssessed }: { readonly standard: Standard; readonly notAssessed: readonly NotAssessed[] },
): void {
  const paint = painter(output);
  const width = widthOf(output);
  const names = new Map(result.method.documents.map((document) => [document.id, document.name]));
  const line = (text = '') => output.write(`${text}\n`);
  const title = (text: string) => {
    line();
    line(paint('bold', text));
    line('─'.repeat(Math.min(width, text.length)));
  };

  title(`${standard.designation}: ${standard.title}`);
  printVerdicts(line, result.verdicts, { standard, paint, width });

  if (result.findings.length > 0) {
    title(`Gaps (${result.findings.length})`);
    for (const finding of result.findings) printFinding(line, finding, { names, paint, width });
  }
  const open = openQuestions(result.verdicts, standard);
  if (open.length > 0) {
    title(`For a person to decide (${open.length})`);
    for (const verdict of open) {
      const criterion = standard.criteria.find((one) => one.id === verdict.criterionId);
      line(`${paint('cyan', verdict.criterionId)}  ${criterion?.title ?? ''}`);
      for (const text of wrap(verdict.reason, width - 4)) line(`    ${text}`);
      printEvidence(line, verdict.evidence, { names, paint, width });
      line();
    }
  }
  for (const { question, reason } of result.questions) {
    title(question);
    for (const text of wrap(reason, width)) line(text);
  }
  printNotDue({ title, line, width }, result.notDue);
  printNotes({ title, line, width }, result.method.documents);
  if (notAssessed.length > 0) {
    title(`Not assessed (${notAssessed.length})`);
    for (const file of notAssessed) line(`${oneLine(file.name)}: ${file.reason} ${file.hint}`);
  }
  if (result.opinions) printOpinions({ title, line, paint, width }, result.opinions);
  printSummary(line, result, { paint, width });
}

/** Where rules and a language model do not say the same. */
function printOpinions(
  { title, line, paint, width }: { title: (text: string) => void; line: Line; paint: Paint; width: number },
  opinions: readonly SettledVerdict[],
): void {
  const differ = opinions.filter(({ outcome }) => outcome !== 'same' && outcome !== 'abstained');
  if (differ.length === 0) return;
  title(`Rules and model differ (${differ.length})`);
  for (const { criterionId, byRules, byModel, verdict, outcome, confirm, reason } of differ) {
    const said = byModel && byModel.verdict !== 'none' ? VERDICT_NAME[byModel.verdict] : 'n/a';
    const settled = paint(VERDICT_STYLE[verdict], VERDICT_NAME[verdict]);
    const person = confirm ? ', to be confirmed' : '';
    line(
      `${criterionId}  rules: ${VERDICT_NAME[byRules.verdict]}, model: ${said} → ${settled} (${outcome}${person})`,
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
  { standard, paint, width }: { standard: Standard; paint: Paint; width: number },
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
    const name = paint(VERDICT_STYLE[verdict.verdict], VERDICT_NAME[verdict.verdict].padEnd(10));
    const text = fit(`${indent}${criterion.title}`, titleWidth).padEnd(titleWidth);
    const shown =
      criterion.kind === 'work_product'
        ? paint('bold', text)
        : indent === ''
          ? text
          : `  ${text.trimStart().padEnd(titleWidth - 2)}`;
    line(`${criterion.id.padEnd(idWidth)}  ${name} ${shown}  ${verdict.confidence}`);
  }
}

function printSummary(
  line: Line,
  result: GapAnalysis,
  { paint, width }: { paint: Paint; width: number },
): void {
  const { verdicts, severities } = result.counts;
  line();
  line(paint('bold', 'Summary'));
  const parts = (Object.keys(VERDICT_NAME) as Verdict[]).map(
    (verdict) => `${verdicts[verdict]} ${VERDICT_NAME[verdict]}`,
  );
  const notDue = result.notDue.reduce((sum, { items }) => sum + items.length, 0);
  line(`  ${[...parts, ...(notDue > 0 ? [`${notDue} not due`] : [])].join(', ')}`);
  const gaps = (Object.keys(severities) as Severity[]).map((severity) =>
    paint(SEVERITY_STYLE[severity], `${severities[severity]} ${severity}`),
  );
  line(`  Gaps: ${gaps.join(', ')}`);
  const { value, upTo, agreement } = result.score;
  if (value !== null) {
    const more =
      upTo !== null && upTo > value ? ` (up to ${upTo} if everything to review turns out to be met)` : '';
    line(`  Score: ${value} of 100${more}`);
    for (const text of wrap(agreementText(agreement), width - 2)) line(`  ${text}`);
  }
  const { method } = result;
  if (method.model) printModel(line, method.model);
  const near =
    'model' in method.embedding
      ? `embeddings ${method.embedding.model}`
      : `words only: ${method.embedding.lexicalOnly}`;
  const how = `${method.engine.name} ${method.engine.version}, ${counted(method.documents.length, 'document')}, ${counted(method.passages, 'passage')}, ${near}. ${method.disclaimer}`;
  for (const text of wrap(how, width - 2)) line(paint('grey', `  ${text}`));
}
