import type { CorpusDocument } from '../../corpus/corpus.js';
import { type Finding, SEVERITIES, type Severity } from '../../findings/finding.js';
import { ownerOf } from '../../findings/recommendations.js';
import { gradePlaceholder } from '../../findings/severity.js';
import { english } from '../../sentences/render.js';
import type { MetadataResult, PlaceholderResult } from './completeness.js';
import type { CheckContext } from './context.js';
import { makeFinding } from './make-finding.js';
import type { StructureDefect } from './structure.js';

const QUOTES = 3;

/** Gaps of metadata: what is missing by severity, what only the file's properties say, what cannot be right. */
export function metadataFindings(
  document: CorpusDocument,
  fields: readonly MetadataResult[],
): readonly Finding[] {
  const demanded = fields.filter((field) => field.applies);
  const open = demanded.filter((field) => field.state === 'missing' || field.state === 'open');
  const missing = SEVERITIES.flatMap((severity) => {
    const own = open.filter((field) => field.severity === severity);
    if (own.length === 0) return [];
    const labels = labelsOf(own);
    return [
      metadataFinding(document, own, {
        kind: 'metadata_missing',
        item: severity,
        title: own.length === 1 ? `${own[0]!.label} not stated` : `${own.length} metadata fields not stated`,
        severity,
        reasons: [`Each of them carries ${severity}.`],
        observed: `Not found on the cover, in header, footer, front matter or change history, or left open: ${labels}.`,
        action: `State ${labels}`,
      }),
    ];
  });
  const hidden = demanded.filter((field) => field.state === 'file_property_only');
  const properties =
    hidden.length === 0
      ? []
      : [
          metadataFinding(document, hidden, {
            kind: 'metadata_not_visible',
            item: '',
            title: 'Metadata not visible in the document',
            severity: 'low',
            reasons: ['A value that only the file properties hold is a fallback: low.'],
            observed: `Only the properties of the file say: ${labelsOf(hidden)}. They show who saved the file, not who is responsible.`,
            action: `State ${labelsOf(hidden)} in the text`,
          }),
        ];
  const wrong = fields.filter((field) => field.problems.length > 0);
  const values = wrong.map(
    (field): Finding =>
      metadataFinding(document, [field], {
        kind: 'metadata_value',
        item: field.key,
        title: `${field.label}: ${field.problems[0]}`,
        severity: field.severity,
        reasons: [`The field carries ${field.severity}.`],
        observed: `${field.label}: ${field.problems.join('; ')}.`,
        action: `Correct ${field.label}`,
      }),
  );
  return [...missing, ...properties, ...values];
}

function labelsOf(fields: readonly MetadataResult[]): string {
  return fields.map((field) => field.label.toLowerCase()).join(', ');
}

function metadataFinding(
  document: CorpusDocument,
  fields: readonly MetadataResult[],
  what: {
    readonly kind: string;
    readonly item: string;
    readonly title: string;
    readonly severity: Severity;
    readonly reasons: readonly string[];
    readonly observed: string;
    readonly action: string;
  },
): Finding {
  const { action, observed, ...rest } = what;
  return makeFinding({
    ...rest,
    document,
    topic: 'metadata',
    confidence: rest.kind === 'metadata_missing' ? 'medium' : 'high',
    expected:
      'A document says what it is, in which version and state, who answers for it, and what it builds on.',
    observed: `"${document.name}": ${observed}`,
    whyItMatters: 'Without it nobody can tell which document was reviewed and whether this is still it.',
    recommendation: `${action} in "${document.name}"; owner: ${english(ownerOf(typesOf(document)))}; done when cover, change history and header agree.`,
    effortHint: 'minutes',
    affectedItems: fields.map((field) => field.key),
    evidence: fields.flatMap((field) => field.evidence).slice(0, QUOTES),
  });
}

