import type { AsilLevel } from '../asil/asil.js';
import { type Corpus, type CorpusDocument, partsOfTypes } from '../corpus/corpus.js';
import { english } from '../sentences/render.js';
import type { Criterion, Standard } from '../standards/criterion.js';
import type { CriterionVerdict, Evidence, Finding } from './finding.js';
import { fingerprint } from './fingerprint.js';
import { printQuote } from './print-quote.js';
import { ownerOf, stakesOf } from './recommendations.js';
import { type Adjustment, gradeGap } from './severity.js';

/** First rule of a verdict that only a contradiction lowered. */
export const INCONSISTENT = 'inconsistent';

/** What a finding needs to know beside the verdict. */
export interface FindingContext {
  readonly standard: Standard;
  readonly criteria: ReadonlyMap<string, Criterion>;
  readonly corpus: Corpus;
  /** Highest ASIL that the documents state. */
  readonly asil: AsilLevel | undefined;
}

/**
 * Gaps for verdicts that are `missing` or `partial`. A missing work product is one gap that lists its
 * expectations; they are no gaps of their own (root cause).
 */
export function gapFindings(
  verdicts: readonly CriterionVerdict[],
  context: FindingContext,
): readonly Finding[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.criterionId, verdict]));
  return verdicts.flatMap((verdict) => {
    if (verdict.verdict !== 'missing' && verdict.verdict !== 'partial') return [];
    // The contradictions themselves are the findings.
    if (verdict.rules[0] === INCONSISTENT) return [];
    const criterion = context.criteria.get(verdict.criterionId)!;
    const parent = criterion.parentId ? byId.get(criterion.parentId) : undefined;
    const parentCriterion = criterion.parentId ? context.criteria.get(criterion.parentId) : undefined;
    if (parentCriterion?.kind === 'work_product' && parent?.verdict === 'missing') return [];
    return [gapFinding(verdict, criterion, context)];
  });
}

function gapFinding(verdict: CriterionVerdict, criterion: Criterion, context: FindingContext): Finding {
  const isWorkProduct = criterion.kind === 'work_product';
  const isMissing = verdict.verdict === 'missing';
  const kind =
    isWorkProduct && isMissing ? 'missing_work_product' : isMissing ? 'missing_content' : 'partial_content';
  const types = typesOf(criterion, context);
  const homes = homesOf(types, context);
  const { severity, reasons } = gradeGap({
    kind,
    base: criterion.severity,
    asil: context.asil,
    obligation: criterion.obligation,
    adjustments: adjustmentsOf(verdict, homes, isMissing),
  });
  const children = isWorkProduct
    ? [...context.criteria.values()].filter((one) => one.parentId === criterion.id)
    : [];
  return {
    fingerprint: fingerprint(kind, criterion.id, ''),
    kind,
    criterionId: criterion.id,
    title: titleOf(verdict, criterion, context),
    standardRef: standardRef(criterion, context),
    severity,
    confidence: verdict.confidence,
    severityReasons: reasons.map(english),
    ...(context.asil ? { asil: context.asil } : {}),
    expected: isWorkProduct
      ? `The ${lowerFirst(criterion.title)} exists as a document or record.`
      : criterion.text,
    observed: observedOf(verdict),
    whyItMatters: english(stakesOf(types)),
    recommendation: recommendationOf(verdict, criterion, { types, homes, children, context }),
    effortHint: isWorkProduct ? 'days' : isMissing ? 'hours' : 'hours',
    affectedItems: children.map((child) => child.id),
    ...(verdict.defects ? { defects: verdict.defects } : {}),
    evidence: verdict.evidence,
    ...(verdict.search ? { search: verdict.search } : {}),
  };
}

/** Document types of a criterion, of its work product, or of what its data name. */
function typesOf(criterion: Criterion, { criteria }: FindingContext): readonly string[] {
  const parent = criterion.parentId ? criteria.get(criterion.parentId) : undefined;
  const named = [...(criterion.lookFor?.sections ?? []), ...(criterion.lookFor?.columns ?? [])];
  return (
    criterion.documentTypes ?? parent?.documentTypes ?? [...new Set(named.map((one) => one.split('.')[0]!))]
  );
}

function homesOf(types: readonly string[], { corpus }: FindingContext): readonly CorpusDocument[] {
  const ids = new Set(partsOfTypes(corpus, types).map((part) => part.documentId));
  return corpus.documents.filter((document) => ids.has(document.id));
}

function adjustmentsOf(
  verdict: CriterionVerdict,
  homes: readonly CorpusDocument[],
  isMissing: boolean,
): readonly Adjustment[] {
  const adjustments: Adjustment[] = [];
  if (homes.some((home) => home.status === 'released')) adjustments.push('released');
  else if (homes.length > 0 && homes.every((home) => home.status === 'draft')) adjustments.push('draft');
  if (isMissing && verdict.rules.includes('stated-elsewhere')) adjustments.push('compensating');
  return adjustments;
}

