import { type Confidence, type Finding, SEVERITIES, type Severity } from '../../findings/finding.js';
import { ownerOf, stakesOf } from '../../findings/recommendations.js';
import { isAtLeast, lessSevere } from '../../findings/severities.js';
import { gradePlaceholder } from '../../findings/severity.js';
import { english } from '../../sentences/render.js';
import type { SectionResult } from './completeness.js';
import type { CheckContext, CheckedPart } from './context.js';
import { makeFinding } from './make-finding.js';
import { completenessRules, ruleExpression } from './rules.js';

/** An outline of so many headings is one: what it does not name is missing for sure. */
const OUTLINE = 4;

/** One gap for each demanded section that is not as it has to be (domain D.1, D.3, EM-01 and EM-02). */
export function sectionFindings(
  checked: CheckedPart,
  sections: readonly SectionResult[],
  context: CheckContext,
): readonly Finding[] {
  return sections.flatMap((section) => {
    const graded = section.applies === 'yes' ? gradeSection(section, checked, context) : undefined;
    return graded ? [sectionFinding(section, graded, checked)] : [];
  });
}

/** A document that is nothing but its template is one gap that lists the sections (root cause). */
export function emptyTemplateFinding(checked: CheckedPart, sections: readonly SectionResult[]): Finding {
  const { document, type } = checked;
  const demanded = sections.filter((section) => section.applies === 'yes');
  const severity = SEVERITIES.find((one) => demanded.some((section) => section.severity === one)) ?? 'medium';
  const evidence = demanded.flatMap((section) => section.evidence).slice(0, 3);
  return makeFinding({
    kind: 'empty_template',
    checked,
    item: '',
    title: `${type.name.en} is an empty template`,
    severity,
    confidence: 'high',
    reasons: [`The most severe section that it leaves open carries ${severity}.`],
    expected: `The ${lowerFirst(type.name.en)} is filled in.`,
    observed: `"${document.name}" holds headings, instructions and empty tables; ${demanded.length} demanded sections have no content.`,
    whyItMatters: english(stakesOf([type.id])),
    recommendation: `Fill in "${document.name}", beginning with ${
      demanded
        .filter((section) => section.critical)
        .slice(0, 4)
        .map((section) => `"${section.title}"`)
        .join(', ') || 'its required sections'
    }; owner: ${english(ownerOf([type.id]))}; done when each demanded section holds statements about the item and the document is reviewed.`,
    effortHint: 'days',
    affectedItems: demanded.map((section) => `${type.id}.${section.key}`),
    evidence,
  });
}

interface Graded {
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly reasons: readonly string[];
  readonly defect: string;
}

function gradeSection(
  section: SectionResult,
  checked: CheckedPart,
  context: CheckContext,
): Graded | undefined {
  const { severity, critical, state } = section;
  const base = `The template gives the section ${severity}.`;
  switch (state) {
    case 'missing': {
      const sure = checked.document.read.sections.length >= OUTLINE;
      return { severity, confidence: sure ? 'high' : 'medium', reasons: [base], defect: 'missing' };
    }
    case 'empty':
    case 'placeholder': {
      const own = critical ? severity : lessSevere(severity, 1);
      const reasons = [
        base,
        critical ? 'Safety-critical content keeps it when empty.' : `Empty, it is one step less: ${own}.`,
      ];
      const graded = { confidence: 'high' as const, defect: state === 'empty' ? 'empty' : 'still open' };
      if (section.instructions === 0 || state === 'placeholder') return { ...graded, severity: own, reasons };
      const untouched = gradePlaceholder({
        place: 'untouched',
        status: checked.document.status,
        asil: context.asil,
        adjustments: [],
      });
      const isWorse = !isAtLeast(own, untouched.severity);
      return {
        ...graded,
        severity: isWorse ? untouched.severity : own,
        reasons: isWorse ? [...reasons, ...untouched.reasons.map(english)] : reasons,
      };
    }
    case 'thin': {
      const own = section.needsPerson ? 'low' : lessSevere(severity, 2);
      const reason = section.needsPerson
        ? 'A person has to look at the figure.'
        : `Something is there: two steps less, ${own}.`;
      return {
        severity: own,
        confidence: section.needsPerson ? 'low' : 'medium',
        reasons: [base, reason],
        defect: 'thin',
      };
    }
    case 'by_reference':
      return gradeReference(section, checked, base);
    case 'tailored_out':
      if (!critical || hasTailoringRecord(context)) return undefined;
      return {
        severity: 'medium',
        confidence: 'medium',
        reasons: ['Safety-critical content is left out and no tailoring record was given.'],
        defect: 'left out without tailoring record',
      };
    default:
      return undefined;
  }
}