/** One gap for each section and pattern (domain D.5.4). */
export function placeholderFindings(
  document: CorpusDocument,
  open: readonly PlaceholderResult[],
  context: CheckContext,
): readonly Finding[] {
  return open.map((entry): Finding => {
    const where = entry.section === '' ? `"${document.name}"` : `"${document.name}", ${entry.section}`;
    const places = `${entry.count} ${entry.count === 1 ? 'place' : 'places'}`;
    const named = entry.items.slice(0, 3).join(', ');
    const { reasons } = gradePlaceholder({
      place: entry.place,
      status: document.status,
      asil: context.asil,
      adjustments: [],
    });
    return makeFinding({
      kind: 'placeholder',
      document,
      topic: 'placeholders',
      item: `${entry.section}\n${entry.pattern}`,
      title: named === '' ? `Open content (${places})` : `${named}: content still open`,
      severity: entry.severity,
      confidence: entry.confidence >= 0.8 ? 'high' : entry.confidence >= 0.6 ? 'medium' : 'low',
      reasons: [
        ...reasons.map(english),
        ...(entry.tracked ? ['It has an owner and a due date.'] : []),
        ...(entry.count >= 3 ? ['The same in three places or more.'] : []),
        `So: ${entry.severity}.`,
      ],
      expected: 'Nothing that the document demands or decides is left open.',
      observed: `${places} in ${where}: ${entry.what}${entry.tracked ? '; owner and due date are given' : ''}.`,
      whyItMatters: 'What is left open here is decided by nobody, or differently by everybody who needs it.',
      recommendation: `Determine and enter the open content in ${where}${named === '' ? '' : ` for ${named}`}; owner: ${english(ownerOf(typesOf(document)))}; done when no open point is left there and the values are reviewed.`,
      effortHint: entry.place === 'normative' ? 'hours' : 'minutes',
      affectedItems: entry.items,
      defects: entry.defects,
      evidence: entry.evidence,
    });
  });
}

/** Instructions of the template that are still there; one gap for a document. */
export function instructionFindings(
  document: CorpusDocument,
  { count, evidence }: { readonly count: number; readonly evidence: Finding['evidence'] },
  context: CheckContext,
): readonly Finding[] {
  if (count === 0) return [];
  const { severity, reasons } = gradePlaceholder({
    place: 'other',
    status: document.status,
    asil: context.asil,
    adjustments: [],
  });
  const what = count === 1 ? '1 instruction' : `${count} instructions`;
  return [
    makeFinding({
      kind: 'template_text',
      document,
      topic: 'template text',
      item: '',
      title: `Template text left in the document (${what})`,
      severity,
      confidence: 'high',
      reasons: reasons.map(english),
      expected: 'A document holds statements about the item, not the instructions of its template.',
      observed: `${what} of the template ${count === 1 ? 'is' : 'are'} still in "${document.name}"; they were not counted as content.`,
      whyItMatters: 'A reader cannot tell what was written for this item and what came with the form.',
      recommendation: `Remove the instructions of the template from "${document.name}" once their sections are filled in; owner: ${english(ownerOf(typesOf(document)))}; done when none is left.`,
      effortHint: 'minutes',
      affectedItems: [],
      evidence,
    }),
  ];
}

const ADVICE: Readonly<Record<StructureDefect['rule'], readonly [expected: string, action: string]>> = {
  'EM-06': [
    'Every figure that the text refers to is there.',
    'Add the figure with its caption, or correct the reference',
  ],
  'EM-07': ['The document is whole.', 'Complete or remove the end of the document'],
  'EM-08': [
    'A released document holds no open remarks or changes.',
    'Resolve the comments and tracked changes and release again',
  ],
  'EM-09': ['The document has a title of its own.', 'Replace the title of the template'],
};

export function structureFindings(
  document: CorpusDocument,
  defects: readonly StructureDefect[],
): readonly Finding[] {
  return defects.map(({ rule, severity, item, observed, evidence }) => {
    const [expected, action] = ADVICE[rule];
    return makeFinding({
      kind: rule,
      document,
      topic: 'structure',
      item,
      title: observed.replace(/[.:].*$/s, ''),
      severity,
      confidence: 'medium',
      reasons: [`${rule}: ${severity}.`],
      expected,
      observed: `"${document.name}": ${observed}`,
      whyItMatters: 'A reader cannot tell whether what is missing here was ever written.',
      recommendation: `${action} in "${document.name}"; owner: ${english(ownerOf(typesOf(document)))}; done when a reviewer finds it whole.`,
      effortHint: 'minutes',
      affectedItems: [],
      evidence,
    });
  });
}

function typesOf(document: CorpusDocument): readonly string[] {
  return document.parts.map((part) => part.typeId);
}