/** At most twelve words: artefact and defect. */
function titleOf(verdict: CriterionVerdict, criterion: Criterion, { criteria }: FindingContext): string {
  const isMissing = verdict.verdict === 'missing';
  if (criterion.kind === 'work_product') {
    const defect = verdict.rules.includes('T8-template-not-filled-in')
      ? 'is an empty template'
      : isMissing
        ? 'not found'
        : 'only in part';
    return words(criterion.title, 12 - defect.split(' ').length, defect);
  }
  const parent = criterion.parentId ? criteria.get(criterion.parentId) : undefined;
  const artefact = parent?.kind === 'work_product' ? `${parent.title}: ` : '';
  const defect = isMissing ? 'missing' : 'incomplete';
  const full = `${artefact}${criterion.title}`;
  return full.split(/\s+/).length <= 11 ? `${full} ${defect}` : words(criterion.title, 11, defect);
}

function words(text: string, most: number, tail: string): string {
  const all = text.split(/\s+/);
  return `${all.slice(0, most).join(' ')}${all.length > most ? ' …' : ''} ${tail}`;
}

/** `ISO 26262-3:2018, 6 (WP 6.5.1)`; no text of the standard. */
function standardRef(criterion: Criterion, { standard, criteria }: FindingContext): string {
  const parent = criterion.parentId ? criteria.get(criterion.parentId) : undefined;
  const workProduct =
    criterion.kind === 'work_product' ? criterion : parent?.kind === 'work_product' ? parent : undefined;
  const number = workProduct?.id.split(':').at(-1);
  return `${standard.designation}, ${criterion.clause}${number ? ` (WP ${number})` : ''}`;
}

function observedOf(verdict: CriterionVerdict): string {
  const counted = verdict.evidence.filter((one) => one.role !== 'context').slice(0, 2);
  const quotes = counted.map((one) => quoted(one)).join(' ');
  const search = verdict.search && counted.length === 0 ? ` ${verdict.search.statement}` : '';
  return `${verdict.reason}${quotes === '' ? '' : ` ${quotes}`}${search}`;
}

const LONGEST_INLINE_QUOTE = 160;

function quoted({ quote, note }: Evidence): string {
  return `${printQuote(quote, LONGEST_INLINE_QUOTE)}${note ? ` (${note})` : ''}.`;
}

/** Verb, object, content, place, owner and acceptance criterion (domain H.3). */
function recommendationOf(
  verdict: CriterionVerdict,
  criterion: Criterion,
  known: {
    readonly types: readonly string[];
    readonly homes: readonly CorpusDocument[];
    readonly children: readonly Criterion[];
    readonly context: FindingContext;
  },
): string {
  const { types, homes, children, context } = known;
  const owner = english(ownerOf(types));
  const place = homes[0] ? `"${homes[0].name}"` : undefined;
  const section = sectionName(criterion, context);
  if (criterion.kind === 'work_product' && verdict.verdict === 'missing') {
    const content = children.slice(0, 4).map((child) => lowerFirst(child.title));
    const covering =
      content.length > 0
        ? ` covering ${content.join(', ')}${children.length > 4 ? ' and the further expectations listed' : ''}`
        : '';
    const verb = place ? `Fill in ${place} as` : 'Provide';
    const done = `done when the ${lowerFirst(criterion.title)} is under configuration control, reviewed, and each of its ${children.length || 'listed'} expectations is shown`;
    return `${verb} the ${lowerFirst(criterion.title)}${covering}; if it exists elsewhere, add that version to the analysis; owner: ${owner}; ${done}.`;
  }
  const target = place ?? plannedPlace(types, context);
  const where = section ? `${target}, section "${section}"` : target;
  const content = lowerFirst(criterion.text.replace(/\.$/, ''));
  const tail = `determine missing values from the responsible analysis instead of assuming them; owner: ${owner}; done when a review confirms it for this version and no row or section it needs is empty.`;
  if (verdict.verdict !== 'partial')
    return `Add "${criterion.title}" to ${where}, so that ${content}; ${tail}`;
  return `Complete "${criterion.title}" in ${where}, so that ${content}; open is: ${lowerFirst(verdict.reason.replace(/\.$/, ''))}; ${tail}`;
}

/** Where it belongs when no document of the kind was given. */
function plannedPlace(types: readonly string[], { corpus }: FindingContext): string {
  const title = corpus.documentTypes.get(types[0] ?? '')?.name.en;
  return title === undefined ? 'the work product that should hold it' : `the ${lowerFirst(title)}`;
}

function sectionName(criterion: Criterion, { corpus }: FindingContext): string | undefined {
  const [typeId, key] = criterion.lookFor?.sections?.[0]?.split('.') ?? [];
  if (!typeId) return undefined;
  return corpus.documentTypes.get(typeId)?.sections.find((section) => section.key === key)?.heading.en;
}

function lowerFirst(text: string): string {
  // "ASIL per event", "S, E and C": capitals that are not a sentence's.
  return /^\p{Lu}[\p{Ll}\s]/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