function gradeReference(section: SectionResult, { type }: CheckedPart, base: string): Graded | undefined {
  const target = section.reference?.target;
  if (target === 'lacks_content') {
    const reasons = [base, 'The document that it points to does not treat it.'];
    return { severity: section.severity, confidence: 'medium', reasons, defect: 'not where it points to' };
  }
  if (target === 'not_provided') {
    const reasons = ['What it points to was not among the documents.'];
    return { severity: 'low', confidence: 'medium', reasons, defect: 'refers to a document not provided' };
  }
  if (type.sections.find((one) => one.key === section.key)?.acceptsByReference) return undefined;
  const reasons = ['The content is there, in another document than the template asks for.'];
  return { severity: 'low', confidence: 'medium', reasons, defect: 'only by reference' };
}

/** Some given document has a section on tailoring with something under it. */
function hasTailoringRecord({ corpus }: CheckContext): boolean {
  const tailoring = ruleExpression(completenessRules().tailoring);
  return corpus.documents.some(
    ({ read, setAside }) =>
      setAside === undefined &&
      read.sections.some(
        (section) =>
          tailoring.test(section.title) &&
          read.passages.slice(section.start, section.end).some((passage) => passage.role === 'body'),
      ),
  );
}

function sectionFinding(section: SectionResult, graded: Graded, checked: CheckedPart): Finding {
  const { document, type } = checked;
  const { defect, severity, confidence, reasons } = graded;
  const verb = section.state === 'missing' ? 'Add' : section.state === 'thin' ? 'Complete' : 'Fill in';
  const place =
    section.heading === undefined ? `"${document.name}"` : `"${document.name}", section "${section.heading}"`;
  return makeFinding({
    kind: `section_${section.state}`,
    checked,
    section,
    item: '',
    title: `${type.name.en}: "${section.title}" ${defect}`,
    severity,
    confidence,
    reasons,
    expected: `The ${lowerFirst(type.name.en)} treats "${section.title}".`,
    observed: `${place}: ${section.reason}${section.search ? ` ${section.search.statement}` : ''}`,
    whyItMatters: english(stakesOf([type.id])),
    recommendation: recommendationOf(section, { verb, place, type: checked.type }),
    effortHint: section.critical ? 'days' : 'hours',
    affectedItems: [],
    evidence: section.evidence.slice(0, 3),
    ...(section.search ? { search: section.search } : {}),
  });
}

function recommendationOf(
  section: SectionResult,
  { verb, place, type }: { verb: string; place: string; type: CheckedPart['type'] },
): string {
  const owner = `owner: ${english(ownerOf([type.id]))}`;
  if (section.reference?.target === 'not_provided') {
    return `Add ${section.reference.name} to the analysis, or correct the reference in ${place}; ${owner}; done when the document that it points to is given and treats the topic.`;
  }
  if (section.reference) {
    return `State the content of "${section.title}" in ${place}, or name the section of ${section.reference.name} that holds it; ${owner}; done when a reader finds the content from here.`;
  }
  if (section.state === 'tailored_out') {
    return `Record the tailoring of "${section.title}" with its rationale in the safety plan and refer to it from ${place}; ${owner}; done when the record is reviewed.`;
  }
  if (section.needsPerson) {
    return `Look at the figure in ${place} and add a caption and a sentence that says what it shows; ${owner}; done when the content can be read without the figure.`;
  }
  return `${verb} "${section.title}" in ${place}; determine missing values from the responsible analysis instead of assuming them, or state there with a reason why it does not apply; ${owner}; done when the section holds reviewed statements about the item.`;
}

/** "HARA" keeps its capitals. */
export function lowerFirst(text: string): string {
  return /^\p{Lu}[\p{Ll}\s]/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
