import type { CorpusDocument } from '../../corpus/corpus.js';
import {
  type AffectedItem,
  type Confidence,
  type Finding,
  SEVERITIES,
  type Severity,
} from '../../findings/finding.js';
import { ownerOf, stakesOf } from '../../findings/recommendations.js';
import { statementOf } from '../../findings/said.js';
import { isAtLeast, lessSevere } from '../../findings/severities.js';
import { gradePlaceholder, severityWord } from '../../findings/severity.js';
import { type Sentence, say, wordsOf } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { patternOf } from '../../words/read-words.js';
import type { SectionResult } from './completeness.js';
import type { CheckContext, CheckedPart } from './context.js';
import { makeFinding } from './make-finding.js';
import { completenessRules } from './rules.js';

/** An outline of so many headings is one: what it does not name is missing for sure. */
const OUTLINE = 4;

/** Not found at all, and no defect of content on its own: told together with the others of the document. */
const isToldTogether = ({ applies, state, critical, severity }: SectionResult): boolean =>
  applies === 'yes' && state === 'missing' && !critical && severity !== 'critical';

/** What a document lacks of the sections of a template, as the one finding of its document lists it. */
export function missingSections(
  { document, type }: CheckedPart,
  sections: readonly SectionResult[],
): readonly AffectedItem[] {
  return sections.filter(isToldTogether).map(
    ({ key, said, severity, search }): AffectedItem => ({
      id: `${type.id}.${key}`,
      kind: 'section_missing',
      severity,
      documentId: document.id,
      ...(search ? { search } : {}),
      ...worded({ title: said.title }),
    }),
  );
}

/** How sure it is that sections are not there: not at all where most of the outline is in other words. */
export function confidenceOfAbsence(
  { read }: CorpusDocument,
  sections: readonly SectionResult[],
): Confidence {
  if (sections.every(({ needsPerson }) => needsPerson)) return 'low';
  return read.sections.length >= OUTLINE ? 'high' : 'medium';
}

/** One gap for each demanded section that is not as it has to be and is not told together (domain D.1, D.3, EM-01 and EM-02). */
export function sectionFindings(
  checked: CheckedPart,
  sections: readonly SectionResult[],
  context: CheckContext,
): readonly Finding[] {
  return sections.flatMap((section) => {
    if (isToldTogether(section)) return [];
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
    title: say('completeness.is-an-empty-template', { type: type.name }),
    severity,
    confidence: 'high',
    reasons: [say('completeness.the-most-severe-section-that-it', { severity: severityWord(severity) })],
    expected: say('completeness.template-filled-in', { type: type.name }),
    observed: say('completeness.holds-headings-instructions-and-empty-tables', {
      name: document.name,
      demanded: demanded.length,
    }),
    whyItMatters: stakesOf([type.id]),
    recommendation: say('completeness.fill-in-beginning-with-owner-done', {
      name: document.name,
      sections: demanded
        .filter((section) => section.critical)
        .slice(0, 4)
        .map((section) => say('general.quoted', { text: wordsOf(section.said.title) })),
      owner: ownerOf([type.id]),
    }),
    effortHint: 'days',
    affectedItems: demanded.map((section) => `${type.id}.${section.key}`),
    evidence,
  });
}

interface Graded {
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly reasons: readonly Sentence[];
  readonly defect: Sentence;
}

function gradeSection(
  section: SectionResult,
  checked: CheckedPart,
  context: CheckContext,
): Graded | undefined {
  const { severity, critical, state } = section;
  const base = say('completeness.template-gives', { severity: severityWord(severity) });
  switch (state) {
    case 'missing': {
      return {
        severity,
        confidence: confidenceOfAbsence(checked.document, [section]),
        reasons: [base],
        defect: say('completeness.missing'),
      };
    }
    case 'empty':
    case 'placeholder': {
      const own = critical ? severity : lessSevere(severity, 1);
      const reasons = [
        base,
        critical
          ? say('completeness.critical-keeps')
          : say('completeness.empty-one-less', { severity: severityWord(own) }),
      ];
      const graded = {
        confidence: 'high' as const,
        defect: state === 'empty' ? say('completeness.empty') : say('completeness.still-open'),
      };
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
        reasons: isWorse ? [...reasons, ...untouched.reasons] : reasons,
      };
    }
    case 'thin': {
      const own = section.needsPerson ? 'low' : lessSevere(severity, 2);
      const reason = section.needsPerson
        ? say('completeness.a-person-has-to-look-at')
        : say('completeness.something-is-there-two-steps-less', { severity: severityWord(own) });
      return {
        severity: own,
        confidence: section.needsPerson ? 'low' : 'medium',
        reasons: [base, reason],
        defect: say('completeness.thin'),
      };
    }
    case 'by_reference':
      return gradeReference(section, checked, base);
    case 'tailored_out':
      if (!critical || hasTailoringRecord(context)) return undefined;
      return {
        severity: 'medium',
        confidence: 'medium',
        reasons: [say('completeness.safety-critical-content-is-left-out')],
        defect: say('completeness.left-out-without-tailoring-record'),
      };
    default:
      return undefined;
  }
}

function gradeReference(section: SectionResult, { type }: CheckedPart, base: Sentence): Graded | undefined {
  const target = section.reference?.target;
  if (target === 'lacks_content') {
    const reasons = [base, say('completeness.points-not-treated')];
    return {
      severity: section.severity,
      confidence: 'medium',
      reasons,
      defect: say('completeness.not-where-it-points-to'),
    };
  }
  if (target === 'not_provided') {
    const reasons = [say('completeness.points-not-given')];
    return {
      severity: 'low',
      confidence: 'medium',
      reasons,
      defect: say('completeness.refers-to-a-document-not-provided'),
    };
  }
  if (type.sections.find((one) => one.key === section.key)?.acceptsByReference) return undefined;
  const reasons = [say('completeness.points-elsewhere')];
  return { severity: 'low', confidence: 'medium', reasons, defect: say('completeness.only-by-reference') };
}

/** Some given document has a section on tailoring with something under it. */
function hasTailoringRecord({ corpus }: CheckContext): boolean {
  const tailoring = patternOf(completenessRules().tailoring);
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
  const place = say('completeness.place', { document: document.name, heading: section.heading });
  return makeFinding({
    kind: `section_${section.state}`,
    checked,
    section,
    item: '',
    title: say('completeness.section-defect', {
      type: type.name,
      title: wordsOf(section.said.title),
      defect,
    }),
    severity,
    confidence,
    reasons,
    expected: say('completeness.section-treated', { type: type.name, title: wordsOf(section.said.title) }),
    observed: say('completeness.section-observed', {
      place,
      reason: section.said.reason,
      search: section.search && statementOf(section.search),
    }),
    whyItMatters: stakesOf([type.id]),
    recommendation: recommendationOf(section, { place, type: checked.type }),
    effortHint: section.critical ? 'days' : 'hours',
    affectedItems: [],
    evidence: section.evidence.slice(0, 3),
    ...(section.search ? { search: section.search } : {}),
  });
}

function recommendationOf(
  section: SectionResult,
  { place, type }: { readonly place: Sentence; readonly type: CheckedPart['type'] },
): Sentence {
  const given = { title: wordsOf(section.said.title), place, owner: ownerOf([type.id]) };
  const { reference } = section;
  if (reference?.target === 'not_provided') {
    return say('completeness.add-document', { name: reference.name, place, owner: given.owner });
  }
  if (reference) return say('completeness.state-content', { ...given, name: reference.name });
  if (section.state === 'tailored_out') return say('completeness.record-tailoring', given);
  if (section.needsPerson) return say('completeness.look-at-figure', { place, owner: given.owner });
  if (section.state === 'missing') return say('completeness.add-section', given);
  return say(
    section.state === 'thin' ? 'completeness.complete-section' : 'completeness.fill-in-section',
    given,
  );
}
